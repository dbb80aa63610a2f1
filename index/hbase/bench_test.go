package hbase_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
)

// BenchmarkAdd adds random documents of four postings, from two goroutines, to HBase in one process on the machine
// itself, and reports postings a second by the rows that are sent at a time.
func BenchmarkAdd(b *testing.B) {
	c := start(b, 1)
	for _, batch := range []int{1, 10, 100, 1000, 10_000} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			docs := 20_000
			if batch < 100 {
				docs = 1000
			}
			for n := range b.N {
				s := created(b, c, hbase.Options{Name: fmt.Sprintf("add-%d-%d-%d", batch, b.N, n), Batch: batch})
				start := time.Now()
				fill(b, s, docs, 1000)
				b.ReportMetric(float64(docs*4)/time.Since(start).Seconds(), "postings/s")
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkQuery scans four buckets of which one holds a document within three bits, and reads the
// document: what a query for a near-duplicate does, without the method.
func BenchmarkQuery(b *testing.B) {
	const docs = 50_000
	s := created(b, start(b, 1), hbase.Options{Name: fmt.Sprint("query-", b.N)})
	defer s.Close()
	fill(b, s, docs, 1000)
	rng := rand.New(rand.NewPCG(0, 7))
	var all []index.Entry
	for i := range 1000 {
		all = append(all, random(rng, fmt.Sprintf("0-%d", i)))
	}
	var took []time.Duration
	var numbers []uint64
	for i := 0; b.Loop(); i++ {
		e := all[i%len(all)]
		start := time.Now()
		var err error
		numbers, err = s.Scan(b.Context(), numbers[:0], e.Postings, 3)
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

// created returns a new index.
func created(b *testing.B, c *cluster, o hbase.Options) *hbase.Store {
	s := open(b, c, o)
	if err := s.Create(b.Context(), []byte("header")); err != nil {
		b.Fatal(err)
	}
	return s
}

func fill(b *testing.B, s *hbase.Store, docs, batch int) {
	const writers = 2
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 7))
			for n := 0; n < docs/writers; n += batch {
				var entries []index.Entry
				for i := range min(batch, docs/writers-n) {
					entries = append(entries, random(rng, fmt.Sprintf("%d-%d", w, n+i)))
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
