package shingle

import (
	"context"
	"fmt"
	"testing"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// yardstick returns the first documents of the workload that speeds are compared on.
func yardstick(tb testing.TB, n int) []string {
	text, copies := plant.Yardstick(1)
	maker, err := plant.NewMaker(text)
	if err != nil {
		tb.Fatal(err)
	}
	planter, err := plant.New(copies)
	if err != nil {
		tb.Fatal(err)
	}
	var texts []string
	for doc, err := range planter.Plant(maker.Docs(0, uint64(n))) {
		if err != nil {
			tb.Fatal(err)
		}
		if texts = append(texts, doc.Text); len(texts) == n {
			break
		}
	}
	return texts
}

// sketches returns those of texts.
func sketches[S any](m similarity.Similarity[S], texts []string) []S {
	out := make([]S, len(texts))
	for i, text := range texts {
		out[i] = m.Sketch(text)
	}
	return out
}

// BenchmarkJoin joins sets of single words, which are common, and of runs of three words,
// which are rare; the exact join and that by bands.
func BenchmarkJoin(b *testing.B) {
	const docs = 20_000
	texts := yardstick(b, docs)
	for _, width := range []int{1, 3} {
		o := feature.Options{MinWidth: width}
		m := mustNew(b, Options{Features: o})
		sets := sketches(m, texts)
		for _, threshold := range []float64{.8, .5, .3} {
			if width == 1 && threshold < .5 {
				continue // nearly all pairs
			}
			for _, workers := range []int{1, 2} {
				benchJoin(b, m, sets, similarity.JoinOptions{Threshold: threshold, Workers: workers})
			}
		}
	}
	for _, o := range []MinHashOptions{{Features: w3}, {Features: w3, Size: 512, Bits: 1}} {
		m := mustMinHash(b, o)
		sigs := sketches(m, texts)
		for _, threshold := range []float64{.8, .5} {
			for _, workers := range []int{1, 2} {
				benchJoin(b, m, sigs, similarity.JoinOptions{Threshold: threshold, Workers: workers})
			}
		}
	}
}

func benchJoin[S any](b *testing.B, m interface {
	similarity.Joiner[S]
	fmt.Stringer
}, sketches []S, o similarity.JoinOptions) {
	b.Run(fmt.Sprintf("method=%s/docs=%d/t=%v/workers=%d", m, len(sketches), o.Threshold, o.Workers), func(b *testing.B) {
		var st similarity.JoinStats
		var err error
		for b.Loop() {
			st, err = m.Join(context.Background(), sketches, nil, o, func(similarity.Pair) error { return nil })
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(sketches)), "ns/doc")
		b.ReportMetric(float64(st.Pairs), "pairs")
		b.ReportMetric(float64(st.Verified), "verified")
	})
}

// BenchmarkLSH adds signatures to an index and looks each of them up.
func BenchmarkLSH(b *testing.B) {
	const docs = 20_000
	m := mustMinHash(b, MinHashOptions{Features: w3})
	sigs := sketches(m, yardstick(b, docs))
	for _, threshold := range []float64{.8, .5} {
		build := func() *LSH {
			x, err := NewLSH(m, LSHOptions{Threshold: threshold})
			if err != nil {
				b.Fatal(err)
			}
			for _, s := range sigs {
				x.Add(s)
			}
			return x
		}
		x := build()
		b.Run(fmt.Sprintf("op=build/docs=%d/t=%v", docs, threshold), func(b *testing.B) {
			for b.Loop() {
				build()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*docs), "ns/doc")
			b.ReportMetric(float64(x.Bytes())/docs, "B/doc")
		})
		b.Run(fmt.Sprintf("op=query/docs=%d/t=%v", docs, threshold), func(b *testing.B) {
			var found []Match
			i := 0
			for b.Loop() {
				found = x.Query(found[:0], sigs[i])
				if len(found) == 0 || found[0].Number > i {
					b.Fatal("a signature is not found by itself")
				}
				i = (i + 7919) % docs
			}
		})
	}
}
