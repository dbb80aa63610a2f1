package parallel

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestFor(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 2, 7} {
		for _, n := range []int{0, 1, 5, 300} {
			calls := make([]atomic.Int32, n)
			busy := make([]atomic.Int32, max(1, workers))
			For(t.Context(), workers, n, func(w, i int) {
				if busy[w].Add(1) != 1 {
					t.Errorf("%d workers: two goroutines pass the number %d", workers, w)
				}
				runtime.Gosched()
				calls[i].Add(1)
				busy[w].Add(-1)
			})
			for i := range calls {
				if got := calls[i].Load(); got != 1 {
					t.Errorf("%d workers, n=%d: %d calls with %d, want 1", workers, n, got, i)
				}
			}
		}
	}
}

// After the context has ended, only calls that are under way go on.
func TestForStops(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		var calls atomic.Int32
		For(ctx, workers, 1000, func(_, i int) {
			if calls.Add(1) == 10 {
				cancel()
			}
		})
		if n := int(calls.Load()); n < 10 || n > 10+workers {
			t.Errorf("%d workers: %d calls, want few more than 10", workers, n)
		}
	}
}

func TestProgress(t *testing.T) {
	var got []float64
	done := Progress(4, func(share float64) { got = append(got, share) })
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(done)
	}
	wg.Wait()
	if want := []float64{0.25, 0.5, 0.75, 1}; !slices.Equal(got, want) {
		t.Errorf("shows %v, want %v", got, want)
	}
}

func TestWorkers(t *testing.T) {
	if Workers(3) != 3 || Workers(0) != runtime.GOMAXPROCS(0) || Workers(-1) != runtime.GOMAXPROCS(0) {
		t.Errorf("%d, %d, %d", Workers(3), Workers(0), Workers(-1))
	}
}

func TestRanges(t *testing.T) {
	for _, n := range []int{0, 1, 9, 10, 11} {
		got := make([][2]int, (n+4)/5)
		Ranges(t.Context(), 2, n, 5, func(_, from, to int) { got[from/5] = [2]int{from, to} })
		if want := [][2]int{{0, 5}, {5, 10}, {10, 11}}; n == 11 && !slices.Equal(got, want) {
			t.Errorf("ranges %v, want %v", got, want)
		}
		sum := 0
		for _, r := range got {
			sum += r[1] - r[0]
		}
		if sum != n {
			t.Errorf("ranges %v of %d numbers, want %d", got, sum, n)
		}
	}
}
