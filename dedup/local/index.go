package local

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// bitmap is a set of numbers that goroutines add to.
type bitmap []uint64

func newBitmap(n int) bitmap { return make(bitmap, (n+63)/64) }

func (b bitmap) add(i uint32)      { atomic.OrUint64(&b[i/64], 1<<(i%64)) }
func (b bitmap) has(i uint32) bool { return atomic.LoadUint64(&b[i/64])>>(i%64)&1 == 1 }

// list returns the numbers in ascending order.
func (b bitmap) list() []int {
	var out []int
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			out = append(out, 64*w+bits.TrailingZeros64(word))
		}
	}
	return out
}

// buckets are the keys of all texts, to be gone through bucket by bucket.
type buckets struct {
	sorter *extsort.Sorter
	design string
	recall float64
}

// errJoin is the error of a method whose join is to be preferred to its buckets.
var errJoin = errors.New("dedup: the method joins better than by buckets")

// newBuckets puts the texts in buckets by their sketches. The error wraps
// similarity.ErrNoBuckets where the method has none, or is errJoin where the join is preferred to
// buckets.
func newBuckets(ctx context.Context, s *store, workers int, dir string, memory int64, o similarity.JoinOptions, preferJoin bool) (*buckets, error) {
	b := &buckets{sorter: extsort.New(dir, memory)}
	type part struct{ from, to int }
	err := s.each(func(first int, c similarity.Collection) error {
		layout, err := c.Buckets(o)
		if err != nil {
			return err
		}
		b.design, b.recall = layout.Design, layout.Recall(o.Threshold)
		if preferJoin && layout.Tables <= 2 && s.mem != nil {
			// Many keys of a text go into a table: those of a feature that all texts
			// have make a bucket of all texts, which the method's join knows to avoid.
			return errJoin
		}
		return parallel.Ordered(ctx, workers, func(_ context.Context, emit func(part) error) error {
			const each = 4096
			for from := 0; from < c.Len(); from += each {
				if err := emit(part{from, min(from+each, c.Len())}); err != nil {
					return err
				}
			}
			return nil
		}, func(p part) ([]extsort.Record, error) {
			var out []extsort.Record
			var keys []similarity.Key
			for i := p.from; i < p.to; i++ {
				if c.Empty(i) {
					continue
				}
				keys = layout.Append(keys[:0], i)
				for _, k := range keys {
					out = append(out, record(k, uint32(first+i)))
				}
			}
			return out, nil
		}, func(records []extsort.Record) error { return b.sorter.Add(records...) })
	})
	if err != nil {
		b.sorter.Close()
		return nil, err
	}
	return b, nil
}

// record packs a key and a text so that records of a bucket are neighbours.
func record(k similarity.Key, text uint32) extsort.Record {
	return extsort.Record{uint64(k.Table)<<56 | k.Bucket>>8, k.Bucket<<56 | uint64(text)}
}

