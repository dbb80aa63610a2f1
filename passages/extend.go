package passages

import (
	"encoding/binary"
	"math"

	"github.com/alike-go/alike/feature"
)

// extender grows seeds over edits, as long as these are few enough.
//
// Two texts gain the rate for each character of their mean length, and lose 1
// for each edit. What they gain in all is not negative if and only if the edits
// are at most the rate. A seed grows in both directions to where it gains most,
// the farthest such place. It does not grow over edits that take all that it has
// gained, so that no beginning and no end of what has grown has more edits than
// the rate (T. Smith and M. Waterman, 1981, do the same with tables). Nor does it
// grow over a loss of more than mostLost edits, which S. Altschul et al., Gapped
// BLAST, 1997, call an X-drop.
//
// Ways are counted by their edits: for each diagonal, only the one that reaches
// farthest with a number of edits matters (E. Myers, An O(ND) difference
// algorithm and its variations, 1986).
type extender struct {
	o    *Options
	a, b []byte
	rate int64 // in units: what a character of either text gains
	drop int64

	long    map[string]uint64 // numbers of characters of many bytes
	waves   [2][]way
	readers [2][2]reader // by side and text
}

// unit is half of what an edit loses.
const unit = 1_000_000

// mostLost is how many edits a match may lose at most before it gains again. With
// 12, made texts with many edits are found in more parts; with 100 in no fewer.
const mostLost = 50

func newExtender(o *Options, a, b []byte) *extender {
	rate := int64(math.Round(o.Fuzzy * unit))
	return &extender{o: o, a: a, b: b, rate: rate, drop: 2 * unit * mostLost, long: map[string]uint64{}}
}

// way is the way that reaches farthest on a diagonal. Its low and high are the
// diagonals that it has gone along, in bytes.
type way struct {
	i, j      int // characters of a and b, or i is -1 if there is none
	low, high int
}

// grow returns what grows from a seed.
func (x *extender) grow(s seed) grown {
	diagonal := s.b.Start - s.a.Start
	g := grown{seed: s, length: x.o.count(x.a[s.a.Start:s.a.End]), low: diagonal, high: diagonal}
	if x.rate == 0 {
		return g
	}
	var sides [2]grownSide
	own := 2 * x.rate * int64(g.length)
	x.readers[0][0].start(x, x.a, s.a.End, false)
	x.readers[0][1].start(x, x.b, s.b.End, false)
	x.readers[1][0].start(x, x.a, s.a.Start, true)
	x.readers[1][1].start(x, x.b, s.b.Start, true)
	for side := 0; ; side = 1 - side {
		a, b := &x.readers[side][0], &x.readers[side][1]
		now := x.extend(a, b, own+sides[1-side].gain)
		if now.gain <= sides[side].gain && sides[side].done {
			break
		}
		now.done = true
		sides[side] = now
	}
	right, left := &sides[0], &sides[1]
	g.a, g.b = feature.Span{Start: left.endA, End: right.endA}, feature.Span{Start: left.endB, End: right.endB}
	g.length += (left.i + left.j + right.i + right.j) / 2
	g.edits = left.edits + right.edits
	g.low, g.high = min(diagonal, left.low, right.low), max(diagonal, left.high, right.high)
	return x.whole(g)
}

// whole returns what has grown without words that one of the texts cuts at its
// ends, and without white space there. It changes nothing if too many edits would
// be left.
func (x *extender) whole(g grown) grown {
	if x.o.Fold.Space == feature.DropSpace {
		return g
	}
	a, b := x.a[g.a.Start:g.a.End], x.b[g.b.Start:g.b.End]
	n, m := agree(a, b), agreeEnd(a, b, 0, math.MaxInt) // without edits, at the ends
	for n > 0 && !(border(a, n) && border(b, n)) {
		n--
	}
	for m > 0 && !(border(a, len(a)-m) && border(b, len(b)-m)) {
		m--
	}
	at := func(a, b int) []member { return []member{{text: x.a, at: uint32(a)}, {text: x.b, at: uint32(b)}} }
	start, _ := trim(at(g.a.Start, g.b.Start), 0, n)
	_, end := trim(at(g.a.End, g.b.End), m, 0)
	first, last := start-g.a.Start, g.a.End-end
	if first == n || last == m || first+last >= min(len(a), len(b)) {
		return g
	}
	less := x.o.count(a[:first]) + x.o.count(a[len(a)-last:])
	if unit*int64(g.edits) > x.rate*int64(g.length-less) {
		return g
	}
	g.a.Start, g.b.Start, g.a.End, g.b.End = g.a.Start+first, g.b.Start+first, g.a.End-last, g.b.End-last
	g.length -= less
	return g
}

