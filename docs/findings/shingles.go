package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

func shingleClaims() group {
	return group{"Shingles, MinHash and Bloom filters", "Exact resemblance, and what estimates it.", []claim{
		{id: "wide-shingles", text: "Shingles should be eight to ten words wide.",
			source:  "10 in Broder, Glassman, Manasse, Zweig, Syntactic clustering of the Web, WWW 1997; 8 in Henzinger, SIGIR 2006",
			rule:    "holds on a set if AP over 8 words is not behind that of any other width beyond chance",
			via:     "alike eval --method shingle --sweep width=1,2,3,4,5,8,10",
			measure: func(l *lab) finding { return widths(l, "8") }},
		{id: "four-words", text: "Four words are a typical width.",
			source:  "Manning, Raghavan, Schütze, Introduction to Information Retrieval, 2008, section 19.6, of web pages",
			rule:    "holds on a set if AP over 4 words is not behind that of any other width beyond chance",
			via:     "alike eval --method shingle --sweep width=1,2,3,4,5,8,10",
			measure: func(l *lab) finding { return widths(l, "4") }},
		{id: "threshold-80", text: "Near-duplicates have a resemblance of .8 and more over shingles of five words.",
			source:  "Lee et al., Deduplicating training data makes language models better, ACL 2022; .9 as an example in Manning, Raghavan, Schütze 2008",
			rule:    "holds on a set if at least half of its pairs that are alike reach .8",
			measure: threshold8},
		{id: "ocr-characters", text: "For text from optical character recognition shingles must be of characters, not of words.",
			source:  "Silcock et al., Noise-robust de-duplication at scale, ICLR 2023: the mean resemblance of true pairs is .30 over three words",
			rule:    "holds for a language if with a tenth of the units misread, at 500 characters, recall over 4 characters is above that over 3 words beyond both intervals, and the mean resemblance over 3 words is below .5",
			via:     "alike stress --method shingle:width=3 --method shingle:tokens=rune,width=4 --kinds ocr",
			measure: ocr},
		{id: "ocr-80", text: "On misread text a threshold of .8 over three words finds next to nothing.",
			source:  "follows from the mean resemblance in Silcock et al., ICLR 2023",
			rule:    "holds for a language if with a fifth of the units misread nine copies in ten score below .8",
			measure: ocr8},
		{id: "minhash-error", text: "A MinHash signature of k values estimates resemblance with a standard error of √(J(1−J)/k).",
			source:  "Broder, On the resemblance and containment of documents, SEQUENCES 1997",
			rule:    "holds if the measured error over 400 seeds is within 12 % of the formula, or below it, in each case",
			measure: minhashError},
		{id: "minhash-short", text: "On short texts a signature by one permutation estimates as well as one by k permutations.",
			source:  "Shrivastava, Optimal densification for fast and accurate minwise hashing, ICML 2017, has the variance of values that were borrowed",
			rule:    "holds for a size if the error over 40,000 random pairs of sets is at most 3 % above that of k permutations at each resemblance",
			measure: minhashShort},
		{id: "one-bit", text: "Keeping one bit of each MinHash value takes 21.3 times less space than 64 bits for the same variance, at a resemblance of .5.",
			source:  "Li and König, b-bit minwise hashing, WWW 2010",
			rule:    "holds if the measured ratio is within 15 % of 21.3",
			measure: oneBit},
		{id: "supershingle-rate", text: "Two of six supershingles agree with probability .026, .42 and .88 at a resemblance of .8, .9 and .95.",
			source:  "follows from the construction in Broder, SEQUENCES 1997 (84 least hashes in six groups)",
			rule:    "holds if each measured share of 4,000 random pairs of sets is within .03",
			measure: superRate},
		{id: "bands-and-rows", text: "b = 20 and r = 450 are settings of MinHash LSH for a threshold of .8.",
			source:  "so written in Lee et al., ACL 2022, where b counts rows and r bands",
			rule:    "holds as *bands × rows* if that reading finds a pair of resemblance .8 with probability .9 and one of .5 with at most .01",
			measure: bands},
		{id: "exact-or-lsh", text: "Finding all pairs exactly is slower than by MinHash LSH.",
			source:  "a common belief; the measurements published with the library SetSimilaritySearch (Zhu) say the opposite",
			rule:    "holds if the exact join of shingles takes longer than LSH does, sketching included in both, in each of three rounds, at resemblances from .5 and from .8; documents are made, with planted copies",
			measure: exactOrLSH},
		{id: "bloom-two-bits", text: "A Bloom filter needs about two bits for each shingle of the largest text.",
			source:  "a note on short texts",
			rule:    "holds if the plain ratio of shared bits of unrelated sets is below .05 in the mean",
			measure: bloomTwoBits},
		{id: "bloom-correction", text: "With the logarithm's correction two bits a shingle are enough.",
			source:  "Swamidass and Baldi, J. Chem. Inf. Model. 2007, for the correction",
			rule:    "holds if the corrected estimate errs by less than .05 (root mean square) at resemblances of 0, .2, .5 and .8",
			measure: bloomCorrected},
	}}
}

