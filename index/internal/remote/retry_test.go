package remote_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// A failure is repeated if servers get over it, the store is open, and neither
// the patience nor the context has ended.
func TestRetry(t *testing.T) {
	passes, bad := errors.New("passes"), errors.New("bad")
	closed := false
	retry := func(patience time.Duration) *remote.Retry {
		return &remote.Retry{Patience: patience, Longest: time.Millisecond, Closed: func() bool { return closed }, Passing: func(err error) bool { return err == passes }}
	}
	ctx, stop := context.WithCancel(t.Context())
	r := retry(time.Hour)
	for range 3 {
		if err := r.After(ctx, passes); err != nil {
			t.Fatalf("an error that passes is not repeated: %v", err)
		}
	}
	if err := r.After(ctx, bad); err != bad {
		t.Errorf("after an error that does not pass: %v", err)
	}
	for _, patience := range []time.Duration{-time.Second, 0} {
		if err := retry(patience).After(ctx, passes); err != passes {
			t.Errorf("after a patience of %v: %v", patience, err)
		}
	}
	r = retry(20 * time.Millisecond)
	tries := 0
	for end := r.Restart(); r.After(ctx, passes) == nil; tries++ {
		if time.Since(end) > time.Minute {
			t.Fatal("the patience does not end")
		}
	}
	if tries == 0 {
		t.Error("nothing is repeated")
	}
	closed = true
	if err := retry(time.Hour).After(ctx, passes); err != index.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
	stop()
	if err := retry(time.Hour).After(ctx, passes); err != context.Canceled {
		t.Errorf("after the context: %v", err)
	}
}
