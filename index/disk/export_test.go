package disk

import (
	"context"

	"github.com/alike-go/alike/index"
)

// StopBackground ends the making of segments, so that a full log stays beside the
// next one.
func (s *Store) StopBackground() {
	s.stop()
	s.worker.Wait()
}

// FindHash returns for each hash the number of a document with it.
func (s *Store) FindHash(ctx context.Context, hashes []index.Hash) ([]uint64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make([]uint64, len(hashes))
	var r row
	for i, h := range hashes {
		var err error
		if out[i], err = s.findHash(&r, h, func(uint64) bool { return false }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Flush makes the full log a segment.
func (s *Store) Flush(ctx context.Context) error { return s.flush(ctx) }
