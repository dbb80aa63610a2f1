package surrogate

import (
	"context"
	"fmt"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/choose"
)

// BenchmarkChoose is the whole choice without labels, truth and search, on made documents of 100 words of which a
// fifth are copies.
func BenchmarkChoose(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		b.Run(fmt.Sprintf("docs=%d", n), func(b *testing.B) {
			docs := made(b, n)
			bytes := 0
			for _, d := range docs {
				bytes += len(d.Text)
			}
			b.SetBytes(int64(bytes))
			b.ReportAllocs()
			for b.Loop() {
				t, err := Build(context.Background(), "made", docs, nil, Options{})
				if err != nil {
					b.Fatal(err)
				}
				found, err := choose.SearchTask(context.Background(), t.Task(), choose.Options{NoSpeed: true})
				if err != nil {
					b.Fatal(err)
				}
				if found.Best.Dev.F1 < 0.9 {
					b.Fatalf("%s is taken, with an F1 of %.3f", found.Best.Spec, float64(found.Best.Dev.F1))
				}
			}
		})
	}
}

func made(b *testing.B, n int) []datasets.Doc {
	b.Helper()
	maker, err := plant.NewMaker(plant.MakeOptions{Mean: 100, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	planter, err := plant.New(plant.Options{Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	var docs []datasets.Doc
	for d, err := range planter.Plant(maker.Docs(0, uint64(n))) {
		if err != nil {
			b.Fatal(err)
		}
		if docs = append(docs, d.Doc); len(docs) == n {
			break
		}
	}
	return docs
}