var shingleWidths = []string{"1", "2", "3", "4", "5", "8", "10"}

func widths(l *lab, width string) finding {
	var specs []string
	for _, w := range shingleWidths {
		specs = append(specs, "shingle:width="+w)
	}
	records := l.run(near, specs...)
	head := []string{"set"}
	for _, w := range shingleWidths {
		head = append(head, "AP over "+w)
	}
	f := finding{Table: [][]string{head}}
	var ok []string
	for _, name := range near {
		row := []string{name}
		best := true
		mine := records[[2]string{name, "shingle:width=" + width}]
		for _, s := range specs {
			r := records[[2]string{name, s}]
			row = append(row, three(float64(r.AP)))
			if s == "shingle:width="+width {
				continue
			}
			c := beyond(mine, r, "ap")
			best = best && c <= 0
		}
		if best {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, row)
	}
	f.Verdict = where(ok, len(near))
	f.Figure = fmt.Sprintf("%s words are not behind another width on %s sets", width, count(len(ok), len(near)))
	if width != "8" {
		f.Figure += " (table of `wide-shingles`)"
		f.Table = nil
	}
	return f
}

func threshold8(l *lab) finding {
	f := finding{Table: [][]string{{"set", "alike", "reach .8", "mean resemblance"}}}
	var ok []string
	for _, name := range near {
		c := l.sketch(name, "shingle:width=5")
		n, reach, sum := 0, 0, 0.0
		l.scored(name, func(a, b int, alike bool) {
			if alike {
				s := c.Score(a, b)
				n++
				sum += s
				if s >= .8 {
					reach++
				}
			}
		})
		if 2*reach >= n {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, fmt.Sprint(n), three(ratio(reach, n)), three(sum / float64(n))})
	}
	f.Verdict = where(ok, len(near))
	f.Figure = fmt.Sprintf("half of the pairs that are alike reach .8 on %s sets", count(len(ok), len(near)))
	return f
}

func ocr(l *lab) finding {
	records := l.misread()
	f := finding{Table: [][]string{{"text", "misread", "recall over 3 words", "mean resemblance", "recall over 4 characters", "mean resemblance"}}}
	var ok []string
	for _, language := range languages {
		for _, rate := range []float64{0.05, 0.1, 0.2, 0.4} {
			at := func(spec string) stress.Record {
				i := slices.IndexFunc(records, func(r stress.Record) bool { return r.Data == language && r.Method == spec && r.Rate == rate })
				return records[i]
			}
			w, c := at(overWords), at(overCharacters)
			if rate == 0.1 && c.RecallLow > w.RecallHigh && w.Score < .5 {
				ok = append(ok, language)
			}
			cell := func(r stress.Record) string {
				return fmt.Sprintf("%.2f (%.2f–%.2f)", float64(r.Recall), float64(r.RecallLow), float64(r.RecallHigh))
			}
			f.Table = append(f.Table, []string{language, fmt.Sprint(rate), cell(w), three(float64(w.Score)), cell(c), three(float64(c.Score))})
		}
	}
	f.Verdict = where(ok, len(languages))
	f.Figure = fmt.Sprintf("so in %s languages: resemblance over words falls as the source says, but that of strangers is lower still, and a threshold that goes by these finds the copies", count(len(ok), len(languages)))
	return f
}

func ocr8(l *lab) finding {
	records := l.misread()
	f := finding{Table: [][]string{{"text", "misread", "mean resemblance", "nine in ten are below"}}}
	var ok []string
	for _, r := range records {
		if r.Method != overWords {
			continue
		}
		if r.Rate == 0.2 && r.ScoreP90 < .8 {
			ok = append(ok, r.Data)
		}
		f.Table = append(f.Table, []string{r.Data, fmt.Sprint(r.Rate), three(float64(r.Score)), three(float64(r.ScoreP90))})
	}
	f.Verdict, f.Figure = where(ok, len(languages)), fmt.Sprintf("in %s languages", count(len(ok), len(languages)))
	return f
}

// misread stresses shingles of words and of characters by misreading.
func (l *lab) misread() []stress.Record {
	return l.edits([]int{500}, []plant.Kind{plant.OCR}, []float64{0.05, 0.1, 0.2, 0.4}, overWords, overCharacters)
}

const overWords, overCharacters = "shingle:width=3", "shingle:tokens=rune,width=4"

