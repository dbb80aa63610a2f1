package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/similarity"
)

// judgedPairs corrects the pairs of a join by what people have judged: it adds pairs
// judged the same and drops pairs judged different. It holds all pairs judged the same
// in memory.
type judgedPairs struct {
	*dedup.Judged
	docs, second *ingest.Corpus
	same         []similarity.Pair // in the order of a join, still to be written
	apart        int64             // pairs left out
	added        int64             // pairs that the join has not found
}

// newJudgedPairs scores the pairs that are judged as the same. other is nil for the
// pairs of docs with each other.
func newJudgedPairs(j *dedup.Judged, docs, other *ingest.Corpus) (*judgedPairs, error) {
	p := &judgedPairs{Judged: j, docs: docs, second: cmp.Or(other, docs)}
	members := func(c *ingest.Corpus) (places []int, groups map[int32][]int) {
		groups = map[int32][]int{}
		for i := range c.Sketches.Len() {
			if g := j.Group(c.IDs.At(i)); g >= 0 {
				places, groups[g] = append(places, i), append(groups[g], i)
			}
		}
		return places, groups
	}
	first, groups := members(docs)
	second, others := first, groups
	sketches, from := docs.Sketches.Pick(first), 0
	if other != nil {
		second, others = members(other)
		sketches.Append(other.Sketches.Pick(second))
		from = len(first)
	}
	if len(first)+len(second) == 0 && docs.Sketches.Len() > 0 {
		return nil, fmt.Errorf("pairs: no document has an id of those judged (%v)", j)
	}
	for at, a := range first {
		for _, b := range others[j.Group(docs.IDs.At(a))] {
			if other == nil && b <= a || docs.IDs.At(a) == p.second.IDs.At(b) {
				continue // judgements say nothing of two documents of one id
			}
			k, _ := slices.BinarySearch(second, b)
			p.same = append(p.same, similarity.Pair{A: a, B: b, Score: sketches.Score(at, from+k)})
		}
	}
	return p, sketches.Err()
}

// through takes a pair of the join, or nil at the end. It calls write with the pairs
// judged as the same that come before it, and other with the pair itself unless it is
// judged.
func (j *judgedPairs) through(p *similarity.Pair, write, other func(similarity.Pair) error) error {
	for len(j.same) > 0 {
		s := j.same[0]
		c := -1
		if p != nil {
			c = cmp.Or(cmp.Compare(s.A, p.A), cmp.Compare(s.B, p.B))
		}
		if c > 0 {
			break
		}
		if j.same = j.same[1:]; c < 0 {
			j.added++
		}
		if err := write(s); err != nil || c == 0 {
			return err
		}
	}
	if p == nil {
		return nil
	}
	a, b := j.Group(j.docs.IDs.At(p.A)), j.Group(j.second.IDs.At(p.B))
	if a >= 0 && b >= 0 && j.Apart(a, b) {
		j.apart++
		return nil
	}
	return other(*p)
}

// checkJudged refuses what cannot go by judgements.
func (r *pairsRun) checkJudged() error {
	if r.judged != "" && (r.grouped || r.top > 0 || r.truth != "") {
		return errors.New("pairs: --judged adds pairs and leaves some out, want it without --grouped, --top and --truth")
	}
	return nil
}
