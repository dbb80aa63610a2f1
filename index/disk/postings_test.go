package disk

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/alike-go/alike/index"
)

// segmentOf writes a segment of the postings, in their order, and opens it.
func segmentOf(t *testing.T, docs int, all []posting) *segment {
	t.Helper()
	path := filepath.Join(t.TempDir(), segmentName(1))
	b, err := newBuilder(path, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range docs {
		b.doc(&index.Document{Number: uint64(i + 1), ID: fmt.Sprint(i)})
	}
	b.docsDone()
	for _, p := range all {
		b.posting(p)
	}
	b.postingsDone()
	for _, end := range []*int64{&b.foot.IDsEnd, &b.foot.HashesEnd} {
		for i := range docs {
			b.entry(uint64(i), uint64(i+1))
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
	t.Cleanup(func() {
		if err := s.release(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// A scan finds what a look at every posting does, be buckets small, large, or
// larger than a block.
func TestScan(t *testing.T) {
	const seed = 43
	for name, sizes := range map[string]func(rng *rand.Rand) int{
		"one":   func(*rand.Rand) int { return 1 },
		"few":   func(rng *rand.Rand) int { return 1 + rng.IntN(10) },
		"many":  func(rng *rand.Rand) int { return 1 + rng.IntN(400) },
		"edges": func(rng *rand.Rand) int { return mostGroup*(1+rng.IntN(2)) + rng.IntN(3) - 1 },
		"mixed": func(rng *rand.Rand) int { return 1 << rng.IntN(15) },
	} {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, seed))
			const docs = 20_011 // a prime, so that steps of any length come to all
			var all []posting
			at := map[uint64][]posting{}
			for len(all) < 30_000 {
				key := rng.Uint64() >> 24 >> (20 * rng.IntN(2)) // spread, and close to one another
				word := rng.Uint64()
				from, step := rng.IntN(docs), 1+rng.IntN(docs-1)
				for i := range sizes(rng) {
					p := posting{key, uint64((from+i*step)%docs + 1), word}
					for range rng.IntN(5) {
						p.word ^= 1 << rng.IntN(64)
					}
					all, at[key] = append(all, p), append(at[key], p)
				}
			}
			slices.SortFunc(all, comparePostings)
			all = slices.Compact(all)
			s := segmentOf(t, docs, all)
			if err := s.verify(context.Background()); err != nil {
				t.Fatal(err)
			}
			i := 0
			for c := (postingCursor{s: s}); ; i++ {
				ok, err := c.next()
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				if i >= len(all) || c.at != all[i] {
					t.Fatalf("posting %d is %+v", i, c.at)
				}
			}
			if i != len(all) {
				t.Fatalf("%d postings, want %d", i, len(all))
			}
			for range 40 {
				var probes []index.Posting
				var want []uint64
				within := rng.IntN(6)
				for range 1 + rng.IntN(2*probesAhead+1) {
					p := all[rng.IntN(len(all))]
					p.key += uint64(rng.IntN(8) / 7) // now and then the one beside it
					p.word ^= 1 << rng.IntN(64)
					probes = append(probes, p.posting())
					for _, o := range at[p.key] {
						if bits.OnesCount64(o.word^p.word) <= within {
							want = append(want, o.number)
						}
					}
				}
				var got []uint64
				for part := range slices.Chunk(probes, probesAhead) {
					if err := s.scan(part, within, func(_ int, number uint64) { got = append(got, number) }); err != nil {
						t.Fatal(err)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(slices.Compact(got), slices.Compact(want)) {
					t.Fatalf("seed %d: scan of %v within %d: %v, want %v", seed, probes, within, got, want)
				}
			}
		})
	}
}

// Whatever a block of postings holds, it is refused or its groups lie in it and
// use it up.
func FuzzGroups(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0})
	f.Add([]byte("\x04\x00\x01\x07\x01wordwordWORDWORDnumNUM"))
	f.Add([]byte("\x03\x80\x01\x01wordwordnum"))
	f.Add([]byte("\x02\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, block []byte) {
		g, ok := newGroups(block)
		if !ok {
			return
		}
		var at group
		n := 0
		for len(g.list) > 0 && g.next(&at) {
			for i := range at.n {
				at.word(i)
				at.number(i)
			}
			n += at.n * postingBytes
		}
		if left := len(g.words) + len(g.numbers); n+left > len(block) || left%postingBytes != 0 {
			t.Fatalf("%d bytes in groups and %d left, of %d", n, left, len(block))
		}
	})
}

// Whatever a block of documents holds, it is refused or its rows lie in it.
func FuzzRows(f *testing.F) {
	block := appendDoc(nil, &index.Document{Number: 7, ID: "one", Sketch: []byte("sketch"), Time: 5}, &index.Document{Number: 7})
	f.Add(appendDoc(block, &index.Document{Number: 9, ID: "once", Time: -5}, &index.Document{Number: 7, ID: "one", Time: 5}))
	f.Add([]byte{})
	f.Add([]byte{1, 200, 0})
	f.Fuzz(func(t *testing.T, block []byte) {
		var r row
		for rest, ok := block, true; len(rest) > 0; {
			left := len(rest)
			if rest, ok = r.next(rest); !ok {
				return
			}
			if len(rest) >= left {
				t.Fatalf("a row of no bytes, %d left", left)
			}
			r.document()
		}
	})
}
