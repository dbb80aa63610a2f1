package simhash

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
)

// BenchmarkQuality is the evidence for the default tie rule and scale. On labelled
// pairs of real sentences it reports the area under the ROC curve, the share of
// ones among the bits and the mean distance of sentences taken at random, each the
// mean over ten seeds of the feature hash.
//
//	ALIKE_DATA=DIR go test -run - -bench Quality -benchtime 1x ./simhash
func BenchmarkQuality(b *testing.B) {
	if _, ok := datasets.SharedDir(); !ok {
		b.Skip("no shared data sets: set ALIKE_DATA to their directory")
	}
	const seeds = 10
	for _, c := range []struct {
		set      string
		features feature.Options
	}{
		{"lcqmc/dev", feature.Options{Tokens: feature.Rune, MinWidth: 2}},
		{"lcqmc/dev", feature.Options{}},
		{"qqp/dev", feature.Options{}},
		{"mrpc/test", feature.Options{}},
	} {
		set, err := datasets.Load(c.set)
		if err != nil {
			b.Fatal(err)
		}
		for _, tie := range []Tie{TieSalt, TieZero} {
			for _, scale := range []Scale{Cosine, Linear} {
				o := Options{Features: c.features, Tie: tie, Score: scale}
				first, err := New(o)
				if err != nil {
					b.Fatal(err)
				}
				name := fmt.Sprintf("data=%s/spec=%s/tie=%s/score=%s", strings.ReplaceAll(set.Name, "/", "-"), first.Features(), tie, scale)
				b.Run(name, func(b *testing.B) {
					var auc, ones, far float64
					for b.Loop() {
						auc, ones, far = 0, 0, 0
						for seed := range uint64(seeds) {
							o.Features.Seed = seed
							m, err := New(o)
							if err != nil {
								b.Fatal(err)
							}
							a, o, f := quality(m, set)
							auc, ones, far = auc+a/seeds, ones+o/seeds, far+f/seeds
						}
					}
					b.ReportMetric(auc, "AUC")
					b.ReportMetric(ones, "ones")
					b.ReportMetric(far, "bits-apart")
				})
			}
		}
	}
}

func quality(m *Method, set *datasets.Set) (auc, ones, apart float64) {
	sketches := make([]Fingerprint, len(set.Docs))
	for _, p := range set.Pairs {
		sketches[p.A], sketches[p.B] = m.Sketch(set.Docs[p.A].Text), m.Sketch(set.Docs[p.B].Text)
	}
	var alike, other []float64
	for i, p := range set.Pairs {
		if s := m.Score(sketches[p.A], sketches[p.B]); p.Label == 1 {
			alike = append(alike, s)
		} else {
			other = append(other, s)
		}
		ones += float64(bits.OnesCount64(sketches[p.A].Lo))
		stranger := set.Pairs[(i+len(set.Pairs)/2)%len(set.Pairs)].B
		apart += float64(Distance(sketches[p.A], sketches[stranger]))
	}
	n := float64(len(set.Pairs))
	return rocArea(alike, other), ones / n / 64, apart / n
}

// rocArea is the probability that an alike pair outscores another, ties counting half.
func rocArea(alike, other []float64) float64 {
	slices.Sort(other)
	var wins float64
	for _, s := range alike {
		below, _ := slices.BinarySearch(other, s)
		notAbove, _ := slices.BinarySearchFunc(other, s, func(o, s float64) int {
			if o <= s {
				return -1
			}
			return 1
		})
		wins += float64(below+notAbove) / 2
	}
	return wins / float64(len(alike)) / float64(len(other))
}
