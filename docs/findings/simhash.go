package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func simhashClaims() group {
	return group{"SimHash", "Fingerprints of 64 bits over single words (bigrams in Chinese), weighted by frequency, unless a claim says otherwise.", []claim{
		{id: "angle", text: "The expected share of bits in which two fingerprints agree is the cosine of the texts.",
			source:  "notes on SimHash; the theorem in Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002, says that θ/π of them differ",
			rule:    "holds if 1−cosine has a smaller root mean square error over the bins of cosine than θ/π",
			measure: angle},
		{id: "k3-optimal", text: "Of 64 bits, 3 is the distance to search by.",
			source:  "set for eight billion web pages in Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007; repeated since as a rule for every text",
			rule:    "holds on a set if no other distance has an F1 more than .03 above, and that of 3 is at least .5",
			measure: k3Optimal},
		{id: "k3-75", text: "At distance 3 precision and recall are both near .75.",
			source:  "Manku, Jain, Das Sarma, WWW 2007, of web pages",
			rule:    "holds on a set if both lie in .65 to .85",
			measure: k3Both},
		{id: "k3-cosine", text: "Distance 3 means a cosine of about .99; of pairs with cosine .95 it finds one in ten.",
			source:  "the binomial model of Charikar's theorem",
			rule:    "holds if the measured share within 3 bits is within .05 of the model in each bin of cosine",
			measure: k3Cosine},
		{id: "500-characters", text: "SimHash needs texts of 500 characters or more.",
			source:  "a rule of blogs and manuals",
			rule:    "holds for a language and features if recall is below .9 at every length under 500 and at least .9 from 500 on: copies with a tenth of the words edited, one false pair in ten thousand",
			via:     "alike stress --method simhash --kinds mixed --rates 0.1",
			measure: needs500},
		{id: "longer-is-better", text: "The longer the text, the better SimHash finds its copies.",
			source:  "the same rule, read as a trend",
			rule:    "holds for a language and features if recall does not fall by more than .05 from any length to the next",
			via:     "alike stress --method simhash --kinds mixed --rates 0.1",
			measure: longer},
		{id: "order", text: "Over single words the fingerprint does not see order: a text with a block moved is the same text.",
			source:  "follows from the definition",
			rule:    "holds if of copies whose first two fifths were put behind the rest at least 99 % have the same fingerprint over single words, and fewer than half over three",
			via:     "alike stress --method simhash --method simhash:width=3 --kinds move",
			measure: order},
		{id: "one-word", text: "Where one weight exceeds all others together, the fingerprint is that word's hash and nothing else.",
			source:  "follows from the definition",
			rule:    "holds if it is so for each of 10,000 random lists",
			measure: oneWord},
		{id: "ties", text: "A sum of zero may simply become the bit 0.",
			source:  "common code",
			rule:    "holds if fingerprints of two equally heavy words have between .45 and .55 of their bits set",
			measure: ties},
		{id: "above-one", text: "A bit is 1 where the sum is above 1.",
			source:  "a tutorial whose code says above 0",
			rule:    "holds if the cosine of short texts is estimated as well as with above 0: root mean square error within 2 %",
			measure: aboveOne},
		{id: "times33", text: "The hash of words may be times33 or murmurhash, it does not matter.",
			source:  "an engineering note",
			rule:    "holds if with each hash the cosine of unrelated texts is estimated with a root mean square error at most 10 % above that of xxh3",
			measure: hashes},
		{id: "weak-bits", text: "The bits that differ are those whose sums are near zero: flipping these first finds nearly all with far fewer probes.",
			source:  "Sood and Loguinov, Probabilistic near-duplicate detection using simhash, CIKM 2011: 95 % of the recall at 4 to 14 times the speed",
			rule:    "holds if of copies 1 to 3 bits away at least 95 % differ only in bits that a tenth of all 43,744 probes reaches, the weakest first",
			measure: weakBits},
		{id: "32-bits", text: "32 bits do.",
			source:  "a tutorial that computes 32 and argues about 64",
			rule:    "holds on a set if average precision is not worse than that of 64 bits beyond chance",
			measure: bits32},
		{id: "runtime-hash", text: "The string hash of the runtime will do for fingerprints.",
			source:  "a tutorial that uses GetHashCode of .NET, which is seeded anew in each process",
			rule:    "holds if a text has the same fingerprint under two seeds of Go's own hash, which stand for two processes",
			measure: runtimeHash},
	}}
}

