// Package score reads what a program found, and what is known, of documents by
// their ids, and brings the two together.
//
// An Output reads what another program wrote about the documents of a set, for
// eval.Judge, and the passages that it found for spans.Judge. Labels are labelled
// pairs of documents that a join has not read yet; they count which of them the
// join finds. The commands alike score and alike pairs use them, and their errors
// begin with the names of these commands.
//
// Figures do not belong here: eval and eval/spans define them.
package score

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/similarity"
)

// Output says how a program wrote what it found.
type Output struct {
	// ID1, ID2 and Score are the columns of a pair. An empty Score means score, if
	// there is such a column.
	ID1, ID2, Score string

	// ID and Cluster are the columns of a document that has a line of its own.
	ID, Cluster string

	// Columns names the columns of a file that has no header.
	Columns []string

	// Partial says that the set has only the documents that somebody judged. Pairs
	// of others are counted in Outside.
	Partial bool
	Outside int64

	// FirstRow is the number of the first document of the set, if documents are
	// numbers of rows. It is negative if they are ids.
	FirstRow int

	// Distance says that scores are distances: smaller is more alike.
	Distance bool

	// Limit is the minimum score of a pair, or the maximum distance. It counts if
	// Limited is set.
	Limit   float64
	Limited bool
}

// Read reads the file of a source. kind says what it lists: pairs, clusters,
// removed or kept documents. A document that is in no cluster stands alone.
func (o *Output) Read(ctx context.Context, set *datasets.Set, kind string, src datasets.Source) (eval.Found, error) {
	number := make(map[string]int, len(set.Docs))
	for i, d := range set.Docs {
		number[d.ID] = i
	}
	in := o.reader(ctx, set, number, src)
	switch kind {
	case "pairs":
		return in.pairs()
	case "clusters":
		return in.clusters()
	}
	return in.listed(kind == "kept")
}

// reader returns what reads the file of a source. number is that of a document of
// the set, by its id.
func (o *Output) reader(ctx context.Context, set *datasets.Set, number map[string]int, src datasets.Source) reader {
	own := datasets.Source{Path: src.Path, Format: src.Format, Input: src.Input, Columns: o.Columns}
	return reader{Output: o, ctx: ctx, src: own, set: set, number: number}
}

// reader reads one file.
type reader struct {
	*Output
	ctx    context.Context
	src    datasets.Source
	set    *datasets.Set
	number map[string]int // by id
}

// eachRow reads a table of two columns and whatever else it has. The first names a
// document and is not empty.
func eachRow(src datasets.Source, first, second string, use func(row datasets.Row, a, b string) error) error {
	src.ID, src.Text = first, []string{second}
	r, err := datasets.Open(src)
	if err != nil {
		return err
	}
	defer r.Close()
	for row, err := range r.Rows() {
		if err == nil {
			err = use(row, row.Doc.ID, row.Doc.Text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listed reads documents. other says that those are meant that are not listed.
func (in *reader) listed(other bool) (eval.Found, error) {
	removed := make([]bool, len(in.set.Docs))
	for d := range removed {
		removed[d] = other
	}
	err := eachRow(in.src, in.ID, in.ID, func(row datasets.Row, id, _ string) error {
		d, err := in.document(row, id)
		if err == nil {
			removed[d] = !other
		}
		return cmp.Or(in.ctx.Err(), err)
	})
	return eval.Found{Removed: removed}, err
}

// Listed is a pair as a program wrote it.
type Listed struct {
	datasets.Row
	ID1, ID2 string
	Score    float64 // NaN for none
}

// EachPair reads a file of pairs. An error of use ends it.
func (o *Output) EachPair(src datasets.Source, use func(Listed) error) error {
	name := cmp.Or(o.Score, "score")
	var rows, scores int
	return eachRow(src, o.ID1, o.ID2, func(row datasets.Row, id1, id2 string) error {
		p := Listed{row, id1, id2, math.NaN()}
		text, ok := row.Get(name)
		if rows++; ok {
			scores++
		}
		if scores != rows && (scores > 0 || o.Score != "" || o.Limited) {
			return fmt.Errorf("score: %s:%d: no field %q, want a score in every row or in none", row.File, row.Line, name)
		}
		if ok {
			var err error
			if p.Score, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(p.Score) || math.Abs(p.Score) > math.MaxFloat32 {
				return fmt.Errorf("score: %s:%d: the score is %q, want a finite number", row.File, row.Line, text)
			}
		}
		return use(p)
	})
}

func (in *reader) pairs() (eval.Found, error) {
	var found eval.Found
	in.Outside = 0
	err := in.EachPair(in.src, func(listed Listed) error {
		if in.Partial {
			_, ok1 := in.number[listed.ID1]
			if _, ok2 := in.number[listed.ID2]; !ok1 || !ok2 {
				in.Outside++
				return in.ctx.Err()
			}
		}
		a, err := in.document(listed.Row, listed.ID1)
		if err != nil {
			return err
		}
		b, err := in.document(listed.Row, listed.ID2)
		if err != nil {
			return err
		}
		p := similarity.Pair{A: a, B: b}
		if !math.IsNaN(listed.Score) {
			found.Scored = true
			if p.Score = listed.Score; in.Limited && in.beyond(p.Score) {
				return in.ctx.Err()
			}
			if in.Distance {
				p.Score = -p.Score
			}
		}
		found.Pairs = append(found.Pairs, p)
		return in.ctx.Err()
	})
	return found, err
}

// beyond reports whether a pair of that score does not count.
func (in *reader) beyond(score float64) bool {
	if in.Distance {
		return score > in.Limit
	}
	return score < in.Limit
}

// clusters reads documents with their clusters.
func (in *reader) clusters() (eval.Found, error) {
	clusters := make([]int, len(in.set.Docs))
	line := make([]int, len(in.set.Docs)) // on which a document stands; 0 for none
	number := map[string]int{}
	err := eachRow(in.src, in.ID, in.Cluster, func(row datasets.Row, id, cluster string) error {
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
		return in.ctx.Err()
	})
	for d := range clusters {
		if line[d] == 0 {
			clusters[d] = len(number) + d
		}
	}
	return eval.Found{Clusters: clusters}, err
}

// document returns the number of a document in the set.
func (in *reader) document(row datasets.Row, id string) (int, error) {
	n := len(in.set.Docs)
	stated, err := strconv.ParseInt(id, 10, 64)
	if in.FirstRow >= 0 {
		at := stated - int64(in.FirstRow)
		switch {
		case err != nil:
			return 0, fmt.Errorf("score: %s:%d: the row is %q, want a number", row.File, row.Line, id)
		case at < 0 || at >= int64(n):
			return 0, fmt.Errorf("score: %s:%d: there is no row %d in %s, want %d to %d", row.File, row.Line, stated, in.set.Name, in.FirstRow, n-1+in.FirstRow)
		}
		return int(at), nil
	}
	if d, ok := in.number[id]; ok {
		return d, nil
	}
	guess := ""
	if err == nil && stated >= 0 && stated <= int64(n) {
		guess = " (if ids are numbers of rows, say --rows 0 or --rows 1)"
	}
	return 0, fmt.Errorf("score: %s:%d: %s has no document %q%s", row.File, row.Line, in.set.Name, id, guess)
}
