package eval

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/similarity"
)

// Examples are pairs of the set with the truth and the scores of each method, and no two
// methods agree on all of them.
func TestExamples(t *testing.T) {
	for name, set := range map[string]*datasets.Set{"pairs": labelled(11, 120), "clusters": cluttered(12, 120)} {
		t.Run(name, func(t *testing.T) {
			methods := []similarity.Method{hidden(words{min: 1}), hidden(words{steps: 2}), hidden(words{steps: 3})}
			records := run(t, set, Config{Seed: 5, Details: true, Resamples: 10}, methods...)
			doc := map[string]int{}
			for i, d := range set.Docs {
				doc[d.ID] = i
			}
			alike := map[[2]int]bool{}
			for _, p := range set.Pairs {
				alike[[2]int{p.A, p.B}] = p.Alike()
			}
			n := len(records[0].Details.Examples)
			if n == 0 || n > 12 {
				t.Fatalf("%d examples", n)
			}
			for k := range n {
				right := 0
				for i, r := range records {
					x := r.Details.Examples[k]
					a, b := doc[x.A], doc[x.B]
					if first := records[0].Details.Examples[k]; x.A != first.A || x.B != first.B || x.Alike != first.Alike {
						t.Fatalf("example %d of %s is another than that of %s", k, r.Method, records[0].Method)
					}
					truth := alike[[2]int{a, b}]
					if set.Clusters != nil {
						truth = set.Clusters[a] == set.Clusters[b]
					}
					if x.Alike != truth {
						t.Errorf("%s and %s: alike is %v, want %v", x.A, x.B, x.Alike, truth)
					}
					c := methods[i].NewCollection()
					c.Add(set.Docs[a].Text)
					c.Add(set.Docs[b].Text)
					if want := float64(float32(c.Score(0, 1))); x.Score != want {
						t.Errorf("%s of %s and %s is %v, want %v", r.Method, x.A, x.B, x.Score, want)
					}
					if x.TextA != set.Docs[a].Text || x.TextB != set.Docs[b].Text {
						t.Errorf("texts %q and %q, want %q and %q", x.TextA, x.TextB, set.Docs[a].Text, set.Docs[b].Text)
					}
					if (x.Score >= float64(r.Threshold)) == x.Alike {
						right++
					}
				}
				if right == 0 || right == len(records) {
					t.Errorf("example %d is judged alike by all", k)
				}
			}
		})
	}
}

// One method alone has nobody to disagree with.
func TestNoExamplesOfOneMethod(t *testing.T) {
	r := run(t, labelled(11, 60), Config{Details: true}, hidden(words{}))
	if n := len(r[0].Details.Examples); n != 0 {
		t.Errorf("%d examples", n)
	}
}

func TestPassages(t *testing.T) {
	var a, b []string
	for i := range 2000 {
		a, b = append(a, fmt.Sprint("a", i)), append(b, fmt.Sprint("b", i))
	}
	const shared = "what both of them have in common"
	textA := strings.Join(a[:1500], " ") + " " + shared + " " + strings.Join(a[1500:], " ")
	textB := strings.Join(b[:50], " ") + " " + shared + " " + strings.Join(b[50:], " ")
	inA, inB := passagesOf(textA, textB)
	for _, p := range []string{inA, inB} {
		if !strings.Contains(p, shared) || len(p) > exampleBytes+20 {
			t.Errorf("%d bytes: %q", len(p), p)
		}
	}
	if !strings.HasPrefix(inA, "… a") || !strings.HasSuffix(inA, " …") {
		t.Errorf("a cut text begins %q and ends %q", inA[:20], inA[len(inA)-20:])
	}
	if x, y := passagesOf("short", "也短"); x != "short" || y != "也短" {
		t.Errorf("%q and %q", x, y)
	}
	han := strings.Repeat("天地玄黄宇宙洪荒", 500)
	if x, _ := passagesOf(han, "\xff"+han[1:]); !utf8.ValidString(x) || !strings.Contains(han, strings.Trim(x, "… ")) {
		t.Errorf("%q", x)
	}
}

func TestExamplesEndWithTheContext(t *testing.T) {
	set := labelled(11, 60)
	p := pairsPart(set, datasets.Test)
	c := hidden(words{}).NewCollection()
	for _, d := range p.Docs {
		c.Add(set.Docs[d].Text)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := addExamples(ctx, set, p, []similarity.Collection{c, c}, make([]Record, 2), Config{Workers: 1})
	if err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}
