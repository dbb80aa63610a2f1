package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func ideaClaims() group {
	return group{"Ideas that are left open", "Proposed as outlook in notes and papers, without a figure.", []claim{
		{id: "size-filter", text: "Compare only texts whose sizes differ by at most 20 %.",
			source:  "proposed as a filter before any method",
			rule:    "pays on a set if it spares at least half of the comparisons and loses at most 1 % of the pairs that are alike",
			measure: func(l *lab) finding { return sizeFilter(l, .8) }},
		{id: "size-filter-2", text: "Compare only texts of which none is more than twice as long as the other.",
			source:  "the same, wider",
			rule:    "pays on a set if it spares at least half of the comparisons and loses at most 1 % of the pairs that are alike",
			measure: func(l *lab) finding { return sizeFilter(l, .5) }},
		{id: "size-at-threshold", text: "At a threshold t on resemblance a ratio of sizes below t cannot pass: the filter is free there.",
			source:  "the length filter of exact joins: Bayardo, Ma, Srikant, Scaling up all pairs similarity search, WWW 2007",
			rule:    "pays on a set if at the threshold of greatest F1 it spares at least half of the comparisons; by definition it loses nothing",
			measure: sizeAtThreshold},
		{id: "size-in-fingerprint", text: "Spend eight bits of the fingerprint on the size of the text.",
			source:  "proposed for SimHash",
			rule:    "pays on a set if AP of 56 bits and eight steps of size is more than .01 above that of 64 bits, as long as it is not below on as many sets",
			measure: sizeBits},
		{id: "length-classes", text: "Sort texts in classes by length, each twice as long as the last, and compare within a class.",
			source:  "proposed as a partition",
			rule:    "pays on a set if it spares at least half of the comparisons and loses at most 1 % of the pairs that are alike",
			measure: lengthClasses},
		{id: "language-classes", text: "Sort texts in classes by script, and compare within a class.",
			source:  "proposed as a partition",
			rule:    "pays if of a collection of all sets together it spares at least a fifth of the comparisons and loses at most one pair in a thousand that are alike",
			measure: languageClasses},
		{id: "early-exit", text: "Leave out at once texts that can have no partner.",
			source:  "proposed as early exit; the test is the prefix filter of Bayardo, Ma, Srikant, WWW 2007",
			rule:    "pays on a set if at resemblance .8 over three words at least half of the texts without partner are told by their rarest shingles, of which none stands in another text",
			measure: earlyExit},
		{id: "cut-words", text: "Cut words of code and numbers, such as os.path.join, max_value and 1.5, where their parts meet.",
			source:  "the word boundaries of Unicode (UAX #29) keep them whole",
			rule:    "pays on a set if F1 at the threshold from dev rises by more than .01 in the mean over three methods",
			measure: cutWords},
		{id: "strip-first", text: "Strip boilerplate and timestamps before comparing.",
			source:  "proposed as a first step",
			rule:    "pays on a dressed collection of the study if stripping brings recall of `alike dedup` from below to within .03 of that on undressed texts, and precision is within .03 of theirs too",
			via:     "SECTIONS=pages bash docs/dedup/run",
			measure: stripFirst},
	}}
}

// joints stand between the parts of a word, and between those of names in camel case.
var (
	joints = regexp.MustCompile(`[^\p{L}\p{N}\p{M}]+`)
	humps  = regexp.MustCompile(`(\p{Ll})(\p{Lu})|(\p{L})(\p{N})|(\p{N})(\p{L})`)
)