// angle compares mean distances by cosine with both laws.
func angle(l *lab) finding {
	const bins = 20
	var n [bins]int
	var cos, dist [bins]float64
	for _, name := range []string{"reuters-reissues", "zh-laws", "zh-poems"} {
		c := l.sketch(name, "cosine:scheme=tf")
		h := l.distances(name, "simhash")
		l.scored(name, func(a, b int, _ bool) {
			s := c.Score(a, b)
			k := min(int(s*bins), bins-1)
			n[k]++
			cos[k] += s
			dist[k] += float64(h(a, b)) / 64
		})
	}
	table := [][]string{{"cosine", "pairs", "bits that differ", "θ/π", "1−cosine"}}
	var byAngle, byCosine, used float64
	for k := range bins {
		if n[k] < 100 {
			continue
		}
		s, d := cos[k]/float64(n[k]), dist[k]/float64(n[k])
		theta := math.Acos(s) / math.Pi
		byAngle += (d - theta) * (d - theta)
		byCosine += (d - (1 - s)) * (d - (1 - s))
		used++
		table = append(table, []string{fmt.Sprintf("%.3f", s), fmt.Sprint(n[k]), fmt.Sprintf("%.3f", d), fmt.Sprintf("%.3f", theta), fmt.Sprintf("%.3f", 1-s)})
	}
	byAngle, byCosine = math.Sqrt(byAngle/used), math.Sqrt(byCosine/used)
	return finding{Table: table, Verdict: verdict(byCosine < byAngle),
		Figure: fmt.Sprintf("root mean square error over %.0f bins of cosine: %.3f for θ/π, %.3f for 1−cosine", used, byAngle, byCosine)}
}

// distances returns the distance of fingerprints of two documents of a set.
func (l *lab) distances(name, spec string) func(a, b int) int {
	m := kit.Must(catalog.Parse(spec))
	set := l.set(name)
	h, _ := similarity.As[*simhash.Method](m)
	all := make([]simhash.Fingerprint, len(set.Docs))
	for i, d := range set.Docs {
		all[i] = h.Sketch(d.Text)
	}
	return func(a, b int) int { return simhash.Distance(all[a], all[b]) }
}

// byDistance counts pairs of a set by distance: all, and those alike.
func (l *lab) byDistance(name string) (all, alike [65]int) {
	h := l.distances(name, "simhash")
	l.scored(name, func(a, b int, same bool) {
		d := h(a, b)
		all[d]++
		if same {
			alike[d]++
		}
	})
	return all, alike
}

// atDistance returns precision, recall and F1 of pairs within k bits.
func atDistance(all, alike [65]int, k int) (p, r, f1 float64) {
	var tp, found, total int
	for d := range all {
		total += alike[d]
		if d <= k {
			tp, found = tp+alike[d], found+all[d]
		}
	}
	if tp == 0 {
		return 0, 0, 0
	}
	p, r = float64(tp)/float64(found), float64(tp)/float64(total)
	return p, r, 2 * p * r / (p + r)
}

