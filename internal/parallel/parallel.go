// Package parallel runs work on several goroutines.
//
//   - For calls a function for each of n numbers, Ranges for ranges of them.
//   - Ordered passes items through workers and collects the results in order.
//   - Progress counts what is done, and Workers fills in a default.
//
// Everything returns when all its goroutines have ended. The methods, index,
// dedup, eval and serve use it. Goroutines that live longer than a call, such
// as a server's, do not belong here, nor does anything beyond the standard
// library: whoever imports one method imports this.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers returns n, or GOMAXPROCS if n is not positive.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// For calls do with each i from 0 to n-1, in ascending order, on at most so many
// goroutines as there are workers, and at least one. Each goroutine passes its
// own number, from 0 to workers-1, so that it can have memory of its own. When
// ctx ends, For starts no more calls; the caller asks ctx whether all were made.
func For(ctx context.Context, workers, n int, do func(worker, i int)) {
	var next atomic.Int64
	run := func(worker int) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(worker, i)
		}
	}
	if workers = min(workers, n); workers <= 1 {
		run(0)
		return
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { run(w) })
	}
	wg.Wait()
}

// Ranges is For on the ranges of up to size numbers that 0 to n-1 is cut into.
// They are numbered by from/size.
func Ranges(ctx context.Context, workers, n, size int, do func(worker, from, to int)) {
	For(ctx, workers, (n+size-1)/size, func(worker, i int) { do(worker, i*size, min((i+1)*size, n)) })
}

// Progress returns a function that counts one more of n tasks as done. It calls
// show with the share that is done, never twice at the same time.
func Progress(n int, show func(share float64)) (done func()) {
	var mu sync.Mutex
	count := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		count++
		show(float64(count) / float64(n))
	}
}
