package shingle

import (
	"context"
	"sync"
	"sync/atomic"
)

// hashFactor is 2⁶⁴ divided by the golden ratio, made odd. The upper bits of a
// product with it depend on all bits of a hash, and the product is another hash
// that differs where the hash does.
const hashFactor = 0x9e3779b97f4a7c15

// parallel runs a task for each of n numbers on several goroutines, each of which calls
// start once for its own task. It stops early when the context ends.
func parallel(ctx context.Context, n, workers int, start func() func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			task := start()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				task(i)
			}
		})
	}
	wg.Wait()
}

// inOrder runs tasks 0 to n−1 on several goroutines, each of which calls start once for
// its own task, and hands their results to take in the order of their numbers, on the
// caller's goroutine. No more than four tasks for each worker are ahead of
// what is taken. It returns the first error of take, or the context's.
func inOrder[R any](ctx context.Context, n, workers int, start func() func(int) R, take func(int, R) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	type job struct {
		number int
		result chan<- R
	}
	jobs := make(chan job)
	queue := make(chan (<-chan R), 4*workers) // results in order, most still to come
	for range min(workers, n) {
		wg.Go(func() {
			task := start()
			for j := range jobs {
				j.result <- task(j.number)
			}
		})
	}
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		for i := range n {
			result := make(chan R, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{i, result}:
			case <-ctx.Done():
				return
			}
		}
	})
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		select {
		case result := <-queue:
			select {
			case r := <-result:
				if err := take(i, r); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
