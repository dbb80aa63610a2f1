package hamming

import (
	"fmt"
	"slices"
	"testing"
)

// naiveKey gathers bits one by one.
func naiveKey(from []int, c Code) uint64 {
	k := uint64(0)
	for _, b := range from {
		k <<= 1
		if b >= 0 {
			k |= c.bit(b)
		}
	}
	return k
}

func TestKeyGathersBits(t *testing.T) {
	for _, width := range []int{32, 64, 128} {
		rng := seeded(t, uint64(width))
		lists := [][]int{nil, {0}, {width - 1}, run(width-1, width-20), {3, 2, 1, 9, 8, -1, -1}, run(min(63, width-1), 0)}
		for range 20 {
			lists = append(lists, rng.Perm(width)[:1+rng.IntN(30)])
		}
		for _, from := range lists {
			k := newKey(from)
			raised := k
			if k.width <= 32 {
				raised = k.raised()
			}
			for range 20 {
				c := random(rng, width, 0.5)
				want := naiveKey(from, c)
				if got := k.of(c); got != want {
					t.Fatalf("bits %v of %x: %x, want %x", from, c, got, want)
				}
				if k.width <= 32 && raised.of(c) != want<<32 {
					t.Fatalf("bits %v of %x, raised: %x, want %x", from, c, raised.of(c), want<<32)
				}
				if got := k.spread(want); got != (Code{c.Hi & k.mask.Hi, c.Lo & k.mask.Lo}) {
					t.Fatalf("bits %v spread from %x: %x, want those of %x", from, want, got, c)
				}
			}
		}
	}
}

// Both partitions are stable sorts by key, in one and in two passes, on any number of
// goroutines.
func TestPartitions(t *testing.T) {
	for _, width := range []int{32, 64, 128} {
		for _, n := range []int{0, 1, 5, 3000, 70_000} {
			if testing.Short() && n > 3000 {
				continue
			}
			for _, bits := range []int{0, 1, 7, 11, 18} {
				rng := seeded(t, uint64(n+bits))
				src := newColumns(n, width == 128)
				for i := range n {
					src.set(i, random(rng, width, 0.4), rng.Uint32())
				}
				from := rng.Perm(width)[:bits]
				if bits == 11 {
					from = run(width-3, width-13)
				}
				order := make([]int, n)
				for i := range order {
					order[i] = i
				}
				slices.SortStableFunc(order, func(a, b int) int {
					return int(naiveKey(from, src.at(a))) - int(naiveKey(from, src.at(b)))
				})
				rest := others(from, [128]int{}, 1, width)
				for _, workers := range []int{1, 3} {
					what := fmt.Sprintf("bits=%d/codes=%d/key=%d/workers=%d", width, n, bits, workers)
					k, tmp := newKey(from), newColumns(n, width == 128)
					dst, starts := newColumns(n, width == 128), make([]uint32, 1<<bits+1)
					partition(dst, tmp, src, &k, starts, workers)
					checkStarts(t, what, starts, order, from, src)
					w, starts := newWords(n), make([]uint32, 1<<bits+1)
					partitionWords(w, tmp, src, packing(append(slices.Clone(from), rest...), bits), starts, workers)
					checkStarts(t, what, starts, order, from, src)
					word := wordKey(rest)
					for i, o := range order {
						if dst.at(i) != src.at(o) || dst.ids[i] != src.ids[o] {
							t.Fatalf("%s: place %d holds %x, want %x", what, i, dst.at(i), src.at(o))
						}
						if w.pos[i] != src.ids[o] || w.word[i] != uint32(word.of(src.at(o))) {
							t.Fatalf("%s: place %d holds word %x of %d, want %x of %d", what, i, w.word[i], w.pos[i], word.of(src.at(o)), src.ids[o])
						}
					}
				}
			}
		}
	}
}

func checkStarts(t *testing.T, what string, starts []uint32, order, from []int, src columns) {
	t.Helper()
	at := 0
	for k := range starts {
		for at < len(order) && naiveKey(from, src.at(order[at])) < uint64(k) {
			at++
		}
		if int(starts[k]) != at {
			t.Fatalf("%s: key %d starts at %d, want %d", what, k, starts[k], at)
		}
	}
}

// Whatever bits are flipped, up to the radius, some table's key is probed near enough.
func TestDesignsCoverAllFlips(t *testing.T) {
	for _, width := range []int{32, 64} {
		for _, k := range []int{0, 1, 2, 3} {
			if width == 64 && k == 3 && testing.Short() {
				continue
			}
			for _, name := range designNames(width, k) {
				d, err := parseDesign(name, width, k)
				if err != nil {
					t.Fatal(err)
				}
				if len(d.Tables) == 0 {
					continue
				}
				masks := make([]Code, len(d.Tables))
				for i, table := range d.Tables {
					for _, b := range table.Key {
						masks[i] = masks[i].with(b)
					}
				}
				around(Code{}, width, k, func(flips Code) {
					for i, m := range masks {
						if flips.ones(m) <= d.Tables[i].Probe {
							return
						}
					}
					t.Fatalf("%d bits: %s does not find %x", width, name, flips)
				})
			}
		}
	}
}

// around calls f for each code within k bits of c.
func around(c Code, width, k int, f func(Code)) {
	f(c)
	if k == 0 {
		return
	}
	for b := range width {
		around(c.xor(Code{}.with(b)), b, k-1, f)
	}
}

// Of evenly spread bits pieces are runs; otherwise each piece gets some that vary.
func TestPieces(t *testing.T) {
	var even [128]int
	for b := range even {
		even[b] = 250
	}
	got := pieces(even, 512, 64, 4, 14)
	for i, p := range got {
		if want := run(63-16*i, 50-16*i); !slices.Equal(p, want) {
			t.Errorf("piece %d: %v, want %v", i, p, want)
		}
	}
	// Only eight bits vary, all of them in one run.
	even = [128]int{}
	for b := range 8 {
		even[b] = 200 + b
	}
	for i, p := range pieces(even, 512, 64, 4, 14) {
		vary := 0
		for _, b := range p {
			if b < 8 {
				vary++
			}
		}
		if vary != 2 || len(p) != 14 {
			t.Errorf("piece %d holds %d bits that vary among %v, want 2 of 14", i, vary, p)
		}
	}
}