func k3Optimal(l *lab) finding {
	table := [][]string{{"set", "precision at 3", "recall at 3", "F1 at 3", "best distance", "its F1"}}
	var ok []string
	var best []int
	for _, name := range near {
		all, alike := l.byDistance(name)
		p, r, f3 := atDistance(all, alike, 3)
		top, at := f3, 3
		for k := range 33 {
			if _, _, f := atDistance(all, alike, k); f > top {
				top, at = f, k
			}
		}
		if top-f3 <= .03 && f3 >= .5 {
			ok = append(ok, name)
		}
		best = append(best, at)
		table = append(table, []string{name, three(p), three(r), three(f3), fmt.Sprint(at), three(top)})
	}
	slices.Sort(best)
	return finding{Table: table, Verdict: where(ok, len(near)),
		Figure: fmt.Sprintf("best distance from %d to %d, median %d, over %d sets; 3 is within .03 of the best F1, and of use, on %d", best[0], best[len(best)-1], best[len(best)/2], len(near), len(ok))}
}

func k3Both(l *lab) finding {
	var ok []string
	var ps, rs []float64
	for _, name := range near {
		all, alike := l.byDistance(name)
		p, r, _ := atDistance(all, alike, 3)
		ps, rs = append(ps, p), append(rs, r)
		if p >= .65 && p <= .85 && r >= .65 && r <= .85 {
			ok = append(ok, name)
		}
	}
	return finding{Verdict: where(ok, len(near)),
		Figure: fmt.Sprintf("precision has the median %.3f, recall %.3f over %d sets (table of `k3-optimal`)", kit.Median(ps), kit.Median(rs), len(near))}
}

func k3Cosine(l *lab) finding {
	edges := []float64{.80, .90, .94, .96, .98, .995}
	type bin struct{ n, in, cos float64 }
	bins := make([]bin, len(edges)-1)
	for _, language := range languages {
		docs := l.unrelated(language)
		texts := docs[:min(len(docs), 800)]
		for _, rate := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.3} {
			r := plant.NewRand(1)
			var both []string
			for _, t := range texts {
				c, _ := plant.Apply(r, plant.Edit{Kind: plant.Mixed, Rate: rate}, t, nil, "")
				both = append(both, t, c)
			}
			exact := sketch("cosine:scheme=tf", both)
			m := kit.Must(catalog.Parse("simhash"))
			h, _ := similarity.As[*simhash.Method](m)
			for i := 0; i < len(both); i += 2 {
				s := exact.Score(i, i+1)
				k, _ := slices.BinarySearch(edges, s)
				if k == 0 || k == len(edges) {
					continue
				}
				b := &bins[k-1]
				b.n++
				b.cos += s
				if simhash.Distance(h.Sketch(both[i]), h.Sketch(both[i+1])) <= 3 {
					b.in++
				}
			}
		}
	}
	f := finding{Table: [][]string{{"cosine", "pairs", "within 3 bits", "by the model"}}}
	worst := 0.0
	for i, b := range bins {
		model := simhash.ProbWithin(b.cos/b.n, 3, 64)
		got := b.in / b.n
		worst = max(worst, math.Abs(got-model))
		f.Table = append(f.Table, []string{fmt.Sprintf("%g to %g, mean %.3f", edges[i], edges[i+1], b.cos/b.n), fmt.Sprint(b.n), three(got), three(model)})
	}
	f.Verdict = verdict(worst <= .05)
	f.Figure = fmt.Sprintf("copies of news and statutes under edits of 1 to 30 %%: the share within 3 bits differs from the model by at most %.3f", worst)
	return f
}

// lengths and features that the claims on length look at.
var (
	lengths  = []int{50, 100, 200, 300, 500, 1000, 2000}
	variants = []string{"simhash", "simhash:weights=idf", "simhash:width=2", "simhash:width=3", "simhash:tokens=rune,width=3"}
)

