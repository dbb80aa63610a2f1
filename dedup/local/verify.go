package local

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

// readActive reads the texts that candidates have again and reduces them to what the
// exact score needs, in the order of their numbers.
func (c *corpus) readActive(ctx context.Context, active bitmap) (*store, error) {
	out := newStore(c.o.Verify, c.scratch, c.o.Memory*2/5)
	want := func(row int) bool {
		t := c.texts.Of[row]
		return t != none && int(c.texts.First[t]) == row && active.has(t)
	}
	err := eachChunk(ctx, c.in, want, c.progress("verify"), func(p *datasets.Parser, ch *chunk) (similarity.Collection, error) {
		sets := c.o.Verify.NewCollection()
		return sets, ch.documents(p, func(i int, row *datasets.Row, bad error) error {
			if bad != nil {
				return bad
			}
			text := c.cleaner.Clean(row.Doc.Text)
			if dedup.HashText(text) != c.texts.Hash[c.texts.Of[ch.numbers[i]]] {
				return fmt.Errorf("dedup: %s has changed since it was read first", ch.file(i))
			}
			sets.Add(text)
			return nil
		})
	}, func(_ *chunk, sets similarity.Collection) error { return out.add(sets) })
	if err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}
