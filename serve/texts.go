package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/internal/verdict"
	"github.com/alike-go/alike/similarity"
)

// registerTexts adds the operations on texts of a request.
func (s *Server) registerTexts() {
	register(s, operation{method: "GET", path: "/v1/methods", id: "methods", tag: "texts",
		summary: "The methods, with their keys, defaults and ranges"}, s.listMethods)
	register(s, operation{method: "POST", path: "/v1/compare", id: "compare", tag: "texts", class: work,
		summary: "How alike two texts are, by any methods, and what shows it"}, s.compare)
	register(s, operation{method: "POST", path: "/v1/compare/matrix", id: "compare-matrix", tag: "texts", class: work,
		summary: "How alike many texts are, each with each"}, s.matrix)
	register(s, operation{method: "POST", path: "/v1/features", id: "features", tag: "texts", class: work,
		summary: "The tokens of a text with their weights"}, s.features)
	register(s, operation{method: "POST", path: "/v1/sketch", id: "sketch", tag: "texts", class: work,
		summary: "The sketches of texts"}, s.sketch)
}

// bucketed says which methods have buckets by default.
var bucketed = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, name := range catalog.Names() {
		m, err := catalog.Parse(name)
		if err != nil {
			continue // needs keys
		}
		_, err = m.NewCollection().Buckets(similarity.JoinOptions{Threshold: .9})
		names[name] = !errors.Is(err, similarity.ErrNoBuckets)
	}
	return names
})

func (s *Server) listMethods(context.Context, *nothing) (*methodsResponse, error) {
	out := &methodsResponse{Features: catalog.FeatureKeys()}
	for _, name := range catalog.Names() {
		e, err := catalog.Lookup(name)
		if err != nil {
			return nil, err
		}
		out.Methods = append(out.Methods, methodEntry{e, !e.OnDemand, bucketed()[name]})
	}
	return out, nil
}

