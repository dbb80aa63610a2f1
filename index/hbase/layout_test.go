package hbase_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/indextest"
)

// An index of version 1 of the layout works. The file has the rows of one that
// alike at commit ccab2a7 made for indextest.OldIndex.
func TestOldLayout(t *testing.T) {
	s := open(t, start(t, 3), hbase.Options{Name: unused("old"), Regions: 1})
	defer s.Close()
	hbase.Restore(t, s, "testdata/layout1.json")
	indextest.OldIndex(t, s)
}

// The header of an index outlives its documents, and numbers are given once,
// also if an earlier version of alike made the index.
func TestHeaderStays(t *testing.T) {
	defer hbase.SetLonger(2*time.Second, 2*time.Second)()
	c := start(t, 3)
	for _, mortal := range []string{"nothing", "all", "all but the layout"} {
		o := hbase.Options{Name: unused("header-stays"), Regions: 1, TTL: time.Second, Lease: time.Second}
		s := open(t, c, o)
		defer s.Close()
		last := uint64(0)
		if mortal != "nothing" {
			hbase.CreateMortal(t, s, "header", mortal != "all")
			last = 64
		} else if err := s.Create(t.Context(), []byte("header")); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for range 4 {
			other := open(t, c, o)
			defer other.Close()
			h, err := other.Header(t.Context())
			if errors.Is(err, index.ErrNone) {
				t.Fatalf("mortal %s: the header is gone with the documents", mortal)
			}
			if err != nil || string(h) != "header" {
				t.Fatalf("mortal %s: header %q, %v", mortal, h, err)
			}
			out, err := other.Add(t.Context(), []index.Entry{indextest.RandomEntry(rng, "a")}, false)
			if err != nil || out[0].Number <= last {
				t.Fatalf("mortal %s: add: %+v, %v, want a number after %d", mortal, out, err, last)
			}
			last = out[0].Number
			time.Sleep(1500 * time.Millisecond)
		}
	}
}
