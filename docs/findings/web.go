package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// supershingles are the six hashes of 14 least hashes each that Broder's and Henzinger's web
// pages were compared by: 48 bytes.
type supershingles [6]uint64

const (
	perms    = 84
	perGroup = perms / 6
)

func supershinglesOf(hashes []uint64) (s supershingles) {
	for g := range s {
		var sum uint64
		for p := range perGroup {
			least := uint64(math.MaxUint64)
			seed := splitmix.Mix(uint64(g*perGroup+p+1) * splitmix.Step)
			for _, h := range hashes {
				least = min(least, splitmix.Mix(h^seed))
			}
			sum = splitmix.Mix(sum ^ least)
		}
		s[g] = sum
	}
	return s
}

// near says whether two of the six agree.
func (s supershingles) near(o supershingles) bool {
	n := 0
	for g := range s {
		if s[g] == o[g] {
			n++
		}
	}
	return n >= 2
}

// webPair counts what two algorithms and their agreement find in a set.
type webPair struct {
	name                    string
	shingles, simhash, both struct{ right, found int }
	alike                   int
}

// web finds pairs of each set by both algorithms.
func (l *lab) web() []webPair {
	var out []webPair
	for _, name := range near {
		set := l.set(name)
		wide := kit.Must(catalog.Parse("shingle:width=8"))
		var three [3]*simhash.Method // 384 bits
		for i := range three {
			m := kit.Must(catalog.Parse(fmt.Sprintf("simhash:bits=128,seed=%d", i)))
			three[i], _ = similarity.As[*simhash.Method](m)
		}
		super := make([]supershingles, len(set.Docs))
		empty := make([]bool, len(set.Docs))
		prints := make([][3]simhash.Fingerprint, len(set.Docs))
		for i, d := range set.Docs {
			hashes := wide.Features().AppendHashes(nil, d.Text)
			super[i], empty[i] = supershinglesOf(hashes), len(hashes) == 0
			for k, m := range three {
				prints[i][k] = m.Sketch(d.Text)
			}
		}
		w := webPair{name: name}
		l.scored(name, func(a, b int, alike bool) {
			if empty[a] || empty[b] {
				return
			}
			distance := 0
			for k := range three {
				distance += simhash.Distance(prints[a][k], prints[b][k])
			}
			s, h := super[a].near(super[b]), distance <= 384-372
			if alike {
				w.alike++
			}
			for _, f := range []struct {
				hit bool
				at  *struct{ right, found int }
			}{{s, &w.shingles}, {h, &w.simhash}, {s && h, &w.both}} {
				if f.hit {
					f.at.found++
					if alike {
						f.at.right++
					}
				}
			}
		})
		out = append(out, w)
	}
	return out
}

func ratio(a, b int) float64 {
	if b == 0 {
		return math.NaN()
	}
	return float64(a) / float64(b)
}

func henzinger(l *lab) finding {
	pairs := l.web()
	f := finding{Table: [][]string{{"set", "precision of supershingles", "recall", "precision of SimHash", "recall", "of both together", "recall"}}}
	var ok []string
	cases := 0
	for _, w := range pairs {
		if w.shingles.found >= 10 && w.simhash.found >= 10 {
			cases++
			if ratio(w.simhash.right, w.simhash.found) > ratio(w.shingles.right, w.shingles.found) {
				ok = append(ok, w.name)
			}
		}
		row := []string{w.name}
		for _, x := range []struct{ right, found int }{w.shingles, w.simhash, w.both} {
			row = append(row, fmt.Sprintf("%s of %d", figure(ratio(x.right, x.found)), x.found), figure(ratio(x.right, w.alike)))
		}
		f.Table = append(f.Table, row)
	}
	f.Verdict = where(ok, cases)
	f.Figure = fmt.Sprintf("SimHash is more precise on %s sets where both find ten pairs", count(len(ok), cases))
	return f
}

// twoSignals ranks pairs by both sketches, and by each at the size of both.
func twoSignals(l *lab) finding {
	f := finding{Table: [][]string{{"set", "AP of both", "MinHash of 32 bytes", "SimHash of 32 bytes"}}}
	var ok []string
	for _, name := range near {
		var c [4]similarity.Collection
		for i, spec := range []string{"minhash:size=128,bits=1", "minhash:size=256,bits=1", "simhash:bits=128,score=linear", "simhash:bits=128,score=linear,seed=1"} {
			c[i] = l.sketch(name, spec)
		}
		var small, large, one, two, both []eval.Scored
		l.scored(name, func(a, b int, alike bool) {
			add := func(to *[]eval.Scored, score float64) { *to = append(*to, eval.Scored{Score: score, Alike: alike}) }
			add(&small, c[0].Score(a, b))
			add(&large, c[1].Score(a, b))
			add(&one, c[2].Score(a, b))
			add(&two, c[2].Score(a, b)+c[3].Score(a, b))
		})
		x, y := ranks(small), ranks(one)
		for i := range x {
			both = append(both, eval.Scored{Score: min(x[i], y[i]), Alike: small[i].Alike})
		}
		b, m, s := eval.AveragePrecision(both), eval.AveragePrecision(large), eval.AveragePrecision(two)
		if b > m && b > s {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, three(b), three(m), three(s)})
	}
	f.Verdict = where(ok, len(near))
	f.Figure = fmt.Sprintf("on %s sets both together rank better than each at the same size", count(len(ok), len(near)))
	return f
}

// ranks returns the share of the pairs that score at most as high, for each.
func ranks(pairs []eval.Scored) []float64 {
	scores := make([]float64, len(pairs))
	for i, p := range pairs {
		scores[i] = p.Score
	}
	slices.Sort(scores)
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearch(scores, math.Nextafter(p.Score, math.Inf(1)))
		out[i] = float64(at) / float64(len(pairs))
	}
	return out
}

// figure is a number with three decimals, or a dash for none.
func figure(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return three(v)
}
