package parallel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestOrdered(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var got []int
		err := Ordered(context.Background(), workers, Numbers(500), func(i int) (int, error) {
			if i%50 == 0 {
				time.Sleep(time.Millisecond)
			}
			return i * i, nil
		}, func(i int) error { got = append(got, i); return nil })
		if err != nil || len(got) != 500 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %v, %d results, sorted %t", workers, err, len(got), slices.IsSorted(got))
		}
	}
}

// The error returned is the first in the order of the items, wherever it arises,
// and what comes before it has been collected.
func TestOrderedFails(t *testing.T) {
	bad := errors.New("bad")
	for _, where := range []string{"produce", "work", "collect"} {
		n := 0
		err := Ordered(context.Background(), 4, func(ctx context.Context, emit func(int) error) error {
			if err := Numbers(100)(ctx, emit); err != nil {
				return err
			}
			if where == "produce" {
				return bad
			}
			return Numbers(1000)(ctx, emit)
		}, func(i int) (int, error) {
			if where == "work" && i >= 60 {
				return 0, fmt.Errorf("%d: %w", i, bad)
			}
			return i, nil
		}, func(i int) error {
			if where == "collect" && i == 60 {
				return fmt.Errorf("60: %w", bad)
			}
			n++
			return nil
		})
		want := map[string]int{"produce": 100, "work": 60, "collect": 60}[where]
		if !errors.Is(err, bad) || where != "work" && n != want {
			t.Errorf("%s: %v after %d results, want %d", where, err, n, want)
		}
		if where != "produce" && err.Error() != "60: bad" {
			t.Errorf("%s: %v, want that of item 60", where, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Ordered(ctx, 2, Numbers(10), func(i int) (int, error) { return i, nil }, func(int) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
}
