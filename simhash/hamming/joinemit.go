package hamming

import (
	"fmt"
	"slices"
)

// emitSelf emits the pairs of a self-join in order.
func (j *joiner) emitSelf(emit func(Pair) error) error {
	d := &j.ofA
	total := 0.0
	for g := range max(len(d.first), 1) - 1 {
		n := float64(d.first[g+1] - d.first[g])
		total += n * (n - 1) / 2
	}
	for _, p := range j.pairs {
		total += float64(len(d.of(uint32(p>>32)))) * float64(len(d.of(uint32(p))))
	}
	if total > float64(limits.expand+len(j.pairs)) {
		return j.streamSelf(emit)
	}
	out := make([]uint64, 0, int(total))
	for g := range max(len(d.first), 1) - 1 {
		numbers := d.numbers[d.first[g]:d.first[g+1]]
		for i, a := range numbers {
			for _, b := range numbers[i+1:] {
				out = append(out, uint64(a)<<32|uint64(b))
			}
		}
	}
	for _, p := range j.pairs {
		for _, a := range d.of(uint32(p >> 32)) {
			for _, b := range d.of(uint32(p)) {
				out = append(out, uint64(min(a, b))<<32|uint64(max(a, b)))
			}
		}
	}
	return j.emitSorted(out, j.a, j.a, emit)
}

// emitCross emits the pairs of a join of two lists in order.
func (j *joiner) emitCross(emit func(Pair) error) error {
	total := 0.0
	for _, p := range j.pairs {
		total += float64(len(j.ofA.of(uint32(p>>32)))) * float64(len(j.ofB.of(uint32(p)-uint32(j.split))))
	}
	if total > float64(limits.expand+len(j.pairs)) {
		return j.streamCross(emit)
	}
	out := make([]uint64, 0, int(total))
	for _, p := range j.pairs {
		for _, a := range j.ofA.of(uint32(p >> 32)) {
			for _, b := range j.ofB.of(uint32(p) - uint32(j.split)) {
				out = append(out, uint64(a)<<32|uint64(b))
			}
		}
	}
	return j.emitSorted(out, j.a, *j.b, emit)
}

// emitSorted emits pairs of positions in two lists.
func (j *joiner) emitSorted(pairs []uint64, a, b Codes, emit func(Pair) error) error {
	slices.Sort(pairs)
	for i, p := range pairs {
		if err := j.emitOne(uint32(p>>32), uint32(p), a.At(int(p>>32)).Distance(b.At(int(uint32(p)))), emit, i); err != nil {
			return err
		}
	}
	return nil
}

// emitOne emits a pair. Now and then it checks the context.
func (j *joiner) emitOne(a, b uint32, d int, emit func(Pair) error, i int) error {
	if i%4096 == 0 {
		if err := j.ctx.Err(); err != nil {
			return fmt.Errorf("hamming: join: %w", err)
		}
	}
	j.stats.Pairs++
	return emit(Pair{a, b, d})
}

// streamSelf emits the pairs of one code after another. It needs a list of the near codes
// of each distinct code, but not of their repetitions.
func (j *joiner) streamSelf(emit func(Pair) error) error {
	both := make([]uint64, 0, 2*len(j.pairs)+j.codes.len())
	for _, p := range j.pairs {
		both = append(both, p, p<<32|p>>32)
	}
	for i := range j.codes.len() {
		both = append(both, uint64(i)<<32|uint64(i)) // repetitions are near one another
	}
	return j.stream(both, &j.ofA, &j.ofA, 0, j.a, j.a, true, emit)
}

func (j *joiner) streamCross(emit func(Pair) error) error {
	return j.stream(j.pairs, &j.ofA, &j.ofB, uint32(j.split), j.a, *j.b, false, emit)
}

// stream emits, for each code of the first list, the codes near it. near holds pairs of
// positions among the distinct codes; positions in the second list count from split.
func (j *joiner) stream(near []uint64, ofA, ofB *distinct, split uint32, a, b Codes, self bool, emit func(Pair) error) error {
	slices.Sort(near)
	place := make([]uint32, a.Len()) // of each code among the distinct ones
	for i := range ofA.codes.len() {
		for _, number := range ofA.of(uint32(i)) {
			place[number] = uint32(i)
		}
	}
	var found []uint32
	for x, at := range place {
		lo, _ := slices.BinarySearch(near, uint64(at)<<32)
		found = found[:0]
		lists := 0
		for ; lo < len(near) && uint32(near[lo]>>32) == at; lo++ {
			numbers := ofB.of(uint32(near[lo]) - split)
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
		code := a.At(x)
		for i, y := range found {
			if err := j.emitOne(uint32(x), y, code.Distance(b.At(int(y))), emit, i); err != nil {
				return err
			}
		}
	}
	return nil
}
