package local

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/repeats"
	"github.com/alike-go/alike/feature"
)

// rules is a set of rules by which a test document has leaked.
type rules uint8

const (
	byDocument rules = 1 << iota
	byPassage
)

func (r rules) String() string { return [...]string{"", "document", "passage", "both"}[r] }

// occurrence is a training document in which a test document occurs.
type occurrence struct {
	row    int // number of the training document
	id, at string

	fields      fields // that occur
	rule        rules
	part        uint32 // that the rest is about
	contained   float64
	resemblance float64

	from, features int // of the longest passage, in testPart.seq
	longest        Longest
	shared         []string
}

// better reports whether a training document has more of a test document than
// another, or as much and comes first.
func (o *occurrence) better(p *occurrence) bool {
	switch {
	case p == nil:
		return true
	case o.fields != p.fields && (o.fields == questionField|answerField || p.fields == questionField|answerField):
		return o.fields > p.fields
	case o.contained != p.contained:
		return o.contained > p.contained
	case o.resemblance != p.resemblance:
		return o.resemblance > p.resemblance
	}
	return o.row < p.row
}

// counts counts the features that a training document shares with each part.
type counts struct {
	look    uint32
	seen    []uint32 // by feature, the look that met it last
	of      []uint32 // by part, the same
	n       []uint32
	touched []uint32
}

// readTrain compares all training documents with the test documents.
func (l *leaks) readTrain(ctx context.Context, in *input, w *leakWriter) error {
	type judged struct {
		empty bool
		most  *occurrence // of the test document that it has most of
		rest  string      // with LeakOptions.Cut
		cuts  []repeats.Cut
	}
	return rowReader[judged]{
		stage: "train",
		work: func(_, number int, row *datasets.Row) (out judged) {
			text := l.o.Mask.Apply(row.Doc.Text)
			t := &trainText{leaks: l, text: text, closed: closeUp(text), row: row, number: number}
			c := l.scratch.Get().(*counts)
			defer l.scratch.Put(c)
			out.empty = l.count(c, t.closed.text)
			if out.most = t.judge(c); w != nil && out.most != nil {
				t.explain(out.most)
				if l.o.Cut {
					out.rest, out.cuts = t.cutOut(c)
				}
			}
			return out
		},
		collect: func(ref dedup.Ref, raw datasets.RawRow, row *datasets.Row, made judged) error {
			l.report.Train++
			l.report.Bytes += int64(len(row.Doc.Text))
			if made.empty {
				l.report.TrainEmpty++
			}
			if made.most == nil {
				return w.keep(raw, row.Doc.Text)
			}
			l.report.Leaking++
			switch {
			case w == nil:
				return nil
			case made.cuts != nil:
				l.report.Cut++
				return w.cut(raw, row.Doc.Text, made.rest, l.cut(ref, made.most, made.cuts))
			}
			return w.remove(raw, row.Doc.Text, l.removal(ref, made.most))
		},
		bad: func(ref dedup.Ref, raw datasets.RawRow, err error) error {
			return w.remove(raw, "", &Removal{Ref: ref, At: fmt.Sprintf("%s:%d", raw.File(), raw.Line), Reason: reasonBad, Error: err.Error()})
		},
	}.read(ctx, l, in)
}

// count counts what a text shares with the parts, and reports whether it has no
// features.
func (l *leaks) count(c *counts, text string) (empty bool) {
	empty = true
	c.look++
	if c.look == 0 { // after 2³² texts
		clear(c.seen)
		clear(c.of)
		c.look = 1
	}
	c.touched = c.touched[:0]
	l.o.Features.Blocks(text, func(hashes []uint64) {
		empty = empty && len(hashes) == 0
		for _, h := range hashes {
			f, ok := l.known(h)
			if !ok || c.seen[f] == c.look {
				continue
			}
			c.seen[f] = c.look
			for _, p := range l.partsOf.of(f) {
				if c.of[p] != c.look {
					c.of[p], c.n[p] = c.look, 0
					c.touched = append(c.touched, p)
				}
				c.n[p]++
			}
		}
	})
	return empty
}

// trainText is a training document that is compared. What takes long to make is made
// once a part may occur in it.
type trainText struct {
	*leaks
	text   string
	closed closed
	row    *datasets.Row
	number int

	words   []uint64           // in order
	seq     []uint64           // its features, in order
	size    int                // distinct ones
	places  map[uint64][]int32 // of the features that test documents have
	located []feature.Located

	here  []uint32 // parts that occur
	again bool     // it is what is left of a text: nothing is noted
}

