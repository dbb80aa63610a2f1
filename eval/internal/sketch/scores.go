package sketch

import (
	"context"

	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// scoreChunk is how many pairs a worker scores at a time.
const scoreChunk = 1024

// Scores scores n pairs. It leaves zeros if ctx is cancelled.
func Scores(ctx context.Context, c similarity.Collection, n int, pair func(i int) (a, b int), workers int) []float32 {
	out := make([]float32, n)
	remote, isRemote := c.(similarity.Remote)
	parallel.Ranges(ctx, workers, n, scoreChunk, func(_, from, to int) {
		if isRemote {
			ask := make([][2]int, to-from)
			for i := range ask {
				ask[i][0], ask[i][1] = pair(from + i)
			}
			remote.ScorePairs(ask, out[from:to])
			return
		}
		for i := from; i < to; i++ {
			out[i] = float32(c.Score(pair(i)))
		}
	})
	return out
}

// Rows scores all pairs of documents. It calls start for every worker. On
// several goroutines it calls each for all documents a, with the scores of a and
// the documents behind it in each collection. It calls the end functions one
// after the other, also if ctx is cancelled. progress may be nil.
func Rows(ctx context.Context, collections []similarity.Collection, workers int, progress func(share float64), start func() (each func(a int, rows [][]float32), end func())) error {
	behind := func(a int) (doc, from int) { return a, a + 1 }
	return rows(ctx, collections, collections[0].Len(), behind, workers, progress, start)
}

// Against is Rows for some documents, each with its scores against all documents,
// itself included.
func Against(ctx context.Context, collections []similarity.Collection, docs []int32, workers int, progress func(share float64), start func() (each func(a int, rows [][]float32), end func())) error {
	whole := func(i int) (doc, from int) { return int(docs[i]), 0 }
	return rows(ctx, collections, len(docs), whole, workers, progress, start)
}

// rows scores n rows; row says which document each is of, and the first that it is
// scored with.
func rows(ctx context.Context, collections []similarity.Collection, n int, row func(i int) (doc, from int), workers int, progress func(share float64), start func() (each func(a int, rows [][]float32), end func())) error {
	docs := collections[0].Len()
	type worker struct {
		each   func(a int, rows [][]float32)
		end    func()
		rows   [][]float32
		buffer []float32
	}
	all := make([]worker, max(1, min(workers, n)))
	for i := range all {
		each, end := start()
		all[i] = worker{each, end, make([][]float32, len(collections)), make([]float32, len(collections)*docs)}
	}
	count := 0
	done := parallel.Progress(n, func(share float64) {
		if count++; progress != nil && count%64 == 0 {
			progress(1 - (1-share)*(1-share)) // the last rows are the shortest
		}
	})
	parallel.For(ctx, len(all), n, func(i, at int) {
		w := &all[i]
		a, from := row(at)
		for k, c := range collections {
			w.rows[k] = w.buffer[k*docs : k*docs+docs-from]
			c.Scores(a, from, w.rows[k])
		}
		w.each(a, w.rows)
		done()
	})
	for _, w := range all {
		w.end()
	}
	return ctx.Err()
}
