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
	active bitmap   // the texts
	texts  []int    // by slot: the active ones in ascending order
	slots  []uint32 // by node, its slot
	nodes  []uint32 // by slot, its node
	fixed  int      // nodes of old texts
	graph  dedup.Graph
	links  dedup.Links
	near   func(a, b uint32) bool // of nodes
	finder *finder                // nil where pairs were found by a join
}

// text returns the text of a node.
func (c *candidates) text(node uint32) uint32 { return uint32(c.texts[c.slots[node]]) }

// findCandidates looks for texts that are near each other by their sketches, which
// it drops but for those of such texts.
func (r *run) findCandidates(ctx context.Context) (*candidates, error) {
	r.chooseBest()
	known, err := r.knownPairs()
	if err != nil {
		return nil, err
	}
	o := similarity.JoinOptions{Threshold: r.o.Candidates, Recall: r.o.Recall}
	b, err := newBuckets(ctx, r.sketches, r.workers, r.scratch, r.o.Memory/8, o, true)
	if noBuckets := errors.Is(err, similarity.ErrNoBuckets); noBuckets || errors.Is(err, errJoin) {
		c, joinErr := r.joinCandidates(ctx, known)
		if noBuckets || !errors.Is(joinErr, errPairs) {
			return c, joinErr
		}
		b, err = newBuckets(ctx, r.sketches, r.workers, r.scratch, r.o.Memory/8, o, false)
	}
	if err != nil {
		return nil, err
	}
	defer b.sorter.Close()
	r.report.Design, r.report.Recall = b.design, b.recall
	floor := steps.Floor(r.o.Candidates, b.recall, r.o.Verify != nil)
	oldTexts := r.oldTexts()
	near := func(a, b uint32) (bool, error) {
		s, err := r.sketches.score(int(a), int(b))
		return s >= floor, err
	}
	each := int64(crowdPairs)
	if r.o.Verify == nil { // only sketches are compared, now or later
		each = r.maxPairs() / int64(max(1, r.texts.len()))
	}
	active, err := b.active(ctx, r.workers, r.texts.len(), oldTexts, each, near)
	if err != nil {
		return nil, err
	}
	for _, p := range known {
		active.add(p[0])
		active.add(p[1])
	}
	c, err := r.nodes(active)
	if err != nil {
		return nil, err
	}
	slot := make([]uint32, r.texts.len())
	for s, t := range c.texts {
		slot[t] = uint32(s)
	}
	var failed error
	nodesNear := func(a, b uint32) (bool, error) {
		s, err := r.sketches.score(int(c.slots[a]), int(c.slots[b]))
		return s >= floor, err
	}
	x, err := b.finder(len(c.texts), c.fixed, r.workers, func(text uint32) (uint32, bool) {
		if !active.has(text) {
			return 0, false
		}
		return c.nodes[slot[text]], true
	}, nodesNear)
	if err != nil {
		return nil, err
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
		ok, err := nodesNear(a, b)
		if err != nil {
			failed = err
		}
		return ok
	}
	c.link(known)
	return c, nil
}

// nodes numbers the active texts in the order in which they are wanted, and keeps
// the sketches of no others.
func (r *run) nodes(active bitmap) (*candidates, error) {
	c := &candidates{active: active, texts: active.list()}
	sketches, err := r.sketches.pick(c.texts, r.sketches.budget)
	if err != nil {
		return nil, err
	}
	r.sketches.close()
	r.sketches = sketches
	c.slots, c.nodes = make([]uint32, len(c.texts)), make([]uint32, len(c.texts))
	for i := range c.slots {
		c.slots[i] = uint32(i)
	}
	old := r.oldTexts()
	for c.fixed < len(c.texts) && c.texts[c.fixed] < old {
		c.fixed++
	}
	if !r.o.Keep.InputOrder() {
		docs := make([]dedup.Doc, len(c.texts))
		for i, t := range c.texts {
			docs[i] = r.doc(r.best[t])
		}
		slices.SortFunc(c.slots[c.fixed:], func(a, b uint32) int { return r.o.Keep.Compare(&docs[a], &docs[b]) })
	}
	for n, s := range c.slots {
		c.nodes[s] = uint32(n)
	}
	c.graph = dedup.Graph{Nodes: len(c.texts), Fixed: c.fixed}
	return c, nil
}

