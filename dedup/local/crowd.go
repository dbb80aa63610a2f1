package local

import (
	"context"
	"errors"

	"github.com/alike-go/alike/similarity"
)

// A crowd is a bucket of so many texts that comparing them all takes longer
// than reading them again. Texts that share a template make crowds without
// being alike. If the verifying method can search, the finder searches crowds
// for alike texts and then checks that these are candidates, instead of the
// other way round. Both ways find the pairs that are alike and candidates.

// crowdPairs is the number of pairs per text that makes a bucket a crowd.
// Comparing the sketches of so many takes about as long as reading a text
// again.
const crowdPairs = 128

// crowded reports whether a bucket, in ascending order, has more than each pairs
// per text. The members below old are never compared with each other. A subset
// of a bucket that is not crowded is not crowded either.
func crowded(bucket []uint32, old int, each int64) bool {
	n := int64(len(bucket))
	if n <= each {
		return false
	}
	known := int64(0)
	for known < n && int(bucket[known]) < old {
		known++
	}
	added := n - known
	return added*(added-1)/2+added*known > each*n
}

// crowdSearch finds the alike nodes of crowds.
type crowdSearch struct {
	similarity.Search
	nodes []uint32 // by document of the search, its node
	docs  []uint32 // by node, its document
	found []int
}

// searchCrowds makes the finder search the nodes of crowds for scores of at
// least o.Threshold. It changes nothing if the method has no search. If the
// sketches of these nodes exceed the memory, in bytes, it changes nothing and
// fits is false.
func (c *candidates) searchCrowds(ctx context.Context, sets *store, o similarity.JoinOptions, memory int64) (fits bool, err error) {
	if _, err := similarity.NewSearch(ctx, sets.m.NewCollection(), o); errors.Is(err, similarity.ErrNoSearch) {
		return true, nil
	}
	s := &crowdSearch{docs: make([]uint32, len(c.list))}
	var slots []int
	for slot, n := range c.nodes {
		if c.finder.inCrowd.has(n) {
			s.docs[n] = uint32(len(slots))
			s.nodes = append(s.nodes, n)
			slots = append(slots, slot)
		}
	}
	if len(slots) == 0 {
		return true, nil
	}
	var all similarity.Collection
	if sets.mem != nil {
		all = sets.mem.Pick(slots)
	} else {
		some, err := sets.pick(slots, memory)
		if err != nil {
			return false, err
		}
		if some.mem == nil {
			return false, some.close()
		}
		all = some.mem
	}
	if s.Search, err = similarity.NewSearch(ctx, all, o); err != nil {
		return true, err
	}
	c.finder.search = s
	return true, nil
}

// find appends the nodes alike to a node of a crowd that want accepts.
func (s *crowdSearch) find(dst []uint32, node uint32, want func(uint32) bool) (found []uint32, compared int64) {
	s.found, compared = s.Find(s.found[:0], int(s.docs[node]), func(doc int) bool { return want(s.nodes[doc]) })
	for _, doc := range s.found {
		dst = append(dst, s.nodes[doc])
	}
	return dst, compared
}

// meet reports whether two nodes share a bucket.
func (x *finder) meet(a, b uint32) bool {
	p, q := x.buckets.of(a), x.buckets.of(b)
	for len(p) > 0 && len(q) > 0 {
		switch {
		case p[0] == q[0]:
			return true
		case p[0] < q[0]:
			p = p[1:]
		default:
			q = q[1:]
		}
	}
	return false
}
