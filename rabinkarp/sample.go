package rabinkarp

import "bytes"

// group is the number of windows that the sampler tests at once.
const group = 4

// found is a group with a chosen window: its first window's place and h.
type found struct {
	h  uint64
	at int
}

// sampler chooses windows by value: those whose x is below limit.
type sampler struct {
	*roller
	limit   uint64
	overlap bool
}

// sample appends the windows of text whose x is below the limit, where a window
// that overlaps the one chosen before counts only if overlap is set.
func (s *sampler) sample(dst []place, text []byte) []place {
	if len(text) < s.w {
		return dst
	}
	var hits [block / group]found
	h := s.start(text)
	in := text[s.w:]
	i, next := 0, 0
	for ; i+block <= len(in); i += block {
		var n int
		n, h = sampleBlock(&hits, (*[block]byte)(in[i:]), (*[block]byte)(text[i:]),
			&s.out, h, base, square, s.limit)
		for _, f := range hits[:n] {
			if at := i + f.at; at+group > next {
				dst, next = s.test(dst, text, at, at+group, next, f.h)
			}
		}
	}
	dst, _ = s.test(dst, text, i, len(in)+1, next, h)
	return dst
}

// test appends the windows from..to-1 that are chosen, one after the other, given h of
// the first. next is the first place where a window may be chosen; it returns the new one.
func (s *sampler) test(dst []place, text []byte, from, to, next int, h uint64) ([]place, int) {
	for i := from; i < to; i++ {
		x := h * base
		if x < s.limit && i >= next {
			dst = append(dst, place{mix(x), i})
			next = i + 1
			if !s.overlap {
				next = i + s.w
				if next >= to {
					break
				}
			}
		}
		if i+s.w < len(text) {
			h = s.step(x, text[i+s.w], text[i])
		}
	}
	return dst, next
}

// sampleBlock notes the groups that have a window with x below the limit, and
// returns their number and the next h. It rolls as fillBlock does, and tests a
// group at once, so that its only branch on the text is rarely taken.
func sampleBlock(hits *[block / group]found, in, out *[block]byte, tab *[256]uint64, h, p, p2, limit uint64) (int, uint64) {
	n := 0
	for i := 0; i < block-3; i += group {
		h0 := h
		d := uint64(in[i]) + tab[out[i]]
		x0, y, e := h*p, h*p2, d*p
		h = y + (e + uint64(in[i+1]) + tab[out[i+1]])
		m := min(x0, y+e)
		d = uint64(in[i+2]) + tab[out[i+2]]
		x2, y, e := h*p, h*p2, d*p
		h = y + (e + uint64(in[i+3]) + tab[out[i+3]])
		if min(m, min(x2, y+e)) < limit {
			hits[n&(block/group-1)] = found{h0, i}
			n++
		}
	}
	return n, h
}

// sampleAnchors appends the windows that begin right behind an occurrence of an
// anchor, in ascending order; those that would reach beyond the text are left out.
func (s *sampler) sampleAnchors(dst []place, text []byte, anchors [][]byte) []place {
	// ends[k] is where the next occurrence of anchor k ends, at or behind from.
	ends := make([]int, len(anchors))
	for k := range ends {
		ends[k] = -1
	}
	last := len(text) - s.w
	for from := 0; from <= last; {
		at := last + 1
		for k, a := range anchors {
			if ends[k] < from {
				ends[k] = nextEnd(text, a, from)
			}
			at = min(at, ends[k])
		}
		if at > last {
			break
		}
		dst = append(dst, place{mix(direct(text[at : at+s.w])), at})
		from = at + 1
		if !s.overlap {
			from = at + s.w
		}
	}
	return dst
}

// nextEnd returns the end of the first occurrence of a that ends at or behind
// from, or a place behind the text.
func nextEnd(text, a []byte, from int) int {
	begin := max(0, from-len(a))
	i := bytes.Index(text[begin:], a)
	if i < 0 {
		return len(text) + 1
	}
	return begin + i + len(a)
}
