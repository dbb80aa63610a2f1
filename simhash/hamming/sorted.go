package hamming

import (
	"cmp"
	"context"
	"slices"

	"github.com/alike-go/alike/internal/parallel"
)

// buildSorted fills a table whose words hold the first bits of an order, of which
// the first lookup ones are looked up, in ascending order.
func (t *table) buildSorted(order []int, lookup int, src, tmp columns, workers int) {
	d := lookupBits(lookup, src.len())
	starts := make([]uint32, 1<<d+1)
	// What is looked up are the first bits of the words.
	t.lookup = newKey(order[:lookup])
	t.packed = *packing(append(slices.Clone(order[:lookup]), order...), lookup)
	// A directory sorts most of it and is thrown away.
	packed := packing(append(slices.Clone(order[:d]), order...), d)
	partitionWords(t.words, tmp, src, packed, starts, workers)
	parallel.For(context.Background(), workers, 1<<d, func(_, k int) {
		sortWords(words{t.word[starts[k]:starts[k+1]], t.pos[starts[k]:starts[k+1]]})
	})
}

// sortWords sorts by word, and by position where words are equal.
func sortWords(w words) {
	type entry struct{ word, pos uint32 }
	if len(w.word) < 2 {
		return
	}
	entries := make([]entry, len(w.word))
	for i := range entries {
		entries[i] = entry{w.word[i], w.pos[i]}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.pos, b.pos)) })
	for i, e := range entries {
		w.word[i], w.pos[i] = e.word, e.pos
	}
}

// interpolate returns where the words that are equal to k above shift begin and end
// in a sorted array.
//
// It guesses from the values at both ends where the word would lie, which takes about
// log log n steps on evenly spread words (Perl, Itai, Avni, CACM 1978), and halves the rest
// every other step so that uneven ones cost no more than twice a binary search.
func interpolate(w []uint32, k uint32, shift int) (from, to uint32) {
	least := uint64(k) << shift
	begin := lowerBound(w, least)
	end := begin + lowerBound(w[begin:min(len(w), begin+8)], least+1<<shift)
	if end == begin+8 {
		end += lowerBound(w[end:], least+1<<shift)
	}
	return uint32(begin), uint32(end)
}

// lowerBound returns the first position whose word is not less than x.
func lowerBound(w []uint32, x uint64) int {
	lo, hi := 0, len(w) // w[lo-1] < x <= w[hi]
	for step := 0; hi-lo > 8; step++ {
		a, b := uint64(w[lo]), uint64(w[hi-1])
		if x <= a {
			return lo
		}
		if x > b {
			return hi
		}
		mid := lo + (hi-lo)/2
		if step%2 == 0 {
			mid = lo + int((x-a)*uint64(hi-1-lo)/(b-a))
		}
		if uint64(w[mid]) < x {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for lo < hi && uint64(w[lo]) < x {
		lo++
	}
	return lo
}
