package pairs

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/dedup/steps"
)

// readTexts reads the documents and their ranks. The ranks are nil if the policy
// goes by input order. Memory holds some 50 bytes per row at once.
func readTexts(ctx context.Context, f *sketches.Folder, keep dedup.Policy, progress func(float64)) (*steps.Texts, *ranks, error) {
	rows := f.Rows()
	if rows >= steps.None {
		return nil, nil, fmt.Errorf("pairs: %d documents are more than 2³²-2", rows)
	}
	hashes := make([]dedup.Hash, rows)
	kinds := make([]byte, rows)
	var r *ranks
	if !keep.InputOrder() {
		r = &ranks{length: keep.RankLen(), bytes: make([]byte, rows*keep.RankLen())}
	}
	seen := 0
	err := f.Documents(ctx, func(row int, d *sketches.Document) error {
		if seen++; seen%(1<<16) == 0 {
			progress(float64(seen) / float64(rows))
		}
		switch {
		case kinds[row] != 0:
			return fmt.Errorf("pairs: document %d is in the sketches twice", d.Number)
		case d.Error != "":
			kinds[row] = bad
			return nil
		case d.Empty:
			kinds[row] = without
		default:
			kinds[row] = sound
		}
		hashes[row] = d.Hash()
		if r == nil {
			return nil
		}
		if len(d.Rank) != r.length {
			return fmt.Errorf("pairs: document %d has a rank of %d bytes, want %d", d.Number, len(d.Rank), r.length)
		}
		copy(r.at(uint32(row)), d.Rank)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	// No text has a larger number than its rows, so the hashes of texts can
	// overwrite those of rows.
	t := &steps.Texts{Of: make([]uint32, 0, rows), Hash: hashes[:0]}
	for row, kind := range kinds {
		if kind == bad {
			t.AddBad()
		} else {
			t.Add(hashes[row], kind == without)
		}
	}
	return t, r, nil
}

// What a row is.
const (
	sound = iota + 1
	without
	bad
)

// OfSketches decides on the documents of a folder of sketches, by the pairs that
// were found in it. local.Write writes the result. The threshold is that of the
// folder; o.Threshold is ignored.
func OfSketches(ctx context.Context, s *Source, f *sketches.Folder, o Options) (*local.Decided, error) {
	if err := s.agree(f); err != nil {
		return nil, err
	}
	keep, err := dedup.ParsePolicy(f.Keep)
	if err != nil {
		return nil, err
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	t, r, err := readTexts(ctx, f, keep, func(share float64) { o.Progress("documents", share) })
	if err != nil {
		return nil, err
	}
	if o.Threshold = f.Threshold; f.Verify == "none" {
		o.Threshold = 0
	}
	var compare func(a, b uint32) int
	if r != nil {
		compare = r.compare
	}
	out := local.Undecided(t, t.Best(0, compare))
	g := graph{
		nodes: t.Len(),
		node: func(number int64) (uint32, bool) {
			row, ok := f.RowOf(number)
			if !ok || t.Of[row] == steps.None || t.Empty[t.Of[row]] {
				return 0, false
			}
			return t.Of[row], true
		},
		weight: func(text uint32) int { return int(t.Size[text]) },
	}
	if r != nil {
		g.compare = func(a, b uint32) int { return r.compare(out.Best[a], out.Best[b]) }
	}
	total := f.Totals()
	out.Design, out.Recall, out.Bytes, out.Missing = f.Design, f.Found, total.Bytes, total.Missing
	res, err := decide(ctx, s, g, o, func(text, leader uint32, score float64) error {
		out.Leader[text], out.Scores[text] = leader, score
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Active, out.Scored, out.Chaining = res.active, res.pairs, res.chaining
	return out, nil
}
