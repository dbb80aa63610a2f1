package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/common"
)

// pair is two texts side by side.
type pair struct {
	Head     text
	Verdicts []verdict
	A, B     side
}

// verdict is what a method says of a pair: its class is right or wrong.
type verdict struct{ Class, Name string }

// side is one text in parts, of which some are marked.
type side struct {
	What  text // it is; may be empty
	Name  string
	Parts []common.Part
}

// sides marks what two texts share, or with differ what they do not.
func sides(nameA, a, nameB, b string, differ bool) (side, side) {
	inA, inB := common.Of(a, b, differ)
	return side{Name: nameA, Parts: inA}, side{Name: nameB, Parts: inB}
}

// condensed is sides without the middles of long parts that are not marked.
func condensed(nameA, a, nameB, b string, differ bool) (side, side) {
	const around, most = 120, 1500 // bytes
	x, y := sides(nameA, a, nameB, b, differ)
	x.Parts, y.Parts = common.Condense(x.Parts, around, most), common.Condense(y.Parts, around, most)
	return x, y
}

// disagreements returns the examples of a group that methods judge differently, those
// that divide them most evenly first.
func (g *group) disagreements() []pair {
	type key struct{ a, b string }
	type found struct {
		example      eval.Example
		verdicts     []verdict
		right, wrong int
	}
	at := map[key]*found{}
	var all []*found
	for _, r := range g.records {
		if r.Details == nil {
			continue
		}
		for _, x := range r.Details.Examples {
			k := key{x.A, x.B}
			f := at[k]
			if f == nil {
				f = &found{example: x}
				at[k] = f
				all = append(all, f)
			}
			v := verdict{"wrong", fmt.Sprintf("%s %.3f", r.Method, x.Score)}
			if (x.Score >= float64(r.Threshold)) == x.Alike {
				v.Class = "right"
				f.right++
			} else {
				f.wrong++
			}
			f.verdicts = append(f.verdicts, v)
		}
	}
	all = slices.DeleteFunc(all, func(f *found) bool { return f.right == 0 || f.wrong == 0 })
	slices.SortStableFunc(all, func(a, b *found) int {
		return cmp.Compare(min(b.right, b.wrong), min(a.right, a.wrong))
	})
	var out []pair
	for _, f := range all {
		p := pair{Verdicts: f.verdicts, Head: text{"Not alike, says the truth.", "标注：不相似。"}}
		if f.example.Alike {
			p.Head = text{"Alike, says the truth.", "标注：相似。"}
		}
		p.A, p.B = sides(f.example.A, f.example.TextA, f.example.B, f.example.TextB, false)
		out = append(out, p)
	}
	return out
}