// each calls do with the texts of each bucket that share it with others, in
// ascending order. The slice is used again. drop, where not nil, leaves texts out.
func (b *buckets) each(drop func(text uint32) bool, do func(bucket []uint32) error) error {
	var bucket []uint32
	var key extsort.Record
	flush := func() error {
		if len(bucket) < 2 {
			return nil
		}
		return do(bucket)
	}
	err := b.sorter.Each(func(r extsort.Record) error {
		text := uint32(r[1])
		if r[1] &^= 1<<56 - 1; r != key {
			if err := flush(); err != nil {
				return err
			}
			key, bucket = r, bucket[:0]
		}
		if drop == nil || !drop(text) {
			bucket = append(bucket, text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// active returns the texts that are near any other: that share a bucket with
// one and pass near with it. A bucket of texts near each other costs no more
// than its size. All texts of a bucket of more than each pairs per text are
// active without a comparison.
func (b *buckets) active(ctx context.Context, workers, texts, old int, each int64, near func(a, b uint32) (bool, error)) (bitmap, error) {
	active := newBitmap(texts)
	type batch struct {
		texts []uint32
		sizes []int
	}
	free := sync.Pool{New: func() any { return &batch{} }}
	err := parallel.Ordered(ctx, workers, func(_ context.Context, emit func(*batch) error) error {
		const enough = 1 << 14
		now := free.Get().(*batch)
		err := b.each(nil, func(bucket []uint32) error {
			if int(bucket[len(bucket)-1]) < old {
				return nil // all old
			}
			now.texts = append(now.texts, bucket...)
			now.sizes = append(now.sizes, len(bucket))
			if len(now.texts) < enough {
				return nil
			}
			full := now
			now = free.Get().(*batch)
			return emit(full)
		})
		if err != nil {
			return err
		}
		return emit(now)
	}, func(w *batch) (*batch, error) {
		rest := w.texts
		for _, n := range w.sizes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := activate(active, rest[:n], old, each, near); err != nil {
				return nil, err
			}
			rest = rest[n:]
		}
		return w, nil
	}, func(w *batch) error {
		w.texts, w.sizes = w.texts[:0], w.sizes[:0]
		free.Put(w)
		return nil
	})
	return active, err
}

func activate(active bitmap, bucket []uint32, old int, each int64, near func(a, b uint32) (bool, error)) error {
	if crowded(bucket, old, each) {
		for _, a := range bucket {
			active.add(a)
		}
		return nil
	}
	for i, a := range bucket {
		if active.has(a) {
			continue
		}
		for j, b := range bucket {
			if i == j || int(a) < old && int(b) < old {
				continue
			}
			if j < i && !active.has(b) {
				continue // the two have been compared when it was b's turn
			}
			ok, err := near(a, b)
			if err != nil {
				return err
			}
			if ok {
				active.add(a)
				active.add(b)
				break
			}
		}
	}
	return nil
}

// finder finds the nodes near a node by the buckets that it shares with them.
type finder struct {
	members []uint32 // of all buckets, one behind the other
	starts  []uint32 // of the buckets in members, and the end
	buckets []uint32 // of all nodes, one behind the other
	own     []uint32 // where those of a node start, and the end
	stamp   []uint32 // by node, the last look-up that saw it, plus one
	look    uint32
	fixed   int
	near    func(a, b uint32) (bool, error)
	workers int
	mates   []uint32

	compared int64 // pairs, by Near

	crowds  bitmap       // buckets
	inCrowd bitmap       // nodes of crowds
	search  *crowdSearch // of these nodes; nil if all pairs of their buckets are compared
}

// finder keeps the buckets of the active texts; node gives their numbers as nodes.
func (b *buckets) finder(nodes, fixed, workers int, node func(text uint32) (uint32, bool), near func(a, b uint32) (bool, error)) (*finder, error) {
	x := &finder{starts: []uint32{0}, own: make([]uint32, nodes+1), stamp: make([]uint32, nodes), fixed: fixed, near: near, workers: workers}
	var bucket []uint32
	err := b.each(func(text uint32) bool { _, ok := node(text); return !ok }, func(texts []uint32) error {
		bucket = bucket[:0]
		open := false
		for _, t := range texts {
			n, _ := node(t)
			bucket = append(bucket, n)
			open = open || int(n) >= fixed
		}
		if open {
			slices.Sort(bucket)
			x.members = append(x.members, bucket...)
			x.starts = append(x.starts, uint32(len(x.members)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, n := range x.members {
		x.own[n+1]++
	}
	for n := range nodes {
		x.own[n+1] += x.own[n]
	}
	at := slices.Clone(x.own[:nodes])
	x.buckets = make([]uint32, len(x.members))
	for i := range len(x.starts) - 1 {
		for _, n := range x.members[x.starts[i]:x.starts[i+1]] {
			x.buckets[at[n]] = uint32(i)
			at[n]++
		}
	}
	x.crowds, x.inCrowd = newBitmap(len(x.starts)), newBitmap(nodes)
	for i := range uint32(len(x.starts) - 1) {
		if crowd := x.bucket(i); crowded(crowd, fixed, crowdPairs) {
			x.crowds.add(i)
			for _, n := range crowd {
				x.inCrowd.add(n)
			}
		}
	}
	return x, nil
}

// bucket returns the nodes of a bucket, in ascending order.
func (x *finder) bucket(i uint32) []uint32 { return x.members[x.starts[i]:x.starts[i+1]] }

// bucketsOf returns the buckets of a node, in ascending order.
func (x *finder) bucketsOf(node uint32) []uint32 { return x.buckets[x.own[node]:x.own[node+1]] }

// Near is that of a dedup.Graph.
func (x *finder) Near(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
	want := func(b uint32) bool { return open(b) && x.comparable(node, b) }
	x.mates = x.matesOf(x.mates[:0], node, x.searched(node), want)
	x.compared += int64(len(x.mates))
	if x.searched(node) {
		var compared int64
		x.mates, compared = x.search.find(x.mates, node, func(b uint32) bool { return want(b) && x.meet(node, b) })
		x.compared += compared
	}
	return x.filter(dst, node, x.mates)
}

// searched reports whether the search finds the mates of a node in crowds.
func (x *finder) searched(node uint32) bool { return x.search != nil && x.inCrowd.has(node) }

// comparable reports whether two nodes may be a pair: two fixed ones may not.
func (x *finder) comparable(a, b uint32) bool { return int(a) >= x.fixed || int(b) >= x.fixed }

// matesOf appends the nodes that share a bucket with a node and that want
// accepts, each once. It skips nodes of crowds if outside is set.
func (x *finder) matesOf(dst []uint32, node uint32, outside bool, want func(uint32) bool) []uint32 {
	x.look++
	x.stamp[node] = x.look
	for _, i := range x.bucketsOf(node) {
		if outside && x.crowds.has(i) {
			continue
		}
		for _, b := range x.bucket(i) {
			if x.stamp[b] == x.look || outside && x.inCrowd.has(b) {
				continue
			}
			x.stamp[b] = x.look
			if want(b) {
				dst = append(dst, b)
			}
		}
	}
	return dst
}

// filter appends the nodes of others that are near a node, in the same order.
func (x *finder) filter(dst []uint32, node uint32, others []uint32) ([]uint32, error) {
	near := func(dst, others []uint32) ([]uint32, error) {
		for _, b := range others {
			ok, err := x.near(node, b)
			if err != nil {
				return dst, err
			}
			if ok {
				dst = append(dst, b)
			}
		}
		return dst, nil
	}
	const part = 4096 // comparing them takes many times as long as handing them to a goroutine
	if len(others) <= part || x.workers == 1 {
		return near(dst, others)
	}
	err := parallel.Ordered(context.Background(), x.workers, func(_ context.Context, emit func([]uint32) error) error {
		for part := range slices.Chunk(others, part) {
			if err := emit(part); err != nil {
				return err
			}
		}
		return nil
	}, func(part []uint32) ([]uint32, error) { return near(nil, part) }, func(found []uint32) error {
		dst = append(dst, found...)
		return nil
	})
	return dst, err
}

// links is dedup.Links.
func (x *finder) links(yield func([]uint32) error) error {
	var set []uint32
	for i := range len(x.starts) - 1 {
		set = append(set[:0], x.members[x.starts[i]:x.starts[i+1]]...)
		if err := yield(set); err != nil {
			return err
		}
	}
	return nil
}
