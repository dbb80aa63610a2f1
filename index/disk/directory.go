package disk

import "sort"

// directory finds the block of a bucket. The top bits of a key lead to a few blocks, among which
// it is looked for.
type directory struct {
	// marked are the first keys of the blocks, times two, plus one where the block begins within a
	// bucket, which then begins in a block before.
	marked []uint64

	// from is, by the top bits of a key, the first block whose first key has them or greater ones,
	// and behind the last the number of blocks.
	from  []uint32
	shift int
}

const (
	keyBits     = 40
	mostTopBits = 16
)

func newDirectory(keys []uint64, split func(i int) bool) directory {
	top := 1
	for top < mostTopBits && 1<<top < len(keys) {
		top++
	}
	d := directory{marked: make([]uint64, len(keys)), from: make([]uint32, 1<<top+1), shift: keyBits - top}
	for i, k := range keys {
		d.marked[i] = k << 1
		if split(i) {
			d.marked[i]++
		}
	}
	at := 0
	for t := range d.from {
		for at < len(keys) && keys[at]>>d.shift < uint64(t) {
			at++
		}
		d.from[t] = uint32(at)
	}
	return d
}

// find returns the block in which the bucket of a key begins, if it is there.
func (d *directory) find(key uint64) int {
	t := key >> d.shift
	from, to := int(d.from[t]), int(d.from[t+1])
	i := from + sort.Search(to-from, func(i int) bool { return d.marked[from+i] >= key<<1 })
	if i > 0 && (i == len(d.marked) || d.marked[i] != key<<1) {
		i-- // it begins in the block before, behind others
	}
	return i
}
