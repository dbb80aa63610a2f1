package surrogate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup"
)

// copies is how many planted copies are wanted, about.
const copies = 300

// plant makes edited copies of documents. Where copies are wanted, only those stay of
// which no more words differ.
func (t *Truth) plant(mix []plant.Choice) error {
	p, err := plant.New(plant.Options{
		Share: min(0.5, copies/float64(len(t.Docs))), Copies: []float64{1}, Mix: mix, Seed: t.seed,
	})
	if err != nil {
		return fmt.Errorf("surrogate: %w", err)
	}
	// Ids of any kind occur in collections; numbers stand for them here.
	numbered := make([]datasets.Doc, len(t.Docs))
	for i, d := range t.Docs {
		numbered[i] = datasets.Doc{ID: strconv.Itoa(i), Text: d.Text}
	}
	for d, err := range p.Plant(plant.Docs(numbered)) {
		if err != nil {
			return fmt.Errorf("surrogate: %w", err)
		}
		if d.Copy == 0 || d.Record.Touched == 0 {
			continue
		}
		of, err := strconv.Atoi(d.Original)
		if err != nil {
			return fmt.Errorf("surrogate: the copy %s: %w", d.ID, err)
		}
		if t.Want == dedup.Copies && !t.copied(of, d.Text) {
			continue
		}
		t.Copies = append(t.Copies, Copy{int32(of), d.Text, d.Edit})
	}
	slices.SortFunc(t.Copies, func(a, b Copy) int { return cmp.Compare(a.Of, b.Of) })
	return nil
}

// copied reports whether a text is a copy of a document.
func (t *Truth) copied(of int, text string) bool {
	_, ok := words.Differ(words.Sketch(t.Docs[of].Text), words.Sketch(text), t.Differ)
	return ok
}
