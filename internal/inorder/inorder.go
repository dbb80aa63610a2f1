// Package inorder runs work in several goroutines and hands on the results in the order of the items.
package inorder

import (
	"context"
	"sync"
)

// Run runs work on what produce emits in several goroutines and hands the results to
// collect in the order of the items, from the calling goroutine. At most a few items
// for each worker are under way. The first error in that order ends it; work is
// told by its context.
func Run[T, R any](ctx context.Context, workers int, produce func(ctx context.Context, emit func(T) error) error, work func(T) (R, error), collect func(R) error) error {
	return With(ctx, make([]struct{}, workers), produce, func(_ struct{}, item T) (R, error) { return work(item) }, collect)
}

// With is Run with one worker for each tool, which it alone uses.
func With[K, T, R any](ctx context.Context, tools []K, produce func(ctx context.Context, emit func(T) error) error, work func(K, T) (R, error), collect func(R) error) error {
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
