package remote

import (
	"context"
	"time"

	"github.com/alike-go/alike/index"
)

// Retry repeats what failed because of servers, until its patience ends. Pauses
// double.
type Retry struct {
	Patience time.Duration    // from Restart on, or else from the first failure on
	Longest  time.Duration    // pause
	Passing  func(error) bool // reports whether servers get over an error
	Closed   func() bool      // reports whether the store is closed

	end  time.Time
	next time.Duration // pause
}

const firstPause = 10 * time.Millisecond

// Restart begins the patience and the pauses anew. It returns when the patience
// ends.
func (r *Retry) Restart() time.Time {
	r.next, r.end = firstPause, time.Now().Add(r.Patience)
	return r.end
}

// AtOnce drops the next pause.
func (r *Retry) AtOnce() { r.next = 0 }

// After pauses after a failure. It returns an error if there must not be another
// attempt.
func (r *Retry) After(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if r.Closed() {
		return index.ErrClosed
	}
	if r.end.IsZero() {
		r.Restart()
	}
	if !r.Passing(err) || !time.Now().Before(r.end) {
		return err
	}
	return r.Pause(ctx)
}

// Pause waits. It returns the error of the context if that is done before.
func (r *Retry) Pause(ctx context.Context) error {
	d := r.next
	r.next = min(max(2*d, firstPause), r.Longest)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