// judge finds and notes which of the test documents occur in the text, given
// what they share, and returns the one that it has most of, the first of
// several.
func (t *trainText) judge(c *counts) (most *occurrence) {
	c.touched = slices.DeleteFunc(c.touched, func(p uint32) bool {
		part := &t.parts[p]
		return !t.covers(part, c.n[p]) && (part.run == 0 || int(c.n[p]) < part.needed)
	})
	if len(c.touched) == 0 {
		return nil
	}
	t.open()
	slices.Sort(c.touched)
	for of := c.touched; len(of) > 0; {
		n := 1
		for n < len(of) && t.parts[of[n]].item == t.parts[of[0]].item {
			n++
		}
		if o := t.item(c, of[:n]); o != nil {
			if !t.again {
				t.note(o)
			}
			if most == nil || o.better(most) {
				most = o
			}
		}
		of = of[n:]
	}
	return most
}

// covers reports whether n shared features are the share of a part that is a leak.
func (l *leaks) covers(p *testPart, n uint32) bool {
	return float64(n)/float64(p.n) >= l.o.Threshold
}

// open finds the features of the text.
func (t *trainText) open() {
	t.seq = t.o.Features.AppendHashes(nil, t.closed.text)
	t.size = len(distinct(slices.Clone(t.seq)))
	t.places = make(map[uint64][]int32)
	for i, h := range t.seq {
		if _, ok := t.known(h); ok {
			t.places[h] = append(t.places[h], int32(i))
		}
	}
}

// item says how a test document occurs in the text, by those of its parts that may. It
// returns nil if it does not.
func (t *trainText) item(c *counts, parts []uint32) (found *occurrence) {
	for _, i := range parts {
		p := &t.parts[i]
		o := occurrence{row: t.number, part: i, contained: float64(c.n[i]) / float64(p.n)}
		o.resemblance = float64(c.n[i]) / float64(p.n+t.size-int(c.n[i]))
		beside := p.field == answerField && found != nil // the question is there too
		alone := p.n >= t.o.Least || p.field != answerField && o.resemblance >= t.o.Threshold
		if t.covers(p, c.n[i]) && (alone || beside) {
			o.rule |= byDocument
		}
		if p.run > 0 && int(c.n[i]) >= p.needed && (p.field != answerField || p.n >= t.o.Least || beside) {
			if at := t.matches(p); longestRun(p.seq, t.seq, at, p.run, p.run).n > 0 {
				o.rule |= byPassage
			}
		}
		if o.rule == 0 {
			continue
		}
		if found == nil {
			found = &o
		}
		found.fields |= p.field
		t.here = append(t.here, i)
	}
	if found == nil {
		return nil
	}
	if i := int(found.part) + 1; found.fields == questionField && i < len(t.parts) && t.parts[i].item == t.parts[found.part].item && t.hasWords(t.parts[i].words) {
		found.fields |= answerField
	}
	return found
}

// note keeps how a test document occurs in the text, if no other text has more of it.
func (t *trainText) note(found *occurrence) {
	item := t.parts[found.part].item
	t.leaked[item].Or(uint32(found.fields))
	best := &t.best[item]
	for was := best.Load(); found.better(was); was = best.Load() {
		t.explain(found)
		if best.CompareAndSwap(was, found) {
			break
		}
	}
}

// hasWords reports whether the words of a part that are too few for a feature stand
// in the text.
func (t *trainText) hasWords(words []uint64) bool {
	if len(words) > 0 && t.words == nil {
		t.words = t.single.AppendHashes(nil, t.closed.text)
	}
	for i := range len(t.words) - len(words) + 1 {
		if len(words) > 0 && slices.Equal(t.words[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

// matches returns where the text has the features of a part, in ascending order.
func (t *trainText) matches(p *testPart) []int32 {
	var at []int32
	for _, h := range distinct(slices.Clone(p.seq)) {
		at = append(at, t.places[h]...)
	}
	slices.Sort(at)
	return at
}

// locate finds where the features stand.
func (t *trainText) locate() {
	if t.located == nil {
		t.located = t.o.Features.Locate(t.closed.text)
	}
}

// explain adds the evidence.
func (t *trainText) explain(o *occurrence) {
	if o.features > 0 {
		return
	}
	t.locate()
	o.id, o.at = strings.Clone(t.row.Doc.ID), at(t.row)
	p := &t.parts[o.part]
	matches := t.matches(p)
	run := longestRun(p.seq, t.seq, matches, 1, len(p.seq))
	o.from, o.features = run.a, run.n
	first, last := t.located[run.b], t.located[run.b+run.n-1]
	o.longest.Words = len(t.single.AppendHashes(nil, t.closed.text[first.Start:last.End]))
	o.longest.Train = t.closed.span(first.Start, last.End)
	spans := make([]feature.Span, len(matches))
	for i, at := range matches {
		s := t.closed.span(t.located[at].Start, t.located[at].End)
		spans[i] = feature.Span{Start: s[0], End: s[1]}
	}
	for _, s := range longestParts(t.text, spans) {
		o.shared = append(o.shared, strings.Clone(s)) // it is kept longer than the text
	}
}
