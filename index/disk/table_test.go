package disk

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alike-go/alike/index"
)

// A table finds what a look at every entry does, however hashes are spread.
func TestTable(t *testing.T) {
	const seed = 41
	rng := rand.New(rand.NewPCG(seed, seed))
	for name, draw := range map[string]func() uint64{
		"even":  rng.Uint64,
		"low":   func() uint64 { return rng.Uint64N(5000) },
		"high":  func() uint64 { return -rng.Uint64N(5000) },
		"few":   func() uint64 { return rng.Uint64N(4) << 62 },
		"split": func() uint64 { return rng.Uint64() >> 20 << (20 * rng.Uint64N(2)) },
	} {
		for _, n := range []int{1, 2, ofPage, ofPage + 1, 5000} {
			path := filepath.Join(t.TempDir(), segmentName(1))
			b, err := newBuilder(path, 1)
			if err != nil {
				t.Fatal(err)
			}
			var all []hashed
			for i := range n {
				b.doc(&index.Document{Number: uint64(i + 1), ID: "x"})
				all = append(all, hashed{draw(), uint64(i + 1)})
			}
			slices.SortFunc(all, compareHashed)
			b.docsDone()
			b.postingsDone()
			for _, end := range []*int64{&b.foot.IDsEnd, &b.foot.HashesEnd} {
				for _, e := range all {
					b.entry(e.hash, e.number)
				}
				b.tableDone(end)
			}
			if err := b.finish(nil); err != nil {
				t.Fatal(err)
			}
			s, err := openSegment(filepath.Dir(path), 1)
			if err != nil {
				t.Fatal(err)
			}
			for range 300 {
				hash := draw()
				if rng.IntN(2) == 0 {
					hash = all[rng.IntN(n)].hash + rng.Uint64N(3) - 1
				}
				var got, want []uint64
				for _, e := range all {
					if e.hash == hash {
						want = append(want, e.number)
					}
				}
				if err := s.lookup(&s.ids, hash, func(number uint64) (bool, error) {
					got = append(got, number)
					return false, nil
				}); err != nil || !slices.Equal(got, want) {
					t.Fatalf("seed %d: %s, %d entries: %x gives %v, %v, want %v", seed, name, n, hash, got, err, want)
				}
			}
			if err := s.release(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A lookup that meets a damaged page returns an error. Other lookups find their
// entries.
func TestTablePageDamaged(t *testing.T) {
	const n = 20 * ofPage
	s := segmentOf(t, n, nil)
	b := &s.ids.pages
	b.offs[10]++ // the checksums of two pages no longer fit
	failed := 0
	for i := range n {
		found := false
		err := s.lookup(&s.ids, uint64(i), func(number uint64) (bool, error) {
			found = number == uint64(i+1)
			return found, nil
		})
		if err != nil {
			failed++
		} else if !found {
			t.Fatalf("entry %d was not found", i)
		}
	}
	if failed < 2*ofPage {
		t.Errorf("%d lookups failed, want those of two pages at least", failed)
	}
}
