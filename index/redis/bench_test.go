package redis_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/docs/reliability/load"
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
	for _, place := range []string{"single", "cluster"} {
		b.Run("place="+place, func(b *testing.B) {
			const docs, batch = 200_000, 1000
			for n := range b.N {
				s := filled(b, at(b, place), redis.Options{
					Name: fmt.Sprintf("add-%s-%d-%d", place, b.N, n), Documents: docs,
				}, 0, 0)
				cpu, start := serverCPU(b, place), time.Now()
				load.Fill(b, s, docs, batch)
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
			load.Queries(b, s)
		})
	}
}

// filled returns a new index with random documents.
func filled(b *testing.B, url string, o redis.Options, docs, batch int) *redis.Store {
	s := open(b, url, o)
	if err := s.Create(b.Context(), []byte("header")); err != nil {
		b.Fatal(err)
	}
	load.Fill(b, s, docs, batch)
	return s
}
