package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// The cheapest method there is shows what a scan adds to scoring.
func BenchmarkScan(b *testing.B) {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, docs := range []int{1000, 10_000} {
		set := &datasets.Set{Name: "bench"}
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range docs {
			set.Docs = append(set.Docs, datasets.Doc{ID: fmt.Sprint(i), Text: fmt.Sprintf("%x %x %x", rng.Uint64(), rng.Uint64(), rng.Uint64())})
			set.Clusters = append(set.Clusters, i/2)
		}
		p := clusterPart(set, "test", membersOf(set, 1), 0)
		c, err := sketch(context.Background(), set, p.Docs, []similarity.Method{similarity.Hide(m)}, 1, quiet)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("docs=%d", docs), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scanAll(context.Background(), c[0], p, .9, 1, quiet); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(docs*(docs-1)/2), "ns/pair")
		})
	}
}

func BenchmarkBootstrap(b *testing.B) {
	const units = 5000
	for _, pairs := range []int{10_000, 1_000_000} {
		rng := rand.New(rand.NewPCG(1, 1))
		var p []Scored
		for i := range pairs {
			p = append(p, Scored{Score: rng.Float64(), Alike: i%10 == 0, Unit: [2]int{rng.IntN(units), rng.IntN(units)}})
		}
		r := rankScored(p)
		b.Run(fmt.Sprintf("pairs=%d", pairs), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.bootstrap(units, .5, 10, 1, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(10*pairs), "ns/pair")
		})
	}
}
