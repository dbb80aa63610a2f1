package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/similarity"
)

func passageClaims() group {
	return group{"Sampled windows", "Manber's fingerprints and winnowing.", []claim{
		{id: "winnowing-density", text: "Winnowing keeps 2/(w+1) of all windows.",
			source:  "Schleimer, Wilkerson, Aiken, Winnowing: local algorithms for document fingerprinting, SIGMOD 2003",
			rule:    "holds if the kept share of random text is within 3 % of it at w of 4, 20 and 100",
			measure: density},
		{id: "winnowing-guarantee", text: "Any common passage of w+k−1 bytes shares a fingerprint; one sampled by value (0 mod p) may share none.",
			source:  "Schleimer, Wilkerson, Aiken, SIGMOD 2003",
			rule:    "holds if of 2,000 passages of that length in strange surroundings winnowing misses none and sampling by value at least one",
			measure: guarantee},
		{id: "no-sample", text: "Sampling by value leaves long texts without a fingerprint.",
			source:  "Schleimer, Wilkerson, Aiken, SIGMOD 2003: pages without a hash that is 0 mod p",
			rule:    "holds for a language and a length in characters if more than 1 % of the texts have no fingerprint by default (one window of 16 kept)",
			via:     "alike stress --method manber --lengths 50,100,200,500",
			measure: noSample},
		{id: "low-bits", text: "Fingerprints may be chosen by the low bits of a polynomial hash modulo 2^30.",
			source:  "Manber, Finding similar files in a large file system, USENIX Winter 1994",
			rule:    "holds if the share of windows kept over ten collections of texts varies no more than 1.5 times as much as with a mixed hash",
			measure: lowBits},
		{id: "rolling", text: "The next hash of a window of 50 is p·F + t51 − t1·p^49.",
			source:  "as printed in accounts of Manber 1994, for F = t1·p^49 + … + t50",
			rule:    "holds if it equals the hash computed afresh for every window of a text",
			measure: rolling},
		{id: "above-one-share", text: "Similarity as shared fingerprints over fingerprints may exceed 1.",
			source:  "notes on Manber 1994",
			rule:    "holds *of counts* if counting repetitions exceeds 1 for some pair of texts, *of sets* if counting each fingerprint once does",
			measure: aboveOneShare},
	}}
}

func winnow(k, window int) *rabinkarp.Winnow {
	m := kit.Must(catalog.Parse(fmt.Sprintf("winnow:k=%d,window=%d", k, window)))
	w, _ := similarity.As[*rabinkarp.Winnow](m)
	return w
}

// letters returns n random letters, which have no repetitions to speak of.
func letters(r *plant.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.Below(26))
	}
	return string(b)
}

func density(*lab) finding {
	f := finding{Table: [][]string{{"w", "kept", "2/(w+1)"}}}
	worst := 0.0
	text := letters(plant.NewRand(1), 400_000)
	for _, w := range []int{4, 20, 100} {
		m := winnow(12, w)
		got, want := float64(len(m.Fingerprints(text)))/float64(len(text)-11), 2/float64(w+1)
		worst = max(worst, math.Abs(got/want-1))
		f.Table = append(f.Table, []string{fmt.Sprint(w), fmt.Sprintf("%.4f", got), fmt.Sprintf("%.4f", want)})
	}
	f.Verdict = verdict(worst <= .03)
	f.Figure = fmt.Sprintf("off by at most %.1f %%", 100*worst)
	return f
}

func guarantee(*lab) finding {
	const k, w, passages = 20, 16, 2000
	win := winnow(k, w)
	byValue := kit.Must(catalog.Parse(fmt.Sprintf("manber:window=%d,keep=3", k))) // an eighth, about as many as winnowing keeps
	value, _ := similarity.As[*rabinkarp.Manber](byValue)
	r := plant.NewRand(1)
	var missed [2]int
	for range passages {
		common := letters(r, w+k-1)
		a, b := letters(r, 300)+common+letters(r, 300), letters(r, 300)+common+letters(r, 300)
		if win.Score(win.Sketch(a), win.Sketch(b)) == 0 {
			missed[0]++
		}
		if value.Score(value.Sketch(a), value.Sketch(b)) == 0 {
			missed[1]++
		}
	}
	return finding{Figure: fmt.Sprintf("of %d common passages of %d bytes winnowing misses %d, sampling one window in eight by value %d", passages, w+k-1, missed[0], missed[1]), Verdict: verdict(missed[0] == 0 && missed[1] > 0)}
}

