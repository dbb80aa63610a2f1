package hbase_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/indextest"
)

// A region server of three is killed while writers add and a reader asks:
// whatever was acknowledged is there afterwards, and no call fails.
func TestRegionServerKilled(t *testing.T) {
	c := start(t, 3)
	ctx := t.Context()
	s := open(t, c, hbase.Options{Name: unused("fault"), Regions: 6, Patience: 4 * time.Minute})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	traffic := load.StartTraffic(t, s)
	defer traffic.Stop()
	indextest.Eventually(t, "documents are added", func() bool { return traffic.Acked() >= 500 })
	before := traffic.Acked()
	killed := time.Now()
	if _, err := script("region", c.dir); err != nil {
		t.Fatal(err)
	}
	// Twice as many as the writers may have had under way, of random rows in
	// all regions.
	at := traffic.Acked()
	indextest.Eventually(t, "documents are added again", func() bool { return traffic.Acked() >= at+500 })
	over := time.Since(killed)
	traffic.Stop()
	t.Logf("%d documents before the kill, %d after; writers were through again %.1f s after it, their longest pause was %.1f s",
		before, traffic.Acked()-before, over.Seconds(), traffic.Pause().Seconds())
	traffic.Check()
}

// A region whose server is gone is compacted where it is now.
func TestCompactMoved(t *testing.T) {
	s := open(t, start(t, 3), hbase.Options{Name: unused("moved"), Regions: 2, Patience: 20 * time.Second})
	defer s.Close()
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	if err := hbase.CompactFrom(t, s, "127.0.0.1:1"); err != nil {
		t.Error(err)
	}
}

// Of several stores that add different texts under one id at a time, one stands
// in the end, with its postings.
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
				e := indextest.RandomEntry(rand.New(rand.NewPCG(uint64(round), uint64(k))), id)
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
				indextest.Check(t, all[0], e)
			}
		}
		if there != 1 {
			t.Errorf("round %d: %d documents of the id are there, want 1", round, there)
		}
	}
}

// A bucket that is larger than a page, in one row and in many, is read whole,
// also where its region was found to be elsewhere.
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
		numbers, err := indextest.Scan(ctx, s, []index.Posting{{Bucket: 1}}, within)
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

// A store refuses options and URLs that make no sense, before it connects, and
// says so where nobody answers.
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
