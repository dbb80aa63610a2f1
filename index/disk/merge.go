package disk

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/internal/extsort"
)

// often is after how many rows a long operation looks at its context.
const often = 1 << 16

// stepper returns a function to call for each row of a long operation. It returns
// the error of the context, after many rows at the latest.
func stepper(ctx context.Context) func() error {
	steps := 0
	return func() error {
		if steps++; steps%often == 0 && ctx.Err() != nil {
			return fmt.Errorf("disk: %w", ctx.Err())
		}
		return nil
	}
}

// walk calls do for each item of a cursor. next moves to the item, and returns false
// behind the last one.
func walk(next func() (bool, error), do func() error) error {
	for {
		if ok, err := next(); err != nil || !ok {
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
}

// copyLive copies to a builder what segments hold of documents that are not
// deleted. The ranges of the
// segments ascend, so documents stand one segment after the other; postings and
// tables are merged.
func copyLive(ctx context.Context, b *builder, group []*segment, isDead func(number uint64) bool) error {
	step := stepper(ctx)
	for _, g := range group {
		c := docCursor{s: g}
		err := walk(c.next, func() error {
			if !isDead(c.at.number) {
				d := index.Document{Number: c.at.number, ID: string(c.at.id), Sketch: c.at.sketch, Hash: index.Hash(c.at.hash), Time: c.at.time}
				b.doc(&d)
			}
			return step()
		})
		if err != nil {
			return err
		}
	}
	b.docsDone()
	postings := make([]*postingCursor, len(group))
	for i, g := range group {
		postings[i] = &postingCursor{s: g}
	}
	err := extsort.Merge(postings, (*postingCursor).next,
		func(x, y *postingCursor) int { return comparePostings(x.at, y.at) },
		func(c *postingCursor) error {
			if !isDead(c.at.number) {
				b.posting(c.at)
			}
			return step()
		})
	if err != nil {
		return err
	}
	b.postingsDone()
	for _, t := range []struct {
		of  func(*segment) *table
		end *int64
	}{
		{func(g *segment) *table { return &g.ids }, &b.foot.IDsEnd},
		{func(g *segment) *table { return &g.hashes }, &b.foot.HashesEnd},
	} {
		entries := make([]*entryCursor, len(group))
		for i, g := range group {
			entries[i] = &entryCursor{tableCursor: tableCursor{s: g, t: t.of(g)}}
		}
		err := extsort.Merge(entries, (*entryCursor).next,
			func(x, y *entryCursor) int { return compareHashed(x.at, y.at) },
			func(c *entryCursor) error {
				if !isDead(c.at.number) {
					b.entry(c.at.hash, c.at.number)
				}
				return step()
			})
		if err != nil {
			return err
		}
		b.tableDone(t.end)
	}
	return b.err
}

// entryCursor goes through a table in its order.
type entryCursor struct {
	tableCursor
	i  int // the next
	at hashed
}

func (c *entryCursor) next() (bool, error) {
	if c.i == c.t.n {
		return false, nil
	}
	var err error
	if c.at.hash, err = c.hash(c.i); err != nil {
		return false, err
	}
	if c.at.number, err = c.number(c.i); err != nil {
		return false, err
	}
	c.i++
	return true, nil
}
