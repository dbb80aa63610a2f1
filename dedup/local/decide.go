package local

import (
	"context"
	"errors"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// candidates are the texts that may be alike to others, as nodes of a graph.
type candidates struct {
	*corpus
	active   bitmap   // the texts
	list     []int    // by slot: the active ones in ascending order
	slots    []uint32 // by node, its slot
	nodes    []uint32 // by slot, its node
	fixed    int      // nodes of old texts
	sketches *store   // by slot

	graph  dedup.Graph
	links  dedup.Links
	near   func(a, b uint32) bool // of nodes
	finder *finder                // nil where pairs were found by a join

	design string
	recall float64
}

// text returns the text of a node.
func (c *candidates) text(node uint32) uint32 { return uint32(c.list[c.slots[node]]) }

// find looks for texts that are near each other by their sketches. It keeps the
// sketches of such texts, and closes the store that it is given.
func (c *corpus) find(ctx context.Context, sketches *store) (*candidates, error) {
	c.stage("candidates")
	defer sketches.close()
	o := similarity.JoinOptions{Threshold: c.o.Candidates, Recall: c.o.Recall}
	b, err := newBuckets(ctx, sketches, c.o.Workers, c.scratch, c.o.Memory/8, o, true)
	if noBuckets := errors.Is(err, similarity.ErrNoBuckets); noBuckets || errors.Is(err, errJoin) {
		found, joinErr := c.join(ctx, sketches)
		if noBuckets || !errors.Is(joinErr, errPairs) {
			return found, joinErr
		}
		b, err = newBuckets(ctx, sketches, c.o.Workers, c.scratch, c.o.Memory/8, o, false)
	}
	if err != nil {
		return nil, err
	}
	defer b.sorter.Close()
	floor := steps.Floor(c.o.Candidates, b.recall, c.o.Verify != nil)
	near := func(a, b uint32) (bool, error) {
		s, err := sketches.score(int(a), int(b))
		return s >= floor, err
	}
	each := int64(crowdPairs)
	if c.o.Verify == nil { // only sketches are compared, now or later
		each = c.maxPairs() / int64(max(1, c.texts.len()))
	}
	active, err := b.active(ctx, c.o.Workers, c.texts.len(), c.oldTexts(), each, near)
	if err != nil {
		return nil, err
	}
	found, err := c.candidates(active, sketches)
	if err != nil {
		return nil, err
	}
	found.design, found.recall = b.design, b.recall
	if err := found.meetIn(b, floor); err != nil {
		found.sketches.close()
		return nil, err
	}
	return found, nil
}

// candidates numbers the active texts and those that the index has told of in the
// order in which they are wanted, and picks their sketches.
func (c *corpus) candidates(active bitmap, sketches *store) (found *candidates, err error) {
	for _, p := range c.pairs {
		active.add(p[0])
		active.add(p[1])
	}
	found = &candidates{corpus: c, active: active, list: active.list()}
	if found.sketches, err = sketches.pick(found.list, sketches.budget); err != nil {
		return nil, err
	}
	sketches.close() // makes room for the graph
	n := len(found.list)
	found.slots, found.nodes = make([]uint32, n), make([]uint32, n)
	for i := range found.slots {
		found.slots[i] = uint32(i)
	}
	found.fixed, _ = slices.BinarySearch(found.list, c.oldTexts())
	if !c.o.Keep.InputOrder() {
		docs := make([]dedup.Doc, n)
		for i, t := range found.list {
			docs[i] = c.doc(c.best[t])
		}
		slices.SortFunc(found.slots[found.fixed:], func(a, b uint32) int { return c.o.Keep.Compare(&docs[a], &docs[b]) })
	}
	for n, s := range found.slots {
		found.nodes[s] = uint32(n)
	}
	found.graph = dedup.Graph{Nodes: n, Fixed: found.fixed}
	return found, nil
}

// meetIn makes neighbours of nodes that share a bucket and whose sketches score at
// least floor.
func (c *candidates) meetIn(b *buckets, floor float64) error {
	var failed error
	near := func(a, b uint32) (bool, error) {
		s, err := c.sketches.score(int(c.slots[a]), int(c.slots[b]))
		return s >= floor, err
	}
	slot := make([]uint32, c.texts.len())
	for s, t := range c.list {
		slot[t] = uint32(s)
	}
	x, err := b.finder(len(c.list), c.fixed, c.o.Workers, func(text uint32) (uint32, bool) {
		if !c.active.has(text) {
			return 0, false
		}
		return c.nodes[slot[text]], true
	}, near)
	if err != nil {
		return err
	}
	c.finder, c.graph.Near = x, x.Near
	c.links = func(yield func([]uint32) error) error {
		if err := x.links(yield); err != nil {
			return err
		}
		return failed
	}
	c.near = func(a, b uint32) bool {
		if int(a) < c.fixed && int(b) < c.fixed {
			return false
		}
		ok, err := near(a, b)
		if err != nil {
			failed = err
		}
		return ok
	}
	c.link(c.pairs)
	return nil
}

// oldTexts returns how many texts the old documents have: the first ones.
func (c *corpus) oldTexts() int {
	n, _ := slices.BinarySearch(c.texts.first, uint32(c.oldRows))
	return n
}

// decide clusters the candidates.
func (c *candidates) decide(ctx context.Context) (_ *Decided, err error) {
	c.stage("verify")
	rule := dedup.Rule{Threshold: c.o.Settings().MinScore(), Cohesion: c.o.Cohesion}
	sets := c.sketches
	if c.o.Verify != nil {
		if sets, err = c.readActive(ctx, c.active); err != nil {
			return nil, err
		}
		defer sets.close()
	}
	rule.Score = func(a, b uint32) (float64, error) {
		return sets.score(int(c.slots[a]), int(c.slots[b]))
	}
	c.stage("cluster")
	if err := c.plan(ctx, sets, &rule); err != nil {
		return nil, err
	}
	c.showProgress()
	watched, missed := c.watch(rule)
	clusters, err := dedup.Cluster(ctx, c.graph, watched)
	if err != nil {
		return nil, err
	}
	if c.finder != nil {
		c.timing.Compared = c.finder.compared
	}
	d := c.undecided()
	d.Design, d.Recall, d.Active, d.Scored = c.design, c.recall, len(c.list), clusters.Scored
	d.Chaining, err = dedup.Chain(ctx, c.graph.Nodes, c.links, c.near, rule, clusters, func(node uint32) int {
		return int(c.texts.size[c.text(node)])
	})
	for n, l := range clusters.Leader {
		if uint32(n) != l {
			t := c.text(uint32(n))
			d.Leader[t], d.Scores[t] = c.text(l), clusters.Score[n]
		}
	}
	d.Misses = missed(clusters)
	return d, err
}
