package rabinkarp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

var (
	_ similarity.Joiner[Sketch] = (*Manber)(nil)
	_ similarity.Joiner[Sketch] = (*Winnow)(nil)
)

// Join finds all pairs that score at least o.Threshold, as similarity.Joiner says;
// it is exact. Sketches without fingerprints meet by checksum and size.
func (m *Manber) Join(ctx context.Context, a, b []Sketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return join(ctx, m.o.Measure, a, b, o, emit)
}

// Join finds all pairs that score at least o.Threshold, as similarity.Joiner says;
// it is exact.
func (m *Winnow) Join(ctx context.Context, a, b []Sketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	return join(ctx, m.o.Measure, a, b, o, emit)
}

// A pair of sets that scores t shares so many fingerprints that, in any order of all
// fingerprints, the first few of each set, its prefix, have one in common (Chaudhuri, Ganti,
// Kaushik, ICDE 2006). So only prefixes are indexed, under an order in which the
// rare come first: boilerplate, which many texts share, then lies behind the prefix.
// Where both stand in their sets bounds what they can still share (Xiao et al., PPJoin, WWW 2008).

// joiner is a join under way. The sets of a are looked up among those of b.
type joiner struct {
	measure   Measure
	threshold float64
	self      bool
	a, b      []Sketch
	order     *order
	twins     map[twin][]int32 // texts of b by checksum and size

	// same is searched for sets that need not be larger. Under Overlap, where a small set
	// may lie in a large one, it finds the smaller sets, and larger, which holds
	// whole sets, the others.
	same, larger *lists
}

// twin is what texts that count as equal agree in.
type twin struct {
	sum  uint64
	size int
}

func twinOf(folded []byte) twin { return twin{xxh3.Hash(folded), len(folded)} }

func join(ctx context.Context, measure Measure, a, b []Sketch, o similarity.JoinOptions, emit func(similarity.Pair) error) (similarity.JoinStats, error) {
	o, err := o.Check()
	if err != nil {
		return similarity.JoinStats{}, err
	}
	workers := parallel.Workers(o.Workers)
	j := newJoiner(measure, a, b, o.Threshold, workers)
	st := similarity.JoinStats{Recall: 1, Design: "inverted index of prefixes, rare fingerprints first"}
	seekers := make([]seeker, workers)
	for w := range seekers {
		seekers[w].counts = make([]count, len(j.b))
	}
	size := chunk
	for from, to := 0, 0; from < len(a); from = to {
		to = min(from+size, len(a))
		found := make([][]similarity.Pair, (to-from+chunk-1)/chunk)
		parallel.For(ctx, workers, len(found), func(w, c int) {
			at := from + c*chunk
			for i := at; i < min(at+chunk, to) && ctx.Err() == nil; i++ {
				found[c] = j.seek(&seekers[w], i, found[c])
			}
		})
		if err := ctx.Err(); err != nil {
			return st, fmt.Errorf("rabinkarp: join: %w", err)
		}
		st.Candidates, st.Verified = 0, 0
		for w := range seekers {
			st.Candidates += seekers[w].candidates
			st.Verified += seekers[w].verified
		}
		pairs := slices.Concat(found...)
		size = nextSize(size, len(pairs))
		for _, p := range pairs {
			st.Pairs++
			if err := emit(p); err != nil {
				return st, err
			}
		}
		if o.Progress != nil {
			o.Progress(float64(to) / float64(len(a)))
		}
	}
	return st, nil
}

func newJoiner(measure Measure, a, b []Sketch, threshold float64, workers int) *joiner {
	j := &joiner{measure: measure, threshold: threshold, self: b == nil, a: a, b: b}
	if j.self {
		j.b = a
	}
	j.order = newOrder(a, b, workers)
	j.twins = make(map[twin][]int32)
	for i, s := range j.b {
		if s.Size > 0 {
			k := twin{s.Sum, s.Size}
			j.twins[k] = append(j.twins[k], int32(i))
		}
	}
	j.same = newLists(j.b, j.order, j.prefix, workers)
	if measure == Overlap {
		j.larger = newLists(j.b, j.order, func(n int) int { return n }, workers)
	}
	return j
}

