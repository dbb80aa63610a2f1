package local

import (
	"context"
	"errors"
	"fmt"

	"github.com/alike-go/alike/similarity"
)

// pairBytes is what a pair of a join takes: itself, and twice in the graph.
const pairBytes = 16

// errPairs is the error of a join of more pairs than the memory holds.
var errPairs = errors.New("dedup: more pairs are candidates than the memory holds: raise it, or --candidates, or take a method with buckets, such as minhash")

// join finds candidates of methods that have no buckets, by their join. It needs
// all sketches in memory, and 8 bytes a pair; texts of equal sketches are no
// pairs.
func (c *corpus) join(ctx context.Context, sketches *store) (*candidates, error) {
	all := sketches.mem
	if all == nil {
		return nil, fmt.Errorf("dedup: the sketches of %s take %d bytes, and without buckets they must be in memory together: raise the memory above %d", c.o.Method, sketches.bytes, sketches.bytes*5/2)
	}
	// Texts of equal sketches are a group, which goes by its first text. Two old
	// texts are no pair, nor are groups that are not open: without new texts.
	groups, old := all.Groups(), c.oldTexts()
	var firsts []int
	open := newBitmap(all.Len())
	for i, g := range groups {
		if g == i {
			firsts = append(firsts, i)
		}
		if i >= old {
			open.add(uint32(g))
		}
	}
	met := newBitmap(all.Len()) // groups whose texts are candidates
	for i, g := range groups {
		if g != i && open.has(uint32(g)) {
			met.add(uint32(g))
		}
	}
	for _, p := range c.pairs {
		met.add(uint32(groups[p[0]]))
		met.add(uint32(groups[p[1]]))
	}
	o := similarity.JoinOptions{Threshold: c.o.Candidates, Recall: c.o.Recall, Workers: c.o.Workers}
	if err := c.limitJoin(ctx, all, firsts, o); err != nil {
		return nil, err
	}
	var pairs [][2]uint32
	most := int(c.o.Memory / 4 / pairBytes)
	st, err := all.Pick(firsts).Join(ctx, nil, o, func(p similarity.Pair) error {
		a, b := uint32(firsts[p.A]), uint32(firsts[p.B])
		if !open.has(a) && !open.has(b) {
			return nil
		}
		if len(pairs) >= most {
			return errPairs
		}
		pairs = append(pairs, [2]uint32{a, b})
		met.add(a)
		met.add(b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	active := newBitmap(all.Len())
	for i, g := range groups {
		if met.has(uint32(g)) {
			active.add(uint32(i))
		}
	}
	found, err := c.candidates(active, sketches)
	if err != nil {
		return nil, err
	}
	found.findings.Design, found.findings.Recall = st.Design, st.Recall
	g := &neighbours{group: make([]uint32, len(found.list))}
	for slot, t := range found.list {
		g.group[found.nodes[slot]] = found.node(uint32(groups[t]))
	}
	g.members = newLists(len(found.list), func(yield func(group, node uint32) bool) {
		for _, n := range found.nodes {
			yield(g.group[n], n)
		}
	})
	g.others = found.adjacency(pairs)
	found.graph.Near, found.links = g.Near, g.links
	found.near = func(a, b uint32) (bool, error) { return int(max(a, b)) >= found.fixed, nil } // sets of links are of near nodes
	found.link(c.pairs)
	return found, nil
}

// adjacency returns the neighbours of each node in pairs of texts.
func (c *candidates) adjacency(pairs [][2]uint32) lists {
	return newLists(len(c.list), func(yield func(a, b uint32) bool) {
		for _, p := range pairs {
			a, b := c.node(p[0]), c.node(p[1])
			yield(a, b)
			yield(b, a)
		}
	})
}

// neighbours is a graph of pairs of groups. A group goes by its first node.
type neighbours struct {
	group   []uint32 // by node
	members lists    // by group
	others  lists    // by group
}

// Near is that of a dedup.Graph.
func (g *neighbours) Near(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
	add := func(group uint32) {
		for _, b := range g.members.of(group) {
			if b != node && open(b) {
				dst = append(dst, b)
			}
		}
	}
	first := g.group[node]
	add(first)
	for _, o := range g.others.of(first) {
		add(o)
	}
	return dst, nil
}

// links is dedup.Links: groups, and what two groups hold that are a pair.
func (g *neighbours) links(yield func([]uint32) error) error {
	var set []uint32
	for n, f := range g.group {
		if uint32(n) != f {
			continue
		}
		own := g.members.of(f)
		if len(own) > 1 {
			set = append(set[:0], own...)
			if err := yield(set); err != nil {
				return err
			}
		}
		for _, o := range g.others.of(f) {
			if o < f {
				continue
			}
			set = append(append(set[:0], own...), g.members.of(o)...)
			if err := yield(set); err != nil {
				return err
			}
		}
	}
	return nil
}
