package redis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
)

// at returns where a benchmark runs: a server or a cluster that the tests start, on the loopback
// device, which share the machine's cores with the client.
func at(b *testing.B, place string) string {
	if place == "cluster" {
		return "redis+cluster://" + addrs(cluster(b))
	}
	return "redis://" + single(b).addr()
}

// serverCPU returns the seconds of CPU time that the servers of a place have taken so far.
func serverCPU(b *testing.B, place string) (sum float64) {
	nodes := []*server{single(b)}
	if place == "cluster" {
		nodes = cluster(b)
	}
	for _, n := range nodes {
		c := goredis.NewClient(&goredis.Options{Addr: n.addr()})
		info, err := c.Info(b.Context(), "cpu").Result()
		c.Close()
		if err != nil {
			b.Fatal(err)
		}
		for line := range strings.Lines(info) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			if name == "used_cpu_user" || name == "used_cpu_sys" {
				v, err := strconv.ParseFloat(value, 64)
				if err != nil {
					b.Fatal(err)
				}
				sum += v
			}
		}
	}
	return sum
}

// BenchmarkAdd adds random documents of four postings in batches, from two goroutines. It reports
// postings a second, the CPU time that servers take for one, and the memory that the server gives for
// one, before a merge and after. In the cluster a replica has what is acknowledged.
func BenchmarkAdd(b *testing.B) {
	for _, layout := range []string{"packed", "sets"} {
		for _, place := range []string{"single", "cluster"} {
			b.Run(fmt.Sprintf("layout=%s/place=%s", layout, place), func(b *testing.B) {
				const docs, batch = 200_000, 1000
				for n := range b.N {
					s := filled(b, at(b, place), redis.Options{
						Name: fmt.Sprintf("add-%s-%s-%d-%d", layout, place, b.N, n), Documents: docs, Sets: layout == "sets",
					}, 0, 0)
					cpu, start := serverCPU(b, place), time.Now()
					fill(b, s, docs, batch)
					b.ReportMetric(docs*4/time.Since(start).Seconds(), "postings/s")
					b.ReportMetric((serverCPU(b, place)-cpu)*1e6/(docs*4), "server-µs/posting")
					b.ReportMetric(bytesEach(b, s), "B/posting")
					if err := s.Merge(b.Context()); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(bytesEach(b, s), "B/posting-merged")
					st, err := s.Stats(b.Context())
					if err != nil || st.Postings != docs*4 || st.Documents != docs {
						b.Fatalf("stats %+v, %v, want %d documents", st, err, docs)
					}
					b.ReportMetric(float64(st.DocumentBytes)/docs, "B/document")
					if err := s.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func bytesEach(b *testing.B, s *redis.Store) float64 {
	st, err := s.Stats(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return float64(st.PostingBytes) / float64(st.Postings)
}

// BenchmarkQuery scans four buckets of which one holds a document within three bits, and reads the
// document: what a query for a near-duplicate does, without the method.
func BenchmarkQuery(b *testing.B) {
	const docs = 200_000
	for _, place := range []string{"single", "cluster"} {
		b.Run("place="+place, func(b *testing.B) {
			s := filled(b, at(b, place), redis.Options{Name: fmt.Sprint("query-", place, b.N), Documents: docs}, docs, 1000)
			defer s.Close()
			rng := rand.New(rand.NewPCG(0, 7))
			var all []index.Entry
			for i := range 1000 {
				all = append(all, random(rng, fmt.Sprintf("0-%d", i)))
			}
			var took []time.Duration
			var numbers []uint64
			i := 0
			for b.Loop() {
				e := all[i%len(all)]
				i++
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
		})
	}
}

// filled returns a new index with random documents.
func filled(b *testing.B, url string, o redis.Options, docs, batch int) *redis.Store {
	s := open(b, url, o)
	if err := s.Create(b.Context(), []byte("header")); err != nil {
		b.Fatal(err)
	}
	fill(b, s, docs, batch)
	return s
}

func fill(b *testing.B, s *redis.Store, docs, batch int) {
	const writers = 2
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 7))
			for n := 0; n < docs/writers; n += batch {
				var entries []index.Entry
				for i := range batch {
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
