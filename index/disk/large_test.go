package disk_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
)

// A hundred million fingerprints load in 4 GiB of memory, and a query takes less than 100 µs once the index
// is in the page cache. ALIKE_INDEX_DOCS sets another number.
func TestHundredMillion(t *testing.T) {
	if os.Getenv("ALIKE_LONG") == "" {
		t.Skip("takes minutes and 15 GB of disk: only with ALIKE_LONG")
	}
	n := 100_000_000
	if v := os.Getenv("ALIKE_INDEX_DOCS"); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	dir := filepath.Join(t.TempDir(), "index")
	x := benchIndex(t, dir)
	most := watchMemory(t)
	from, i := time.Now(), 0
	stored, _, err := x.Load(t.Context(), func() (index.Doc, bool, error) {
		i++
		return benchDoc(i), i <= n, nil
	})
	if err != nil || stored != int64(n) {
		t.Fatalf("%d loaded, %v", stored, err)
	}
	took := time.Since(from)
	st, err := x.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	memory := most()
	t.Logf("%d documents in %.0f s, at most %d MiB of memory, %.1f bytes a posting, %.1f a document",
		n, took.Seconds(), memory>>20, float64(st.PostingBytes)/float64(st.Postings), float64(st.DocumentBytes)/float64(st.Documents))
	if memory > 4<<30 {
		t.Errorf("%d bytes of memory, want at most 4 GiB", memory)
	}
	const seed = 6
	rng := rand.New(rand.NewPCG(seed, seed))
	var asked []time.Duration
	for range 40_000 {
		i := 1 + rng.IntN(n)
		d := benchDoc(i)
		for range rng.IntN(4) {
			bit := rng.IntN(64)
			d.Sketch[bit/8] ^= 1 << (bit % 8)
		}
		from := time.Now()
		m, err := x.Query(t.Context(), d, index.QueryOptions{})
		asked = append(asked, time.Since(from))
		if id := benchDoc(i).ID; err != nil || !slices.ContainsFunc(m, func(m index.Match) bool { return m.ID == id }) {
			t.Fatalf("seed %d: a query near %s gives %v, %v", seed, id, m, err)
		}
	}
	asked = asked[len(asked)/2:]
	slices.Sort(asked)
	p50, p99 := asked[len(asked)/2], asked[len(asked)*99/100]
	t.Logf("query: p50 %v, p99 %v", p50, p99)
	if !raced && p50 > 100*time.Microsecond {
		t.Errorf("a query takes %v, want at most 100 µs", p50)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

// watchMemory samples the memory of the process that is no file's, where the system tells, and returns
// what ends that and says the most it was.
func watchMemory(t *testing.T) func() int64 {
	ctx, stop := context.WithCancel(t.Context())
	var most int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
			status, _ := os.ReadFile("/proc/self/status")
			_, rest, _ := strings.Cut(string(status), "RssAnon:")
			kib, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
			if n, err := strconv.ParseInt(kib, 10, 64); err == nil {
				most = max(most, n<<10)
			}
		}
	})
	return func() int64 {
		stop()
		wg.Wait()
		return most
	}
}
