package simhash

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// maxEvidence is the number of features that Explain lists.
const maxEvidence = 20

// Explain scores two texts and lists the shared features that pull most at both
// fingerprints: at most twenty, each with the lesser of its shares of the two texts' weight.
// The note states the distance, the bits that differ (counted from the lowest, 0; the
// first twelve) and the cosine that the distance speaks for.
func (m *Method) Explain(a, b string) similarity.Explanation {
	fa, fb := m.x.Append(nil, a), m.x.Append(nil, b)
	sa, sb := m.SketchFeatures(fa), m.SketchFeatures(fb)
	e := similarity.Explanation{Score: m.Score(sa, sb)}
	if sa.IsZero() || sb.IsZero() {
		e.Note = "no features in one of the texts"
		return e
	}
	h := Distance(sa, sb)
	e.Note = fmt.Sprintf("h=%d of %d bits%s, cos about %.2f", h, m.o.Bits, differing(sa, sb), EstimateCosine(h, m.o.Bits))

	wa, wb := shares(fa), shares(fb)
	e.Evidence = similarity.SharedFeatures(m.x, "feature", a, b, func(hash uint64) float64 {
		return min(wa[hash], wb[hash])
	})
	e.Evidence = e.Evidence[:min(len(e.Evidence), maxEvidence)]
	return e
}

// differing lists the bits that differ, " (12, 29, 46)"; "" where none does.
func differing(a, b Fingerprint) string {
	const most = 12
	var list []string
	lo, hi := a.Lo^b.Lo, a.Hi^b.Hi
	for ; lo != 0; lo &= lo - 1 {
		list = append(list, strconv.Itoa(bits.TrailingZeros64(lo)))
	}
	for ; hi != 0; hi &= hi - 1 {
		list = append(list, strconv.Itoa(64+bits.TrailingZeros64(hi)))
	}
	if len(list) == 0 {
		return ""
	}
	if len(list) > most {
		list = append(list[:most], "...")
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// shares returns each feature's share of the weight of all.
func shares(features []feature.Feature) map[uint64]float64 {
	share := map[uint64]float64{}
	var total float64
	for _, f := range features {
		total += f.Weight
		share[f.Hash] += f.Weight
	}
	for h := range share {
		share[h] /= total
	}
	return share
}