// twoSets returns features of two random sets of n members each with a resemblance of about j.
func twoSets(r *plant.Rand, n int, j float64) (a, b []feature.Feature, exact float64) {
	common := int(math.Round(2 * float64(n) * j / (1 + j)))
	for range common {
		f := feature.Feature{Hash: r.Uint64(), Weight: 1}
		a, b = append(a, f), append(b, f)
	}
	for range n - common {
		a, b = append(a, feature.Feature{Hash: r.Uint64(), Weight: 1}), append(b, feature.Feature{Hash: r.Uint64(), Weight: 1})
	}
	return a, b, float64(common) / float64(2*n-common)
}

// estimate returns bias and root mean square error of a method's score over random sets.
func estimate(spec string, n, rounds int, j float64) (bias, rmse float64) {
	m := kit.Must(catalog.Parse(spec))
	r := plant.NewRand(1)
	for range rounds {
		a, b, exact := twoSets(r, n, j)
		c := m.NewCollection()
		c.AddFeatures(a)
		c.AddFeatures(b)
		e := c.Score(0, 1) - exact
		bias += e / float64(rounds)
		rmse += e * e / float64(rounds)
	}
	return bias, math.Sqrt(rmse)
}

func minhashError(*lab) finding {
	f := finding{Table: [][]string{{"k", "resemblance", "k permutations", "one permutation", "formula"}}}
	worst := 0.0
	for _, k := range []int{64, 128, 256} {
		for _, j := range []float64{.5, .8} {
			_, kperm := estimate(fmt.Sprintf("minhash:scheme=kperm,size=%d", k), 1000, 400, j)
			_, oph := estimate(fmt.Sprintf("minhash:size=%d", k), 1000, 400, j)
			formula := shingle.StdErr(j, k, 32)
			worst = max(worst, kperm/formula, oph/formula)
			f.Table = append(f.Table, []string{fmt.Sprint(k), fmt.Sprint(j), fmt.Sprintf("%.4f", kperm), fmt.Sprintf("%.4f", oph), fmt.Sprintf("%.4f", formula)})
		}
	}
	f.Verdict = verdict(worst <= 1.12)
	f.Figure = fmt.Sprintf("at most %.2f times the formula; sets of 1000 members", worst)
	return f
}

func minhashShort(*lab) finding {
	const k, rounds = 128, 40000
	f := finding{Table: [][]string{{"members", "resemblance", "k permutations", "one permutation", "formula"}}}
	sizes := []int{10, 20, 50, 100, 200}
	var ok []string
	worst := 0.0
	for _, n := range sizes {
		good := true
		for _, j := range []float64{.25, .5, .8} {
			_, kperm := estimate("minhash:scheme=kperm", n, rounds, j)
			_, oph := estimate("minhash", n, rounds, j)
			_, _, exact := twoSets(plant.NewRand(1), n, j)
			good = good && oph <= 1.03*kperm
			worst = max(worst, oph/kperm)
			f.Table = append(f.Table, []string{fmt.Sprint(n), fmt.Sprintf("%.3f", exact), fmt.Sprintf("%.5f", kperm), fmt.Sprintf("%.5f", oph), fmt.Sprintf("%.5f", shingle.StdErr(exact, k, 32))})
		}
		if good {
			ok = append(ok, fmt.Sprintf("%d members", n))
		}
	}
	f.Verdict = where(ok, len(sizes))
	f.Figure = fmt.Sprintf("at most %.2f times the error of %d permutations", worst, k)
	return f
}

func oneBit(*lab) finding {
	const k, rounds = 256, 3000
	_, one := estimate(fmt.Sprintf("minhash:size=%d,bits=1", k), 2000, rounds, .5)
	_, all := estimate(fmt.Sprintf("minhash:size=%d", k), 2000, rounds, .5)
	saved := 64 * all * all / (one * one)
	return finding{Figure: fmt.Sprintf("%.1f times; variance %.5f with one bit, %.5f with all, %d values, %d random pairs of sets", saved, one*one, all*all, k, rounds), Verdict: verdict(math.Abs(saved/21.3-1) < .15)}
}

func superRate(*lab) finding {
	f := finding{Table: [][]string{{"resemblance", "two of six agree", "formula"}}}
	r := plant.NewRand(1)
	worst := 0.0
	for _, j := range []float64{.8, .9, .95} {
		const pairs = 4000
		hits, mean := 0, 0.0
		for range pairs {
			a, b, exact := twoSets(r, 200, j)
			mean += exact / pairs
			hashes := func(fs []feature.Feature) (out []uint64) {
				for _, x := range fs {
					out = append(out, x.Hash)
				}
				return out
			}
			if supershinglesOf(hashes(a)).near(supershinglesOf(hashes(b))) {
				hits++
			}
		}
		q := math.Pow(mean, perGroup)
		formula := 1 - math.Pow(1-q, 6) - 6*q*math.Pow(1-q, 5)
		got := float64(hits) / pairs
		worst = max(worst, math.Abs(got-formula))
		f.Table = append(f.Table, []string{three(mean), three(got), three(formula)})
	}
	f.Verdict = verdict(worst <= .03)
	f.Figure = fmt.Sprintf("off by at most %.3f", worst)
	return f
}