// cutWords compares sets as they are with the same sets whose words are cut.
func cutWords(l *lab) finding {
	cuts := []struct {
		name string
		cut  func(string) string
	}{
		{" cut at punctuation", func(s string) string { return joints.ReplaceAllString(s, " ") }},
		{" and at capitals and digits", func(s string) string {
			return humps.ReplaceAllString(joints.ReplaceAllString(s, " "), "$1$3$5 $2$4$6")
		}},
	}
	specs := []string{"shingle", "shingle:width=3", "cosine"}
	sets := []string{"go-versions", "progpedia19", "ir-plag", "bigclonebench-sample", "er-abt-buy", "er-amazon-google", "reuters-reissues", "licences"}
	f := finding{Table: [][]string{{"set", "words of UAX #29", "cut at punctuation", "and at capitals and digits"}}}
	var ok []string
	for _, name := range sets {
		set := l.set(name)
		var mean []float64
		for i := range len(cuts) + 1 {
			of := name
			if i > 0 {
				of += cuts[i-1].name
				changed := *set
				changed.Docs = slices.Clone(set.Docs)
				for d := range changed.Docs {
					changed.Docs[d].Text = cuts[i-1].cut(changed.Docs[d].Text)
				}
				l.sets[of] = &changed
			}
			sum := 0.0
			records := l.run([]string{of}, specs...)
			for _, spec := range specs {
				sum += float64(records[[2]string{of, spec}].F1)
			}
			mean = append(mean, sum/float64(len(specs)))
		}
		if max(mean[1], mean[2]) > mean[0]+.01 {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, three(mean[0]), three(mean[1]), three(mean[2])})
	}
	f.Verdict = worth(ok, len(sets))
	f.Figure = fmt.Sprintf("mean F1 of %s; it rises on %s sets", strings.Join(specs, ", "), count(len(ok), len(sets)))
	return f
}

// size is the number of characters of a text.
func (l *lab) sizes(name string) []float64 {
	set := l.set(name)
	out := make([]float64, len(set.Docs))
	for i, d := range set.Docs {
		out[i] = float64(utf8.RuneCountInString(d.Text))
	}
	return out
}

// spare says of each set how many comparisons a filter spares and how many pairs that are alike it loses.
func spare(l *lab, filter func(name string) func(a, b int) bool) finding {
	f := finding{Table: [][]string{{"set", "comparisons spared", "alike pairs lost", "of"}}}
	var ok []string
	for _, name := range near {
		pass := filter(name)
		var all, spared, alike, lost int
		l.scored(name, func(a, b int, same bool) {
			p := pass(a, b)
			if same {
				alike++
				if !p {
					lost++
				}
				return
			}
			all++
			if !p {
				spared++
			}
		})
		if 2*spared >= all && 100*lost <= alike {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, fmt.Sprintf("%.1f %%", 100*ratio(spared, all)), fmt.Sprintf("%.1f %%", 100*ratio(lost, alike)), fmt.Sprint(alike)})
	}
	f.Verdict = worth(ok, len(near))
	f.Figure = fmt.Sprintf("so on %s sets", count(len(ok), len(near)))
	return f
}

// worth is where for ideas.
func worth(of []string, cases int) string {
	switch len(of) {
	case 0:
		return paysNot
	case cases:
		return pays
	}
	v := where(of, cases)
	return paysPartly + v[len(partly):]
}

func sizeFilter(l *lab, least float64) finding {
	return spare(l, func(name string) func(a, b int) bool {
		size := l.sizes(name)
		return func(a, b int) bool { return min(size[a], size[b]) >= least*max(size[a], size[b]) }
	})
}

func lengthClasses(l *lab) finding {
	return spare(l, func(name string) func(a, b int) bool {
		size := l.sizes(name)
		class := func(i int) int { return int(math.Log2(max(1, size[i]))) }
		return func(a, b int) bool { return class(a) == class(b) }
	})
}

