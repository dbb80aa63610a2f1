package dedup

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Graph says which documents may be alike. Its nodes are documents of different
// texts, numbered in the order of keeping: node 0 is kept rather than node 1, and
// so on.
type Graph struct {
	// Nodes is their number, less than 2³²-1.
	Nodes int

	// Fixed is the number of nodes, the first ones, that are kept in any case,
	// such as the documents of an old corpus.
	Fixed int

	// Near appends the nodes that may be alike to a node, in any order. A node may
	// come again if it is alike. Near may leave out nodes that are not open, and
	// the fixed nodes of a fixed node. If b is near a, a is near b.
	Near func(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error)
}

// Rule says when a document is removed.
type Rule struct {
	// Threshold is the minimum score of two alike documents.
	Threshold float64

	// Cohesion is the minimum score of a removed document and the one that is
	// kept in its place. 0 means the threshold, which is also its maximum. At
	// the threshold a document is removed only if it is itself alike to one
	// that is kept. Below it, a chain of alike documents may link the two. A
	// negative value means a minimum of 0: any chain will do, which is the
	// plain closure.
	Cohesion float64

	// Score returns how alike two nodes are: for the rule to hold of texts, the exact
	// score of the texts.
	Score func(a, b uint32) (float64, error)

	// Counts, if set, reports whether a pair counts. It is asked before Score, and
	// again about a removed node and the one that is kept in its place. See Limits.
	Counts func(a, b uint32) bool

	// Judged, if set, says which nodes go together and which stay apart, whatever they
	// score. Nodes of a group are kept or removed together: for the first of them, or
	// for the node that one of them is removed for. Two groups that are apart never get
	// into one cluster; the one that Cluster meets first does.
	Judged *Groups
}

func (r *Rule) counts(a, b uint32) bool { return r.Counts == nil || r.Counts(a, b) }

func (r *Rule) check() error {
	if math.IsNaN(r.Threshold) || r.Threshold < 0 || r.Threshold > 1 {
		return fmt.Errorf("dedup: threshold is %v, want 0 to 1", r.Threshold)
	}
	if r.Cohesion == 0 {
		r.Cohesion = r.Threshold
	}
	if math.IsNaN(r.Cohesion) || r.Cohesion > r.Threshold {
		return fmt.Errorf("dedup: cohesion is %v, want at most the threshold, %v", r.Cohesion, r.Threshold)
	}
	return nil
}

// Clustering says for each node which one is kept in its place.
type Clustering struct {
	// Leader is the node that is kept in the place of each node, which may be the
	// node itself.
	Leader []uint32

	// Score is the score of each removed node with its leader, and 1 for the others.
	Score []float64

	// Scored is the number of pairs that the rule was asked about.
	Scored int64
}

// Cluster decides which documents are kept. It goes through the nodes in their
// order. It keeps each node that is not removed yet, and removes the nodes near
// it that are alike to it. So every removed document has been compared with the
// kept one itself. Two kept documents that are near each other are not alike.
// Adding documents at the end of the order changes nothing before them. With a
// cohesion below the threshold, the search goes on from each removed node.
//
// No pair is scored twice, and no removed node is scored again: a cluster of n
// equal nodes costs n-1 scores. The first error of the graph or the rule ends it.
func Cluster(ctx context.Context, g Graph, r Rule) (*Clustering, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	c := &clusterer{ctx: ctx, g: g, r: r, tested: map[uint32]bool{}}
	c.open = func(b uint32) bool {
		return c.out.Leader[b] == undecided && !c.tested[b] && c.r.counts(c.at, b)
	}
	c.judged = newJudgements(r.Judged)
	c.out.Leader = make([]uint32, g.Nodes)
	c.out.Score = make([]float64, g.Nodes)
	for i := range uint32(g.Nodes) {
		c.out.Leader[i], c.out.Score[i] = undecided, 1
		if i < uint32(g.Fixed) {
			c.out.Leader[i] = i
		}
	}
	for i := range uint32(g.Fixed) { // what goes with an old document is not removed for another
		if err := c.together(i, i); err != nil {
			return nil, err
		}
	}
	for i := range uint32(g.Nodes) {
		if err := ctx.Err(); err != nil { // each node may be near to all others
			return nil, fmt.Errorf("dedup: cluster: %w", err)
		}
		if c.out.Leader[i] == undecided {
			c.out.Leader[i] = i
		}
		if c.out.Leader[i] != i {
			continue
		}
		if err := c.gather(i); err != nil {
			return nil, err
		}
	}
	return &c.out, nil
}

// undecided stands for the leader of a node that has none yet.
const undecided = math.MaxUint32

type clusterer struct {
	ctx    context.Context
	g      Graph
	r      Rule
	out    Clustering
	near   []uint32
	at     uint32            // the node whose neighbours are looked at
	open   func(uint32) bool // by at
	tested map[uint32]bool   // by the leader at hand, of those that only a chain leads to
	judged *judgements
}

// together removes what goes with a node that is kept as leader, or removed for it.
func (c *clusterer) together(node, leader uint32) error {
	for _, m := range c.judged.with(node) {
		if c.out.Leader[m] != undecided {
			continue
		}
		s, err := c.score(leader, m)
		if err != nil {
			return err
		}
		c.out.Leader[m], c.out.Score[m] = leader, s
	}
	return nil
}

// gather removes what is alike to a leader.
func (c *clusterer) gather(leader uint32) error {
	if len(c.tested) > 0 {
		clear(c.tested)
	}
	queue := []uint32{leader}
	c.judged.begin(leader)
	if err := c.together(leader, leader); err != nil {
		return err
	}
	for len(queue) > 0 {
		a := queue[0]
		c.at, queue = a, queue[1:]
		var err error
		if c.near, err = c.g.Near(c.near[:0], a, c.open); err != nil {
			return err
		}
		if c.judged != nil {
			slices.Sort(c.near) // which of two that are apart comes first must not depend on the engine
		}
		for _, b := range c.near {
			if !c.open(b) || !c.judged.fits(b) {
				continue
			}
			s, err := c.score(a, b)
			if err != nil {
				return err
			}
			if s < c.r.Threshold {
				continue
			}
			if a != leader {
				c.tested[b] = true
				if !c.r.counts(leader, b) {
					continue
				}
				if s, err = c.score(leader, b); err != nil {
					return err
				}
				if s < c.r.Cohesion {
					continue
				}
			}
			c.out.Leader[b], c.out.Score[b] = leader, s
			if err := c.together(b, leader); err != nil {
				return err
			}
			if c.r.Cohesion < c.r.Threshold {
				queue = append(queue, b)
			}
		}
	}
	return nil
}

func (c *clusterer) score(a, b uint32) (float64, error) {
	if c.out.Scored++; c.out.Scored%(1<<6) == 0 && c.ctx.Err() != nil {
		return 0, fmt.Errorf("dedup: cluster: %w", c.ctx.Err())
	}
	return c.r.Score(a, b)
}
