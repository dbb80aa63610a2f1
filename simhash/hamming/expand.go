package hamming

import "math"

// maxEntries bounds what ExpandStore may store.
const maxEntries = 1 << 26

// neighbours finds codes by hashing whole codes: either it holds the codes and every
// neighbour of a query is looked up, or it holds the neighbours of every code. It is
// here to be measured against: the tables do the same in less room and time.
type neighbours struct {
	design Design
	at     map[Code]uint32 // the position of a code, or where the entries of a neighbour begin
	pos    []uint32        // of entries, by ExpandStore only
	next   []uint32        // the entry after each, 0 at the end
}

// newNeighbours enters distinct codes.
func newNeighbours(codes columns, d Design) *neighbours {
	s := &neighbours{design: d, at: make(map[Code]uint32, codes.len())}
	if d.Kind == ExpandStore {
		s.pos, s.next = []uint32{0}, []uint32{0}
	}
	for i := range codes.len() {
		if d.Kind == ExpandQuery {
			s.at[codes.at(i)] = uint32(i)
			continue
		}
		around(codes.at(i), d.Bits, d.Radius, func(c Code) {
			s.pos, s.next = append(s.pos, uint32(i)), append(s.next, s.at[c])
			s.at[c] = uint32(len(s.pos) - 1)
		})
	}
	return s
}

func (s *neighbours) find(dst []Match, codes columns, q Code, k int) []Match {
	if s.design.Kind == ExpandQuery {
		around(q, s.design.Bits, k, func(c Code) {
			if pos, ok := s.at[c]; ok {
				dst = append(dst, Match{pos, int32(c.Distance(q))})
			}
		})
		return dst
	}
	for e := s.at[q]; e != 0; e = s.next[e] {
		if d := codes.at(int(s.pos[e])).Distance(q); d <= k {
			dst = append(dst, Match{s.pos[e], int32(d)})
		}
	}
	return dst
}

// around calls f for each code within k bits of c.
func around(c Code, width, k int, f func(Code)) {
	f(c)
	if k == 0 {
		return
	}
	for b := range width {
		flipped := c.xor(Code{}.with(b))
		around(flipped, b, k-1, f)
	}
}

// volume returns the number of codes within k bits of a code, as a float since it
// passes all integers.
func volume(width, k int) float64 {
	sum, choose := 0.0, 1.0
	for i := 0; i <= min(k, width); i++ {
		sum += choose
		choose *= float64(width-i) / float64(i+1)
	}
	return math.Round(sum)
}

// bytes returns about what Go's maps take: a slot of key, value and control byte, at a
// load of seven eighths at most.
func (s *neighbours) bytes() int64 {
	return int64(len(s.at))*(16+4+1)*8/7 + int64(4*cap(s.pos)+4*cap(s.next))
}