func byLength(l *lab, judge func(recall []float64) bool) finding {
	records := l.edits(lengths, []plant.Kind{plant.Mixed}, []float64{0.1}, variants...)
	head := []string{"text", "features"}
	for _, n := range lengths {
		head = append(head, fmt.Sprint(n))
	}
	f := finding{Table: [][]string{head}}
	var ok []string
	cases := 0
	short, long := [2]float64{1, 0}, [2]float64{1, 0} // least and greatest recall at either end
	for _, language := range languages {
		for _, m := range variants {
			row := []string{language, "`" + m + "`"}
			var recall []float64
			for _, n := range lengths {
				i := slices.IndexFunc(records, func(r stress.Record) bool { return r.Data == language && r.Method == m && r.Length == n })
				recall = append(recall, float64(records[i].Recall))
				row = append(row, fmt.Sprintf("%.2f (%.2f–%.2f)", float64(records[i].Recall), float64(records[i].RecallLow), float64(records[i].RecallHigh)))
			}
			f.Table = append(f.Table, row)
			cases++
			first, last := recall[0], recall[len(recall)-1]
			short, long = [2]float64{min(short[0], first), max(short[1], first)}, [2]float64{min(long[0], last), max(long[1], last)}
			if judge(recall) {
				ok = append(ok, language+" `"+m+"`")
			}
		}
	}
	f.Verdict = where(ok, cases)
	f.Figure = fmt.Sprintf("so for %d of %d choices of language and features; recall is %.2f to %.2f at %d characters and %.2f to %.2f at %d", len(ok), cases,
		short[0], short[1], lengths[0], long[0], long[1], lengths[len(lengths)-1])
	return f
}

func needs500(l *lab) finding {
	return byLength(l, func(recall []float64) bool {
		for i, n := range lengths {
			if (n >= 500) != (recall[i] >= .9) {
				return false
			}
		}
		return true
	})
}

func longer(l *lab) finding {
	f := byLength(l, func(recall []float64) bool {
		for i := 1; i < len(recall); i++ {
			if recall[i] < recall[i-1]-.05 {
				return false
			}
		}
		return true
	})
	f.Figure += " (table of `500-characters`)"
	f.Table = nil
	return f
}

func order(l *lab) finding {
	const words, wide = "simhash:tokens=word", "simhash:tokens=word,width=3"
	docs := l.unrelated("English")
	docs = slices.Clone(docs[:min(len(docs), 1000)])
	moved := make([]string, len(docs))
	for i, d := range docs {
		words := strings.Fields(d)
		k := len(words) * 2 / 5
		docs[i], moved[i] = strings.Join(words, " "), strings.Join(slices.Concat(words[k:], words[:k]), " ")
	}
	share := map[string]float64{}
	for _, spec := range []string{words, wide} {
		m := kit.Must(catalog.Parse(spec))
		h, _ := similarity.As[*simhash.Method](m)
		for i := range docs {
			if h.Sketch(docs[i]) == h.Sketch(moved[i]) {
				share[spec] += 1 / float64(len(docs))
			}
		}
	}
	f := finding{Verdict: partly, Figure: fmt.Sprintf("of %d news items whose first two fifths were put last %.1f %% have the same fingerprint over single words and %.1f %% over three", len(docs), 100*share[words], 100*share[wide])}
	switch {
	case share[words] >= .99 && share[wide] < .5:
		f.Verdict = holds
	case share[words] < .99:
		f.Verdict = fails
	}
	return f
}

// bits32 compares widths of fingerprints.
func bits32(l *lab) finding {
	records := l.run(near, "simhash:bits=32", "simhash", "simhash:bits=128")
	f := finding{Table: [][]string{{"set", "AP of 32 bits", "64", "128"}}}
	var ok []string
	for _, name := range near {
		at := func(spec string) eval.Record { return records[[2]string{name, spec}] }
		f.Table = append(f.Table, []string{name, three(float64(at("simhash:bits=32").AP)), three(float64(at("simhash").AP)), three(float64(at("simhash:bits=128").AP))})
		c := beyond(at("simhash:bits=32"), at("simhash"), "ap")
		if c <= 0 {
			ok = append(ok, name)
		}
	}
	f.Verdict = where(ok, len(near))
	f.Figure = fmt.Sprintf("64 bits rank pairs better beyond chance on %s sets", count(len(near)-len(ok), len(near)))
	return f
}
