package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/alike-go/alike/datasets"
)

var chinese = language{
	name:     "zh",
	collect:  collectChinese,
	features: bigramFeatures,
	units:    func(text string) []string { return strings.Split(text, "") },
	ocr:      chineseOCR,
	style:    chineseStyle,
}

func collectChinese(b *builder) error {
	if err := collectPoems(b); err != nil {
		return err
	}
	if err := collectLaws(b); err != nil {
		return err
	}
	return collectShiji(b)
}

// clusters returns the documents of a set by cluster, in a random order of the
// clusters.
func clusters(name string) ([][]datasets.Doc, error) {
	set, err := datasets.Load(name)
	if err != nil {
		return nil, err
	}
	var out [][]datasets.Doc
	for i, c := range set.Clusters {
		if c == len(out) {
			out = append(out, nil)
		}
		out[c] = append(out[c], set.Docs[i])
	}
	return shuffled(out, name), nil
}

// collectPoems takes pairs of editions, a fixed number of each band of overlap:
// most editions differ in a few variants only. Then some in both scripts, planted
// edits, and poems on their own.
func collectPoems(b *builder) error {
	poems, err := clusters("zh-poems")
	if err != nil {
		return err
	}
	left := map[string]int{"script": 25, "loose": 70, "light": 60, "close": 30, "planted": 66, "single": 70}
	all := edits()
	for i, docs := range poems {
		unit := docs[0].ID
		first, second := docs[0], docs[1]
		simplified := second.Lang == "zh-Hans"
		jaccard, _ := overlap(b.features(first.Text), b.features(second.Text))
		kind := "close"
		switch {
		case len([]rune(first.Text)) > 400 || len([]rune(first.Text)) < 24:
			continue
		case simplified:
			kind = "script"
		case jaccard < 0.6:
			kind = "loose"
		case jaccard < 0.85:
			kind = "light"
		}
		if left[kind] == 0 && !simplified {
			kind = "planted"
			if left[kind] == 0 {
				kind = "single"
			}
		}
		if left[kind] == 0 {
			continue
		}
		done := false
		switch kind {
		case "planted":
			done = b.plant(group{unit: unit}, first, all[left[kind]%len(all)], poems[(i+1)%len(poems)][0].Text)
		case "single":
			done = b.add(&group{docs: docs[:1], unit: unit})
		case "script":
			done = b.add(&group{kind: "poem-script", docs: docs[:2], unit: unit})
		default:
			done = b.add(&group{kind: "poem-edition", docs: docs[:2], unit: unit})
		}
		if done {
			left[kind]--
		}
	}
	return nil
}

const (
	passageMin, passageMax = 600, 1100 // characters of main text of a passage
	lawExcerpt             = 1500      // characters of a statute's excerpt
)

// collectShiji takes from each chapter one passage that both editions have. The
// commentary between the lines differs.
func collectShiji(b *builder) error {
	chapters, err := clusters("zh-shiji")
	if err != nil {
		return err
	}
	groups, alone := 36, 12
	for _, docs := range chapters {
		r := source("shiji", docs[0].ID)
		if len(docs) < 2 {
			continue
		}
		x, y := newReading(docs[0].Text), newReading(docs[1].Text)
		size := passageMin + r.IntN(passageMax-passageMin)
		if len(x.main) < 2*size+200 {
			continue
		}
		from := 100 + r.IntN(len(x.main)-2*size-100)
		start, end, ok := y.locate(x.main[from : from+size])
		if !ok {
			continue
		}
		unit := docs[0].ID
		first := datasets.Doc{ID: fmt.Sprintf("%s@%d", docs[0].ID, from), Text: x.cut(from, from+size), Lang: docs[0].Lang}
		second := datasets.Doc{ID: fmt.Sprintf("%s@%d", docs[1].ID, start), Text: y.cut(start, end), Lang: docs[1].Lang}
		if groups > 0 && b.add(&group{kind: "shiji-commentary", docs: []datasets.Doc{first, second}, unit: unit}) {
			groups--
			// The passage that follows in one edition is a negative of the same subject.
			if alone > 0 {
				next := datasets.Doc{ID: fmt.Sprintf("%s@%d", docs[0].ID, from+size), Text: x.cut(from+size, from+2*size), Lang: docs[0].Lang}
				if b.add(&group{docs: []datasets.Doc{next}, unit: unit}) {
					alone--
				}
			}
		}
	}
	return nil
}

