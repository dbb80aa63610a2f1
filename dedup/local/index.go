package local

import (
	"context"
	"errors"
	"math/bits"
	"slices"
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

// buckets are the keys of all texts, sorted by bucket.
type buckets struct {
	sorter *extsort.Sorter
	design string
	recall float64
}

// errJoin is the error of a method whose join is better than its buckets.
var errJoin = errors.New("dedup: the method joins better than by buckets")

// newBuckets puts the texts in buckets by their sketches. The error wraps
// similarity.ErrNoBuckets if the method has none. It is errJoin if preferJoin is
// set and the join is better.
func (c *corpus) newBuckets(ctx context.Context, s *store, preferJoin bool) (*buckets, error) {
	o := similarity.JoinOptions{Threshold: c.o.Candidates, Recall: c.o.Recall}
	b := &buckets{sorter: extsort.New(c.scratch, c.o.Memory/8)}
	err := s.each(func(first int, sketches similarity.Collection) error {
		layout, err := sketches.Buckets(o)
		if err != nil {
			return err
		}
		b.design, b.recall = layout.Design, layout.Recall(o.Threshold)
		if preferJoin && layout.Tables <= 2 && s.mem != nil {
			// Many keys of a text go into one table. A feature that all texts have
			// makes a bucket of all texts, which the method's join avoids.
			return errJoin
		}
		const each = 4096
		parts := (sketches.Len() + each - 1) / each
		return parallel.Ordered(ctx, c.o.Workers, parallel.Numbers(parts), func(part int) ([]extsort.Record, error) {
			var out []extsort.Record
			var keys []similarity.Key
			for i := part * each; i < min((part+1)*each, sketches.Len()); i++ {
				if sketches.Empty(i) {
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
// ascending order. do may change the slice, which is used again. If drop is not
// nil, it leaves texts out.
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
		sizes []int // of buckets
	}
	err := parallel.Ordered(ctx, workers, func(_ context.Context, emit func(batch) error) error {
		const enough = 1 << 14
		var now batch
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
			now = batch{}
			return emit(full)
		})
		if err != nil {
			return err
		}
		return emit(now)
	}, func(w batch) (none struct{}, err error) {
		for _, n := range w.sizes {
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			if err := activate(active, w.texts[:n], old, each, near); err != nil {
				return none, err
			}
			w.texts = w.texts[n:]
		}
		return none, nil
	}, func(struct{}) error { return nil })
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
	members lists    // by bucket, its nodes in ascending order
	buckets lists    // by node, its buckets in ascending order
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

// newFinder keeps the buckets of the candidates.
func (c *candidates) newFinder(b *buckets, near func(a, b uint32) (bool, error)) (*finder, error) {
	x := &finder{members: lists{starts: []uint64{0}}, stamp: make([]uint32, len(c.list)), fixed: c.fixed, near: near, workers: c.o.Workers}
	node := slices.Repeat([]uint32{none}, c.texts.Len()) // by text
	for slot, t := range c.list {
		node[t] = c.nodes[slot]
	}
	err := b.each(func(text uint32) bool { return node[text] == none }, func(bucket []uint32) error {
		for i, t := range bucket {
			bucket[i] = node[t]
		}
		slices.Sort(bucket)
		if int(bucket[len(bucket)-1]) >= c.fixed {
			x.members.add(bucket)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.buckets = newLists(len(c.list), func(yield func(node, bucket uint32) bool) {
		for i := range uint32(x.members.len()) {
			for _, n := range x.members.of(i) {
				yield(n, i)
			}
		}
	})
	x.crowds, x.inCrowd = newBitmap(x.members.len()), newBitmap(len(c.list))
	for i := range uint32(x.members.len()) {
		if crowd := x.members.of(i); crowded(crowd, c.fixed, crowdPairs) {
			x.crowds.add(i)
			for _, n := range crowd {
				x.inCrowd.add(n)
			}
		}
	}
	return x, nil
}

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
func (x *finder) comparable(a, b uint32) bool { return int(max(a, b)) >= x.fixed }

// matesOf appends the nodes that share a bucket with a node and that want
// accepts, each once. It skips nodes of crowds if outside is set.
func (x *finder) matesOf(dst []uint32, node uint32, outside bool, want func(uint32) bool) []uint32 {
	x.look++
	x.stamp[node] = x.look
	for _, i := range x.buckets.of(node) {
		if outside && x.crowds.has(i) {
			continue
		}
		for _, b := range x.members.of(i) {
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
	for i := range uint32(x.members.len()) {
		set = append(set[:0], x.members.of(i)...)
		if err := yield(set); err != nil {
			return err
		}
	}
	return nil
}