// atLeast returns the least whole number that is not below x but for rounding.
func atLeast(x float64) int { return max(1, int(math.Ceil(x*(1-1e-9)))) }

// need returns how many fingerprints sets of n and k must share at least.
func (j *joiner) need(n, k int) int {
	if j.measure == Overlap {
		return atLeast(j.threshold * float64(min(n, k)))
	}
	return atLeast(j.threshold / (1 + j.threshold) * float64(n+k))
}

// prefix returns the length of the prefix of a set of n, which a partner that is not
// smaller (under Overlap; else of any size) must share one of.
func (j *joiner) prefix(n int) int {
	if n == 0 {
		return 0
	}
	return n - atLeast(j.threshold*float64(n)) + 1
}

// seeker is what one goroutine of a join needs.
type seeker struct {
	counts  []count // of each text of b
	touched []int32 // those whose counts are not 0
	set     []ranked

	candidates, verified int64
}

// count is what is known of a text of b beside that of a.
type count struct {
	shared int32 // fingerprints of the prefixes; dead if they cannot suffice
	need   int32
}

const dead = -1

// seek appends the pairs of text i of a, in ascending order.
func (j *joiner) seek(s *seeker, i int, dst []similarity.Pair) []similarity.Pair {
	of, after := &j.a[i], int32(-1)
	if j.self {
		after = int32(i)
	}
	if of.Size == 0 {
		return dst
	}
	from := len(dst)
	twins := j.twins[twin{of.Sum, of.Size}]
	at, _ := slices.BinarySearch(twins, after+1)
	for _, k := range twins[at:] {
		dst = append(dst, similarity.Pair{A: i, B: int(k), Score: 1})
		s.candidates++
	}
	s.set = j.order.rank(s.set, of.Prints)
	n := len(s.set)
	switch {
	case n == 0:
	case j.measure == Overlap:
		j.count(s, j.same, n, after, 1, n-1)
		j.count(s, j.larger, j.prefix(n), after, n, math.MaxInt)
	default:
		j.count(s, j.same, j.prefix(n), after, atLeast(j.threshold*float64(n)), int(float64(n)/j.threshold*(1+1e-9)))
	}
	for _, k := range s.touched {
		c := s.counts[k]
		s.counts[k] = count{}
		if c.shared == dead || equal(*of, j.b[k]) {
			continue
		}
		s.verified++
		if score := score(j.measure, *of, j.b[k]); score >= j.threshold {
			dst = append(dst, similarity.Pair{A: i, B: int(k), Score: score})
		}
	}
	s.touched = s.touched[:0]
	found := dst[from:]
	slices.SortFunc(found, func(p, q similarity.Pair) int { return p.B - q.B })
	return dst
}

// count counts what the first few of the set share with the indexed sets of least to
// most fingerprints.
func (j *joiner) count(s *seeker, l *lists, first int, after int32, least, most int) {
	n := len(s.set)
	for at, r := range s.set[:first] {
		if !r.shared {
			continue
		}
		for _, e := range l.find(r.print, after) {
			if e.print != r.print {
				continue
			}
			size := len(j.b[e.doc].Prints)
			if size < least || size > most {
				continue
			}
			c := &s.counts[e.doc]
			if c.need == 0 {
				c.need = int32(min(j.need(n, size), math.MaxInt32))
				s.touched = append(s.touched, e.doc)
				s.candidates++
			}
			if c.shared == dead {
				continue
			}
			c.shared++
			if int(c.shared)+min(n-at, size-int(e.at))-1 < int(c.need) {
				c.shared = dead
			}
		}
	}
}

// chunk is the number of texts that a worker takes at a time, round the most that are taken
// until their pairs are emitted, and mostPairs what shall be held of those.
const chunk, round, mostPairs = 64, 64 * chunk, 1 << 21

// nextSize returns how many texts to take after so many that gave so many pairs: twice
// as many, unless that would be too many pairs.
func nextSize(size, pairs int) int {
	if pairs > mostPairs/2 {
		return max(1, int(float64(size)*mostPairs/2/float64(pairs)))
	}
	return min(2*size, round)
}
