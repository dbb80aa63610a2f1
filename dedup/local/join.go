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
	groups := all.Groups()
	members := make(map[int][]uint32) // of groups of more than one, by the first
	var firsts []int
	for i, g := range groups {
		if g == i {
			firsts = append(firsts, i)
			continue
		}
		if members[g] == nil {
			members[g] = []uint32{uint32(g)}
		}
		members[g] = append(members[g], uint32(i))
	}
	// Two old texts are no pair, nor are those of groups that have no others.
	old, open := uint32(c.oldTexts()), newBitmap(all.Len())
	for i, g := range groups {
		if uint32(i) >= old {
			open.add(uint32(g))
		}
	}
	active := newBitmap(all.Len())
	for g, m := range members {
		if open.has(uint32(g)) {
			for _, i := range m {
				active.add(i)
			}
		}
	}
	activate := func(group, other uint32) {
		m := members[int(group)]
		if m == nil {
			m = []uint32{group}
		}
		for _, i := range m {
			if i >= old || open.has(other) {
				active.add(i)
			}
		}
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
		activate(a, b)
		activate(b, a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	found, err := c.candidates(active, sketches)
	if err != nil {
		return nil, err
	}
	found.design, found.recall = st.Design, st.Recall
	node := make(map[uint32]uint32, len(found.list)) // by text
	for s, t := range found.list {
		node[uint32(t)] = found.nodes[s]
	}
	g := adjacency(len(found.list), len(pairs), func(i int) (a, b uint32) { return node[pairs[i][0]], node[pairs[i][1]] })
	g.group = make([]uint32, len(found.list))
	g.members = make(map[uint32][]uint32, len(members))
	for _, t := range found.list {
		f := node[uint32(groups[t])]
		g.group[node[uint32(t)]] = f
		if groups[t] != t {
			if g.members[f] == nil {
				g.members[f] = []uint32{f}
			}
			g.members[f] = append(g.members[f], node[uint32(t)])
		}
	}
	found.graph.Near, found.links = g.Near, g.links
	found.near = func(a, b uint32) bool { return int(a) >= found.fixed || int(b) >= found.fixed } // what the sets of links hold is near
	found.link(c.pairs)
	return found, nil
}

// neighbours is a graph of pairs of groups. A group goes by one of its nodes.
type neighbours struct {
	starts  []uint64
	others  []uint32
	group   []uint32 // by node
	members map[uint32][]uint32
}

func adjacency(nodes, pairs int, pair func(i int) (a, b uint32)) *neighbours {
	g := &neighbours{starts: make([]uint64, nodes+1), others: make([]uint32, 2*pairs)}
	for i := range pairs {
		a, b := pair(i)
		g.starts[a+1]++
		g.starts[b+1]++
	}
	for n := range nodes {
		g.starts[n+1] += g.starts[n]
	}
	at := append([]uint64{}, g.starts...)
	for i := range pairs {
		a, b := pair(i)
		g.others[at[a]], g.others[at[b]] = b, a
		at[a]++
		at[b]++
	}
	return g
}

// Near is that of a dedup.Graph.
func (g *neighbours) Near(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
	add := func(group uint32) {
		m := g.members[group]
		if m == nil {
			m = []uint32{group}
		}
		for _, b := range m {
			if b != node && open(b) {
				dst = append(dst, b)
			}
		}
	}
	first := g.group[node]
	add(first)
	for _, o := range g.others[g.starts[first]:g.starts[first+1]] {
		add(o)
	}
	return dst, nil
}

// links is dedup.Links: groups, and what two groups hold that are a pair.
func (g *neighbours) links(yield func([]uint32) error) error {
	var set []uint32
	add := func(group uint32) {
		if m := g.members[group]; m != nil {
			set = append(set, m...)
		} else {
			set = append(set, group)
		}
	}
	for n, f := range g.group {
		if uint32(n) != f {
			continue
		}
		set = set[:0]
		add(f)
		if len(set) > 1 {
			if err := yield(set); err != nil {
				return err
			}
		}
		for _, o := range g.others[g.starts[f]:g.starts[f+1]] {
			if o < f {
				continue
			}
			set = set[:0]
			add(f)
			add(o)
			if err := yield(set); err != nil {
				return err
			}
		}
	}
	return nil
}
