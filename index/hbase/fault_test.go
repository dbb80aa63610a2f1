package hbase_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
)

// random returns an entry of four random postings.
func random(rng *rand.Rand, id string) index.Entry {
	e := index.Entry{Document: index.Document{ID: id, Sketch: []byte(fmt.Sprintf("%016x", rng.Uint64()))}}
	e.Hash = index.ContentHash(string(e.Sketch))
	for table := range uint8(4) {
		e.Postings = append(e.Postings, index.Posting{Bucket: rng.Uint32(), Table: table, Word: rng.Uint64()})
	}
	slices.SortFunc(e.Postings, index.Posting.Compare)
	return e
}

// A region server of three is killed while writers add and a reader asks: whatever was acknowledged is there
// afterwards, and no call fails.
func TestRegionServerKilled(t *testing.T) {
	c := start(t, 3)
	ctx := t.Context()
	s := open(t, c, hbase.Options{Name: unused("fault"), Regions: 6, Patience: 4 * time.Minute})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var acked []index.Entry
	var pauses []time.Duration // between two acknowledgements of a writer
	load, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	for w := range 2 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			last := time.Now()
			for n := 0; load.Err() == nil; n++ {
				var batch []index.Entry
				for i := range 50 {
					batch = append(batch, random(rng, fmt.Sprintf("%d-%d-%d", w, n, i)))
				}
				out, err := s.Add(ctx, batch, n%2 == 0)
				if err != nil {
					t.Errorf("add: %v", err)
					return
				}
				mu.Lock()
				for i, o := range out {
					if o.State != index.Added && o.State != index.Same {
						t.Errorf("%s: %v, want added", batch[i].ID, o.State)
					}
					batch[i].Number = o.Number
				}
				acked = append(acked, batch...)
				pauses, last = append(pauses, time.Since(last)), time.Now()
				mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		rng := rand.New(rand.NewPCG(9, 9))
		for load.Err() == nil {
			mu.Lock()
			n := len(acked)
			var e index.Entry
			if n > 0 {
				e = acked[rng.IntN(n)]
			}
			mu.Unlock()
			if n > 0 {
				check(t, s, []index.Entry{e})
			}
			time.Sleep(time.Millisecond)
		}
	})
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acked)
	}
	eventually(t, "documents are added", func() bool { return count() >= 500 })
	before := count()
	killed := time.Now()
	if _, err := script("region", c.dir); err != nil {
		t.Fatal(err)
	}
	// Twice as many as the writers may have had under way, of random rows in all regions.
	at := count()
	eventually(t, "documents are added again", func() bool { return count() >= at+500 })
	over := time.Since(killed)
	stop()
	wg.Wait()
	t.Logf("%d documents before the kill, %d after; writers were through again %.1f s after it, their longest pause was %.1f s",
		before, len(acked)-before, over.Seconds(), slices.Max(pauses).Seconds())
	for part := range slices.Chunk(acked, 500) {
		check(t, s, part)
	}
	if problems, err := s.Verify(ctx); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}

// check fails unless entries are there with all their postings.
func check(t *testing.T, s *hbase.Store, entries []index.Entry) {
	t.Helper()
	var numbers []uint64
	var probes []index.Posting
	for _, e := range entries {
		numbers, probes = append(numbers, e.Number), append(probes, e.Postings...)
	}
	docs, err := s.Documents(t.Context(), numbers)
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	found, err := s.Scan(t.Context(), nil, probes, 0)
	if err != nil {
		t.Errorf("scan: %v", err)
		return
	}
	times := map[uint64]int{}
	for _, n := range found {
		times[n]++
	}
	for i, e := range entries {
		if docs[i].ID != e.ID || string(docs[i].Sketch) != string(e.Sketch) {
			t.Errorf("document %d is %+v, want %s", e.Number, docs[i], e.ID)
		}
		if times[e.Number] != len(e.Postings) {
			t.Errorf("%s has %d postings, want %d", e.ID, times[e.Number], len(e.Postings))
		}
	}
}

// What is older than the time to live is gone for every question, can be added again, and a merge removes
// what is left of it.
func TestTimeToLive(t *testing.T) {
	ctx := t.Context()
	s := open(t, start(t, 3), hbase.Options{Name: unused("ttl"), Regions: 1, TTL: time.Second, Lease: time.Second})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	e := random(rand.New(rand.NewPCG(1, 1)), "a")
	first, err := s.Add(ctx, []index.Entry{e}, true)
	if err != nil || first[0].State != index.Added {
		t.Fatalf("add: %v, %v", first, err)
	}
	expired := func(number uint64) {
		eventually(t, "the document is gone", func() bool {
			docs, err := s.Documents(ctx, []uint64{number})
			return err == nil && docs[0].Number == 0
		})
	}
	expired(first[0].Number)
	numbers, err := s.Find(ctx, []string{"a"})
	hashes, err2 := s.FindHash(ctx, []index.Hash{e.Hash})
	if err != nil || err2 != nil || numbers[0] != 0 || hashes[0] != 0 {
		t.Errorf("found by id %v, %v, by hash %v, %v, want nothing", numbers, err, hashes, err2)
	}
	again, err := s.Add(ctx, []index.Entry{e}, true)
	if err != nil || again[0].State != index.Added || again[0].Number == first[0].Number {
		t.Fatalf("again: %v, %v, want added under another number than %d", again, err, first[0].Number)
	}
	expired(again[0].Number)
	if err := s.Merge(ctx); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(ctx); err != nil || st.Documents != 0 || st.Postings != 0 {
		t.Errorf("stats after a merge: %+v, %v, want nothing", st, err)
	}
}

