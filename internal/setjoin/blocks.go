package setjoin

import (
	"context"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/internal/splitmix"
)

// hashFactor spreads hashes: the upper bits of a product with it depend on all
// bits of the hash, and the products of different hashes differ.
const hashFactor = splitmix.Step

// docsAtOnce is the number of documents that a goroutine takes at a time.
const docsAtOnce = 64

// blocks calls work for n documents, docsAtOnce of them at a time, on several
// goroutines, each of which has a tool of its own. It passes the results to
// collect in order, and then calls progress with the number of documents done.
// It returns the first error of collect, or the context's.
func blocks[K, R any](ctx context.Context, n, workers int, tool func() K, work func(k K, doc int, r *R), collect func(from int, r *R) error, progress func(done int)) error {
	type block struct {
		from, to int
		result   R
	}
	count := (n + docsAtOnce - 1) / docsAtOnce
	tools := make([]K, max(1, min(workers, count)))
	for w := range tools {
		tools[w] = tool()
	}
	return parallel.OrderedWith(ctx, tools, parallel.Numbers(count), func(k K, i int) (*block, error) {
		b := &block{from: i * docsAtOnce, to: min(n, (i+1)*docsAtOnce)}
		for doc := b.from; doc < b.to && ctx.Err() == nil; doc++ {
			work(k, doc, &b.result)
		}
		return b, ctx.Err()
	}, func(b *block) error {
		if err := collect(b.from, &b.result); err != nil {
			return err
		}
		progress(b.to)
		return nil
	})
}
