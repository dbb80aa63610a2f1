package main

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func weightClaims() group {
	return group{"Weights, and examples that are handed on", "What a word counts, and worked examples done again.", []claim{
		{id: "idf-helps", text: "Weighing words by their rarity makes SimHash better.",
			source:  "common practice; Manku, Jain, Das Sarma, WWW 2007 weigh features so",
			rule:    "holds on a set if AP with idf, fitted on the dev half, is greater beyond chance",
			via:     "alike eval --method simhash --method simhash:weights=idf",
			measure: idfHelps},
		{id: "idf-is-a-share", text: "IDF is the share of the articles that have the word.",
			source:  "an engineering note",
			rule:    "holds if fingerprints weighted by that share have an AP at least as great as those weighted by ln(N/df) on most sets",
			measure: idfShare},
		{id: "idf-of-two", text: "TF-IDF with ln(N/df) compares two documents.",
			source:  "a tutorial whose corpus is the two texts",
			rule:    "holds if two equal texts score 1 when the corpus is these two",
			measure: idfOfTwo},
		{id: "tf-over-max", text: "Dividing counts by the greatest count of the text evens out length.",
			source:  "the same tutorial",
			rule:    "holds if any cosine of 1,000 pairs of texts changes by more than 1e-12",
			measure: tfOverMax},
		{id: "unknown-word", text: "A word that jieba's dictionary does not have weighs the median of all weights.",
			source:  "jieba's TF-IDF; cppjieba takes the mean instead",
			rule:    "holds if the weight that the table gives an unknown word is the one with half of its words at or below",
			measure: unknownWord},
		{id: "top-20", text: "Twenty keywords are enough for the fingerprint of a Chinese text.",
			source:  "settings of cppjieba and of simhash libraries built on it",
			rule:    "holds on a set if AP with the twenty heaviest words is not behind that with all beyond chance",
			via:     "alike eval --method simhash:tokens=jieba,weights=jieba --method simhash:tokens=jieba,weights=jieba,top=20",
			measure: top20},
		{id: "cutting-words", text: "Cutting Chinese text to words costs far more than making the fingerprint of them.",
			source:  "cppjieba's figures for SimHash: 13.5 µs against about 1 µs for a text of 50 characters",
			rule:    "holds if cutting and weighing take at least five times as long as the sums of the fingerprint, in each of five rounds",
			measure: cuttingWords},
		{id: "fifteen-bigrams", text: "“the cat sat on the mat” has 15 different bigrams.",
			source:  "a tutorial, whose code makes shingles of four characters",
			rule:    "holds if counting them gives 15",
			measure: fifteenBigrams},
		{id: "short-example", text: "Two short sentences that differ in two characters have fingerprints 3 bits apart.",
			source:  "a tutorial's example, 你妈妈喊你回家吃饭哦,回家罗回家罗 and 你妈妈叫你回家吃饭啦,回家罗回家罗",
			rule:    "holds if most ways of making features put them within 3 bits",
			measure: shortExample},
		{id: "five-sums", text: "100101 with weight 4 and 101011 with weight 5 sum to 9 −9 1 −1 1.",
			source:  "a tutorial's example of two words",
			rule:    "holds if adding them up gives these sums and no more",
			measure: fiveSums},
		{id: "two-of-six", text: "101011 and 101000, two bits apart, are quite similar.",
			source:  "the same tutorial",
			rule:    "holds if the cosine that two bits of six stand for is that of three bits of 64 or more, .989",
			measure: twoOfSix},
		{id: "union-vocabulary", text: "我爱北京天安门 and 我们都爱北京天安门 are the vectors 1 1 1 1 and 1 0 1 2.",
			source:  "a tutorial's example of cosine",
			rule:    "holds if the cosine of these vectors is that of the words, each with a place of its own",
			measure: unionVocabulary},
	}}
}

// ahead counts the sets on which one method is ahead of another in AP beyond chance, and
// those where it is behind.
func ahead(l *lab, sets []string, base, other string) (f finding, better, worse []string) {
	records := l.run(sets, base, other)
	f.Table = [][]string{{"set", "AP of `" + base + "`", "of `" + other + "`"}}
	for _, name := range sets {
		a, b := records[[2]string{name, base}], records[[2]string{name, other}]
		c := beyond(a, b, "ap")
		switch c {
		case 1:
			better = append(better, name)
		case -1:
			worse = append(worse, name)
		}
		f.Table = append(f.Table, []string{name, three(float64(a.AP)), three(float64(b.AP))})
	}
	f.Figure = fmt.Sprintf("better beyond chance on %d, worse on %d of %d sets", len(better), len(worse), len(sets))
	return f, better, worse
}

func idfHelps(l *lab) finding {
	f, better, _ := ahead(l, near, "simhash", "simhash:weights=idf")
	f.Verdict = where(better, len(near))
	return f
}