func sizeAtThreshold(l *lab) finding {
	f := finding{Table: [][]string{{"set", "threshold of greatest F1", "comparisons spared"}}}
	var ok []string
	for _, name := range near {
		c := l.sketch(name, "shingle")
		var pairs []eval.Scored
		var sizes []float64
		l.scored(name, func(a, b int, alike bool) {
			pairs = append(pairs, eval.Scored{Score: c.Score(a, b), Alike: alike})
			x, y := float64(c.Bytes(a)), float64(c.Bytes(b)) // eight a shingle
			sizes = append(sizes, min(x, y)/max(x, y, 1))
		})
		t, _ := eval.BestF1(pairs)
		spared := 0
		for i, s := range sizes {
			if s < t {
				spared++
				if pairs[i].Score >= t {
					kit.Check(fmt.Errorf("%s: a pair of ratio %v has resemblance %v", name, s, pairs[i].Score))
				}
			}
		}
		if 2*spared >= len(sizes) {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, fmt.Sprintf("%.2f", t), fmt.Sprintf("%.1f %%", 100*ratio(spared, len(sizes)))})
	}
	f.Verdict = worth(ok, len(near))
	f.Figure = fmt.Sprintf("half or more is spared on %s sets, nothing is lost", count(len(ok), len(near)))
	return f
}

func sizeBits(l *lab) finding {
	f := finding{Table: [][]string{{"set", "AP of 64 bits", "of 56", "of 56 and size"}}}
	var ok, bad []string
	for _, name := range near {
		set := l.set(name)
		size := l.sizes(name)
		m := kit.Must(catalog.Parse("simhash"))
		h, _ := similarity.As[*simhash.Method](m)
		prints := make([]simhash.Fingerprint, len(set.Docs))
		for i, d := range set.Docs {
			prints[i] = h.Sketch(d.Text)
		}
		var whole, part, sized []eval.Scored
		l.scored(name, func(a, b int, alike bool) {
			add := func(to *[]eval.Scored, distance int) {
				*to = append(*to, eval.Scored{Score: 1 - float64(distance)/64, Alike: alike})
			}
			x, y := prints[a], prints[b]
			d64 := simhash.Distance(x, y)
			x.Lo, y.Lo = x.Lo&(1<<56-1), y.Lo&(1<<56-1)
			d56 := simhash.Distance(x, y)
			// Eight bits in a ring, each step a fifth longer: equal sizes have equal bits.
			steps := math.Abs(math.Log(max(1, size[a]))-math.Log(max(1, size[b]))) / math.Log(1.2)
			add(&whole, d64)
			add(&part, d56)
			add(&sized, d56+int(min(8, steps)))
		})
		w, p, s := eval.AveragePrecision(whole), eval.AveragePrecision(part), eval.AveragePrecision(sized)
		switch {
		case s > w+.01:
			ok = append(ok, name)
		case s < w-.01:
			bad = append(bad, name)
		}
		f.Table = append(f.Table, []string{name, three(w), three(p), three(s)})
	}
	f.Verdict = worth(ok, len(near))
	if len(bad) >= len(ok) {
		f.Verdict = paysNot
	}
	f.Figure = fmt.Sprintf("more than .01 better on %d sets, worse on %d of %d", len(ok), len(bad), len(near))
	return f
}

// script is Chinese where a third of the letters are.
func script(text string) string {
	letters, han := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Han, r) {
				han++
			}
		}
	}
	if han > 0 && 3*han >= letters {
		return "Chinese"
	}
	return "other"
}

func languageClasses(l *lab) finding {
	n := map[string]int{}
	lost, alike := 0, 0
	for _, name := range near {
		set := l.set(name)
		class := make([]string, len(set.Docs))
		for i, d := range set.Docs {
			class[i] = script(d.Text)
			n[class[i]]++
		}
		l.scored(name, func(a, b int, same bool) {
			if same {
				alike++
				if class[a] != class[b] {
					lost++
				}
			}
		})
	}
	c, o := float64(n["Chinese"]), float64(n["other"])
	spared := 2 * c * o / ((c + o) * (c + o - 1))
	f := finding{Verdict: paysNot, Figure: fmt.Sprintf("%.0f texts in Chinese and %.0f in other scripts: %.1f %% of the comparisons spared, %d of %d pairs lost", c, o, 100*spared, lost, alike)}
	if spared >= .2 && 1000*lost <= alike {
		f.Verdict = pays
	}
	return f
}

