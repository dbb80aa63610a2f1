package pairs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/bits-and-blooms/bitset"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
)

// Options says how to decide. The zero value decides by all pairs.
type Options struct {
	// Threshold is the minimum score of a pair that counts. Other pairs only say
	// that an engine has looked at the two.
	Threshold float64

	// Dir is for temporary files. Empty means the folder of the system.
	Dir string

	// Memory is the budget of sorting in bytes. Zero means 256 MiB. Each
	// node takes about 40 bytes more.
	Memory int64

	// Progress, if set, is called with the stage and how much of it is done.
	Progress func(stage string, share float64)
}

// defaultMemory is the budget of sorting.
const defaultMemory = 256 << 20

// graph is the nodes that pairs are of.
type graph struct {
	nodes int // less than 2³²-1

	// node returns the node of a document; ok is false if no document has the number.
	node func(number int64) (node uint32, ok bool)

	compare func(a, b uint32) int // which of two nodes is kept; nil means the smaller
	weight  func(node uint32) int // the number of documents of a node; nil means 1
}

// result is what came of the nodes.
type result struct {
	active   int   // nodes in pairs
	pairs    int64 // read, repeated ones included
	removed  int
	chaining dedup.Chaining
}

// decider is a decision in the making. Nodes in pairs are numbered by their
// place in the order of keeping.
type decider struct {
	o      Options
	g      graph
	source *Source
	nodes  []uint32 // by place
	places []uint32 // by node, of those in pairs
	result result
}

// decide calls emit with each node that is removed, the node that is kept in its
// place, and their score, in the order of keeping. It decides by dedup.Cluster
// at a cohesion equal to the threshold.
func decide(ctx context.Context, s *Source, g graph, o Options, emit func(node, leader uint32, score float64) error) (*result, error) {
	switch {
	case g.nodes < 0 || g.nodes >= math.MaxUint32:
		return nil, fmt.Errorf("pairs: %d nodes, want less than 2³²-1", g.nodes)
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
		x, okX := d.g.node(a)
		y, okY := d.g.node(b)
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
	active := bitset.New(uint(d.g.nodes))
	err := d.each(ctx, "read", func(a, b uint32, _ float64) error {
		d.result.pairs++
		active.Set(uint(a)).Set(uint(b))
		return nil
	})
	if err != nil {
		return err
	}
	d.result.active = int(active.Count())
	d.nodes = make([]uint32, 0, d.result.active)
	for node := range active.EachSet() {
		d.nodes = append(d.nodes, uint32(node))
	}
	if d.g.compare != nil {
		slices.SortFunc(d.nodes, d.g.compare)
	}
	d.places = make([]uint32, d.g.nodes)
	for p, node := range d.nodes {
		d.places[node] = uint32(p)
	}
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
		d.result.removed++
		if err := emit(d.nodes[p], d.nodes[leader], c.Score[p]); err != nil {
			return nil, err
		}
	}
	return &dedup.Clustering{Leader: c.Leader}, nil // the scores take most of the memory
}

// chain measures what plain closure would have done.
func (d *decider) chain(ctx context.Context, c *dedup.Clustering) error {
	var now float64
	pair := make([]uint32, 2)
	weight := func(p uint32) int { return 1 }
	if d.g.weight != nil {
		weight = func(p uint32) int { return d.g.weight(d.nodes[p]) }
	}
	var err error
	d.result.chaining, err = dedup.Chain(ctx, len(d.nodes), func(yield func([]uint32) error) error {
		return d.each(ctx, "chains", func(a, b uint32, score float64) error {
			if score < d.o.Threshold {
				return nil // which would count as having been looked at
			}
			now, pair[0], pair[1] = score, d.places[a], d.places[b]
			return yield(pair)
		})
	}, func(a, b uint32) (bool, error) { return true, nil }, dedup.Rule{
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
