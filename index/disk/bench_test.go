package disk_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// benchDocs is the number of documents of benchmarks, or what ALIKE_INDEX_DOCS says.
func benchDocs(b *testing.B) int {
	if v := os.Getenv("ALIKE_INDEX_DOCS"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			b.Fatal(err)
		}
		return n
	}
	return 200_000
}

func benchIndex(b testing.TB, dir string) *index.Index {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		b.Fatal(err)
	}
	x, err := index.Create(b.Context(), open(b, dir, disk.Options{}), similarity.Hide(m), index.Options{Threshold: 0.989}) // 3 bits
	if err != nil {
		b.Fatal(err)
	}
	return x
}

// code is the fingerprint of document i.
func code(i int) uint64 { return rand.New(rand.NewPCG(uint64(i), 7)).Uint64() | 1 }

func benchDoc(i int) index.Doc {
	c := code(i)
	sketch := make([]byte, 0, 8)
	for s := 56; s >= 0; s -= 8 {
		sketch = append(sketch, byte(c>>s))
	}
	return index.Doc{ID: fmt.Sprintf("document-%d", i), Sketch: sketch, Time: 1_700_000_000}
}

// BenchmarkIndex fills an empty index, asks it for documents that are 0 to 3 bits from one that is there, and reads
// their buckets alone; and it adds documents to another in durable batches.
func BenchmarkIndex(b *testing.B) {
	n := benchDocs(b)
	var x *index.Index
	b.Run(fmt.Sprintf("load/docs=%d", n), func(b *testing.B) {
		for b.Loop() {
			if x != nil {
				x.Close()
			}
			x = benchIndex(b, filepath.Join(b.TempDir(), "index"))
			i := 0
			_, _, err := x.Load(b.Context(), func() (index.Doc, bool, error) {
				i++
				return benchDoc(i), i <= n, nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		st, err := x.Stats(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(b.Elapsed().Seconds())/float64(b.N), "s/load")
		b.ReportMetric(float64(st.PostingBytes)/float64(st.Postings), "B/posting")
		b.ReportMetric(float64(st.DocumentBytes)/float64(st.Documents), "B/doc")
		queries(b, x, n)
	})
	b.Run("add/batch=1000", func(b *testing.B) {
		x := benchIndex(b, filepath.Join(b.TempDir(), "index"))
		defer x.Close()
		const batch = 1000
		at := 0
		for b.Loop() {
			docs := make([]index.Doc, batch)
			for i := range docs {
				docs[i] = benchDoc(at)
				at++
			}
			if _, err := x.Add(b.Context(), docs); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(at)/b.Elapsed().Seconds(), "docs/s")
	})
}

// queries reports the second half of 20,000 queries, after those that brought the index into memory.
func queries(b *testing.B, x *index.Index, n int) {
	ctx := b.Context()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, kind := range []string{"query", "scan"} {
		var took []time.Duration
		for range 20000 {
			i := 1 + rng.IntN(n)
			d := benchDoc(i)
			for range rng.IntN(4) {
				bit := rng.IntN(64)
				d.Sketch[bit/8] ^= 1 << (bit % 8)
			}
			if kind == "query" {
				from := time.Now()
				m, err := x.Query(ctx, d, index.QueryOptions{})
				took = append(took, time.Since(from))
				if err != nil || len(m) == 0 {
					b.Fatal(m, err)
				}
				continue
			}
			c := uint64(0)
			for _, v := range d.Sketch {
				c = c<<8 | uint64(v)
			}
			var probes []index.Posting
			for t := range 4 {
				probes = append(probes, index.Posting{Bucket: uint32(c>>(48-16*t)&0xffff) << 16, Table: uint8(t), Word: c})
			}
			from := time.Now()
			out, err := indextest.Scan(ctx, x.Store(), probes, 3)
			took = append(took, time.Since(from))
			if err != nil {
				b.Fatal(out, err)
			}
		}
		took = took[len(took)/2:]
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2])/1e3, kind+"-p50-us")
		b.ReportMetric(float64(took[len(took)*99/100])/1e3, kind+"-p99-us")
	}
}
