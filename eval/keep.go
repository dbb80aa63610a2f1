package eval

import "math"

// Scores are counted by their leading bits as a float32: exponent and eleven bits
// of the significand, so that a bucket is at most 1/2048 of its score wide. The
// mask makes -0 the same as 0 and spares the check of the index.
const (
	bucketShift = 12
	buckets     = 1 << 18
	bucketOne   = 0x3f800000 >> bucketShift // that of score 1
)

func bucket(score float32) uint32 {
	return math.Float32bits(score) >> bucketShift & (buckets - 1)
}

// bucketLow returns the least score of a bucket.
func bucketLow(b uint32) float32 { return math.Float32frombits(b << bucketShift) }

// counts is how many scores fall in each bucket.
type counts [buckets]int64

// candidate is a pair with its score.
type candidate struct {
	score float32
	i, j  int32
}

// keeper holds the pairs of the highest scores among very many, and counts all
// by bucket. What it holds in the end is whole buckets from the top, as many as fit in
// limit, so that it does not depend on the order of the pairs or on how they
// are divided among keepers.
type keeper struct {
	limit int
	floor float32 // pairs below it are counted only; never a pair of score 0
	all   *counts
	held  []candidate
}

func newKeeper(limit int) *keeper {
	return &keeper{limit: limit, floor: bucketLow(1), all: new(counts)}
}

// add takes the scores of document i with j, j+1, ...
func (k *keeper) add(i, j int, scores []float32) {
	floor := k.floor
	for n, s := range scores {
		k.all[bucket(s)]++
		if s >= floor {
			k.held = append(k.held, candidate{s, int32(i), int32(j + n)})
			if len(k.held) >= 2*k.limit {
				k.shrink()
				floor = k.floor
			}
		}
	}
}

// shrink raises the floor so that at most limit pairs are held. Other keepers can
// only raise it further, so nothing is lost that they would have kept together.
func (k *keeper) shrink() {
	k.raise(floorOf(k.all, k.limit))
}

func (k *keeper) raise(floor float32) {
	k.floor = max(k.floor, floor)
	n := 0
	for _, c := range k.held {
		if c.score >= k.floor {
			k.held[n] = c
			n++
		}
	}
	k.held = k.held[:n]
}

// floorOf returns the least score above which at most limit scores lie, at the
// border of a bucket; above 1 where the topmost bucket holds more.
func floorOf(all *counts, limit int) float32 {
	n := int64(0)
	for b := uint32(bucketOne); b > 0; b-- {
		if n += all[b]; n > int64(limit) {
			return bucketLow(b + 1)
		}
	}
	return bucketLow(1)
}

// merge adds up keepers; the first one then holds everything.
func merge(keepers []*keeper) *keeper {
	k := keepers[0]
	for _, o := range keepers[1:] {
		for b, n := range o.all {
			k.all[b] += n
		}
	}
	floor := floorOf(k.all, k.limit)
	for _, o := range keepers {
		o.raise(floor)
	}
	for _, o := range keepers[1:] {
		k.held = append(k.held, o.held...)
		o.held, o.all = nil, nil
	}
	return k
}