func (s *Server) compare(ctx context.Context, in *body[CompareRequest]) (*CompareResponse, error) {
	q := &in.Body
	if err := errors.Join(s.checkText("a", q.A), s.checkText("b", q.B)); err != nil {
		return nil, err
	}
	want, err := dedup.ParseWant(cmp.Or(q.Want, dedup.Copies.String()))
	if err != nil {
		return nil, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	if q.Differ > 0 && q.Features == "" {
		q.Features = catalog.DifferFeatures
	}
	methods, err := s.methods.parse(q.Methods, q.Features)
	if err != nil {
		return nil, err
	}
	if err := checkSlow(methods, q.A, q.B); err != nil {
		return nil, err
	}
	start := time.Now()
	rows := make([]comparison, len(methods))
	pairs := make([]similarity.Collection, len(methods))
	err = eachMethod(ctx, len(methods), func(i int) (err error) {
		rows[i], pairs[i], err = s.compareBy(methods[i], q.A, q.B)
		return err
	})
	if err != nil {
		return nil, err
	}
	took := time.Since(start).Seconds()
	v, err := verdict.Of(q.A, q.B, want, cmp.Or(q.Differ, dedup.DefaultDiffer))
	if err != nil {
		return nil, err
	}
	for i, m := range methods {
		rows[i].Agreement = v.Judge(m, pairs[i], rows[i].Score)
	}
	a, b := newUnits(q.A), newUnits(q.B)
	if q.Explain {
		err := eachMethod(ctx, len(methods), func(i int) error {
			rows[i].Explanation = explain(methods[i], a, b, cmp.Or(q.Most, 200))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if q.Sketches {
		for i, m := range methods {
			rows[i].Fingerprint, rows[i].Filter = bitsOf(m, pairs[i])
		}
	}
	return &CompareResponse{Verdict: v, Methods: rows, A: textSize{len(q.A), a.total}, B: textSize{len(q.B), b.total}, Seconds: took}, nil
}

// compareBy scores two texts by one method, as alike compare does.
func (s *Server) compareBy(m similarity.Method, a, b string) (comparison, similarity.Collection, error) {
	c := m.NewCollection()
	start := time.Now()
	c.Add(a)
	c.Add(b)
	row := comparison{Method: m.String(), Name: nameOf(m), Score: c.Score(0, 1)}
	took := time.Since(start)
	row.Seconds = took.Seconds()
	row.BytesA, row.BytesB = c.Bytes(0), c.Bytes(1)
	row.EmptyA, row.EmptyB = c.Empty(0), c.Empty(1)
	if ab, ok := c.Containment(0, 1); ok {
		ba, _ := c.Containment(1, 0)
		row.AInB, row.BInA = &ab, &ba
	}
	s.metrics.method(row.Name, took)
	return row, c, c.Err()
}

// eachMethod calls f with 0 to n-1 on as many goroutines as there are processors. It
// returns the error of the lowest number, or of the context. A panic of f becomes a panic
// of the caller.
func eachMethod(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	panics := make([]any, n)
	parallel.For(context.Background(), parallel.Workers(0), n, func(_, i int) {
		defer func() { panics[i] = recover() }()
		if errs[i] = ctx.Err(); errs[i] == nil {
			errs[i] = f(i)
		}
	})
	for i := range n {
		if panics[i] != nil {
			panic(panics[i])
		}
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}

// sketchAll sketches texts by each method that a request names. It returns what f makes
// of each collection, and the seconds for all. start is when a method began to sketch.
func sketchAll[T any](ctx context.Context, s *Server, texts []Text, specs []string, features string, f func(m similarity.Method, c similarity.Collection, start time.Time) (T, error)) ([]T, float64, error) {
	start := time.Now()
	if err := s.checkTexts(texts); err != nil {
		return nil, 0, err
	}
	methods, err := s.methods.parse(specs, features)
	if err != nil {
		return nil, 0, err
	}
	list := make([]T, len(methods))
	err = eachMethod(ctx, len(methods), func(i int) error {
		start := time.Now()
		c, err := collect(ctx, methods[i], texts)
		if err != nil {
			return err
		}
		list[i], err = f(methods[i], c, start)
		return err
	})
	return list, time.Since(start).Seconds(), err
}

// collect sketches texts until the context is done.
func collect(ctx context.Context, m similarity.Method, texts []Text) (similarity.Collection, error) {
	for _, t := range texts {
		if err := checkSlow([]similarity.Method{m}, t.Text); err != nil {
			return nil, err
		}
	}
	c := m.NewCollection()
	for _, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Add(t.Text)
	}
	return c, c.Err()
}

// maxPairs is the maximum number of pairs that an answer lists for a method.
const maxPairs = 200_000

func (s *Server) matrix(ctx context.Context, in *body[matrixRequest]) (*matrixResponse, error) {
	q := &in.Body
	list, took, err := sketchAll(ctx, s, q.Texts, q.Methods, q.Features, func(method similarity.Method, c similarity.Collection, start time.Time) (matrix, error) {
		m := matrix{Method: method.String(), Pairs: []pairScore{}}
		for a := range c.Len() {
			m.Bytes, m.Empty = append(m.Bytes, c.Bytes(a)), append(m.Empty, c.Empty(a))
			for b := a + 1; b < c.Len(); b++ {
				if b%64 == 0 && ctx.Err() != nil {
					return m, ctx.Err()
				}
				score := c.Score(a, b)
				if score < q.Threshold {
					continue
				}
				if len(m.Pairs) == maxPairs {
					return m, problem(http.StatusRequestEntityTooLarge, "more than %d pairs, want fewer texts or a threshold", maxPairs)
				}
				m.Pairs = append(m.Pairs, pairScore{a, b, score})
			}
		}
		m.Seconds = time.Since(start).Seconds()
		return m, nil
	})
	return &matrixResponse{Methods: list, Seconds: took}, err
}

func (s *Server) sketch(ctx context.Context, in *body[sketchRequest]) (*sketchResponse, error) {
	q := &in.Body
	list, took, err := sketchAll(ctx, s, q.Texts, q.Methods, q.Features, func(m similarity.Method, c similarity.Collection, _ time.Time) (methodSketches, error) {
		out := methodSketches{Method: m.String(), Settings: m.Settings()}
		coder, ok := c.(similarity.Coder)
		if !ok {
			return out, problem(http.StatusUnprocessableEntity, "sketches of %s cannot be encoded", m)
		}
		total := 0
		for d := range c.Len() {
			item := sketchItem{ID: cmp.Or(q.Texts[d].ID, strconv.Itoa(d)), Sketch: coder.AppendSketch([]byte{}, d), Bytes: c.Bytes(d), Empty: c.Empty(d)}
			if total += len(item.Sketch); total > 64<<20 {
				return out, problem(http.StatusRequestEntityTooLarge, "sketches of more than 64 MiB by %s, want fewer texts", m)
			}
			out.Sketches = append(out.Sketches, item)
		}
		return out, nil
	})
	return &sketchResponse{Methods: list, Seconds: took}, err
}

func (s *Server) features(_ context.Context, in *body[featuresRequest]) (*featuresResponse, error) {
	q := &in.Body
	if err := s.checkText("text", q.Text); err != nil {
		return nil, err
	}
	if q.Method != "" && q.Features != "" {
		return nil, problem(http.StatusUnprocessableEntity, "both a method and features, want one of them")
	}
	methods, err := s.methods.parse([]string{cmp.Or(q.Method, "shingle")}, q.Features)
	if err != nil {
		return nil, err
	}
	x := methods[0].Features()
	if x == nil {
		return nil, problem(http.StatusUnprocessableEntity, "%s reads the text itself, not features", methods[0])
	}
	return featuresOf(x, q), nil
}

// featuresOf lists the features of a text.
func featuresOf(x *feature.Extractor, q *featuresRequest) *featuresResponse {
	start := time.Now()
	u := newUnits(q.Text)
	at := map[uint64]int{}
	var list []featureItem
	var places [][]feature.Span
	for _, l := range x.Locate(q.Text) {
		i, seen := at[l.Hash]
		if !seen {
			i = len(list)
			at[l.Hash] = i
			list, places = append(list, featureItem{Text: q.Text[l.Start:l.End], Hash: hash(l.Hash)}), append(places, nil)
		}
		list[i].Count++
		if q.Places {
			places[i] = append(places[i], l.Span)
		}
	}
	out := &featuresResponse{Features: x.String(), Settings: x.Settings(), Text: textSize{len(q.Text), u.total}, List: []featureItem{}}
	for _, f := range x.Append(nil, q.Text) {
		if i, ok := at[f.Hash]; ok {
			list[i].Weight += f.Weight
			out.Weight += f.Weight
		}
	}
	for i := range list {
		list[i].At, list[i].At16 = u.both(places[i])
	}
	list = slices.DeleteFunc(list, func(f featureItem) bool { return f.Weight <= 0 })
	slices.SortStableFunc(list, func(a, b featureItem) int { return cmp.Compare(b.Weight, a.Weight) })
	out.Total = len(list)
	out.List = append(out.List, list[:min(len(list), cmp.Or(q.Most, 10_000))]...)
	out.Seconds = time.Since(start).Seconds()
	return out
}

// hash writes a hash as 16 hexadecimal digits.
func hash(h uint64) string { return fmt.Sprintf("%016x", h) }
