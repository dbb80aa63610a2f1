package disk

import "context"

// StopBackground ends the making of segments, so that a full log stays beside the
// next one.
func (s *Store) StopBackground() {
	s.stop()
	s.worker.Wait()
}

// Flush makes the full log a segment.
func (s *Store) Flush(ctx context.Context) error { return s.flush(ctx) }
