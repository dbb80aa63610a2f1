package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"hash/maphash"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/simhash"
)

func oneWord(*lab) finding {
	r := plant.NewRand(1)
	const lists = 10_000
	same := 0
	for range lists {
		var features []feature.Feature
		sum := 0.0
		for range 1 + r.Below(30) {
			w := 1 + float64(r.Below(9))
			features = append(features, feature.Feature{Hash: r.Uint64(), Weight: w})
			sum += w
		}
		heavy := feature.Feature{Hash: r.Uint64(), Weight: sum + 0.5}
		if simhash.Sum(64, simhash.TieSalt, append(features, heavy)).Lo == heavy.Hash {
			same++
		}
	}
	return finding{Figure: fmt.Sprintf("%d of %d lists of 2 to 31 weighted words", same, lists), Verdict: verdict(same == lists)}
}

func ties(*lab) finding {
	r := plant.NewRand(1)
	const pairs = 10_000
	share := map[simhash.Tie]float64{}
	for range pairs {
		two := []uint64{r.Uint64(), r.Uint64()}
		for _, t := range []simhash.Tie{simhash.TieZero, simhash.TieSalt} {
			code := simhash.SumHashes(64, t, two).Lo
			for ; code != 0; code &= code - 1 {
				share[t] += 1.0 / 64 / pairs
			}
		}
	}
	return finding{Figure: fmt.Sprintf("fingerprints of two words have %.3f of their bits set; where a bit of a salt breaks the tie, %.3f", share[simhash.TieZero], share[simhash.TieSalt]), Verdict: verdict(share[simhash.TieZero] > .45 && share[simhash.TieZero] < .55)}
}

// bags are words of a text and how often they stand in it.
type bag map[string]float64

func bagOf(text string) bag {
	b := bag{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		b[strings.Trim(w, ".,;:\"'()-")]++
	}
	delete(b, "")
	return b
}

func (b bag) dot(o bag) float64 {
	sum := 0.0
	for w, n := range b {
		sum += n * o[w] // whole numbers: exact in any order
	}
	return sum
}

func (b bag) cosine(o bag) float64 { return b.dot(o) / math.Sqrt(b.dot(b)*o.dot(o)) }

// code is a fingerprint of 64 bits, bit by bit as defined: 1 where the sum is above a limit.
func (b bag) code(hash func(string) uint64, limit float64) (code uint64) {
	for j, s := range b.sums(hash) {
		if s > limit {
			code |= 1 << j
		}
	}
	return code
}

// sums are what the bits are the signs of.
func (b bag) sums(hash func(string) uint64) (sums [64]float64) {
	for w, n := range b {
		h := hash(w)
		for j := range sums {
			if h>>j&1 == 1 {
				sums[j] += n
			} else {
				sums[j] -= n
			}
		}
	}
	return sums
}

func xx(w string) uint64 { return xxh3.HashString(w) }

// estimates returns over all pairs of texts the mean distance and the root mean square error
// of the cosine that fingerprints tell.
func estimates(bags []bag, codes []uint64) (distance, rmse float64) {
	n := 0.0
	for i := range bags {
		for k := range i {
			h := simhash.Distance(simhash.Fingerprint{Lo: codes[i]}, simhash.Fingerprint{Lo: codes[k]})
			e := math.Cos(math.Pi*float64(h)/64) - bags[i].cosine(bags[k])
			distance += float64(h)
			rmse += e * e
			n++
		}
	}
	return distance / n, math.Sqrt(rmse / n)
}

func codesOf(bags []bag, hash func(string) uint64, limit float64) []uint64 {
	codes := make([]uint64, len(bags))
	for i, b := range bags {
		codes[i] = b.code(hash, limit)
	}
	return codes
}

// pieces returns bags of the first words of unrelated English texts.
func (l *lab) pieces(n, words int) []bag {
	docs := l.unrelated("English")
	var out []bag
	for _, d := range docs {
		if f := strings.Fields(d); len(f) >= words && len(out) < n {
			out = append(out, bagOf(strings.Join(f[:words], " ")))
		}
	}
	return out
}

func aboveOne(l *lab) finding {
	bags := l.pieces(600, 12)
	_, zero := estimates(bags, codesOf(bags, xx, 0))
	_, one := estimates(bags, codesOf(bags, xx, 1))
	return finding{Figure: fmt.Sprintf("all pairs of %d news items of twelve words: root mean square error of the cosine %.4f with above 1, %.4f with above 0", len(bags), one, zero), Verdict: verdict(one <= 1.02*zero)}
}

