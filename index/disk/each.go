package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/index"
)

// view is the state at a time. It stays the same while the store changes.
type view struct {
	segments []*segment
	entries  []*index.Entry // in memory
}

// view returns the present state. It must be released.
func (s *Store) view(ctx context.Context) (*view, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx, true); err != nil {
		return nil, err
	}
	v := &view{segments: s.segments, entries: append(s.frozen.entries(), s.mem.entries()...)}
	for _, g := range v.segments {
		g.holders.Add(1)
	}
	return v, nil
}

func (v *view) release() {
	for _, g := range v.segments {
		g.release()
	}
}

// gone reports whether a number was deleted from a segment.
func (s *Store) gone(number uint64) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.isDead(number)
}

// eachLive calls do for each item of a cursor, unless its document was deleted.
// next moves to the item, and number returns the number of its document.
func (s *Store) eachLive(ctx context.Context, next func() (bool, error), number func() uint64, do func() error) error {
	return walk(next, func() error {
		if ctx.Err() != nil {
			return fmt.Errorf("disk: %w", ctx.Err())
		}
		if s.gone(number()) {
			return nil
		}
		return do()
	})
}

// EachDocument calls do with every document, in ascending order of the numbers.
func (s *Store) EachDocument(ctx context.Context, do func(index.Document) error) error {
	v, err := s.view(ctx)
	if err != nil {
		return err
	}
	defer v.release()
	for _, g := range v.segments {
		c := docCursor{s: g}
		if err := s.eachLive(ctx, c.next, func() uint64 { return c.at.number }, func() error { return do(c.at.document()) }); err != nil {
			return err
		}
	}
	for _, e := range v.entries {
		if ctx.Err() != nil {
			return fmt.Errorf("disk: %w", ctx.Err())
		}
		d := e.Document
		d.Sketch = append([]byte{}, e.Sketch...)
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

// EachPosting calls do with every posting of documents that are there, by
// segments.
func (s *Store) EachPosting(ctx context.Context, do func(p index.Posting, number uint64) error) error {
	v, err := s.view(ctx)
	if err != nil {
		return err
	}
	defer v.release()
	for _, g := range v.segments {
		c := postingCursor{s: g}
		if err := s.eachLive(ctx, c.next, func() uint64 { return c.at.number }, func() error { return do(c.at.posting(), c.at.number) }); err != nil {
			return err
		}
	}
	for _, e := range v.entries {
		if ctx.Err() != nil {
			return fmt.Errorf("disk: %w", ctx.Err())
		}
		for _, p := range e.Postings {
			if err := do(p, e.Number); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p posting) posting() index.Posting {
	return index.Posting{Bucket: uint32(p.key >> 8), Table: uint8(p.key), Word: p.word}
}

// Stats says how large the index is. If documents were deleted since the last
// merge, it reads the postings of their segments to count the stale ones.
func (s *Store) Stats(ctx context.Context) (index.Stats, error) {
	v, err := s.view(ctx)
	if err != nil {
		return index.Stats{}, err
	}
	defer v.release()
	var st index.Stats
	s.mu.RLock()
	logs := s.man.Logs
	st.Documents, st.Postings = s.mem.live, s.mem.keys
	if s.frozen != nil {
		st.Documents += s.frozen.live
		st.Postings += s.frozen.keys
	}
	inLog := st.Documents
	var deleted int64
	dead := map[*segment]int64{}
	for _, g := range v.segments {
		dead[g] = g.dead
		deleted += g.dead
	}
	s.mu.RUnlock()
	logBytes, err := s.logBytes(logs)
	if err != nil {
		return st, err
	}
	st.PostingBytes = st.Postings * index.KeySize
	for _, g := range v.segments {
		f := &g.foot
		st.Documents += f.Docs - dead[g]
		st.Postings += f.Postings
		bytes := f.PostingsEnd - f.DocsEnd + f.DirEnd - f.DocDirEnd
		st.PostingBytes += bytes
		st.DocumentBytes += g.size - bytes
		if dead[g] == 0 {
			continue
		}
		c, step := postingCursor{s: g}, stepper(ctx)
		err := walk(c.next, func() error {
			if s.gone(c.at.number) {
				st.Stale++
			}
			return step()
		})
		if err != nil {
			return st, err
		}
	}
	for _, e := range v.entries {
		st.DocumentBytes += int64(len(e.ID)+len(e.Sketch)+len(e.Hash)) + 16
	}
	st.Details = []index.Detail{
		{Name: "segments", Value: fmt.Sprint(len(v.segments))},
		{Name: "documents deleted from segments", Value: fmt.Sprint(deleted)},
		{Name: "documents in the log", Value: fmt.Sprint(inLog)},
		{Name: "bytes of the log", Value: fmt.Sprint(logBytes)},
	}
	return st, nil
}

// logBytes returns the length of logs. A writer may remove them at any time.
func (s *Store) logBytes(logs []logRef) (int64, error) {
	var n int64
	for _, ref := range logs {
		info, err := os.Stat(filepath.Join(s.dir, logName(ref.File)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a segment since
		}
		if err != nil {
			return 0, fmt.Errorf("disk: %w", err)
		}
		n += info.Size()
	}
	return n, nil
}