// oldTexts returns how many texts the old documents have: the first ones.
func (r *run) oldTexts() int {
	n, _ := slices.BinarySearch(r.texts.first, uint32(r.oldRows))
	return n
}

// decide clusters the candidates and notes what becomes of each row.
func (r *run) decide(ctx context.Context, c *candidates) (err error) {
	r.report.Active = len(c.texts)
	rule := dedup.Rule{Threshold: r.o.settings().MinScore(), Cohesion: r.o.Cohesion}
	sets := r.sketches
	if r.o.Verify != nil {
		if sets, err = r.readActive(ctx, c.active); err != nil {
			return err
		}
		defer sets.close()
	}
	rule.Score = func(a, b uint32) (float64, error) {
		return sets.score(int(c.slots[a]), int(c.slots[b]))
	}
	r.stage("cluster")
	if err := r.plan(ctx, c, sets, &rule); err != nil {
		return err
	}
	r.showProgress(c)
	clusters, err := dedup.Cluster(ctx, c.graph, rule)
	if err != nil {
		return err
	}
	r.report.Scored = clusters.Scored
	if c.finder != nil {
		r.report.Run.Compared = c.finder.compared
	}
	r.report.Chaining, err = dedup.Chain(ctx, c.graph.Nodes, c.links, c.near, rule, clusters, func(node uint32) int {
		return int(r.texts.size[c.text(node)])
	})
	if err != nil {
		return err
	}
	r.noLeaders()
	for n, l := range clusters.Leader {
		if uint32(n) != l {
			t := c.text(uint32(n))
			r.leader[t], r.scores[t] = c.text(l), clusters.Score[n]
		}
	}
	return r.saveDecision()
}

// noLeaders has each text stay.
func (r *run) noLeaders() {
	r.leader = make([]uint32, r.texts.len())
	for t := range r.leader {
		r.leader[t] = uint32(t)
	}
	r.scores = make(map[uint32]float64)
}

// kept returns the row that is kept in the place of a row, the row itself where that is it, and how they
// are alike. A bad row has none.
func (r *run) kept(row int) (kept uint32, reason string, score float64) {
	t := r.texts.of[row]
	if t == none {
		return none, reasonBad, 0
	}
	l := r.leader[t]
	kept = r.best[l]
	switch {
	case row < r.oldRows || int(kept) == row:
		return uint32(row), "", 1
	case t == l:
		return kept, reasonEqual, 1
	}
	return kept, reasonAlike, r.scores[t]
}

// The reasons of a Removal.
const (
	reasonEqual = "equal"
	reasonAlike = "alike"
	reasonBad   = "unreadable"
)

// count numbers the clusters and counts what is removed.
func (r *run) count() {
	rep := &r.report
	least := r.o.settings().MinScore()
	sizes := make(map[uint32]int) // of clusters, by the row kept
	for row := r.oldRows; row < r.texts.rows(); row++ {
		kept, reason, score := r.kept(row)
		switch reason {
		case reasonEqual:
			rep.Equal++
		case reasonAlike:
			rep.Alike++
			if score < least {
				rep.Lost++
			}
		case reasonBad:
			rep.Unreadable++
		default:
			if r.texts.empty[r.texts.of[row]] {
				rep.WithoutFeatures++
			}
		}
		if reason == reasonEqual || reason == reasonAlike {
			if sizes[kept]++; sizes[kept] == 1 {
				sizes[kept] = 2
			}
		}
	}
	rep.Rows = r.texts.rows() - r.oldRows
	rep.Documents = rep.Rows - rep.Unreadable
	rep.Kept = rep.Documents - rep.Equal - rep.Alike
	rep.Clusters = len(sizes)
	r.clusters = make([]uint32, 0, len(sizes))
	for k, n := range sizes {
		r.clusters = append(r.clusters, k)
		rep.Largest = max(rep.Largest, n)
	}
	slices.Sort(r.clusters)
	r.sizes = sizes
}

// cluster returns the number of the cluster of a kept row, from 1, or 0 where it is
// in none.
func (r *run) cluster(kept uint32) int {
	i, found := slices.BinarySearch(r.clusters, kept)
	if !found {
		return 0
	}
	return i + 1
}
