package score

import (
	"context"
	"fmt"
	"math/rand/v2"
	"unicode/utf8"

	"github.com/alike-go/alike/eval/spans"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/similarity"
)

// Finder returns the passages that two texts have in common: the spans in bytes
// in the first text, and those in the second. It is called from several
// goroutines.
type Finder func(a, b string) (inA, inB []feature.Span, err error)

// probe is a text with which FinderOf tries a method.
const probe = "A method that shows passages shows one where a text stands beside itself. Of words, terms or bits " +
	"nobody can say which of their places belong together: 一个方法能否指出两篇文本共有的片段，用同一篇文本即可判断。"

// FinderOf returns a finder of the passages that a method shows as evidence. It
// returns an error if the method shows anything else.
func FinderOf(m similarity.Method) (Finder, error) {
	e, ok := m.Explain(probe, probe)
	for _, ev := range e.Evidence {
		ok = ok && ev.Kind == "passage" && len(ev.A) == 1 && len(ev.B) == 1
	}
	if !ok || len(e.Evidence) == 0 {
		return nil, fmt.Errorf("score: %s shows no passages, want a method such as winnow, manber or lcs", m)
	}
	return func(a, b string) (inA, inB []feature.Span, err error) {
		e, _ := m.Explain(a, b)
		for _, ev := range e.Evidence {
			inA, inB = append(inA, ev.A...), append(inB, ev.B...)
		}
		return inA, inB, nil
	}, nil
}

// Pairs returns the pairs of documents that have true passages, in their order,
// and as many others, drawn at random. If there are fewer others, it returns all
// that it draws in ten times as many attempts.
func (t *Texts) Pairs(truth Passages, seed uint64) (all [][2]int, withTruth int) {
	seen := map[[2]int]bool{}
	add := func(a, b int) {
		if p := [2]int{min(a, b), max(a, b)}; a != b && !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	for _, p := range truth.List {
		add(p.A.Doc, p.B.Doc)
	}
	withTruth = len(all)
	draw := rand.New(rand.NewPCG(seed, 0))
	for range 10 * withTruth {
		if len(all) == 2*withTruth {
			break
		}
		add(draw.IntN(len(t.set.Docs)), draw.IntN(len(t.set.Docs)))
	}
	return all, withTruth
}

// Find returns the passages of pairs of documents, each once. It does not depend
// on workers. progress is called with the number of pairs that are done.
func (t *Texts) Find(ctx context.Context, pairs [][2]int, find Finder, workers int, progress func(done int)) (Passages, error) {
	type found struct {
		pair     [2]int
		inA, inB []feature.Span
	}
	var out Passages
	seen := map[spans.Passage]bool{}
	done := 0
	err := parallel.Ordered(ctx, workers, func(ctx context.Context, emit func([2]int) error) error {
		for _, p := range pairs {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := emit(p); err != nil {
				return err
			}
		}
		return nil
	}, func(p [2]int) (f found, err error) {
		f.pair = p
		f.inA, f.inB, err = find(t.set.Docs[p[0]].Text, t.set.Docs[p[1]].Text)
		return f, err
	}, func(f found) error {
		for i := range f.inA {
			p := spans.Passage{A: t.span(f.pair[0], f.inA[i]), B: t.span(f.pair[1], f.inB[i])}.Sorted()
			if p.A.Start < p.A.End && p.B.Start < p.B.End && !seen[p] {
				seen[p] = true
				out.List = append(out.List, p)
			}
		}
		done++
		progress(done)
		return nil
	})
	return out, err
}

// span returns a span of bytes in characters. Of characters that it cuts it has
// all.
func (t *Texts) span(doc int, s feature.Span) spans.Span {
	text := t.set.Docs[doc].Text
	for s.Start > 0 && s.Start < len(text) && !utf8.RuneStart(text[s.Start]) {
		s.Start--
	}
	for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
		s.End++
	}
	start, _ := t.characters(doc, s.Start)
	end, _ := t.characters(doc, s.End)
	return spans.Span{Doc: doc, Start: start, End: end}
}