// reading is a text with commentary in brackets: the characters of the main text
// and where each stands in the whole.
type reading struct {
	text []rune
	main []rune
	at   []int
}

func newReading(text string) *reading {
	r := &reading{text: []rune(text)}
	depth := 0
	for i, c := range r.text {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth = max(0, depth-1)
		case depth == 0 && unicode.Is(unicode.Han, c):
			r.main = append(r.main, c)
			r.at = append(r.at, i)
		}
	}
	return r
}

// cut returns the whole text from the main character from up to, but without,
// the main character to.
func (r *reading) cut(from, to int) string {
	end := len(r.text)
	if to < len(r.at) {
		end = r.at[to]
	}
	return strings.TrimSpace(string(r.text[r.at[from]:end]))
}

// locate finds the passage of another edition by runs of six characters near
// its beginning and its end that stand here once.
func (r *reading) locate(passage []rune) (start, end int, ok bool) {
	const run, reach = 6, 60
	main := string(r.main)
	find := func(from, to int) (int, bool) {
		for i := from; i < to; i++ {
			key := string(passage[i : i+run])
			if strings.Count(main, key) == 1 {
				return len([]rune(main[:strings.Index(main, key)])) - i, true
			}
		}
		return 0, false
	}
	start, ok1 := find(0, reach)
	shift, ok2 := find(len(passage)-reach, len(passage)-run)
	end = shift + len(passage)
	ok = ok1 && ok2 && start >= 0 && end <= len(r.main) && end > start
	ok = ok && float64(end-start) > 0.8*float64(len(passage)) && float64(end-start) < 1.25*float64(len(passage))
	return start, end, ok
}

// bigramFeatures returns the pairs of neighbouring letters of a text.
func bigramFeatures(text string) []uint64 {
	var features []string
	var last rune
	for _, c := range text {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			continue
		}
		if last != 0 {
			features = append(features, string([]rune{last, c}))
		}
		last = c
	}
	return hashes(features)
}

// lookalikes are pairs of characters that optical recognition mixes up.
var lookalikes = []rune("己已未末日曰人入大太土士干千田由甲申天夫木本今令見貝见贝夕歹力刀心必水永王玉白自目且右石冶治拆折免兔侯候辨辩代伐矢失午牛又叉风凤風鳳鳥烏鸟乌住往清淸時畤待侍持特城域海悔明朋山出")

var lookalike = func() map[rune]rune {
	m := map[rune]rune{}
	for i := 0; i+1 < len(lookalikes); i += 2 {
		m[lookalikes[i]], m[lookalikes[i+1]] = lookalikes[i+1], lookalikes[i]
	}
	return m
}()

// chineseOCR misreads half of the characters that have a lookalike and loses or
// blots out 2 to 8 % of all.
func chineseOCR(r *rand.Rand, text string) string {
	rate := 0.02 + 0.06*r.Float64()
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch other := lookalike[c]; {
		case other != 0 && r.IntN(2) == 0:
			return other
		case r.Float64() < rate/2:
			return -1
		case r.Float64() < rate/2 && unicode.Is(unicode.Han, c):
			return '□'
		}
		return c
	}, text))
}

// chineseStyle changes what carries no words: the width of punctuation and
// digits, punctuation itself, spaces and line breaks.
func chineseStyle(r *rand.Rand, text string) string {
	switch r.IntN(3) {
	case 0:
		return strings.NewReplacer("，", ",", "。", ".", "；", ";", "：", ":", "（", "(", "）", ")", "、", ",", "“", "\"", "”", "\"").Replace(text)
	case 1:
		return strings.Map(func(c rune) rune {
			if unicode.IsPunct(c) || unicode.IsSpace(c) {
				return -1
			}
			return c
		}, text)
	default:
		return strings.NewReplacer("，", "， ", "。", "。\n\u3000\u3000", "\n", " ", "、", "､").Replace(text)
	}
}