// grownSide is what a seed grows in a direction.
type grownSide struct {
	way
	gain       int64
	edits      int
	endA, endB int
	done       bool
}

// extend returns the best way from where two readers stand, given what has been
// gained before.
func (x *extender) extend(a, b *reader, gained int64) (out grownSide) {
	gain := func(w way, edits int) int64 { return x.rate*int64(w.i+w.j) - 2*unit*int64(edits) }
	slide := func(w way) way {
		from := w.i
		for {
			c, ok := a.get(w.i)
			d, more := b.get(w.j)
			if !ok || !more || c != d {
				break
			}
			w.i, w.j = w.i+1, w.j+1
		}
		if w.i > from {
			at := b.place(w.j) - a.place(w.i)
			w.low, w.high = min(w.low, at), max(w.high, at)
		}
		return w
	}
	start := b.at - a.at
	out.way = slide(way{low: start, high: start})
	out.gain = gain(out.way, 0)
	wave, spare := append(x.waves[0][:0], out.way), x.waves[1]
	first := 0 // diagonal of wave[0], i - j
	for edits := 1; len(wave) > 0; edits++ {
		next := spare[:0]
		for k := first - 1; k <= first+len(wave); k++ {
			w := way{i: -1}
			for by := -1; by <= 1; by++ { // one less, as many, or one more of a's characters than of b's
				n := k - by - first
				if n < 0 || n >= len(wave) || wave[n].i < 0 {
					continue
				}
				v := wave[n]
				if by >= 0 {
					v.i++
				}
				if by <= 0 {
					v.j++
				}
				if v.i > w.i && a.reaches(v.i) && b.reaches(v.j) {
					w = v
				}
			}
			if w.i >= 0 {
				if got := gain(w, edits); got < out.gain-x.drop || got < -gained {
					w.i = -1
				} else {
					w = slide(w)
					if got = gain(w, edits); got > out.gain || got == out.gain && w.i+w.j > out.i+out.j {
						out.way, out.gain, out.edits = w, got, edits
					}
				}
			}
			next = append(next, w)
		}
		from, to := 0, len(next)
		for from < to && next[from].i < 0 {
			from++
		}
		for from < to && next[to-1].i < 0 {
			to--
		}
		wave, spare = next[from:to], wave
		first += from - 1
	}
	x.waves = [2][]way{wave, spare}
	out.endA, out.endB = a.place(out.i), b.place(out.j)
	return out
}

// reader reads the characters of a text from a place on, or with back those
// before it.
type reader struct {
	text   []byte
	at     int
	back   bool
	x      *extender
	read   []uint64 // equal numbers are equal characters
	places []int    // behind each, or with back before each
}

// start sets a reader to a place.
func (r *reader) start(x *extender, text []byte, at int, back bool) {
	*r = reader{text: text, at: at, back: back, x: x, read: r.read[:0], places: r.places[:0]}
}

// get returns character i. Those before it have been asked for.
func (r *reader) get(i int) (c uint64, ok bool) {
	if i < len(r.read) {
		return r.read[i], true
	}
	from := r.place(i)
	to := from
	switch {
	case r.back && from > 0:
		from = max(0, last(r.text, to))
	case !r.back && from < len(r.text):
		to = next(r.text, from)
	default:
		return 0, false
	}
	c = r.x.number(r.text[from:to])
	if !r.back {
		from = to
	}
	r.read, r.places = append(r.read, c), append(r.places, from)
	return c, true
}

// reaches reports whether there are n characters.
func (r *reader) reaches(n int) bool {
	if n == 0 {
		return true
	}
	_, ok := r.get(n - 1)
	return ok
}

// place returns where the first n characters end.
func (r *reader) place(n int) int {
	if n == 0 {
		return r.at
	}
	return r.places[n-1]
}

// number returns a number for a character.
func (x *extender) number(c []byte) uint64 {
	var packed [8]byte
	if len(c) < len(packed) {
		copy(packed[:], c)
		return binary.BigEndian.Uint64(packed[:]) | uint64(len(c))
	}
	n, ok := x.long[string(c)]
	if !ok {
		n = uint64(len(x.long))<<8 | 0xff
		x.long[string(c)] = n
	}
	return n
}
