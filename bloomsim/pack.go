package bloomsim

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/alike-go/alike/bloomsim/internal/popcount"
	"github.com/alike-go/alike/internal/parallel"
)

// perBlock is the number of filters in a block, and chunk that of those which a worker
// compares with the others at a time. A block is compared with itself twice over, both
// ways, and so must not be large.
const perBlock, chunk = 1024, 64

// side is one of the collections of a join.
type side struct {
	filters []Filter
	sizes   []size          // in ascending order
	packs   map[key][]*pack // for each block one
}

// size is what is known of the filters of one size.
type size struct {
	bits        int
	least, most float64 // estimated features, times hashes
}

// key is a size and the one that its filters are folded to, which may be the same.
type key struct{ bits, folded int }

func newSide(filters []Filter) *side {
	s := &side{filters: filters, packs: make(map[key][]*pack)}
	for i := range filters {
		f := &filters[i]
		if f.ones == 0 {
			continue
		}
		n := f.load * float64(f.Bits())
		at, ok := slices.BinarySearchFunc(s.sizes, f.Bits(), func(x size, bits int) int { return cmp.Compare(x.bits, bits) })
		if !ok {
			s.sizes = slices.Insert(s.sizes, at, size{f.Bits(), n, n})
		}
		s.sizes[at].least, s.sizes[at].most = min(s.sizes[at].least, n), max(s.sizes[at].most, n)
	}
	return s
}

func (s *side) blocks() int { return (len(s.filters) + perBlock - 1) / perBlock }

// pack packs the filters of a size, folded to another, unless that has been done.
func (s *side) pack(b *bound, bits, folded, head, workers int) {
	k := key{bits, folded}
	if s.packs[k] != nil {
		return
	}
	packs := make([]*pack, s.blocks())
	parallel.For(context.Background(), workers, len(packs), func(_, i int) { packs[i] = newPack(s.filters, i*perBlock, b, k, head) })
	s.packs[k] = packs
}

// pack is the filters of one size in a block, by number of bits set.
type pack struct {
	docs    []int
	ones    []int32
	weights []float64
	terms   []terms
	head    []uint64 // the first words of each
	tail    []uint64 // the others
	rest    []int32  // bits set in those

	perHead, perTail int
}

// packedWords is the number of words that a filter takes, a multiple of what the kernel needs.
func packedWords(bits int) int {
	words := (bits + 63) / 64
	return (words + popcount.RowWords - 1) / popcount.RowWords * popcount.RowWords
}

func newPack(filters []Filter, from int, b *bound, k key, head int) *pack {
	p := &pack{perHead: head, perTail: packedWords(k.folded) - head}
	type packed struct{ doc, ones int }
	var order []packed
	words := make([]uint64, packedWords(k.folded))
	for i := from; i < min(from+perBlock, len(filters)); i++ {
		f := &filters[i]
		if f.ones == 0 || f.Bits() != k.bits {
			continue
		}
		ones := f.ones
		if k.bits != k.folded {
			ones = fold(words, f.set.Words(), k.folded)
		}
		order = append(order, packed{i, ones})
	}
	slices.SortFunc(order, func(x, y packed) int { return cmp.Or(cmp.Compare(x.ones, y.ones), cmp.Compare(x.doc, y.doc)) })
	p.head, p.tail = make([]uint64, 0, len(order)*p.perHead), make([]uint64, 0, len(order)*p.perTail)
	for _, o := range order {
		fold(words, filters[o.doc].set.Words(), k.folded)
		rest := 0
		for _, w := range words[head:] {
			rest += bits.OnesCount64(w)
		}
		p.docs = append(p.docs, o.doc)
		p.ones = append(p.ones, int32(o.ones))
		p.weights = append(p.weights, b.weight(o.ones, k.folded))
		p.terms = append(p.terms, b.terms(o.ones, k.folded))
		p.rest = append(p.rest, int32(rest))
		p.head = append(p.head, words[:head]...)
		p.tail = append(p.tail, words[head:]...)
	}
	return p
}

// fold folds src to a number of bits, which is its own or, both being powers of two, a
// smaller one, and returns how many of them are set. What dst has beyond is set to 0.
func fold(dst, src []uint64, size int) (ones int) {
	n := (size + 63) / 64
	clear(dst[copy(dst, src[:n]):])
	for i := n; i < len(src); i += n {
		for k, w := range src[i : i+n] {
			dst[k] |= w
		}
	}
	for _, w := range dst[:n] {
		ones += bits.OnesCount64(w)
	}
	return ones
}

// rowsOf returns the rows, in their order, of the filters from from to to.
func (p *pack) rowsOf(from, to int) []int {
	var rows []int
	for i, doc := range p.docs {
		if doc >= from && doc < to {
			rows = append(rows, i)
		}
	}
	return rows
}

func (p *pack) headOf(i int) []uint64 { return p.head[i*p.perHead : (i+1)*p.perHead] }
func (p *pack) tailOf(i int) []uint64 { return p.tail[i*p.perTail : (i+1)*p.perTail] }

// head returns how many words of the filters of a size are compared first: so many
// that the rest is worth its price. What unrelated filters share is learnt from a few.
func (j *joiner) head(bits int, left, right *side) int {
	words := packedWords(bits)
	xs, ys := left.some(bits), right.some(bits)
	if len(xs) == 0 || len(ys) == 0 {
		return words
	}
	const pairs, dear = 300, 64 // dear is what the rest costs beside its words
	costs := make([]float64, words/popcount.RowWords+1)
	for k := range pairs {
		x, y := xs[k*7%len(xs)], ys[(k*13+1)%len(ys)]
		lo, hi := j.within(j.weight(x.ones, bits), []float64{j.weight(y.ones, bits)}, 0, 1)
		if lo == hi {
			continue
		}
		need, rest := int(j.terms(x.ones, bits).need(j.terms(y.ones, bits))), y.ones
		wx, wy, both := x.set.Words(), y.set.Words(), 0
		for n := range costs[1:] {
			from, to := n*popcount.RowWords, min((n+1)*popcount.RowWords, len(wx))
			both += popcount.And(wx[from:to], wy[from:to])
			rest -= popcount.And(wy[from:to], wy[from:to])
			costs[n+1] += float64(to)
			if both+rest >= need && to < len(wx) {
				costs[n+1] += float64(words + dear)
			}
		}
	}
	best := len(costs) - 1
	for n := best - 1; n > 0; n-- {
		if costs[n] < costs[best] {
			best = n
		}
	}
	return best * popcount.RowWords
}

// some returns some of the filters of a size, spread over the collection.
func (s *side) some(bits int) []*Filter {
	var out []*Filter
	step := max(1, len(s.filters)/1000)
	for i := 0; i < len(s.filters); i += step {
		if f := &s.filters[i]; f.ones > 0 && f.Bits() == bits {
			out = append(out, f)
		}
	}
	return out
}