// A merge that runs beside adders takes nothing from them, whatever they had written when it came by.
func TestMergeBesideAdders(t *testing.T) {
	ctx := t.Context()
	s := open(t, start(t, 3), hbase.Options{Name: unused("beside"), Regions: 2})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	defer func() { <-done }()
	go func() {
		defer close(done)
		for range 5 {
			if err := s.Merge(ctx); err != nil {
				t.Errorf("merge: %v", err)
			}
		}
	}()
	rng := rand.New(rand.NewPCG(2, 2))
	var all []index.Entry
	for more := true; more; {
		select {
		case <-done:
			more = false
		default:
		}
		e := random(rng, fmt.Sprint(len(all)))
		out, err := s.Add(ctx, []index.Entry{e}, len(all)%2 == 0)
		if err != nil || out[0].State != index.Added {
			t.Fatalf("add: %v, %v", out, err)
		}
		e.Number = out[0].Number
		all = append(all, e)
	}
	check(t, s, all)
}

// Of several stores that add different texts under one id at a time, one stands in the end, with its postings.
func TestOneID(t *testing.T) {
	ctx := t.Context()
	c := start(t, 3)
	name := unused("one-id")
	var all []*hbase.Store
	for range 4 {
		s := open(t, c, hbase.Options{Name: name, Regions: 1})
		defer s.Close()
		if err := s.Create(ctx, []byte("header")); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	for round := range 10 {
		var wg sync.WaitGroup
		id := fmt.Sprint("id-", round)
		sketches := make([]index.Entry, len(all))
		for k, s := range all {
			wg.Go(func() {
				e := random(rand.New(rand.NewPCG(uint64(round), uint64(k))), id)
				out, err := s.Add(ctx, []index.Entry{e}, false)
				if err != nil || out[0].State != index.Added && out[0].State != index.Replaced {
					t.Errorf("add: %v, %v", out, err)
					return
				}
				e.Number = out[0].Number
				sketches[k] = e
			})
		}
		wg.Wait()
		numbers, err := all[0].Find(ctx, []string{id})
		if err != nil {
			t.Fatal(err)
		}
		there := 0
		for _, e := range sketches {
			docs, err := all[0].Documents(ctx, []uint64{e.Number})
			if err != nil {
				t.Fatal(err)
			}
			if docs[0].Number != 0 {
				there++
				if numbers[0] != e.Number {
					t.Errorf("round %d: document %d is there beside %d", round, e.Number, numbers[0])
				}
				check(t, all[0], []index.Entry{e})
			}
		}
		if there != 1 {
			t.Errorf("round %d: %d documents of the id are there, want 1", round, there)
		}
	}
}

// A bucket that is larger than a page, in one row and in many, is read whole, also where its region was
// found to be elsewhere.
func TestLargeBucket(t *testing.T) {
	ctx := t.Context()
	s := open(t, start(t, 3), hbase.Options{Name: unused("large"), Regions: 2})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	defer hbase.SetPageSize(16 << 10)()
	const n = 2000 // cells of some 50 bytes
	var entries []index.Entry
	for i := range n {
		e := index.Entry{Document: index.Document{ID: fmt.Sprint(i), Sketch: []byte("s")}, Postings: []index.Posting{{Bucket: 1, Word: uint64(i % 2 * i)}}}
		e.Hash = index.ContentHash(e.ID)
		entries = append(entries, e)
	}
	for part := range slices.Chunk(entries, 1000) {
		if _, err := s.Add(ctx, part, false); err != nil {
			t.Fatal(err)
		}
	}
	for within, want := range map[int]int{0: n / 2, 64: n} {
		numbers, err := s.Scan(ctx, nil, []index.Posting{{Bucket: 1}}, within)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(numbers)
		if got := len(slices.Compact(numbers)); got != want || len(numbers) != want {
			t.Errorf("within %d: %d numbers, %d of them different, want %d", within, len(numbers), got, want)
		}
	}
	count := 0
	if err := s.EachPosting(ctx, func(index.Posting, uint64) error { count++; return nil }); err != nil || count != n {
		t.Errorf("%d postings, %v, want %d", count, err, n)
	}
}

// A store refuses options and URLs that make no sense, before it connects, and says so where nobody answers.
func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{
		"", "hbase", "http://x", "hbase://", "hbase:///?name=x", "hbase://127.0.0.1:1?name=a:b", "hbase://127.0.0.1:1?name=-a",
		"hbase://127.0.0.1:1?regions=257", "hbase://127.0.0.1:1?regions=many", "hbase://127.0.0.1:1?ttl=5ms", "hbase://127.0.0.1:1?batch=-1",
		"hbase://127.0.0.1:1?lease=1ms", "hbase://127.0.0.1:1?unheard=of", "hbase://127.0.0.1:1?%zz",
	} {
		if s, err := hbase.Open(t.Context(), url, hbase.Options{}); err == nil {
			s.Close()
			t.Errorf("%q was opened", url)
		} else if !strings.HasPrefix(err.Error(), "hbase: ") || strings.Contains(err.Error(), "no answer") {
			t.Errorf("%q: %v, want an error of what is wrong with it", url, err)
		}
	}
	if s, err := hbase.Open(t.Context(), "hbase://127.0.0.1:1", hbase.Options{Patience: time.Second}); err == nil {
		s.Close()
		t.Error("a port where nobody answers was opened")
	}
}
