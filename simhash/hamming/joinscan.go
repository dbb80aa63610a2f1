package hamming

import (
	"context"
	"fmt"

	"github.com/alike-go/alike/internal/parallel"
)

const (
	rowBlock = 64   // rows that a worker compares with all columns
	colBlock = 4096 // columns that it compares with one row after another, from the cache
)

// scan compares all pairs, a block of rows at a time, and emits near pairs as it finds
// them.
func (j *joiner) scan(emit func(Pair) error) error {
	a, cols, self := j.a, j.a.columns(), j.b == nil
	if !self {
		cols = j.b.columns()
	}
	results := make([][][]Pair, j.workers) // by worker and row
	scratch := make([][]uint32, j.workers)
	for i := range results {
		results[i] = make([][]Pair, rowBlock)
		scratch[i] = make([]uint32, colBlock)
	}
	stride := j.workers * rowBlock
	for lo := 0; lo < a.Len(); lo += stride {
		if err := j.ctx.Err(); err != nil {
			return fmt.Errorf("hamming: join: %w", err)
		}
		parallel.For(context.Background(), j.workers, j.workers, func(_, i int) {
			from := min(lo+i*rowBlock, a.Len())
			scanRows(results[i], scratch[i], a, cols, from, min(from+rowBlock, a.Len()), j.k, self)
		})
		for i, rows := range results {
			for r, pairs := range rows {
				row := lo + i*rowBlock + r
				if row >= a.Len() {
					break
				}
				j.stats.Candidates += int64(cols.len())
				if self {
					j.stats.Candidates -= int64(row + 1)
				}
				for _, p := range pairs {
					j.stats.Pairs++
					if err := emit(p); err != nil {
						return err
					}
				}
			}
		}
		if j.o.Progress != nil {
			j.o.Progress(float64(min(lo+stride, a.Len())) / float64(a.Len()))
		}
	}
	return nil
}

// scanRows sets rows to the pairs of the rows from, from+1, ... with all columns, or in
// a self-join with the later columns.
func scanRows(rows [][]Pair, near []uint32, a Codes, cols columns, from, to, k int, self bool) {
	for i := range rows {
		rows[i] = rows[i][:0]
	}
	first := 0
	if self {
		first = from + 1
	}
	for c := first; c < cols.len(); c += colBlock {
		for r := from; r < to; r++ {
			begin, end, code := c, min(c+colBlock, cols.len()), a.At(r)
			if self {
				begin = max(c, r+1)
			}
			if begin >= end {
				continue
			}
			for _, i := range cols.near(near, begin, end, code, k) {
				at := begin + int(i)
				rows[r-from] = append(rows[r-from], Pair{uint32(r), uint32(at), code.Distance(cols.at(at))})
			}
		}
	}
}
