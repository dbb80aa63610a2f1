package shingle

import (
	"math/bits"
	"slices"
)

// sorter sorts hashes by distributing them by their upper bits, which are
// random, to about as many buckets as there are hashes, so that each gets a few
// and little is left to compare. Its scratch space is kept between calls.
type sorter struct {
	tmp    []uint64
	counts [1 << maxBucketBits]uint32
}

const (
	// fewHashes are left to the library: distributing them costs more.
	fewHashes = 24
	// maxBucketBits bounds the buckets so that their ends stay in the first cache;
	// long lists are distributed again, bucket by bucket.
	maxBucketBits = 11
	// shiftBudget is how many places, for each hash, insertion may move others
	// before it gives up: fair hashes in buckets of one or two take about half a
	// place, equal ones none, and unfair ones more than can be afforded.
	shiftBudget = 8
)

// sort sorts hashes ascending.
func (s *sorter) sort(hashes []uint64) {
	if len(hashes) <= fewHashes {
		slices.Sort(hashes)
		return
	}
	if cap(s.tmp) < len(hashes) {
		s.tmp = make([]uint64, max(len(hashes), 2*cap(s.tmp)))
	}
	s.distribute(hashes, s.tmp[:len(hashes)], 0)
}

// distribute sorts hashes whose first done bits agree; tmp is as long.
func (s *sorter) distribute(hashes, tmp []uint64, done int) {
	width := min(bits.Len(uint(len(hashes)))-1, maxBucketBits)
	shift := 64 - done - width
	if shift < 0 {
		slices.Sort(hashes)
		return
	}
	mask := uint64(1)<<width - 1
	ends := s.counts[:mask+1]
	clear(ends)
	for _, h := range hashes {
		ends[h>>(shift&63)&mask]++
	}
	var at uint32
	for i, n := range ends {
		ends[i] = at
		at += n
	}
	for _, h := range hashes {
		b := h >> (shift & 63) & mask
		tmp[ends[b]] = h
		ends[b]++
	}
	copy(hashes, tmp)
	if len(hashes)>>width > 4 || !insertion(hashes) {
		s.buckets(hashes, tmp, shift)
	}
}

// buckets sorts each run of hashes that agree above shift; the runs ascend.
func (s *sorter) buckets(hashes, tmp []uint64, shift int) {
	for from := 0; from < len(hashes); {
		to := from + 1
		for to < len(hashes) && hashes[to]>>(shift&63) == hashes[from]>>(shift&63) {
			to++
		}
		if to-from > 1<<maxBucketBits {
			s.distribute(hashes[from:to], tmp[from:to], 64-shift)
		} else {
			slices.Sort(hashes[from:to])
		}
		from = to
	}
}

// insertion sorts hashes that are nearly sorted, or gives up and returns false;
// they are then as far sorted as it came.
func insertion(hashes []uint64) bool {
	budget := shiftBudget * len(hashes)
	for i := 1; i < len(hashes); i++ {
		h := hashes[i]
		j := i
		for ; j > 0 && hashes[j-1] > h; j-- {
			hashes[j] = hashes[j-1]
		}
		hashes[j] = h
		if budget -= i - j; budget < 0 {
			return false
		}
	}
	return true
}
