package pairs

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
)

// Options says how to decide. The zero value decides by all pairs.
type Options struct {
	// Threshold is the least score of a pair that counts. Others only say that the two were looked at.
	Threshold float64

	// Dir is for temporary files; empty means that of the system.
	Dir string

	// Memory is the budget of sorting in bytes. Zero means 256 MiB. Each
	// node takes about 40 bytes more.
	Memory int64

	// Progress, if set, is told the stage and how much of it is done.
	Progress func(stage string, share float64)
}

// defaultMemory is the budget of sorting.
const defaultMemory = 256 << 20

// Graph is the nodes that pairs are of.
type Graph struct {
	// Nodes is their number, less than 2³²-1.
	Nodes int

	// Node returns the node of a document; ok is false where there is none of that number.
	Node func(number int64) (node uint32, ok bool)

	// Compare says which of two nodes is kept rather than the other. Nil means the lesser.
	Compare func(a, b uint32) int

	// Weight returns the number of documents of a node. Nil means 1.
	Weight func(node uint32) int
}

// Result is what came of the nodes.
type Result struct {
	Active   int   // nodes in pairs
	Pairs    int64 // read, each as often as it was there
	Removed  int
	Chaining dedup.Chaining
}

// decider is a decision in the making. Nodes in pairs go by their place in the order of keeping.
type decider struct {
	o      Options
	g      Graph
	source *Source
	nodes  []uint32 // by place
	places []uint32 // by node, of those in pairs
	result Result
}

// Decide calls emit with each node that is removed, the one that is kept in its place and their score, in the order
// of keeping. The rule is that of dedup.Cluster at a cohesion that is the threshold: node by node, in
// their order, each that is not removed yet is kept, and what is alike to it removed.
func Decide(ctx context.Context, s *Source, g Graph, o Options, emit func(node, leader uint32, score float64) error) (*Result, error) {
	switch {
	case g.Nodes < 0 || g.Nodes >= math.MaxUint32:
		return nil, fmt.Errorf("pairs: %d nodes, want less than 2³²-1", g.Nodes)
	case math.IsNaN(o.Threshold) || o.Threshold < 0 || o.Threshold > 1:
		return nil, fmt.Errorf("pairs: threshold is %v, want 0 to 1", o.Threshold)
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	d := &decider{o: o, g: g, source: s}
	if err := d.order(ctx); err != nil {
		return nil, err
	}
	c, err := d.sweep(ctx, emit)
	if err != nil {
		return nil, err
	}
	return &d.result, d.chain(ctx, c)
}

// each reads the pairs as nodes.
func (d *decider) each(ctx context.Context, stage string, do func(a, b uint32, score float64) error) error {
	return d.source.Each(ctx, func(share float64) { d.o.Progress(stage, share) }, func(a, b int64, score float64) error {
		x, okX := d.g.Node(a)
		y, okY := d.g.Node(b)
		if !okX || !okY {
			return fmt.Errorf("pairs: %s: a pair of %d and %d, of which there is no such document", d.source.path, a, b)
		}
		if x == y {
			return fmt.Errorf("pairs: %s: a pair of %d and %d, which are equal", d.source.path, a, b)
		}
		return do(x, y, score)
	})
}

// order finds the nodes that are in pairs, and puts them in the order of keeping.
func (d *decider) order(ctx context.Context) error {
	active := make([]uint64, (d.g.Nodes+63)/64)
	err := d.each(ctx, "read", func(a, b uint32, _ float64) error {
		d.result.Pairs++
		active[a/64] |= 1 << (a % 64)
		active[b/64] |= 1 << (b % 64)
		return nil
	})
	if err != nil {
		return err
	}
	n := 0
	for _, w := range active {
		n += bits.OnesCount64(w)
	}
	d.nodes = make([]uint32, 0, n)
	for w, word := range active {
		for ; word != 0; word &= word - 1 {
			d.nodes = append(d.nodes, uint32(64*w+bits.TrailingZeros64(word)))
		}
	}
	if d.g.Compare != nil {
		slices.SortFunc(d.nodes, d.g.Compare)
	}
	d.places = make([]uint32, d.g.Nodes)
	for p, node := range d.nodes {
		d.places[node] = uint32(p)
	}
	d.result.Active = n
	return nil
}

// sweep decides, by place, and returns the leaders.
func (d *decider) sweep(ctx context.Context, emit func(node, leader uint32, score float64) error) (c *dedup.Clustering, err error) {
	s := steps.NewSweep(d.o.Dir, d.o.Memory)
	defer func() { err = errors.Join(err, s.Close()) }()
	err = d.each(ctx, "sort", func(a, b uint32, score float64) error {
		if score < d.o.Threshold {
			return nil
		}
		return s.Add(d.places[a], d.places[b], score)
	})
	if err != nil {
		return nil, err
	}
	d.o.Progress("decide", 0)
	if c, err = s.Decide(ctx, uint32(len(d.nodes))); err != nil {
		return nil, err
	}
	for p, leader := range c.Leader {
		if uint32(p) == leader {
			continue
		}
		d.result.Removed++
		if err := emit(d.nodes[p], d.nodes[leader], c.Score[p]); err != nil {
			return nil, err
		}
	}
	return &dedup.Clustering{Leader: c.Leader}, nil // scores are not needed any more, and take most of the memory
}

// chain measures what plain closure would have done.
func (d *decider) chain(ctx context.Context, c *dedup.Clustering) error {
	var now float64
	pair := make([]uint32, 2)
	weight := func(p uint32) int { return 1 }
	if d.g.Weight != nil {
		weight = func(p uint32) int { return d.g.Weight(d.nodes[p]) }
	}
	var err error
	d.result.Chaining, err = dedup.Chain(ctx, len(d.nodes), func(yield func([]uint32) error) error {
		return d.each(ctx, "chains", func(a, b uint32, score float64) error {
			if score < d.o.Threshold {
				return nil // which would count as having been looked at
			}
			now, pair[0], pair[1] = score, d.places[a], d.places[b]
			return yield(pair)
		})
	}, func(a, b uint32) bool { return true }, dedup.Rule{
		Threshold: d.o.Threshold,
		Score:     func(a, b uint32) (float64, error) { return now, nil },
	}, c, weight)
	return err
}

// ranks are the ranks of rows, of one length.
type ranks struct {
	length int
	bytes  []byte
}

func (r *ranks) at(row uint32) []byte {
	return r.bytes[int(row)*r.length : (int(row)+1)*r.length]
}

func (r *ranks) compare(a, b uint32) int { return bytes.Compare(r.at(a), r.at(b)) }

// slotOf is where a hash is looked for first in a table of a power of two.
func slotOf(h dedup.Hash, mask uint64) uint64 { return binary.BigEndian.Uint64(h[8:]) & mask }
