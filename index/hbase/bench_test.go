package hbase_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/alike-go/alike/docs/reliability/load"
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
				load.Fill(b, s, docs, 1000)
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
	load.Fill(b, s, docs, 1000)
	load.Queries(b, s)
}

// created returns a new index.
func created(b *testing.B, c *cluster, o hbase.Options) *hbase.Store {
	s := open(b, c, o)
	if err := s.Create(b.Context(), []byte("header")); err != nil {
		b.Fatal(err)
	}
	return s
}