var chinese = []string{"zh-book-versions", "zh-laws", "zh-poems", "zh-shiji", "quotes-zh"}

func top20(l *lab) finding {
	f, _, worse := ahead(l, chinese, "simhash:tokens=jieba,weights=jieba", "simhash:tokens=jieba,weights=jieba,top=20")
	var ok []string
	for _, name := range chinese {
		if !slices.Contains(worse, name) {
			ok = append(ok, name)
		}
	}
	f.Verdict = where(ok, len(chinese))
	return f
}

// idfShare weighs the same features in two ways, by document frequencies in the set.
func idfShare(l *lab) finding {
	f := finding{Table: [][]string{{"set", "AP by df/N", "by ln(N/df)", "by counts"}}}
	wins := 0
	for _, name := range near {
		set := l.set(name)
		m := kit.Must(catalog.Parse("simhash"))
		df := map[uint64]float64{}
		docs := make([][]feature.Feature, len(set.Docs))
		for i, d := range set.Docs {
			docs[i] = merged(m.Features().Append(nil, d.Text))
			for _, x := range docs[i] {
				df[x.Hash]++
			}
		}
		n := float64(len(docs))
		ap := func(weight func(feature.Feature) float64) float64 {
			prints := make([]simhash.Fingerprint, len(docs))
			for i, d := range docs {
				w := slices.Clone(d)
				for k := range w {
					w[k].Weight = weight(w[k])
				}
				prints[i] = simhash.Sum(64, simhash.TieSalt, w)
			}
			var pairs []eval.Scored
			l.scored(name, func(a, b int, alike bool) {
				pairs = append(pairs, eval.Scored{Score: 1 - float64(simhash.Distance(prints[a], prints[b]))/64, Alike: alike})
			})
			return eval.AveragePrecision(pairs)
		}
		share := ap(func(x feature.Feature) float64 { return x.Weight * df[x.Hash] / n })
		log := ap(func(x feature.Feature) float64 { return x.Weight * math.Log(n/df[x.Hash]) })
		tf := ap(func(x feature.Feature) float64 { return x.Weight })
		if share >= log {
			wins++
		}
		f.Table = append(f.Table, []string{name, three(share), three(log), three(tf)})
	}
	f.Verdict = verdict(2*wins > len(near))
	f.Figure = fmt.Sprintf("the share ranks at least as well as the logarithm on %s sets", count(wins, len(near)))
	return f
}

// merged adds up the weights of features that repeat, in the order of hashes.
func merged(features []feature.Feature) (out []feature.Feature) {
	slices.SortFunc(features, func(a, b feature.Feature) int {
		switch {
		case a.Hash < b.Hash:
			return -1
		case a.Hash > b.Hash:
			return 1
		}
		return 0
	})
	for _, x := range features {
		if n := len(out); n > 0 && out[n-1].Hash == x.Hash {
			out[n-1].Weight += x.Weight
		} else {
			out = append(out, x)
		}
	}
	return out
}

func idfOfTwo(*lab) finding {
	const text = "the cat sat on the mat"
	weights := map[string]float64{}
	for w, n := range bagOf(text) {
		weights[w] = n * math.Log(2.0/2) // both documents have it
	}
	dot := 0.0
	for _, w := range weights {
		dot += w * w
	}
	plain := dot / (math.Sqrt(dot) * math.Sqrt(dot))
	c := sketch("cosine", []string{text, text})
	return finding{Figure: fmt.Sprintf("every weight is 0 and the cosine 0/0 = %v; the default scheme of alike, whose idf has 1 added, gives %.0f", plain, c.Score(0, 1)), Verdict: verdict(plain == 1)}
}

func tfOverMax(l *lab) finding {
	bags := l.pieces(1001, 100)
	most := 0.0
	over := func(b bag) bag {
		top := 0.0
		for _, n := range b {
			top = max(top, n)
		}
		out := bag{}
		for w, n := range b {
			out[w] = n / top
		}
		return out
	}
	for i := 1; i < len(bags); i++ {
		most = max(most, math.Abs(bags[i-1].cosine(bags[i])-over(bags[i-1]).cosine(over(bags[i]))))
	}
	f := finding{Verdict: fails, Figure: "a factor of the whole vector cancels; no cosine changes by more than 1e-12"}
	if most > 1e-12 {
		f.Verdict, f.Figure = holds, fmt.Sprintf("a cosine changes by %.2g", most)
	}
	return f
}

