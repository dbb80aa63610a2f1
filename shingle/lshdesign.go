package shingle

import (
	"fmt"
	"math"
	"sort"

	"github.com/alike-go/alike/similarity"
)

// LSHDesign is a banding of the signatures of a MinHash: bands are cut from their
// first values. It tells how likely two texts are found by what their signatures score and
// by what resemblance they have.
type LSHDesign struct {
	Banding
	Size int // values of a signature
	Bits int // kept of each, 32 for all
}

// mostBanded is the number of values of a signature that bands are cut from at most, so that
// a design is found in an instant.
const mostBanded = 1024

// Design returns the banding that finds a pair that scores o.Threshold with a probability of at
// least o.Recall, and of these the one with the longest bands, which has the fewest
// false candidates at all scores below, and as few bands as will do. It is an error if no
// banding finds so many.
func (m *MinHash) Design(o similarity.JoinOptions) (LSHDesign, error) {
	return m.design(o, mostBanded, LSHDesign.ByScore)
}

// design chooses among bandings of so many bands by a probability of finding the threshold.
func (m *MinHash) design(o similarity.JoinOptions, mostBands int, found func(LSHDesign, float64) float64) (LSHDesign, error) {
	o, err := o.Check()
	if err != nil {
		return LSHDesign{}, err
	}
	size := min(m.size, mostBanded)
	d := LSHDesign{Size: m.size, Bits: m.bits}
	// What ByResemblance says is quickly computed and not far from the truth: no band
	// that is worth a try is three times as long as it allows.
	rows := 1
	for rows < size && (LSHDesign{Banding{min(size/(rows+1), mostBands), rows + 1}, d.Size, d.Bits}).ByResemblance(o.Threshold) >= o.Recall {
		rows++
	}
	for rows = min(size, 3*rows+4); rows >= 1; rows-- {
		d.Rows = rows
		most := min(size/rows, mostBands)
		d.Bands = 1 + sort.Search(most, func(i int) bool {
			d.Bands = i + 1
			return found(d, o.Threshold) >= o.Recall
		})
		if d.Bands <= most {
			return d, nil
		}
	}
	return LSHDesign{}, fmt.Errorf("shingle: no %d bands of %d values find a score of %v with a probability of %v", mostBands, size, o.Threshold, o.Recall)
}

// String returns such as "16 bands of 8 values".
func (d LSHDesign) String() string { return fmt.Sprintf("%d bands of %d values", d.Bands, d.Rows) }

// ByResemblance returns the probability that two texts of a resemblance share a band: the S-shaped
// curve of Banding.Candidate, at the share of values that agree, of which some do by chance
// where few bits of them are kept.
func (d LSHDesign) ByResemblance(resemblance float64) float64 {
	chance := 0.0
	if d.Bits < 32 {
		chance = math.Ldexp(1, -d.Bits)
	}
	return d.Candidate(chance + (1-chance)*resemblance)
}

// ByScore returns the probability that two texts whose signatures have a score share a band,
// if the values that agree are as likely to be any as any others. It is 1 where there are
// more bands than values that differ.
func (d LSHDesign) ByScore(score float64) float64 {
	agree := sort.Search(d.Size, func(n int) bool { return resemblance(n, d.Size, d.Bits) >= score })
	differ := d.Size - agree
	if differ < d.Bands {
		return 1
	}
	return max(0, min(1-missed(d.Bands, d.Rows, d.Size, differ), 1-0x1p-53))
}

// missed returns the probability that each of the bands has one or more of the values that
// differ, going through the values one by one.
func missed(bands, rows, size, differ int) float64 {
	// The probabilities that so many of the values seen differ, that each band before has
	// one, and that this band has (hit) or has not yet (clean).
	most := min(differ, bands*rows) // that differ among those seen
	hit, clean := make([]float64, most+1), make([]float64, most+1)
	hit[0] = 1
	for seen := range bands * rows {
		if seen%rows == 0 {
			hit, clean = clean, hit
			clear(hit)
		}
		for d := min(most, seen); d >= 0; d-- {
			next := float64(differ-d) / float64(size-seen) // the next value differs
			if d < most {
				hit[d+1] += float64((hit[d] + clean[d]) * next)
			}
			hit[d] = float64(hit[d] * (1 - next))
			clean[d] = float64(clean[d] * (1 - next))
		}
	}
	sum := 0.0
	for _, p := range hit {
		sum += p
	}
	return sum
}