// earlyExit asks for each text whether one of its rarest shingles, as many as a partner could not
// all lack, stands in another text.
func earlyExit(l *lab) finding {
	const t = .8
	f := finding{Table: [][]string{{"set", "texts", "without partner", "told so at once"}}}
	var ok []string
	for _, name := range near {
		set := l.set(name)
		c := l.sketch(name, "shingle:width=3")
		m := kit.Must(catalog.Parse("shingle:width=3"))
		docs := make([][]uint64, len(set.Docs))
		df := map[uint64]int{}
		for i, d := range set.Docs {
			h := m.Features().AppendHashes(nil, d.Text)
			slices.Sort(h)
			docs[i] = slices.Compact(h)
			for _, x := range docs[i] {
				df[x]++
			}
		}
		partner := make([]bool, len(docs))
		_ = kit.Must(c.Join(context.Background(), nil, similarity.JoinOptions{Threshold: t}, func(p similarity.Pair) error {
			partner[p.A], partner[p.B] = true, true
			return nil
		}))
		none, told := 0, 0
		for i, h := range docs {
			has := partner[i]
			slices.SortFunc(h, func(a, b uint64) int { return df[a] - df[b] })
			prefix := len(h) - int(math.Ceil(t*float64(len(h))-1e-9)) + 1
			exit := !slices.ContainsFunc(h[:min(prefix, len(h))], func(x uint64) bool { return df[x] > 1 })
			switch {
			case has && exit:
				kit.Check(fmt.Errorf("%s: text %d has a partner and is told to have none", name, i))
			case !has:
				none++
				if exit {
					told++
				}
			}
		}
		if 2*told >= none {
			ok = append(ok, name)
		}
		f.Table = append(f.Table, []string{name, fmt.Sprint(len(docs)), fmt.Sprint(none), fmt.Sprintf("%.1f %%", 100*ratio(told, none))})
	}
	f.Verdict = worth(ok, len(near))
	f.Figure = fmt.Sprintf("half or more are told on %s sets, never wrongly", count(len(ok), len(near)))
	return f
}

// dressed is a line of docs/dedup.md, which has this measured: recall and precision of texts
// as they are, dressed, and stripped.
var dressed = regexp.MustCompile(`(?m)^- (.+): recall goes from ([0-9.]+) to ([0-9.]+), and .* brings it to ([0-9.]+); precision is ([0-9.]+), ([0-9.]+) and ([0-9.]+)\.$`)

func stripFirst(*lab) finding {
	page := kit.Must(os.ReadFile("docs/dedup.md"))
	f := finding{Table: [][]string{{"collection, dress", "recall as it is", "dressed", "stripped", "precision as it is", "dressed", "stripped"}}}
	var ok []string
	for _, m := range dressed.FindAllStringSubmatch(string(page), -1) {
		var v [6]float64
		for k := range v {
			v[k] = kit.Must(strconv.ParseFloat(m[k+2], 64))
		}
		if v[1] < v[0]-.03 && v[2] >= v[0]-.03 && v[5] >= v[3]-.03 {
			ok = append(ok, strings.Replace(m[1], ", ", " with ", 1))
		}
		f.Table = append(f.Table, []string{m[1], three(v[0]), three(v[1]), three(v[2]), three(v[3]), three(v[4]), three(v[5])})
	}
	if len(f.Table) == 1 {
		kit.Check(errors.New("docs/dedup.md has no dressed texts"))
	}
	f.Verdict = worth(ok, len(f.Table)-1)
	f.Figure = fmt.Sprintf("of %d dressed collections in [what dedup removes](dedup.md#dressed-texts) %d are mended", len(f.Table)-1, len(ok))
	return f
}
