package dedup

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"
)

// Ranks compare as documents do.
func TestRankComparesAsPolicy(t *testing.T) {
	values := []float64{math.Inf(-1), -1e300, -2.5, -5e-324, math.Copysign(0, -1), 0, 5e-324, 1, 2.5, 1e300, math.Inf(1), math.NaN()}
	for _, spec := range []string{
		"first", "longest", "source", "source,first", "source,longest", "newest:a", "highest:a,longest", "longest,first,highest:a",
		"highest:a,newest:b,source", "longest,source,highest:b", "source,source",
	} {
		p, err := ParsePolicy(spec)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 1))
		for range 20000 {
			var docs [2]Doc
			var ranks [2]Rank
			for i := range docs {
				docs[i] = Doc{Ref: Ref{r.IntN(3), r.IntN(3)}, Length: r.IntN(3) * r.IntN(1<<20)}
				for range p.Fields() {
					docs[i].Values = append(docs[i].Values, values[r.IntN(len(values))])
				}
				if ranks[i], err = p.Rank(&docs[i], false); err != nil {
					t.Fatal(err)
				}
				if len(ranks[i]) != p.RankLen() || ranks[i].Ref() != docs[i].Ref {
					t.Fatalf("%s: the rank of %+v has %d bytes and is that of %v, want %d", spec, docs[i], len(ranks[i]), ranks[i].Ref(), p.RankLen())
				}
			}
			if got, want := cmp.Compare(ranks[0], ranks[1]), p.Compare(&docs[0], &docs[1]); got != want {
				t.Fatalf("%s: ranks of %+v and %+v compare as %d, want %d", spec, docs[0], docs[1], got, want)
			}
		}
	}
}

// Old documents come first, in input order, whatever they are.
func TestRankOfOldDocuments(t *testing.T) {
	for _, spec := range []string{"first", "source", "longest", "highest:a", "source,longest"} {
		p, err := ParsePolicy(spec)
		if err != nil {
			t.Fatal(err)
		}
		best := Doc{Ref: Ref{2, 0}, Length: math.MaxInt, Values: []float64{math.Inf(1)}}
		rank := func(d Doc, old bool) Rank {
			r, err := p.Rank(&d, old)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		a, b := rank(Doc{Ref: Ref{0, 9}, Values: []float64{1}}, true), rank(Doc{Ref: Ref{1, 0}, Length: 5, Values: []float64{2}}, true)
		if c := rank(best, false); a >= b || b >= c {
			t.Errorf("%s: old documents rank %x, %x, the best of the others %x", spec, a, b, c)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, r := range []Ref{{}, {0, 1}, {1, 0}, {1<<23 - 1, 1<<40 - 1}} {
		if n, ok := r.Number(); !ok || RefOf(n) != r || int64(n) < 0 {
			t.Errorf("%v has the number %d, %v, which stands for %v", r, n, ok, RefOf(n))
		}
	}
	for _, r := range []Ref{{-1, 0}, {0, -1}, {1 << 23, 0}, {0, 1 << 40}} {
		if n, ok := r.Number(); ok {
			t.Errorf("%v has the number %d", r, n)
		}
		if _, err := (Policy{}).Rank(&Doc{Ref: r}, false); err == nil {
			t.Errorf("%v has a rank", r)
		}
	}
}
