package disk

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/alike-go/alike/index"
)

// Verify reads every block, page and batch anew and compares its checksum, and checks that what
// they hold is in order and agrees with each other.
func (s *Store) Verify(ctx context.Context) ([]string, error) {
	v, err := s.view(ctx)
	if err != nil {
		return nil, err
	}
	defer v.release()
	var problems []string
	for _, g := range v.segments {
		for _, check := range []func(context.Context) error{g.verifySums, g.verifyContent} {
			err := check(ctx)
			if ctx.Err() != nil {
				return problems, fmt.Errorf("disk: %w", ctx.Err())
			}
			if err != nil {
				problems = append(problems, err.Error())
				break
			}
		}
	}
	s.mu.RLock()
	logs, err := s.logs(s.man.Log)
	s.mu.RUnlock()
	if err != nil {
		return problems, err
	}
	for _, file := range logs {
		if _, err := replay(filepath.Join(s.dir, logName(file)), func(*index.Entry) {}, func(uint64) {}); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems, nil
}

// verifySums compares all checksums, those that were compared before too.
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

// verifyContent checks order, counts, and that every number is that of a document.
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
