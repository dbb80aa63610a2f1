package load

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
)

// Fill adds documents to a store as benchmarks do: random ones, in batches, from two goroutines.
func Fill(b *testing.B, s index.Store, docs, batch int) {
	const writers = 2
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := fillRand(w)
			for n := 0; n < docs/writers; n += batch {
				var entries []index.Entry
				for i := range min(batch, docs/writers-n) {
					entries = append(entries, indextest.RandomEntry(rng, fmt.Sprintf("%d-%d", w, n+i)))
				}
				if _, err := s.Add(b.Context(), entries, false); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// fillRand is the source of one writer of Fill.
func fillRand(w int) *rand.Rand { return rand.New(rand.NewPCG(uint64(w), 7)) }

// Queries measures what a query for a near-duplicate does, without the method: in a store that Fill filled with
// 2,000 documents or more it scans four buckets of which one holds a document within three bits, and reads the document.
func Queries(b *testing.B, s index.Store) {
	rng := fillRand(0)
	var all []index.Entry
	for i := range 1000 {
		all = append(all, indextest.RandomEntry(rng, fmt.Sprintf("0-%d", i)))
	}
	var took []time.Duration
	var numbers []uint64
	for i := 0; b.Loop(); i++ {
		e := all[i%len(all)]
		start := time.Now()
		numbers = numbers[:0]
		err := s.Scan(b.Context(), e.Postings, 3, func(_ int, number uint64) { numbers = append(numbers, number) })
		if err != nil {
			b.Fatal(err)
		}
		slices.Sort(numbers)
		docs, err := s.Documents(b.Context(), slices.Compact(numbers))
		took = append(took, time.Since(start))
		if err != nil || !slices.ContainsFunc(docs, func(d index.Document) bool { return d.ID == e.ID }) {
			b.Fatalf("%s was not found: %v, %v", e.ID, docs, err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
