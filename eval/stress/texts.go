package stress

import (
	"context"
	"fmt"
	"strconv"
	"unicode"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/similarity"
)

// Generated returns n unrelated documents of random words, English-like or Chinese-like,
// of at least so many characters each. They are of twenty topics, so that some of them
// share more words than others.
func Generated(lang plant.Lang, n, characters int, seed uint64) ([]string, error) {
	if n < 0 || characters < 0 {
		panic(fmt.Sprintf("stress: %d documents of %d characters", n, characters))
	}
	// A word has a character at least, and of English some five with the blank.
	words := 30 + characters
	if lang != plant.Chinese {
		words = 30 + characters/4
	}
	m, err := plant.NewMaker(plant.MakeOptions{Lang: lang, Mean: words, OneLength: true, Topics: 20, Seed: seed})
	if err != nil {
		return nil, fmt.Errorf("stress: %w", err)
	}
	docs := make([]string, n)
	var text []byte
	for i := range docs {
		text = m.AppendText(text[:0], uint64(i))
		docs[i] = string(text)
	}
	return docs, nil
}

// Unrelated returns the documents without those that score at least the threshold
// with one before them by the method: of related documents the first stays. What is
// alike by itself would otherwise be taken for a false positive.
func Unrelated(ctx context.Context, docs []string, m similarity.Method, threshold float64) ([]string, error) {
	c := m.NewCollection()
	for _, d := range docs {
		c.Add(d)
	}
	drop := make([]bool, len(docs))
	_, err := c.Join(ctx, nil, similarity.JoinOptions{Threshold: threshold}, func(p similarity.Pair) error {
		drop[max(p.A, p.B)] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("stress: %w", err)
	}
	var out []string
	for i, d := range docs {
		if !drop[i] {
			out = append(out, d)
		}
	}
	return out, nil
}

// cut takes a piece of n characters from each of up to most documents that have as
// many. Which documents, and from where, is random. A piece begins at the start of a
// word and ends with one where the script has blanks; it may be a little shorter.
func cut(docs []string, n, most int, seed uint64) []string {
	var out []string
	r := plant.NewRand(seed, 'c', uint64(n))
	order := make([]int, len(docs))
	for i := range order { // Fisher and Yates, inside out
		k := r.Below(i + 1)
		order[i], order[k] = order[k], i
	}
	for _, i := range order {
		if len(out) == most {
			break
		}
		text := []rune(docs[i])
		if len(text) < n {
			continue
		}
		out = append(out, piece(text, r.Below(len(text)-n+1), n))
	}
	return out
}

// word is how far the next blank is looked for: in scripts without blanks between
// words a cut may be anywhere.
const word = 24

func piece(text []rune, from, n int) string {
	if from > 0 && !unicode.IsSpace(text[from-1]) {
		for k := from; k > max(0, from-word); k-- { // back, so that n characters are left
			if unicode.IsSpace(text[k-1]) {
				from = k
				break
			}
		}
	}
	end := from + n
	if end < len(text) && !unicode.IsSpace(text[end]) {
		for k := end; k > max(from, end-word, from+n/2); k-- {
			if unicode.IsSpace(text[k-1]) {
				end = k - 1
				break
			}
		}
	}
	return string(text[from:end])
}

// edited returns a copy of every text that the edit has an effect on, the numbers of
// these texts, and the mean share of their units that was touched.
func edited(texts []string, edit plant.Edit, o Options) (copies []string, of []int, touched float64, err error) {
	p, err := plant.New(plant.Options{
		Share: 1, Copies: []float64{1}, Mix: []plant.Choice{{Edit: edit, Weight: 1}}, Window: 1, Lang: o.Lang,
		Seed: o.Seed,
	})
	if err != nil {
		return nil, nil, 0, err
	}
	docs := make([]datasets.Doc, len(texts))
	for i, t := range texts {
		docs[i] = datasets.Doc{ID: strconv.Itoa(i), Text: t}
	}
	for d, err := range p.Plant(plant.Docs(docs)) {
		if err != nil {
			return nil, nil, 0, err
		}
		if d.Copy == 0 || d.Record.Touched == 0 {
			continue
		}
		i, err := strconv.Atoi(d.Original)
		if err != nil {
			return nil, nil, 0, err
		}
		copies, of = append(copies, d.Text), append(of, i)
		touched += d.Record.Rate()
	}
	return copies, of, touched / float64(len(of)), nil
}
