package passages

import (
	"container/heap"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
)

// shared is what an old document shares with a query.
type shared struct {
	doc   int
	spans []feature.Span // of the query, in bytes, ascending and apart
}

// gather chooses the sources of a text. It is the greedy algorithm for the maximum
// coverage problem. What a document adds only falls as others are chosen, so that it is
// counted again only when it is the best by its last count: M. Minoux, Accelerated greedy
// algorithms for maximizing submodular set functions, 1978.
func gather(text string, all []shared, least float64) (g Gathered) {
	u := newUncovered(text, all)
	whole := u.left
	if whole == 0 {
		return g
	}
	share := func(n int) float64 { return float64(n) / float64(whole) }
	enough := func(n int) bool { return n > 0 && share(n) >= least }
	q := &queue{}
	for i := range all {
		if n := u.count(all[i].spans); enough(n) {
			*q = append(*q, choice{adds: n, whole: n, of: &all[i]})
		}
	}
	heap.Init(q)
	for q.Len() > 0 {
		best := &(*q)[0]
		if n := u.count(best.of.spans); !enough(n) {
			heap.Pop(q)
			continue
		} else if n < best.adds {
			best.adds = n
			heap.Fix(q, 0)
			continue
		}
		spans := u.cover(best.of.spans)
		g.Sources = append(g.Sources, Source{
			Doc: best.of.doc, Adds: share(best.adds), Total: share(whole - u.left), Share: share(best.whole), Spans: solid(text, spans),
		})
		heap.Pop(q)
	}
	g.Covered = share(whole - u.left)
	g.Uncovered = solid(text, u.cover([]feature.Span{{End: len(text)}}))
	return g
}

// choice is a document that may be the next source.
type choice struct {
	adds  int // at most, as counted last
	whole int
	of    *shared
}

// queue has the choice that adds most on top.
type queue []choice

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].adds > q[j].adds || q[i].adds == q[j].adds && q[i].of.doc < q[j].of.doc
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(choice)) }
func (q *queue) Pop() any { // nil, as the top is looked at before it is dropped
	*q = (*q)[:len(*q)-1]
	return nil
}

// uncovered is what is left of a text that spans cut into pieces. A piece is
// covered as a whole.
type uncovered struct {
	bounds []int // where piece i starts, and the end of the text
	bytes  []int // of each piece, without white space
	left   int   // bytes of all uncovered pieces
	sums   []int // Fenwick tree of the uncovered pieces' bytes
	next   []int // from a piece towards the first uncovered one from there on
}

// newUncovered cuts a text at the spans of documents.
func newUncovered(text string, all []shared) *uncovered {
	u := &uncovered{bounds: []int{0, len(text)}}
	for i := range all {
		for _, s := range all[i].spans {
			u.bounds = append(u.bounds, s.Start, s.End)
		}
	}
	slices.Sort(u.bounds)
	u.bounds = slices.Compact(u.bounds)
	n := len(u.bounds) - 1
	u.bytes, u.sums, u.next = make([]int, n), make([]int, n+1), make([]int, n+1)
	u.next[n] = n
	for i := range n {
		u.bytes[i], u.next[i] = weight(text[u.bounds[i]:u.bounds[i+1]]), i
		u.add(i, u.bytes[i])
	}
	return u
}

// weight is what a text counts in shares: its bytes that are not white space.
func weight(text string) int {
	n := len(text)
	for _, r := range text {
		if unicode.IsSpace(r) {
			n -= utf8.RuneLen(r)
		}
	}
	return n
}

// add adds to the uncovered bytes of a piece.
func (u *uncovered) add(piece, bytes int) {
	u.left += bytes
	for i := piece + 1; i < len(u.sums); i += i & -i {
		u.sums[i] += bytes
	}
}

// before returns the uncovered bytes before a piece.
func (u *uncovered) before(piece int) (n int) {
	for i := piece; i > 0; i -= i & -i {
		n += u.sums[i]
	}
	return n
}

// pieces returns the pieces of a span.
func (u *uncovered) pieces(s feature.Span) (from, to int) {
	from, _ = slices.BinarySearch(u.bounds, s.Start)
	to, _ = slices.BinarySearch(u.bounds, s.End)
	return from, to
}

// count returns the uncovered bytes in spans.
func (u *uncovered) count(spans []feature.Span) (n int) {
	for _, s := range spans {
		from, to := u.pieces(s)
		n += u.before(to) - u.before(from)
	}
	return n
}

// cover covers spans, and returns the parts that were uncovered.
func (u *uncovered) cover(spans []feature.Span) (parts []feature.Span) {
	for _, s := range spans {
		from, to := u.pieces(s)
		for i := u.find(from); i < to; i = u.find(i) {
			parts = join(parts, feature.Span{Start: u.bounds[i], End: u.bounds[i+1]})
			u.add(i, -u.bytes[i])
			u.next[i] = i + 1
		}
	}
	return parts
}

// find returns the first uncovered piece from one on, or the number of pieces.
func (u *uncovered) find(i int) int {
	for u.next[i] != i {
		u.next[i] = u.next[u.next[i]]
		i = u.next[i]
	}
	return i
}

// solid returns spans of a text without white space at their ends, and none of white
// space only.
func solid(text string, spans []feature.Span) (out []feature.Span) {
	for _, s := range spans {
		left := strings.TrimLeftFunc(text[s.Start:s.End], unicode.IsSpace)
		if left != "" {
			out = append(out, feature.Span{Start: s.End - len(left), End: s.Start + len(strings.TrimRightFunc(text[s.Start:s.End], unicode.IsSpace))})
		}
	}
	return out
}
