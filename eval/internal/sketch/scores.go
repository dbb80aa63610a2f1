package sketch

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/alike-go/alike/similarity"
)

// scoreChunk is how many pairs a worker scores at a time.
const scoreChunk = 1024

// Scores scores n pairs. It leaves zeros if ctx is cancelled.
func Scores(ctx context.Context, c similarity.Collection, n int, pair func(i int) (a, b int), workers int) []float32 {
	out := make([]float32, n)
	remote, isRemote := c.(similarity.Remote)
	work := make(chan int, n/scoreChunk+1)
	for i := 0; i < n; i += scoreChunk {
		work <- i
	}
	close(work)
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for from := range work {
				if ctx.Err() != nil {
					return
				}
				dst := out[from:min(n, from+scoreChunk)]
				if isRemote {
					ask := make([][2]int, len(dst))
					for i := range ask {
						ask[i][0], ask[i][1] = pair(from + i)
					}
					remote.ScorePairs(ask, dst)
					continue
				}
				for i := range dst {
					dst[i] = float32(c.Score(pair(from + i)))
				}
			}
		})
	}
	wg.Wait()
	return out
}

// Rows scores all pairs of documents. Every worker calls start once. Then it
// calls each for documents a, with the scores of a and the documents behind it
// in each collection, and end at the end. Calls of end do not overlap; calls of
// each do. progress may be nil.
func Rows(ctx context.Context, collections []similarity.Collection, workers int, progress func(share float64), start func() (each func(a int, rows [][]float32), end func())) error {
	n := collections[0].Len()
	var next, done atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range max(1, workers) {
		wg.Go(func() {
			each, end := start()
			rows := make([][]float32, len(collections))
			buffer := make([]float32, len(collections)*n)
			for ctx.Err() == nil {
				a := int(next.Add(1)) - 1
				if a >= n {
					break
				}
				for k, c := range collections {
					rows[k] = buffer[k*n : k*n+n-a-1]
					c.Scores(a, a+1, rows[k])
				}
				each(a, rows)
				if k := done.Add(1); progress != nil && k%64 == 0 {
					mu.Lock()
					left := 1 - float64(k)/float64(n)
					progress(1 - left*left)
					mu.Unlock()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			end()
		})
	}
	wg.Wait()
	return ctx.Err()
}
