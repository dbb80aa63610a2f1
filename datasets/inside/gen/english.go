package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"

	"github.com/alike-go/alike/datasets"
)

var english = language{
	name:     "en",
	collect:  collectEnglish,
	features: wordFeatures,
	units:    func(text string) []string { return strings.SplitAfter(text, " ") },
	ocr:      englishOCR,
	style:    englishStyle,
}

//go:embed notices.txt
var notices string

// level is two editions of the New Testament and how many groups of them to take.
type level struct {
	a, b            string
	verses, chapter int
}

// levels go from revisions that change little to free translations.
var levels = []level{
	{"oeb", "oebcth", 20, 4},
	{"kjv", "web", 95, 20},
	{"oeb", "twenty", 45, 10},
	{"kjv", "tyndale", 75, 0},
	{"noyes", "web", 55, 10},
	{"haweis", "anderson", 50, 10},
	{"kjv", "twenty", 45, 10},
}

var editions = []string{"kjv", "web", "oeb", "twenty", "noyes", "haweis", "anderson", "oebcth"}

func collectEnglish(b *builder) error {
	collectNotices(b)
	verses, err := scripture("bible-verses")
	if err != nil {
		return err
	}
	chapters, err := scripture("bible-chapters")
	if err != nil {
		return err
	}
	// Very long chapters would be most of the file, very short verses say little.
	chapters.keep(func(text string) bool { return len(text) >= 1500 && len(text) <= 4500 })
	verses.keep(func(text string) bool { return len(text) >= 80 })
	for _, l := range levels {
		take(b, verses, "verse", l, l.verses)
		take(b, chapters, "chapter", l, l.chapter)
	}
	planted(b, verses, 110)
	planted(b, chapters, 44)
	b.decoys(singles(verses), 140)
	b.decoys(singles(chapters), 30)
	return nil
}

// passages are the documents of a set of scripture by place and edition. order
// lists the places that are not used yet.
type passages struct {
	byEdition map[string]map[string]datasets.Doc
	order     []string
}

func scripture(name string) (*passages, error) {
	set, err := datasets.Load(name)
	if err != nil {
		return nil, err
	}
	p := &passages{byEdition: map[string]map[string]datasets.Doc{}}
	var places []string
	for _, d := range set.Docs {
		edition, place, ok := strings.Cut(d.ID, ":")
		if !ok {
			return nil, fmt.Errorf("%s: the id %q names no edition", name, d.ID)
		}
		if p.byEdition[place] == nil {
			p.byEdition[place] = map[string]datasets.Doc{}
			places = append(places, place)
		}
		p.byEdition[place][edition] = d
	}
	p.order = shuffled(places, name)
	return p, nil
}

func (p *passages) keep(fits func(text string) bool) {
	var kept []string
	for _, place := range p.order {
		if fits(p.byEdition[place]["kjv"].Text) {
			kept = append(kept, place)
		}
	}
	p.order = kept
}

// chapter returns the chapter of a place: "Luke.9" of both "Luke.9.25" and "Luke.9".
func chapter(place string) string {
	f := strings.Split(place, ".")
	return strings.Join(f[:2], ".")
}

// twins returns the text of a place in every edition, in one order for all places.
func (p *passages) twins(place string) []string {
	var out []string
	for _, e := range editions {
		out = append(out, p.byEdition[place][e].Text)
	}
	return out
}

// kin maps the books that tell one story, or say one thing, to a name for them: a
// verse of one and its parallel in another may be alike with good reason, however
// few words they share.
var kin = map[string]string{
	"Matthew": "gospel", "Mark": "gospel", "Luke": "gospel", "John": "gospel",
	"Ephesians": "ephesus", "Colossians": "ephesus",
	"IIPeter": "jude", "Jude": "jude",
}

// at returns a group without documents for a place.
func (p *passages) at(place string) group {
	book, _, _ := strings.Cut(place, ".")
	return group{unit: chapter(place), work: book, kin: kin[book], twin: p.twins(place)}
}

// next hands the places that are left to use until n of them were used.
func (p *passages) next(n int, use func(i int, place string) bool) {
	var left []string
	used := 0
	for _, place := range p.order {
		if used < n && use(used, place) {
			used++
		} else {
			left = append(left, place)
		}
	}
	p.order = left
}

func take(b *builder, p *passages, kind string, l level, n int) {
	p.next(n, func(_ int, place string) bool {
		x, y := p.byEdition[place][l.a], p.byEdition[place][l.b]
		g := p.at(place)
		g.kind, g.docs = kind+"-"+l.a+"-"+l.b, []datasets.Doc{x, y}
		return b.add(&g)
	})
}

// planted takes one edition of each place and an edited copy of it. The text that
// the edit borrows from is that of a place far away in the random order.
func planted(b *builder, p *passages, n int) {
	all := edits()
	lenders := p.order[len(p.order)/2:]
	p.next(n, func(i int, place string) bool {
		e := editions[i%7]
		other := p.byEdition[lenders[(i*7+3)%len(lenders)]][e].Text
		return b.plant(p.at(place), p.byEdition[place][e], all[i%len(all)], other)
	})
}

// singles returns a group of one document for each place that is left.
func singles(p *passages) []*group {
	var out []*group
	for i, place := range p.order {
		doc := p.byEdition[place][editions[i%7]]
		g := p.at(place)
		g.docs = []datasets.Doc{doc}
		out = append(out, &g)
	}
	return out
}

// collectNotices adds our own short texts: blocks divided by lines of "===", the
// versions of one text by lines of "---".
func collectNotices(b *builder) {
	for i, block := range strings.Split(notices, "\n===\n") {
		g := &group{kind: "notice-revision", unit: fmt.Sprintf("notice-%02d", i+1)}
		for j, text := range strings.Split(block, "\n---\n") {
			g.docs = append(g.docs, datasets.Doc{
				ID: fmt.Sprintf("notice-%02d@%d", i+1, j+1), Text: strings.TrimSpace(text), Lang: "en",
			})
		}
		b.add(g)
	}
}

// wordFeatures returns the lower-cased words of a text and the pairs of
// neighbours among them.
func wordFeatures(text string) []uint64 {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	features := words
	for i := 1; i < len(words); i++ {
		features = append(features, words[i-1]+" "+words[i])
	}
	return hashes(features)
}

// englishConfusions are the readings that optical character recognition mixes up.
var englishConfusions = strings.NewReplacer("rn", "m", "cl", "d", "l", "1", "O", "0", "e", "c", "h", "b", "u", "ii", "vv", "w", "S", "5", "m", "rn", ",", ".")

// englishOCR misreads 6 to 16 % of the words and runs some into the next one.
func englishOCR(r *rand.Rand, text string) string {
	words := strings.SplitAfter(text, " ")
	rate := 0.06 + 0.1*r.Float64()
	for i, w := range words {
		switch x := r.Float64(); {
		case x < rate*0.8:
			words[i] = englishConfusions.Replace(w)
		case x < rate:
			words[i] = strings.TrimSpace(w)
		}
	}
	return strings.TrimSpace(strings.Join(words, ""))
}

// englishStyle changes what carries no words: case, punctuation, spaces.
func englishStyle(r *rand.Rand, text string) string {
	switch r.IntN(3) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToLower(strings.Map(func(c rune) rune {
			if unicode.IsPunct(c) {
				return -1
			}
			return c
		}, text))
	default:
		text = strings.NewReplacer(";", " --", ":", "...", ",", " ,", "'", "\u2019", "\"", "\u201d").Replace(text)
		return "* " + strings.ReplaceAll(text, ". ", ".\n* ")
	}
}
