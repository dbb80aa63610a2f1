package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/similarity"
)

// outputColumns are the names of the columns of another tool's output.
type outputColumns struct {
	id1, id2, score, id, cluster string
	names                        []string
}

func (c *outputColumns) flags(flags *pflag.FlagSet) {
	flags.StringVar(&c.id1, "id1", "id1", "`COLUMN` of a pair's first document")
	flags.StringVar(&c.id2, "id2", "id2", "`COLUMN` of a pair's second document")
	flags.StringVar(&c.score, "score", "", "`COLUMN` of a pair's score (default score, if there is one)")
	flags.StringVar(&c.id, "id", "id", "`COLUMN` of a document, where each has a line of its own")
	flags.StringVar(&c.cluster, "cluster", "cluster", "`COLUMN` of a document's cluster")
	flags.StringSliceVar(&c.names, "columns", nil, "`NAMES` of the columns of a CSV or TSV file without a header")
}

// incoming reads what other tools wrote about the documents of a set.
type incoming struct {
	*scoreRun
	set    *datasets.Set
	number map[string]int
}

func newIncoming(set *datasets.Set, r *scoreRun) *incoming {
	in := &incoming{r, set, make(map[string]int, len(set.Docs))}
	for i, d := range set.Docs {
		in.number[d.ID] = i
	}
	return in
}

func (in *incoming) read(ctx context.Context, o output, src datasets.Source) (eval.Found, error) {
	src = datasets.Source{Path: src.Path, Format: src.Format, Input: src.Input, Columns: in.columns.names}
	switch o.kind {
	case "pairs":
		return in.pairs(ctx, src)
	case "clusters":
		return in.clusters(ctx, src)
	}
	listed := make([]bool, len(in.set.Docs))
	err := eachRow(src, in.columns.id, in.columns.id, func(row datasets.Row, id, _ string) error {
		d, err := in.document(row, id)
		if err == nil {
			listed[d] = true
		}
		return cmp.Or(ctx.Err(), err)
	})
	if o.kind == "kept" {
		for d := range listed {
			listed[d] = !listed[d]
		}
	}
	return eval.Found{Removed: listed}, err
}

func (in *incoming) pairs(ctx context.Context, src datasets.Source) (eval.Found, error) {
	var found eval.Found
	name := in.columns.score
	if name == "" {
		name = "score"
	}
	var rows, scores int
	err := eachRow(src, in.columns.id1, in.columns.id2, func(row datasets.Row, id1, id2 string) error {
		a, err := in.document(row, id1)
		if err != nil {
			return err
		}
		b, err := in.document(row, id2)
		if err != nil {
			return err
		}
		p := similarity.Pair{A: a, B: b}
		text, ok := row.Get(name)
		if rows++; ok {
			scores++
		}
		if scores != rows && (scores > 0 || in.columns.score != "" || in.limited) {
			return fmt.Errorf("score: %s:%d: no field %q, want a score in every row or in none", row.File, row.Line, name)
		}
		if ok {
			if p.Score, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(p.Score) || math.Abs(p.Score) > math.MaxFloat32 {
				return fmt.Errorf("score: %s:%d: the score is %q, want a finite number", row.File, row.Line, text)
			}
			if in.limited && in.beyond(p.Score) {
				return ctx.Err()
			}
			if in.distance {
				p.Score = -p.Score
			}
		}
		found.Pairs = append(found.Pairs, p)
		return ctx.Err()
	})
	found.Scored = scores > 0
	return found, err
}

// beyond reports whether a pair of that score is not taken.
func (in *incoming) beyond(score float64) bool {
	if in.distance {
		return score > in.threshold
	}
	return score < in.threshold
}

// clusters reads documents with their clusters. Those that are not listed stand alone.
func (in *incoming) clusters(ctx context.Context, src datasets.Source) (eval.Found, error) {
	clusters := make([]int, len(in.set.Docs))
	line := make([]int, len(in.set.Docs)) // on which a document stands; 0 for none
	number := map[string]int{}
	err := eachRow(src, in.columns.id, in.columns.cluster, func(row datasets.Row, id, cluster string) error {
		d, err := in.document(row, id)
		if err != nil {
			return err
		}
		c, ok := number[cluster]
		if !ok {
			c = len(number)
			number[cluster] = c
		}
		if line[d] > 0 && clusters[d] != c {
			return fmt.Errorf("score: %s:%d: the document %q is in the cluster %q, and in another on line %d", row.File, row.Line, id, cluster, line[d])
		}
		clusters[d], line[d] = c, row.Line
		return ctx.Err()
	})
	for d := range clusters {
		if line[d] == 0 {
			clusters[d] = len(number) + d
		}
	}
	return eval.Found{Clusters: clusters}, err
}

// document returns the number of a document in the set.
func (in *incoming) document(row datasets.Row, id string) (int, error) {
	n := len(in.set.Docs)
	row64, err := strconv.ParseInt(id, 10, 64)
	if in.rows >= 0 {
		at := row64 - int64(in.rows)
		switch {
		case err != nil:
			return 0, fmt.Errorf("score: %s:%d: the row is %q, want a number", row.File, row.Line, id)
		case at < 0 || at >= int64(n):
			return 0, fmt.Errorf("score: %s:%d: there is no row %d in %s, want %d to %d", row.File, row.Line, row64, in.set.Name, in.rows, n-1+in.rows)
		}
		return int(at), nil
	}
	d, ok := in.number[id]
	if ok {
		return d, nil
	}
	guess := ""
	if err == nil && row64 >= 0 && row64 <= int64(n) {
		guess = " (if ids are numbers of rows, say --rows 0 or --rows 1)"
	}
	return 0, fmt.Errorf("score: %s:%d: %s has no document %q%s", row.File, row.Line, in.set.Name, id, guess)
}
