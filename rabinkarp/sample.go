package rabinkarp

import (
	"bytes"

	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/rabinkarp/internal/lanes"
)

// stretch is the number of windows that hunt looks at, group how many it tests at once.
const (
	stretch = 64
	group   = 4
)

// sampler chooses windows by value: those whose x is below limit.
type sampler struct {
	*roller
	lanes   *lanes.Roller
	limit   uint64
	overlap bool
}

func newSampler(w int, limit uint64, overlap bool) sampler {
	return sampler{newRoller(w), lanes.New(w, base, limit), limit, overlap}
}

// sample appends the windows of text whose x is below the limit, where a window
// that overlaps the one chosen before counts only if overlap is set.
func (s *sampler) sample(dst []place, sc *scratch, text []byte) []place {
	from := 0
	if s.byParts() && stepsFor(len(text)-s.w+1, s.w) > 0 {
		if sc.lanes == nil {
			sc.lanes = new(laneScratch)
		}
		var at, next int
		dst, at, next = s.sampleLanes(dst, sc.lanes, text, sc.once)
		from = max(at, next)
	}
	return s.sampleFrom(dst, text, from, sc.once)
}

// sampleFrom does as sample with the windows from one on, by one after the other.
func (s *sampler) sampleFrom(dst []place, text []byte, from int, once bool) []place {
	if len(text)-from < s.w {
		return dst
	}
	i, h := from, s.start(text[from:])
	for {
		at, x := s.next(text, i, h)
		if at < 0 {
			return dst
		}
		dst = add(dst, place{splitmix.Mix(x), at}, once)
		// Behind a chosen window the hash starts afresh, which is twice as fast as
		// rolling over the windows that do not count.
		i = at + 1
		if !s.overlap {
			i = at + s.w
		}
		if i+s.w > len(text) {
			return dst
		}
		if s.overlap {
			h = s.step(x, text[at+s.w], text[at])
		} else {
			h = s.start(text[i:])
		}
	}
}

// next returns the first window at or behind i whose x is below the limit, and its x,
// given h of window i. It returns -1 if there is none.
func (s *sampler) next(text []byte, i int, h uint64) (at int, x uint64) {
	in := text[s.w:]
	for i+stretch <= len(in) {
		var n int
		n, h = hunt((*[stretch]byte)(in[i:]), (*[stretch]byte)(text[i:]), &s.out, h, base, square, s.limit)
		i += n
		if n == stretch {
			continue
		}
		for {
			x := h * base
			if x < s.limit {
				return i, x
			}
			h = s.step(x, in[i], text[i])
			i++
		}
	}
	for ; ; i++ {
		x := h * base
		if x < s.limit {
			return i, x
		}
		if i == len(in) {
			return -1, 0
		}
		h = s.step(x, in[i], text[i])
	}
}

// hunt returns the number of windows in front of the first group that has one
// with x below the limit, and the h of the window there. It rolls as fillBlock does,
// and tests a group at once to have few branches.
func hunt(in, out *[stretch]byte, tab *[256]uint64, h, p, p2, limit uint64) (int, uint64) {
	for i := 0; i < stretch-3; i += group {
		h0 := h
		d := uint64(in[i]) + tab[out[i]]
		x0, y, e := h*p, h*p2, d*p
		h = y + (e + uint64(in[i+1]) + tab[out[i+1]])
		m := min(x0, y+e)
		d = uint64(in[i+2]) + tab[out[i+2]]
		x2, y, e := h*p, h*p2, d*p
		h = y + (e + uint64(in[i+3]) + tab[out[i+3]])
		if min(m, min(x2, y+e)) < limit {
			return i, h0
		}
	}
	return stretch, h
}

// sampleAnchors appends the windows that begin right behind an occurrence of an
// anchor, in ascending order; those that would reach beyond the text are left out.
func (s *sampler) sampleAnchors(dst []place, text []byte, anchors [][]byte, once bool) []place {
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
		dst = add(dst, place{splitmix.Mix(direct(text[at : at+s.w])), at}, once)
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
