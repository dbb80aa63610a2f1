package local

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// PairsEach is the default of Options.MaxPairs, per text.
const PairsEach = 10_000

// PairsError is the error of a run that would compare too many pairs. It has
// compared only a sample.
type PairsError struct {
	Estimate int64 // pairs
	Max      int64

	// Memory reports that a search of the texts would compare fewer pairs, but
	// does not fit into the memory.
	Memory bool
}

// Error says how many pairs would be compared.
func (e *PairsError) Error() string {
	why := ""
	if e.Memory {
		why = "; more memory would make them fewer"
	}
	return fmt.Sprintf("dedup: about %d pairs of texts would be compared, more than %d%s: nothing is written", e.Estimate, e.Max, why)
}

// An estimate looks at up to sampled nodes in crowds and up to sampled other
// nodes. The mean of 256 uniform numbers is off by 4 %, of 32 by 10 %. looks is
// the number of mates that each node is compared with.
const (
	sampled = 256
	looks   = 64
)

// plan decides how candidates are compared. It ends the run if there would be
// too many pairs. For a join, limitJoin has done that already.
func (c *candidates) plan(ctx context.Context, sets *store, rule *dedup.Rule) error {
	x := c.finder
	if x == nil {
		return nil
	}
	pairs, err := c.estimate(ctx, rule)
	if err != nil {
		return err
	}
	fits := true
	if c.o.Verify != nil && (c.way == bySearch || c.way == byEstimate && pairs > float64(crowdPairs*len(x.inCrowd.list()))) {
		o := similarity.JoinOptions{Threshold: c.looked(rule), Workers: c.o.Workers}
		if fits, err = c.searchCrowds(ctx, sets, o, c.o.Memory/5); err != nil {
			return err
		}
	}
	if x.search != nil {
		search, err := c.estimate(ctx, rule)
		if err != nil {
			return err
		}
		if c.way == byEstimate && search > pairs {
			x.search = nil
		} else {
			pairs = search
		}
	}
	return c.limitPairs(pairs, fits)
}

// limitPairs records an estimate of pairs. It returns a *PairsError if the
// estimate exceeds the maximum. fits is the result of searchCrowds.
func (c *corpus) limitPairs(pairs float64, fits bool) error {
	n := int64(min(math.Round(pairs), math.MaxInt64/2))
	c.timing.Estimated = n
	c.o.OnPairs(n)
	if most := c.maxPairs(); n > most {
		return &PairsError{Estimate: n, Max: most, Memory: !fits}
	}
	return nil
}

// maxPairs returns Options.MaxPairs with its default.
func (c *corpus) maxPairs() int64 {
	if c.o.MaxPairs == 0 {
		return PairsEach * int64(c.texts.Len())
	}
	return c.o.MaxPairs
}

// limitJoin joins a sample of some texts to estimate how many pairs the join of
// them all finds. It returns the error of limitPairs.
func (c *corpus) limitJoin(ctx context.Context, all similarity.Collection, texts []int, o similarity.JoinOptions) error {
	most := atMost(2*sampled, len(texts))
	var some []int
	for _, t := range texts {
		if most.has(&c.texts.Hash[t]) {
			some = append(some, t)
		}
	}
	st, err := all.Pick(some).Join(ctx, nil, o, func(similarity.Pair) error { return nil })
	if err != nil {
		return err
	}
	pairs := func(n int) float64 { return float64(n) * float64(n-1) }
	return c.limitPairs(float64(st.Pairs)*pairs(len(texts))/max(1, pairs(len(some))), true)
}

// share is a sample of texts, chosen by their hashes: a text is in it if the
// first 64 bits of its hash are at most this number.
type share uint64

// atMost returns a share of about some of n texts, and of all if n is not
// larger.
func atMost(some, n int) share {
	if n <= some {
		return math.MaxUint64
	}
	return share(math.MaxUint64 / uint64(n) * uint64(some))
}

func (s share) has(h *dedup.Hash) bool { return binary.BigEndian.Uint64(h[:]) <= uint64(s) }

// way is how the texts of crowds are compared.
type way int

const (
	byEstimate way = iota // whichever of the following compares fewer pairs
	goThrough             // each with all of its crowds
	bySearch              // by searchCrowds, if that is possible
)

