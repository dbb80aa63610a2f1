package pairs

import (
	"context"
	"fmt"
	"math"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/sketches"
)

// none stands for the text of a row that is no document.
const none = math.MaxUint32

// texts are the documents of a folder of sketches: rows share a text where theirs are equal.
type texts struct {
	of    []uint32 // by row
	first []uint32 // by text, its first row
	best  []uint32 // by text, the row that is kept of it
	size  []uint32 // by text, of how many rows it is
	empty []bool   // by text
}

// readTexts reads the documents. What is in memory at once is some 50 bytes a row.
func readTexts(ctx context.Context, f *sketches.Folder, keep dedup.Policy, progress func(float64)) (*texts, *ranks, error) {
	rows := f.Rows()
	if rows >= none {
		return nil, nil, fmt.Errorf("pairs: %d documents are more than 2³²-2", rows)
	}
	t := &texts{of: make([]uint32, rows)}
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
	t.group(hashes, kinds, r)
	return t, r, nil
}

// What a row is.
const (
	sound = iota + 1
	without
	bad
)

// group finds equal texts, in the order of the rows.
func (t *texts) group(hashes []dedup.Hash, kinds []byte, r *ranks) {
	size := uint64(1 << 10)
	for size < uint64(len(hashes))*4/3+1 {
		size *= 2
	}
	slots := make([]uint32, size) // of texts, each plus one
	for i, kind := range kinds {
		row := uint32(i)
		if kind == bad {
			t.of[row] = none
			continue
		}
		if kind == sound {
			at := slotOf(hashes[row], size-1)
			for slots[at] != 0 && hashes[t.first[slots[at]-1]] != hashes[row] {
				at = (at + 1) & (size - 1)
			}
			if slots[at] != 0 {
				text := slots[at] - 1
				t.of[row] = text
				t.size[text]++
				if r != nil && r.compare(row, t.best[text]) < 0 {
					t.best[text] = row
				}
				continue
			}
			slots[at] = uint32(len(t.first)) + 1
		}
		t.of[row] = uint32(len(t.first))
		t.first, t.best = append(t.first, row), append(t.best, row)
		t.size, t.empty = append(t.size, 1), append(t.empty, kind == without)
	}
}

// OfSketches decides on the documents of a folder of sketches, by the pairs that were found in it. What comes
// of it is written by local.Write. o.Threshold is not used, but that of the folder.
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
	g := Graph{
		Nodes: len(t.first),
		Node: func(number int64) (uint32, bool) {
			row, ok := f.RowOf(number)
			if !ok || t.of[row] == none || t.empty[t.of[row]] {
				return 0, false
			}
			return t.of[row], true
		},
		Weight: func(text uint32) int { return int(t.size[text]) },
	}
	if r != nil {
		g.Compare = func(a, b uint32) int { return r.compare(t.best[a], t.best[b]) }
	}
	total := f.Totals()
	out := &local.Decided{
		Text: t.of, Best: t.best, Empty: t.empty, Leader: make([]uint32, len(t.first)), Scores: make(map[uint32]float64),
		Design: f.Design, Recall: f.Found, Bytes: total.Bytes, Missing: total.Missing,
	}
	for i := range out.Leader {
		out.Leader[i] = uint32(i)
	}
	res, err := Decide(ctx, s, g, o, func(text, leader uint32, score float64) error {
		out.Leader[text], out.Scores[text] = leader, score
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Active, out.Scored, out.Chaining = res.Active, res.Pairs, res.Chaining
	return out, nil
}