func noSample(l *lab) finding {
	sizes := []int{50, 100, 200, 500, 1000}
	records := l.edits(sizes, []plant.Kind{plant.Mixed}, []float64{0.1}, "manber", "winnow")
	f := finding{Table: [][]string{{"text", "characters", "texts", "without a sample", "recall of copies with a tenth edited", "of winnowing"}}}
	var ok []string
	for _, language := range languages {
		for _, n := range sizes {
			at := func(spec string) stress.Record {
				i := slices.IndexFunc(records, func(r stress.Record) bool { return r.Data == language && r.Method == spec && r.Length == n })
				return records[i]
			}
			m, w := at("manber"), at("winnow")
			if 100*m.Empty > m.Texts {
				ok = append(ok, fmt.Sprintf("%s %d", language, n))
			}
			f.Table = append(f.Table, []string{language, fmt.Sprint(n), fmt.Sprint(m.Texts), fmt.Sprint(m.Empty), three(float64(m.Recall)), three(float64(w.Recall))})
		}
	}
	f.Verdict = where(ok, len(languages)*len(sizes))
	f.Figure = fmt.Sprintf("in %s cases", count(len(ok), len(languages)*len(sizes)))
	return f
}

func lowBits(l *lab) finding {
	docs := l.unrelated("English")
	spread := map[string]float64{}
	f := finding{Table: [][]string{{"hash", "least kept, of windows", "most", "relative spread"}}}
	for _, hash := range []string{"mixed", "sif"} {
		m := kit.Must(catalog.Parse("manber:overlap=true,hash=" + hash))
		manber, _ := similarity.As[*rabinkarp.Manber](m)
		var rates []float64
		for part := range 10 {
			text := strings.Join(docs[part*100:part*100+100], "\n")
			rates = append(rates, float64(len(manber.Fingerprints(text)))/float64(len(text)))
		}
		mean, square := 0.0, 0.0
		for _, r := range rates {
			mean += r / 10
		}
		for _, r := range rates {
			square += (r - mean) * (r - mean) / 9
		}
		spread[hash] = math.Sqrt(square) / mean
		f.Table = append(f.Table, []string{hash, fmt.Sprintf("1 in %.1f", 1/slices.Min(rates)), fmt.Sprintf("1 in %.1f", 1/slices.Max(rates)), fmt.Sprintf("%.3f", spread[hash])})
	}
	f.Verdict = verdict(spread["sif"] <= 1.5*spread["mixed"])
	f.Figure = fmt.Sprintf("ten times 100 news items, different windows, one in 16 wanted: the share varies %.1f times as much as with a mixed hash", spread["sif"]/spread["mixed"])
	return f
}

func rolling(*lab) finding {
	const p, mod, window = 1_000_003, 1 << 30, 50
	text := letters(plant.NewRand(1), 2000)
	fresh := func(i int) (h uint64) {
		for _, c := range []byte(text[i : i+window]) {
			h = (h*p + uint64(c)) % mod
		}
		return h
	}
	power := func(n int) uint64 {
		x := uint64(1)
		for range n {
			x = x * p % mod
		}
		return x
	}
	right := map[int]int{}
	n := 0
	for i := 0; i+window < len(text); i++ {
		h, want := fresh(i), fresh(i+1)
		n++
		for _, e := range []int{49, 50} {
			next := (p*h + uint64(text[i+window]) + mod - uint64(text[i])*power(e)%mod) % mod
			if next == want {
				right[e]++
			}
		}
	}
	return finding{Figure: fmt.Sprintf("right for %d of %d windows with p^49, for %d with p^50", right[49], n, right[50]), Verdict: verdict(right[49] == n)}
}

func aboveOneShare(*lab) finding {
	m := kit.Must(catalog.Parse("winnow:k=5,window=4,measure=overlap"))
	w, _ := similarity.As[*rabinkarp.Winnow](m)
	a, b := "a do run run run, a do run run", strings.Repeat("a do run run run, a do run run. ", 3)
	in := map[uint64]bool{}
	for _, x := range w.Fingerprints(a) {
		in[x.Hash] = true
	}
	shared := 0
	for _, x := range w.Fingerprints(b) {
		if in[x.Hash] {
			shared++
		}
	}
	counts := float64(shared) / float64(len(in))
	sets := w.Score(w.Sketch(a), w.Sketch(b))
	f := finding{Figure: fmt.Sprintf("a line and three times the line: %.2f where repetitions count, %.2f where they do not", counts, sets), Verdict: fails}
	switch {
	case sets > 1:
		f.Verdict = "holds of sets"
	case counts > 1:
		f.Verdict = "holds of counts"
	}
	return f
}