// hashes compares hash functions of words.
func hashes(l *lab) finding {
	bags := l.pieces(600, 100)
	times := func(seed uint64) func(string) uint64 {
		return func(w string) uint64 {
			h := seed
			for i := range len(w) {
				h = 33*h + uint64(w[i])
			}
			return h
		}
	}
	all := []struct {
		name string
		hash func(string) uint64
	}{
		{"xxh3", xx}, {"times33", times(0)}, {"djb2 (times33 from 5381)", times(5381)},
		{"FNV-1", func(w string) uint64 { h := fnv.New64(); h.Write([]byte(w)); return h.Sum64() }},
		{"FNV-1a", func(w string) uint64 { h := fnv.New64a(); h.Write([]byte(w)); return h.Sum64() }},
	}
	f := finding{Table: [][]string{{"hash", "mean distance of unrelated texts", "error of the cosine"}}}
	best, worst := 0.0, 0.0
	for i, h := range all {
		distance, rmse := estimates(bags, codesOf(bags, h.hash, 0))
		if i == 0 {
			best = rmse
		}
		worst = max(worst, rmse)
		f.Table = append(f.Table, []string{h.name, fmt.Sprintf("%.1f", distance), three(rmse)})
	}
	f.Verdict = verdict(worst <= 1.1*best)
	f.Figure = fmt.Sprintf("all pairs of %d news items of a hundred words, 64 bits: the error is %.1f times that of xxh3 with the worst of the hashes", len(bags), worst/best)
	return f
}

func runtimeHash(l *lab) finding {
	bags := l.pieces(1000, 100)
	seeded := func() func(string) uint64 {
		seed := maphash.MakeSeed()
		return func(w string) uint64 { return maphash.String(seed, w) }
	}
	one, two := codesOf(bags, seeded(), 0), codesOf(bags, seeded(), 0)
	same, sum := 0, 0
	for i := range bags {
		d := simhash.Distance(simhash.Fingerprint{Lo: one[i]}, simhash.Fingerprint{Lo: two[i]})
		sum += d
		if d == 0 {
			same++
		}
	}
	return finding{Figure: fmt.Sprintf("%d of %d texts have the same; the distance of a text to itself is %.0f bits of 64 in the mean", same, len(bags), float64(sum)/float64(len(bags))), Verdict: verdict(same == len(bags))}
}

// weakBits asks how often the bits in which a copy differs are among the weakest.
func weakBits(l *lab) finding {
	docs := l.unrelated("English")
	all := []int{4, 8, 12, 16, 24, 29, 40, 64}
	found := make([]int, len(all))
	pairs := 0
	r := plant.NewRand(1)
	for i, d := range docs[:min(len(docs), 4000)] {
		edit := plant.Edit{Kind: plant.Mixed, Rate: []float64{.01, .02, .05, .1}[i%4]}
		c, _ := plant.Apply(r, edit, d, nil, "")
		a, b := bagOf(d), bagOf(c)
		differ := a.code(xx, 0) ^ b.code(xx, 0)
		if n := bits.OnesCount64(differ); n == 0 || n > 3 {
			continue
		}
		pairs++
		sums := a.sums(xx)
		order := make([]int, 64)
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(math.Abs(sums[x]), math.Abs(sums[y])) })
		last := 0 // how many of the weakest hold all that differ
		for place, j := range order {
			if differ>>j&1 == 1 {
				last = place + 1
			}
		}
		for k, m := range all {
			if last <= m {
				found[k]++
			}
		}
	}
	f := finding{Verdict: fails, Table: [][]string{{"weakest bits", "probes", "share of all", "copies found"}}}
	for k, m := range all {
		probes := m + m*(m-1)/2 + m*(m-1)*(m-2)/6
		share := float64(probes) / 43_744
		f.Table = append(f.Table, []string{fmt.Sprint(m), fmt.Sprint(probes), fmt.Sprintf("%.3f", share), three(ratio(found[k], pairs))})
		if m == 29 { // the most bits whose probes are at most a tenth
			f.Figure = fmt.Sprintf("of %d copies of news items 1 to 3 bits away %.1f %% differ only in the 29 weakest bits, %.1f %% of the probes", pairs, 100*ratio(found[k], pairs), 100*share)
			if ratio(found[k], pairs) >= .95 {
				f.Verdict = holds
			}
		}
	}
	return f
}
