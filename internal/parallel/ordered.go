package parallel

import (
	"context"
	"sync"
)

// Ordered passes each item that produce emits to work, on several goroutines,
// and passes the results to collect in the order of the items, on the calling
// goroutine. At most a few items per worker are under way. Ordered stops at the
// first error in the order of the items and returns it; an error of produce
// comes after all items. When it stops, the context that produce gets ends and
// emit returns an error.
func Ordered[T, R any](ctx context.Context, workers int, produce func(ctx context.Context, emit func(T) error) error, work func(T) (R, error), collect func(R) error) error {
	return OrderedWith(ctx, make([]struct{}, Workers(workers)), produce, func(_ struct{}, item T) (R, error) { return work(item) }, collect)
}

// OrderedWith is Ordered with one worker per tool. A tool is used by one worker
// only.
func OrderedWith[K, T, R any](ctx context.Context, tools []K, produce func(ctx context.Context, emit func(T) error) error, work func(K, T) (R, error), collect func(R) error) error {
	type result struct {
		value R
		err   error
	}
	type job struct {
		item T
		done chan result
	}
	ctx, stop := context.WithCancelCause(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop(nil)
	jobs, order := make(chan job, len(tools)), make(chan chan result, 2*len(tools))
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		err := produce(ctx, func(item T) error {
			j := job{item, make(chan result, 1)}
			select {
			case order <- j.done:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			jobs <- j // workers take all jobs, whatever happens
			return nil
		})
		if err != nil {
			failed := make(chan result, 1)
			failed <- result{err: err}
			select {
			case order <- failed:
			case <-ctx.Done():
			}
		}
	})
	for _, tool := range tools {
		wg.Go(func() {
			for j := range jobs {
				var r result
				if r.err = ctx.Err(); r.err == nil {
					r.value, r.err = work(tool, j.item)
				}
				j.done <- r
			}
		})
	}
	for done := range order {
		r := <-done
		if r.err == nil {
			r.err = collect(r.value)
		}
		if r.err != nil {
			stop(r.err)
			return r.err
		}
	}
	return ctx.Err()
}

// Numbers returns a producer for Ordered that emits 0 to n-1.
func Numbers(n int) func(ctx context.Context, emit func(int) error) error {
	return func(_ context.Context, emit func(int) error) error {
		for i := range n {
			if err := emit(i); err != nil {
				return err
			}
		}
		return nil
	}
}
