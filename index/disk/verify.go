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

// verify compares checksums and checks the contents.
func (s *segment) verify(ctx context.Context) error {
	if err := s.verifySums(ctx); err != nil {
		return err
	}
	return s.verifyContent(ctx)
}

// verifySums compares all checksums, also those that were compared before.
func (s *segment) verifySums(ctx context.Context) error {
	for _, b := range []*blocks{&s.docs, &s.postings, &s.ids.pages, &s.hashes.pages} {
		for i := range b.len() {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			raw, err := s.src.at(b.offs[i], b.offs[i+1])
			if err != nil {
				return fmt.Errorf("disk: %s: %w", s.name, err)
			}
			if _, ok := unseal(raw); !ok {
				return s.bad(b, i)
			}
		}
	}
	return nil
}

// verifyContent checks order, counts, and that a document has every number.
func (s *segment) verifyContent(ctx context.Context) error {
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
	steps := 0
	step := func() error {
		if steps++; steps%often == 0 {
			return ctx.Err()
		}
		return nil
	}
	var n int64
	before := uint64(0)
	for c := (docCursor{s: s}); ; n++ {
		ok, err := c.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := step(); err != nil {
			return err
		}
		if !s.holds(c.at.number) || c.at.number <= before {
			return wrong("document %d after %d", c.at.number, before)
		}
		before = c.at.number
		k := before - s.foot.Base
		there[k/64] |= 1 << (k % 64)
	}
	if n != s.foot.Docs {
		return wrong("%d documents, want %d", n, s.foot.Docs)
	}
	n = 0
	last := posting{}
	for c := (postingCursor{s: s}); ; n++ {
		ok, err := c.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := step(); err != nil {
			return err
		}
		if comparePostings(c.at, last) <= 0 {
			return wrong("posting %d is out of order", n)
		}
		if last = c.at; !has(last.number) {
			return wrong("posting %d is of document %d, which is not there", n, last.number)
		}
	}
	if n != s.foot.Postings {
		return wrong("%d postings, want %d", n, s.foot.Postings)
	}
	for _, t := range []*table{&s.ids, &s.hashes} {
		last := hashed{}
		for c := (entryCursor{tableCursor: tableCursor{s: s, t: t}}); ; {
			ok, err := c.next()
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if err := step(); err != nil {
				return err
			}
			if compareHashed(c.at, last) <= 0 {
				return wrong("entry %d of the table of %ss is out of order", c.i-1, t.pages.kind)
			}
			if last = c.at; !has(last.number) {
				return wrong("entry %d of the table of %ss is of document %d, which is not there", c.i-1, t.pages.kind, last.number)
			}
		}
	}
	return nil
}
