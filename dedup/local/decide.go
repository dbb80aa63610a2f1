package local

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/datasets"
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
	near   func(a, b uint32) (bool, error) // of nodes
	finder *finder                         // nil where pairs were found by a join

	findings Findings // up to here
}

// text returns the text of a node.
func (c *candidates) text(node uint32) uint32 { return uint32(c.list[c.slots[node]]) }

// node returns the node of a text, which is active.
func (c *candidates) node(text uint32) uint32 {
	slot, _ := slices.BinarySearch(c.list, int(text))
	return c.nodes[slot]
}

// find looks for texts that are near each other by their sketches. It keeps the
// sketches of such texts, and closes the store that it is given.
func (c *corpus) find(ctx context.Context, sketches *store) (*candidates, error) {
	c.stage("candidates")
	defer sketches.close()
	b, err := c.newBuckets(ctx, sketches, true)
	if noBuckets := errors.Is(err, similarity.ErrNoBuckets); noBuckets || errors.Is(err, errJoin) {
		found, joinErr := c.join(ctx, sketches)
		if noBuckets || !errors.Is(joinErr, errPairs) {
			return found, joinErr
		}
		b, err = c.newBuckets(ctx, sketches, false)
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
		each = c.maxPairs() / int64(max(1, c.texts.Len()))
	}
	active, err := b.active(ctx, c.o.Workers, c.texts.Len(), c.oldTexts(), each, near)
	if err != nil {
		return nil, err
	}
	found, err := c.candidates(active, sketches)
	if err != nil {
		return nil, err
	}
	found.findings.Design, found.findings.Recall = b.design, b.recall
	if err := found.meetIn(b, floor); err != nil {
		found.sketches.close()
		return nil, err
	}
	return found, nil
}

// candidates numbers the active texts, and the texts that the index paired, in
// the order of keeping. It also picks their sketches.
func (c *corpus) candidates(active bitmap, sketches *store) (found *candidates, err error) {
	for _, p := range c.pairs {
		active.add(p[0])
		active.add(p[1])
	}
	found = &candidates{corpus: c, active: active, list: active.list(), findings: c.findings}
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
	x, err := c.newFinder(b, func(a, b uint32) (bool, error) {
		s, err := c.sketches.score(int(c.slots[a]), int(c.slots[b]))
		return s >= floor, err
	})
	if err != nil {
		return err
	}
	c.finder, c.graph.Near, c.links = x, x.Near, x.links
	c.near = func(a, b uint32) (bool, error) {
		if !x.comparable(a, b) {
			return false, nil
		}
		return x.near(a, b)
	}
	c.link(c.pairs)
	return nil
}

// oldTexts returns how many of the first texts are of old documents.
func (c *corpus) oldTexts() int {
	n, _ := slices.BinarySearch(c.texts.First, uint32(c.oldRows))
	return n
}

// decide clusters the candidates.
func (c *candidates) decide(ctx context.Context) (_ *Decided, err error) {
	c.stage("verify")
	rule := dedup.Rule{Threshold: c.o.Settings().MinScore(), Cohesion: c.o.Cohesion, Counts: c.counts(), Judged: c.groups()}
	sets := c.sketches
	if c.o.Verify != nil {
		if sets, err = c.readActive(ctx); err != nil {
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
	d := Undecided(&c.texts.Texts, c.best)
	d.Findings = c.findings
	d.Active, d.Scored = len(c.list), clusters.Scored
	d.Chaining, err = dedup.Chain(ctx, c.graph.Nodes, c.links, c.near, rule, clusters, func(node uint32) int {
		return int(c.texts.Size[c.text(node)])
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

// readActive reads the texts of the candidates again and sketches them by the
// method that decides, in the order of their numbers.
func (c *candidates) readActive(ctx context.Context) (*store, error) {
	out := newStore(c.o.Verify, c.scratch, c.o.Memory*2/5)
	want := func(row int) bool {
		t := c.texts.Of[row]
		return t != none && int(c.texts.First[t]) == row && c.active.has(t)
	}
	err := eachChunk(ctx, c.in, want, c.progress("verify"), func(p *datasets.Parser, ch *chunk) (similarity.Collection, error) {
		sets := c.o.Verify.NewCollection()
		return sets, ch.documents(p, func(i int, row *datasets.Row, bad error) error {
			if bad != nil {
				return bad
			}
			text := c.cleaner.Clean(row.Doc.Text)
			unit, _ := c.unit(text, row, ch.numbers[i], ch.source < c.old)
			if unit != c.texts.Hash[c.texts.Of[ch.numbers[i]]] {
				return fmt.Errorf("dedup: %s has changed since it was read first", ch.file(i))
			}
			sets.Add(text)
			return nil
		})
	}, func(_ *chunk, sets similarity.Collection) error { return out.add(sets) })
	if err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}
