package bloomsim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// BenchmarkQuality is the evidence for defaultBits and for one hash. On labelled pairs
// of real texts it reports the error against the exact Jaccard coefficient, and the
// area under the ROC curve of the score and of the exact coefficient.
//
//	ALIKE_DATA=DIR go test -run - -bench Quality -benchtime 1x ./bloomsim
func BenchmarkQuality(b *testing.B) {
	for _, name := range []string{"en", "zh", "lcqmc/dev", "mrpc/test", "bible-chapters", "zh-laws"} {
		if _, ok := datasets.SharedDir(); !ok && !slices.Contains(datasets.Inside(), name) {
			b.Logf("no shared data sets, %s is left out: set ALIKE_DATA to their directory", name)
			continue
		}
		set, err := datasets.Load(name)
		if err != nil {
			b.Fatal(err)
		}
		for _, o := range []Options{{}, {Hashes: 4}, {Bits: Auto}, {Score: Raw}} {
			m := mustNew(b, o)
			b.Run(fmt.Sprintf("data=%s/spec=%s", strings.ReplaceAll(name, "/", "-"), m), func(b *testing.B) {
				var q quality
				for b.Loop() {
					q = qualityOf(m, set)
				}
				b.ReportMetric(q.rmse, "rmse")
				b.ReportMetric(q.auc, "AUC")
				b.ReportMetric(q.exact, "exact-AUC")
				b.ReportMetric(float64(q.most), "features-at-most")
			})
		}
	}
}

type quality struct {
	rmse, auc, exact float64
	most             int // distinct features of the largest text
}

func qualityOf(m *Method, set *datasets.Set) (q quality) {
	filters := make([]Filter, len(set.Docs))
	hashes := make([][]uint64, len(set.Docs))
	for i, d := range set.Docs {
		filters[i] = m.Sketch(d.Text)
		hashes[i] = m.Features().AppendHashes(nil, d.Text)
		slices.Sort(hashes[i])
		hashes[i] = slices.Compact(hashes[i])
		q.most = max(q.most, len(hashes[i]))
	}
	var scores, exact [2][]float64 // of pairs that are not alike, and that are
	for _, p := range set.Pairs {
		s, e := m.Score(filters[p.A], filters[p.B]), jaccard(hashes[p.A], hashes[p.B])
		q.rmse += (s - e) * (s - e) / float64(len(set.Pairs))
		k := 0
		if p.Alike() {
			k = 1
		}
		scores[k], exact[k] = append(scores[k], s), append(exact[k], e)
	}
	q.rmse = math.Sqrt(q.rmse)
	q.auc, q.exact = rocArea(scores[1], scores[0]), rocArea(exact[1], exact[0])
	return q
}

// jaccard is |A∩B| / |A∪B| of two ascending lists.
func jaccard(a, b []uint64) float64 {
	both := 0
	for _, h := range a {
		if _, in := slices.BinarySearch(b, h); in {
			both++
		}
	}
	return float64(both) / float64(max(1, len(a)+len(b)-both))
}

// rocArea is the probability that an alike pair outscores another, ties counting half.
func rocArea(alike, other []float64) float64 {
	slices.Sort(other)
	var wins float64
	for _, s := range alike {
		below, _ := slices.BinarySearch(other, s)
		notAbove, _ := slices.BinarySearch(other, math.Nextafter(s, 2))
		wins += float64(below+notAbove) / 2
	}
	return wins / float64(len(alike)) / float64(len(other))
}
