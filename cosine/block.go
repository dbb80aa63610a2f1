package cosine

import "math"

// A block is a run of documents with, for each term, the list of those that have it.
// It is small enough that the sums of all its documents stay in the
// processor's nearest memory while the lists of one vector after the other are added.
type block struct {
	rows     *rows
	from, to int

	// offsets[t] to offsets[t+1] is the range of term t in list, whose entries are the
	// document's place in the block, shifted left by 16, and the weight.
	offsets []uint32
	list    []uint32

	usual [maxLevels + 1]uint16 // a norm of each level that few documents exceed
}

// maxBlock bounds the documents of a block, whose places have 16 bits.
const maxBlock = 1 << 16

// newBlock makes the block of rows from to to. It reuses the memory of old.
func newBlock(old *block, r *rows, from, to int, t *terms) *block {
	b := old
	b.rows, b.from, b.to = r, from, to
	first, _ := r.bounds(from)
	_, end := r.bounds(to - 1)
	b.offsets = zeros(b.offsets, t.count()+1)
	if cap(b.list) < end-first {
		b.list = make([]uint32, end-first)
	}
	b.list = b.list[:end-first]
	for _, n := range r.numbers[first:end] {
		b.offsets[n]++
	}
	sum := uint32(0)
	for n, c := range b.offsets {
		sum += c
		b.offsets[n] = sum
	}
	// From the last document to the first, so that each list ascends and its offset ends
	// up at its beginning.
	for i := to - 1; i >= from; i-- {
		lo, hi := r.bounds(i)
		for k := lo; k < hi; k++ {
			n := r.numbers[k]
			b.offsets[n]--
			b.list[b.offsets[n]] = uint32(i-from)<<16 | uint32(r.weights[k])
		}
	}
	for l := range t.levels + 1 {
		b.usual[l] = usual(b.norms(l))
	}
	return b
}

// norms returns the lengths of what the block's documents have below level l.
func (b *block) norms(l int) []uint16 {
	n := b.rows.len()
	return b.rows.norms[l*n+b.from : l*n+b.to]
}

// usual returns the mean of numbers and one standard deviation more.
func usual(numbers []uint16) uint16 {
	var sum, squares float64
	for _, x := range numbers {
		sum += float64(x)
		squares += float64(uint32(x) * uint32(x))
	}
	n := float64(len(numbers))
	return uint16(sum/n + math.Sqrt(max(0, squares/n-sum/n*sum/n)))
}
