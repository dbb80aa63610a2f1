package choose

import "math"

// How halving goes: each rung takes a third of the candidates and three times the
// units of the one before, and none stands on less than so many units that hold alike pairs.
const (
	eta       = 3
	mostRungs = 5
	leastHits = 50
)

// workShare is the share of a budget, on two cores, that is planned for. The rest is
// for drawing pairs, for test, and for machines slower than the table of costs.
const workShare = 0.4

// rankCost is what ranking a pair takes that is scored, in nanoseconds.
const rankCost = 250

// rung is a step of a plan: so many candidates on a share of the units.
type rung struct {
	candidates int
	share      float64
}

// plan returns the rungs that a search of the candidates on the sample takes, and how many
// nominal seconds of one core: as few rungs as fit the work, or where none do the
// cheapest.
func plan(s *Sample, candidates []Candidate, work float64) (rungs []rung, takes float64) {
	_, hits := s.positiveUnits()
	least := min(1, leastHits/float64(max(1, hits)))
	b := newBill(s, candidates)
	for n := 1; n <= mostRungs; n++ {
		var p []rung
		sum := 0.0
		for r := range n {
			step := rung{
				candidates: int(math.Ceil(float64(len(candidates)) / math.Pow(eta, float64(r)))),
				share:      max(least, math.Pow(eta, float64(r+1-n))),
			}
			p = append(p, step)
			sum += b.seconds(step)
		}
		if rungs == nil || sum < takes {
			rungs, takes = p, sum
		}
		if sum <= work {
			return p, sum
		}
	}
	return rungs, takes
}

// bill is what work on a sample is made of.
type bill struct {
	bytes, docs   float64
	inside, cross float64 // pairs inside units, and between two
	candidates    int
	groups        int     // of candidates that share features
	extract       float64 // nanoseconds a byte for all groups
	reduce        float64 // nanoseconds a byte for all candidates
	doc           float64 // nanoseconds a text, for all candidates
	pair          float64 // nanoseconds a pair of mean length, for all candidates
}

func newBill(s *Sample, candidates []Candidate) bill {
	b := bill{bytes: float64(s.Bytes()), docs: float64(len(s.Texts)), candidates: len(candidates)}
	for _, p := range s.Pairs {
		if s.Unit[p.A] == s.Unit[p.B] {
			b.inside++
		} else {
			b.cross++
		}
	}
	kB := b.bytes / 1000 / b.docs
	seen := map[string]bool{}
	for _, c := range candidates {
		b.reduce += c.cost.reduce
		b.doc += c.cost.doc
		b.pair += c.cost.pair + float64(c.cost.pairKB*kB) + rankCost
		if key := featureKey(c); !seen[key] {
			seen[key] = true
			b.groups++
			b.extract += c.cost.extract
		}
	}
	return b
}

// seconds returns the nominal seconds of a rung whose candidates are like the mean of all.
func (b bill) seconds(r rung) float64 {
	k := float64(r.candidates) / float64(b.candidates)
	extract := b.extract * min(1, float64(r.candidates)/float64(b.groups))
	// Conversions keep a machine from fusing products into sums, so that plans are the same.
	text := float64(b.bytes * r.share * (extract + float64(b.reduce*k)))
	pairs := float64((float64(b.inside*r.share) + float64(b.cross*r.share*r.share)) * b.pair * k)
	docs := float64(b.docs * r.share * b.doc * k)
	return (text + pairs + docs) / 1e9
}
