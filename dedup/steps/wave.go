package steps

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// Decision says which text is kept in the place of one, and how alike the two
// are. Where that is the text itself it is kept, and the score is 1. A text
// that is in no pair is kept. The score is NaN if only judgements remove the
// text, so that no pair says how alike the two are.
type Decision struct {
	Rank, Leader dedup.Rank
	Score        float64
}

// Node is a text on its way to being decided on, by the rule of dedup.Cluster at a cohesion that is the
// threshold: by rank, each text that is not removed yet is kept, and what is alike to it removed. What a
// text needs for that it hears from those before it, in waves: in each, every node that is not done hears the news
// that were told in the wave before, in the first wave none, and then decides.
//
// On graphs as duplicates make them some ten waves decide nearly all. Only a chain, in which
// each text waits for the one before it, takes as many waves as it is long; so
// after some waves an engine gives what is left to a Sweep.
type Node struct {
	Rank dedup.Rank

	// Earlier are the texts before it that it is alike to and that are not known to be removed, by
	// rank. Later are those behind it.
	Earlier []Neighbour
	Later   []dedup.Rank

	// Removed says that it is removed, though by whom is not certain yet.
	Removed bool

	// Held says that the text was judged (see dedup.Judged). No wave decides on it,
	// because what it goes with, or stays apart from, may be in no pair with it.
	Held bool
}

// Neighbour is a text that a node is alike to.
type Neighbour struct {
	Rank  dedup.Rank
	Score float64
	Kept  bool // as far as the node has heard

	gone bool
}

// News is told to a later neighbour once a text is decided on.
type News struct {
	From dedup.Rank
	Kept bool // or else removed
}

// NewNode returns the node of a text, of all pairs that it is in, each of which may be there
// more than once.
func NewNode(rank dedup.Rank, pairs []Pair) Node {
	n := Node{Rank: rank}
	for _, p := range pairs {
		if p.A == rank {
			n.Later = append(n.Later, p.B)
		} else {
			n.Earlier = append(n.Earlier, Neighbour{Rank: p.A, Score: p.Score})
		}
	}
	slices.Sort(n.Later)
	n.Later = slices.Compact(n.Later)
	slices.SortFunc(n.Earlier, func(a, b Neighbour) int { return cmp.Compare(a.Rank, b.Rank) })
	n.Earlier = slices.CompactFunc(n.Earlier, func(a, b Neighbour) bool { return a.Rank == b.Rank })
	return n
}

// Hear takes news, in any order, and perhaps more than once.
func (n *Node) Hear(news []News) {
	gone := false
	for _, w := range news {
		i, found := slices.BinarySearchFunc(n.Earlier, w.From, func(e Neighbour, r dedup.Rank) int { return cmp.Compare(e.Rank, r) })
		switch {
		case !found: // said before
		case w.Kept:
			n.Earlier[i].Kept = true
		default:
			n.Earlier[i].gone, gone = true, true
		}
	}
	if gone {
		n.Earlier = slices.DeleteFunc(n.Earlier, func(e Neighbour) bool { return e.gone })
	}
}

// Decide tells what follows from the news heard, and reports whether the node is done: then d is final and
// the node need not be kept.
func (n *Node) Decide(tell func(to dedup.Rank, what News)) (d Decision, done bool) {
	switch {
	case n.Held:
		return Decision{}, false
	case len(n.Earlier) == 0:
		n.tell(true, tell)
		return Decision{n.Rank, n.Rank, 1}, true
	case !n.Removed && slices.ContainsFunc(n.Earlier, func(e Neighbour) bool { return e.Kept }):
		n.Removed = true
		n.tell(false, tell)
	}
	if first := n.Earlier[0]; first.Kept {
		return Decision{n.Rank, first.Rank, first.Score}, true
	}
	return Decision{}, false
}

func (n *Node) tell(kept bool, tell func(dedup.Rank, News)) {
	for _, l := range n.Later {
		tell(l, News{n.Rank, kept})
	}
	n.Later = nil // told once
}

// Pairs calls emit with the pairs that a node which is not done makes with those before it. A Sweep over those of
// all such nodes decides on them, when they have heard the news of the last wave.
func (n *Node) Pairs(emit func(Pair) error) error {
	for _, e := range n.Earlier {
		if err := emit(Pair{e.Rank, n.Rank, e.Score}); err != nil {
			return err
		}
	}
	return nil
}
