package local

import (
	"context"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
)

// learn makes the cleaner, which reads all sources as often as it wants to.
func (c *corpus) learn(ctx context.Context) error {
	o := c.o.Clean
	if o.Memory == 0 {
		o.Memory = c.o.Memory / 4
	}
	cleaner, err := clean.New(o)
	if err != nil {
		return err
	}
	c.cleaner = cleaner
	for pass := range cleaner.Passes() {
		c.stage("learn")
		err := eachChunk(ctx, c.in, nil, func(share float64) {
			c.o.Progress("learn", (float64(pass)+share)/float64(cleaner.Passes()))
		}, func(p *datasets.Parser, ch *chunk) (none struct{}, err error) {
			return none, ch.documents(p, func(_ int, row *datasets.Row, bad error) error {
				if bad == nil { // a bad row is reported where texts are sketched
					cleaner.Learn(row.Doc.Text)
				}
				return nil
			})
		}, func(*chunk, struct{}) error { return nil })
		if err == nil {
			err = cleaner.Next()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
