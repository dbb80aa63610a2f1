package disk

import (
	"context"
	"fmt"
)

// Verify reads every block, page and batch again and compares its checksum. It
// checks that their contents are in order and agree with each other.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	defer v.release()
	var problems []string
	for _, g := range v.segments {
		err := g.verify(ctx)
		if ctx.Err() != nil {
			return problems, fmt.Errorf("disk: %w", ctx.Err())
		}
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	for {
		m, err := readManifest(s.dir)
		if err != nil {
			return append(problems, err.Error()), nil
		}
		errs := m.verifyLogs(s.dir)
		if len(errs) == 0 || !replacedSince(s.dir, m) {
			for _, err := range errs {
				problems = append(problems, err.Error())
			}
			return problems, nil
		}
	}
}

// verifyLogs returns what is wrong with the logs.
func (m *manifest) verifyLogs(dir string) (errs []error) {
	if err := m.checkStrays(dir); err != nil {
		errs = append(errs, err)
	}
	for i := range m.Logs {
		if _, err := m.replay(dir, i, nil, nil); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// verify reads all of a segment again. It compares checksums, and checks order,
// counts, and that a document has every number.
func (s *segment) verify(ctx context.Context) error {
	// Reading a block compares its checksum, unless that was done before.
	for _, b := range []*blocks{&s.docs, &s.postings, &s.ids.pages, &s.hashes.pages} {
		for i := range b.seen {
			b.seen[i].Store(0)
		}
	}
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("disk: %s: %s", s.name, fmt.Sprintf(format, args...))
	}
	there := make([]uint64, (s.foot.Last-s.foot.Base)/64+1)
	has := func(number uint64) bool {
		if !s.holds(number) {
			return false
		}
		n := number - s.foot.Base
		return there[n/64]>>(n%64)&1 == 1
	}
	step := stepper(ctx)
	var n int64
	before := uint64(0)
	docs := docCursor{s: s}
	err := walk(docs.next, func() error {
		if !s.holds(docs.at.number) || docs.at.number <= before {
			return wrong("document %d after %d", docs.at.number, before)
		}
		before = docs.at.number
		k := before - s.foot.Base
		there[k/64] |= 1 << (k % 64)
		n++
		return step()
	})
	if err != nil {
		return err
	}
	if n != s.foot.Docs {
		return wrong("%d documents, want %d", n, s.foot.Docs)
	}
	n = 0
	last := posting{}
	postings := postingCursor{s: s}
	err = walk(postings.next, func() error {
		if comparePostings(postings.at, last) <= 0 {
			return wrong("posting %d is out of order", n)
		}
		if last = postings.at; !has(last.number) {
			return wrong("posting %d is of document %d, which is not there", n, last.number)
		}
		n++
		return step()
	})
	if err != nil {
		return err
	}
	if n != s.foot.Postings {
		return wrong("%d postings, want %d", n, s.foot.Postings)
	}
	for _, t := range []*table{&s.ids, &s.hashes} {
		last := hashed{}
		c := entryCursor{tableCursor: tableCursor{s: s, t: t}}
		err := walk(c.next, func() error {
			if compareHashed(c.at, last) <= 0 {
				return wrong("entry %d of the table of %ss is out of order", c.i-1, t.pages.kind)
			}
			if last = c.at; !has(last.number) {
				return wrong("entry %d of the table of %ss is of document %d, which is not there", c.i-1, t.pages.kind, last.number)
			}
			return step()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
