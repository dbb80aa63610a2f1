package stress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/proportion"
)

// LeakRecord says how many test items are found in a training text into which they
// were planted in one way.
type LeakRecord struct {
	Data    string `json:"data"`
	Planted string `json:"planted"` // how; NotPlanted counts false alarms
	Items   int    `json:"items"`
	Found   int    `json:"found"`

	// Share is Found of Items, with its exact 95 % interval.
	Share eval.Figure `json:"share"`
	Low   eval.Figure `json:"low"`
	High  eval.Figure `json:"high"`
}

// NotPlanted is the record of items that were not planted.
const NotPlanted = "not planted"

// planting is a way to plant items.
type planting struct {
	name string
	edit plant.Edit // no edit if it is zero
	wrap int        // units of a line, or 0
	in   string     // "" if the item is a document, or what stands around it in another one
}

// plantings are all ways. Edited items stand in longer documents, because they do in
// a crawl.
func plantings() []planting {
	const paragraph = "\n\n"
	all := []planting{
		{name: "as is"},
		{name: "re-wrapped", wrap: 8},
		{name: "embedded", in: " "},
		{name: "embedded, re-wrapped", wrap: 8, in: "\n"},
		{name: "cut by 10 %", edit: plant.Edit{Kind: plant.Truncate, Rate: 0.1}, in: paragraph},
		{name: "cut by 30 %", edit: plant.Edit{Kind: plant.Truncate, Rate: 0.3}, in: paragraph},
	}
	for _, percent := range []int{1, 5, 10, 20, 30} {
		all = append(all, planting{
			name: fmt.Sprintf("edited by %d %%", percent),
			edit: plant.Edit{Kind: plant.Mixed, Rate: float64(percent) / 100}, in: paragraph,
		})
	}
	return append(all,
		planting{name: "punctuation by 10 %", edit: plant.Edit{Kind: plant.Punct, Rate: 0.1}, in: paragraph},
		planting{name: "punctuation by 30 %", edit: plant.Edit{Kind: plant.Punct, Rate: 0.3}, in: paragraph},
	)
}

// Leaks plants items into training texts, and measures which of them find reports. It
// returns a record for each way to plant them, and a first one of the items that find
// reports in the texts as they are. These are left out of the other records: they
// may have leaked. An item stands in the middle of a text, or is a text of its own.
// Find returns for each item whether it has leaked. The name is what records call
// the items.
func Leaks(ctx context.Context, name string, items, train []string, lang plant.Lang, seed uint64, find func(ctx context.Context, train, items []string) ([]bool, error), progress func(share float64, what string)) ([]LeakRecord, error) {
	if len(items) == 0 || len(train) == 0 {
		return nil, errors.New("stress: want items and training texts")
	}
	ways := plantings()
	count := func(planted string, n int, found []bool) LeakRecord {
		r := LeakRecord{Data: name, Planted: planted, Items: n}
		for _, f := range found {
			if f {
				r.Found++
			}
		}
		low, high := proportion.ClopperPearson(r.Found, n, 0.95)
		r.Share, r.Low, r.High = eval.Figure(float64(r.Found)/float64(n)), eval.Figure(low), eval.Figure(high)
		return r
	}
	progress(0, name+", "+NotPlanted)
	leaked, err := find(ctx, train, items)
	if err != nil {
		return nil, fmt.Errorf("stress: %s: %w", name, err)
	}
	out := []LeakRecord{count(NotPlanted, len(items), leaked)}
	var own []string
	for i, item := range items {
		if !leaked[i] {
			own = append(own, item)
		}
	}
	for i, way := range ways {
		progress(float64(i+1)/float64(len(ways)+1), name+", "+way.name)
		copies, of, err := way.copies(own, lang, seed)
		if err != nil {
			return nil, err
		}
		planted, asked := make([]string, len(of)), make([]string, len(of))
		for k, text := range copies {
			planted[k], asked[k] = way.plant(text, train[of[k]%len(train)]), own[of[k]]
		}
		if len(of) == 0 {
			out = append(out, count(way.name, 0, nil))
			continue
		}
		found, err := find(ctx, planted, asked)
		if err != nil {
			return nil, fmt.Errorf("stress: %s, %s: %w", name, way.name, err)
		}
		out = append(out, count(way.name, len(of), found))
	}
	return out, nil
}

// copies returns the items as they are planted, and the numbers of the items: an edit
// has no effect on some.
func (p planting) copies(items []string, lang plant.Lang, seed uint64) (copies []string, of []int, err error) {
	if p.edit.Kind != "" {
		copies, of, _, err = edited(items, p.edit, Options{Lang: lang, Seed: seed})
		return copies, of, err
	}
	for i, item := range items {
		if p.wrap > 0 {
			item = plant.Wrap(item, p.wrap, lang)
		}
		copies, of = append(copies, item), append(of, i)
	}
	return copies, of, nil
}

// plant returns the training text that has an item.
func (p planting) plant(item, host string) string {
	if p.in == "" {
		return item
	}
	n := len([]rune(host)) / 2
	half := piece([]rune(host), 0, n)
	return half + p.in + item + p.in + strings.TrimPrefix(host, half)
}

// Items returns n generated test items of so many characters, and n longer training
// texts that have nothing to do with them.
func Items(lang plant.Lang, n, characters int, seed uint64) (items, train []string, err error) {
	docs, err := Generated(lang, n, characters, seed)
	if err != nil {
		return nil, nil, err
	}
	train, err = Generated(lang, n, 10*characters, seed+1)
	return cut(docs, characters, n, seed), train, err
}
