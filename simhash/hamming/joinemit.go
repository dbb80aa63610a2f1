package hamming

import (
	"fmt"
	"slices"
)

// numbers returns the positions, in its list, of a distinct code.
func (j *joiner) numbers(i uint32) []uint32 {
	if j.b != nil && int(i) >= j.split {
		return j.ofB.of(i - uint32(j.split))
	}
	return j.ofA.of(i)
}

// emit emits the pairs in order.
func (j *joiner) emit(emit func(Pair) error) error {
	var groups [][]uint32 // of equal codes, which are near each other
	if d := &j.ofA; j.b == nil {
		for g := range max(len(d.first), 1) - 1 {
			groups = append(groups, d.numbers[d.first[g]:d.first[g+1]])
		}
	}
	total := 0.0
	for _, g := range groups {
		total += float64(len(g)) * float64(len(g)-1) / 2
	}
	for _, p := range j.pairs {
		total += float64(len(j.numbers(uint32(p>>32)))) * float64(len(j.numbers(uint32(p))))
	}
	if total > float64(limits.expand+len(j.pairs)) {
		return j.stream(emit)
	}
	out := make([]uint64, 0, int(total))
	for _, g := range groups {
		for i, a := range g {
			for _, b := range g[i+1:] {
				out = append(out, uint64(a)<<32|uint64(b))
			}
		}
	}
	for _, p := range j.pairs {
		for _, a := range j.numbers(uint32(p >> 32)) {
			for _, b := range j.numbers(uint32(p)) {
				if j.b == nil && a > b {
					out = append(out, uint64(b)<<32|uint64(a))
				} else {
					out = append(out, uint64(a)<<32|uint64(b))
				}
			}
		}
	}
	slices.Sort(out)
	for i, p := range out {
		if err := j.emitOne(uint32(p>>32), uint32(p), emit, i); err != nil {
			return err
		}
	}
	return nil
}

// emitOne emits a pair of positions. Now and then it checks the context.
func (j *joiner) emitOne(a, b uint32, emit func(Pair) error, i int) error {
	if i%4096 == 0 {
		if err := j.ctx.Err(); err != nil {
			return fmt.Errorf("hamming: join: %w", err)
		}
	}
	cols := &j.a
	if j.b != nil {
		cols = j.b
	}
	j.stats.Pairs++
	return emit(Pair{a, b, j.a.At(int(a)).Distance(cols.At(int(b)))})
}

// stream emits the pairs of one code of the first list after another. It needs a list of
// the near codes of each distinct code, but not of their repetitions.
func (j *joiner) stream(emit func(Pair) error) error {
	near, self := j.pairs, j.b == nil
	if self {
		near = make([]uint64, 0, 2*len(j.pairs)+j.codes.len())
		for _, p := range j.pairs {
			near = append(near, p, p<<32|p>>32)
		}
		for i := range j.codes.len() {
			near = append(near, uint64(i)<<32|uint64(i)) // repetitions are near each other
		}
	}
	slices.Sort(near)
	place := make([]uint32, j.a.Len()) // of each code among the distinct ones
	for i := range j.ofA.codes.len() {
		for _, number := range j.ofA.of(uint32(i)) {
			place[number] = uint32(i)
		}
	}
	var found []uint32
	for x, at := range place {
		lo, _ := slices.BinarySearch(near, uint64(at)<<32)
		found = found[:0]
		lists := 0
		for ; lo < len(near) && uint32(near[lo]>>32) == at; lo++ {
			numbers := j.numbers(uint32(near[lo]))
			if self {
				after, _ := slices.BinarySearch(numbers, uint32(x)+1)
				numbers = numbers[after:]
			}
			if len(numbers) > 0 {
				lists++
				found = append(found, numbers...)
			}
		}
		if lists > 1 {
			slices.Sort(found)
		}
		for i, y := range found {
			if err := j.emitOne(uint32(x), y, emit, i); err != nil {
				return err
			}
		}
	}
	return nil
}