func bands(*lab) finding {
	f := finding{Verdict: fails, Table: [][]string{{"reading", "threshold (1/b)^(1/r)", "finds .5", "finds .8", "finds .9"}}}
	for _, b := range []shingle.Banding{{Bands: 20, Rows: 450}, {Bands: 450, Rows: 20}} {
		name := fmt.Sprintf("%d bands of %d rows", b.Bands, b.Rows)
		f.Table = append(f.Table, []string{name, three(b.Threshold()), fmt.Sprintf("%.4f", b.Candidate(.5)), fmt.Sprintf("%.4f", b.Candidate(.8)), fmt.Sprintf("%.4f", b.Candidate(.9))})
		if b.Candidate(.8) >= .9 && b.Candidate(.5) <= .01 {
			f.Verdict = "holds as " + name
		}
	}
	f.Figure = "arithmetic: one reading finds next to nothing"
	return f
}

func exactOrLSH(*lab) finding {
	text, copies := plant.Yardstick(1)
	maker := kit.Must(plant.NewMaker(text))
	planter := kit.Must(plant.New(copies))
	var texts []string
	for d, err := range planter.Plant(maker.Docs(0, 12_000)) {
		kit.Check(err)
		texts = append(texts, d.Text)
	}
	specs := []string{"shingle:width=3", "minhash:width=3"}
	f := finding{Table: [][]string{{"resemblance", "exact, s", "pairs", "LSH, s", "pairs by its own scores"}}}
	var slower []string
	thresholds := []float64{.5, .8}
	for _, t := range thresholds {
		seconds, found := map[string][]float64{}, map[string]int64{}
		for range 3 {
			for _, s := range specs {
				start := time.Now()
				c := sketch(s, texts)
				st := kit.Must(c.Join(context.Background(), nil, similarity.JoinOptions{Threshold: t, Workers: 1}, func(similarity.Pair) error { return nil }))
				seconds[s] = append(seconds[s], time.Since(start).Seconds())
				found[s] = st.Pairs
			}
		}
		longer := 0
		exact, lsh := seconds[specs[0]], seconds[specs[1]]
		for i := range exact {
			if exact[i] > lsh[i] {
				longer++
			}
		}
		if longer == len(exact) {
			slower = append(slower, fmt.Sprintf("a resemblance of %g", t))
		}
		f.Table = append(f.Table, []string{fmt.Sprint(t), fmt.Sprintf("%.2f", kit.Median(exact)), fmt.Sprint(found[specs[0]]), fmt.Sprintf("%.2f", kit.Median(lsh)), fmt.Sprint(found[specs[1]])})
	}
	f.Verdict = where(slower, len(thresholds))
	f.Figure = fmt.Sprintf("%d made documents of 400 words, one core, medians of 3 rounds from text to pairs", len(texts))
	return f
}

func bloomTwoBits(*lab) finding {
	f := finding{Verdict: fails, Table: [][]string{{"bits a shingle", "plain ratio of unrelated sets", "corrected estimate"}}}
	for _, bits := range []int{512, 1024, 2048, 4096} {
		raw, _ := estimate(fmt.Sprintf("bloom:bits=%d,score=raw", bits), 256, 400, 0)
		corrected, _ := estimate(fmt.Sprintf("bloom:bits=%d", bits), 256, 400, 0)
		if bits == 512 {
			f.Figure = fmt.Sprintf("unrelated sets of 256 shingles share %.3f of their bits at two bits a shingle", raw)
			if raw < .05 {
				f.Verdict = holds
			}
		}
		f.Table = append(f.Table, []string{fmt.Sprint(bits / 256), three(raw), three(corrected)})
	}
	return f
}

func bloomCorrected(*lab) finding {
	f := finding{Table: [][]string{{"resemblance", "error at 2 bits", "at 4", "at 8", "at 16"}}}
	worst := 0.0
	for _, j := range []float64{0, .2, .5, .8} {
		row := []string{fmt.Sprint(j)}
		for i, bits := range []int{512, 1024, 2048, 4096} {
			_, rmse := estimate(fmt.Sprintf("bloom:bits=%d", bits), 256, 400, j)
			if i == 0 {
				worst = max(worst, rmse)
			}
			row = append(row, three(rmse))
		}
		f.Table = append(f.Table, row)
	}
	f.Verdict = verdict(worst < .05)
	f.Figure = fmt.Sprintf("sets of 256 shingles: it errs by up to %.3f at two bits", worst)
	return f
}