// estimate returns about how many pairs Cluster would compare. The sample
// depends on the texts alone.
func (c *candidates) estimate(ctx context.Context, rule *dedup.Rule) (pairs float64, err error) {
	x := c.finder
	nodes := map[bool]int{} // by whether they are in crowds
	for node := range uint32(len(c.list)) {
		nodes[x.inCrowd.has(node)]++
	}
	for _, crowd := range []bool{false, true} {
		n, samples := nodes[crowd], sampled
		if crowd {
			samples = x.crowdSamples(n)
		}
		most := atMost(samples, n)
		sum, of := 0, 0
		for node := range uint32(len(c.list)) {
			if !most.has(&c.texts.Hash[c.text(node)]) || x.inCrowd.has(node) != crowd {
				continue
			}
			if err := ctx.Err(); err != nil {
				return 0, fmt.Errorf("dedup: estimate pairs: %w", err)
			}
			cost, err := x.cost(node, rule)
			if err != nil {
				return 0, err
			}
			sum, of = sum+cost, of+1
		}
		if of > 0 {
			pairs += float64(sum) / float64(of) * float64(n)
		}
	}
	return pairs, nil
}

// crowdSamples returns how many of the nodes in crowds to look at. There are
// fewer than sampled if it takes long to count the mates of each.
func (x *finder) crowdSamples(nodes int) int {
	const least, visits = sampled / 8, 1 << 27 // of members of buckets, in a fraction of a second
	sum := 0.0
	for i := range uint32(x.members.len()) {
		if x.crowds.has(i) {
			n := float64(len(x.members.of(i)))
			sum += n * n
		}
	}
	return int(min(sampled, max(least, visits*float64(nodes)/max(1, sum))))
}

// cost estimates the number of nodes that a node is compared with: all later
// mates, or none if the node is removed before its turn.
func (x *finder) cost(node uint32, rule *dedup.Rule) (int, error) {
	if chains := rule.Cohesion != 0 && rule.Cohesion < rule.Threshold; int(node) >= x.fixed && !chains {
		gone, err := x.anyAlike(node, rule)
		if gone || err != nil {
			return 0, err
		}
	}
	later := func(b uint32) bool { return b > node && x.comparable(node, b) }
	n := len(x.matesOf(nil, node, x.searched(node), later))
	if x.searched(node) {
		_, compared := x.search.find(nil, node, func(b uint32) bool { return later(b) && x.meet(node, b) })
		n += int(compared)
	}
	return n, nil
}

// anyAlike reports whether an earlier mate is alike to a node. It looks at some
// mates, spread evenly over each bucket. If there is a search, it looks at all
// mates in crowds.
func (x *finder) anyAlike(node uint32, rule *dedup.Rule) (bool, error) {
	var some []uint32
	buckets := x.buckets.of(node)
	for _, i := range buckets {
		bucket := x.members.of(i)
		earlier, _ := slices.BinarySearch(bucket, node)
		for k := 0; k < earlier; k += earlier*len(buckets)/looks + 1 {
			some = append(some, bucket[k])
		}
	}
	if x.searched(node) {
		some, _ = x.search.find(some, node, func(b uint32) bool { return b < node && x.meet(node, b) })
	}
	near, err := x.filter(nil, node, some)
	if err != nil {
		return false, err
	}
	for _, b := range near {
		if s, err := rule.Score(node, b); err != nil || s >= rule.Threshold {
			return true, err
		}
	}
	return false, nil
}

// showProgress reports the progress of clustering by the number of the last
// node kept, and the progress of measuring chains by the members of buckets.
func (c *candidates) showProgress() {
	near, last := c.graph.Near, uint32(0)
	c.graph.Near = func(dst []uint32, node uint32, open func(uint32) bool) ([]uint32, error) {
		if node >= last+1<<10 {
			last = node
			c.o.Progress("cluster", float64(node)/float64(len(c.list)))
		}
		return near(dst, node, open)
	}
	if c.finder == nil {
		return
	}
	links, all := c.links, len(c.finder.members.values)
	step := max(all/100, 1<<13)
	c.links = func(yield func([]uint32) error) error {
		done, shown := 0, 0
		return links(func(set []uint32) error {
			if done += len(set); done-shown > step && done <= all {
				shown = done
				c.o.Progress("chaining", float64(done)/float64(all))
			}
			return yield(set)
		})
	}
}