func unknownWord(*lab) finding {
	weight := map[string]float64{}
	for _, table := range []string{"jieba", "jieba-mean"} {
		m := kit.Must(catalog.Parse("simhash:tokens=jieba,weights=" + table))
		features := m.Features().Append(nil, "zzyzxq")
		if len(features) != 1 {
			kit.Check(fmt.Errorf("%d features of one word", len(features)))
		}
		weight[table] = features[0].Weight
	}
	// The published table: median and mean of its 258,826 weights.
	const median, mean = 11.9547675029, 11.739204307
	f := finding{Verdict: fails, Figure: fmt.Sprintf("%.4f as in jieba, %.4f as in cppjieba; the published table has the median %.4f and the mean %.4f", weight["jieba"], weight["jieba-mean"], median, mean)}
	if math.Abs(weight["jieba"]-median) < 1e-6 && math.Abs(weight["jieba-mean"]-mean) < 1e-6 {
		f.Verdict = "holds of jieba: cppjieba takes the mean"
	}
	return f
}

func shortExample(*lab) finding {
	a, b := "你妈妈喊你回家吃饭哦,回家罗回家罗", "你妈妈叫你回家吃饭啦,回家罗回家罗"
	f := finding{Table: [][]string{{"features", "distance of 64 bits"}}}
	specs := []string{"simhash", "simhash:tokens=rune", "simhash:tokens=rune,width=2", "simhash:tokens=rune,width=4", "simhash:tokens=jieba", "simhash:tokens=jieba,weights=jieba"}
	within := 0
	for _, s := range specs {
		m := kit.Must(catalog.Parse(s))
		h, _ := similarity.As[similarity.Similarity[simhash.Fingerprint]](m)
		d := simhash.Distance(h.Sketch(a), h.Sketch(b))
		if d <= 3 {
			within++
		}
		f.Table = append(f.Table, []string{"`" + s + "`", fmt.Sprint(d)})
	}
	f.Verdict = verdict(2*within > len(specs))
	f.Figure = fmt.Sprintf("within 3 bits in %s ways", count(within, len(specs)))
	return f
}

func fiveSums(*lab) finding {
	var sums []int
	for j := range 6 {
		s := 0
		for _, w := range []struct {
			code   string
			weight int
		}{{"100101", 4}, {"101011", 5}} {
			if w.code[j] == '1' {
				s += w.weight
			} else {
				s -= w.weight
			}
		}
		sums = append(sums, s)
	}
	return finding{Figure: fmt.Sprintf("the sums are %v; a fingerprint of 101011 needs the sixth", sums), Verdict: verdict(slices.Equal(sums, []int{9, -9, 1, -1, 1}))}
}

func twoOfSix(*lab) finding {
	cos, k3 := math.Cos(math.Pi*2/6), simhash.EstimateCosine(3, 64)
	return finding{Figure: fmt.Sprintf("two bits of six are an angle of 60°, a cosine of %.2f; three of 64 are one of %.3f", cos, k3), Verdict: verdict(cos >= k3)}
}

func unionVocabulary(*lab) finding {
	a, b := bag{"我": 1, "爱": 1, "北京": 1, "天安门": 1}, bag{"我们": 1, "都爱": 1, "北京": 1, "天安门": 1}
	words := a.cosine(b)
	x, y := []float64{1, 1, 1, 1}, []float64{1, 0, 1, 2}
	var dot, xx, yy float64
	for i := range x {
		dot, xx, yy = dot+x[i]*y[i], xx+x[i]*x[i], yy+y[i]*y[i]
	}
	vectors := dot / math.Sqrt(xx*yy)
	return finding{Figure: fmt.Sprintf("the vectors have the cosine %.4f, the words %.4f", vectors, words), Verdict: verdict(math.Abs(vectors-words) < 1e-9)}
}

func cuttingWords(l *lab) finding {
	docs := l.unrelated("Chinese")
	m := kit.Must(catalog.Parse("simhash:tokens=jieba,weights=jieba"))
	x := m.Features()
	x.Append(nil, docs[0]) // opens the dictionary
	least := math.Inf(1)
	var cuts, sums []float64
	for range 5 {
		var cut, sum time.Duration
		var features []feature.Feature
		for _, d := range docs[:min(len(docs), 100)] {
			start := time.Now()
			features = x.Append(features[:0], d)
			mid := time.Now()
			simhash.Sum(64, simhash.TieSalt, features)
			cut, sum = cut+mid.Sub(start), sum+time.Since(mid)
		}
		least = min(least, cut.Seconds()/sum.Seconds())
		cuts, sums = append(cuts, cut.Seconds()), append(sums, sum.Seconds())
	}
	return finding{Figure: fmt.Sprintf("%.0f times as long, in the least round %.0f; a hundred statutes, medians of 5 rounds", kit.Median(cuts)/kit.Median(sums), least), Verdict: verdict(least >= 5)}
}

func fifteenBigrams(*lab) finding {
	const text = "the cat sat on the mat"
	n := map[int]int{}
	for _, width := range []int{2, 4} {
		seen := map[string]bool{}
		for i := 0; i+width <= len(text); i++ {
			seen[text[i:i+width]] = true
		}
		n[width] = len(seen)
	}
	return finding{Figure: fmt.Sprintf("%d of two characters; %d of four", n[2], n[4]), Verdict: verdict(n[2] == 15)}
}
