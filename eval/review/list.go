package review

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/score"
	"github.com/alike-go/alike/eval/surrogate"
)

// Options says which pairs to ask about.
type Options struct {
	// Pairs is a file with the columns id1 and id2, and perhaps score, text1 and
	// text2.
	Pairs datasets.Source

	// Labels is the file of answers. Pairs that it has are not asked about.
	Labels string

	// Min and Max bound the scores of the pairs. If they are NaN, every pair counts.
	Min, Max float64

	// Docs yields the documents, for pairs without texts. It sets failed to what
	// stopped it. It is called once for each batch of pairs.
	Docs func(ctx context.Context, failed *error) iter.Seq[datasets.Doc]

	// InOrder says that no pair comes before an earlier one whose texts take long to find.
	InOrder bool

	// Found, if set, is called when texts that Next has waited for are there.
	Found func()
}

// Pair is a pair to judge.
type Pair struct {
	A, B  datasets.Doc
	Score float64 // NaN for none

	texts *texts // from which the texts come; nil if they are there
	at    string // file and line
}

// A List reads up to batch pairs ahead of the question, and stops early after
// scan rows, of which the filter may want few. That bounds memory, and lets the
// first question come before a large file is read.
const (
	batch = 1000
	scan  = 100_000
)

// The pair in turn waits until so many bytes of texts were read, and rowCost for each
// document. From then on the first pair that is complete is asked about before it. Bytes
// and not seconds decide, so that the order of the questions is always the same. Reading
// that much takes about half a second on two cores; 900 MB of short texts take six.
const (
	patience = 256 << 20
	rowCost  = 256
)

// List is the pairs of a file that are to be judged. It is not safe for
// concurrent use.
type List struct {
	ctx  context.Context
	o    Options
	seen map[[2]string]bool // pairs that have an answer or were listed
	next func() (score.Listed, error, bool)

	stop, stopTexts func()

	pairs []*Pair
	at    int
	end   bool  // all pairs of the file are in pairs
	given []int // pairs that were answered or skipped, the last one last
	label map[int]surrogate.Label
	Asked int // answers of this review

	patience int64
}

// Open opens a list. Close it when done.
func Open(ctx context.Context, o Options) (*List, error) {
	labels, err := surrogate.ReadLabels(o.Labels)
	if err != nil {
		return nil, err
	}
	l := &List{ctx: ctx, o: o, stopTexts: func() {}, seen: surrogate.Answers(labels), label: map[int]surrogate.Label{}, patience: patience}
	stopped := errors.New("stopped")
	l.next, l.stop = iter.Pull2(func(yield func(score.Listed, error) bool) {
		err := (&score.Output{ID1: "id1", ID2: "id2", Limited: o.bounded()}).EachPair(o.Pairs, func(p score.Listed) error {
			if !yield(p, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && err != stopped {
			yield(score.Listed{}, err)
		}
	})
	return l, nil
}

func (o *Options) bounded() bool { return !math.IsNaN(o.Min) || !math.IsNaN(o.Max) }

// Close ends what reads.
func (l *List) Close() {
	l.stop()
	l.stopTexts()
}

// fill reads the next pairs that are to be judged.
func (l *List) fill() error {
	late := &texts{want: map[string]bool{}, got: map[string]string{}}
	for n, rows := 0, 0; n < batch && (n == 0 || rows < scan); rows++ {
		p, err, ok := l.next()
		if err != nil {
			return err
		}
		if !ok {
			l.end = true
			break
		}
		id := surrogate.Key(p.ID1, p.ID2)
		if _, seen := l.seen[id]; seen || p.Score < l.o.Min || p.Score > l.o.Max {
			continue
		}
		l.seen[id] = true // a file may have a pair twice
		at := fmt.Sprintf("%s:%d", p.File, p.Line)
		pair := &Pair{A: datasets.Doc{ID: p.ID1}, B: datasets.Doc{ID: p.ID2}, Score: p.Score, at: at}
		text1, ok1 := p.Get("text1")
		text2, ok2 := p.Get("text2")
		switch {
		case ok1 && ok2:
			pair.A.Text, pair.B.Text = text1, text2
		case l.o.Docs == nil:
			return fmt.Errorf("review: %s: the pair has no texts, want the documents too, or pairs that were written with --texts", at)
		default:
			pair.texts = late
			late.want[p.ID1], late.want[p.ID2] = true, true
		}
		l.pairs = append(l.pairs, pair)
		n++
	}
	if len(late.want) > 0 {
		l.stopTexts()
		late.next, l.stopTexts = iter.Pull(l.o.Docs(l.ctx, &late.err))
	}
	return nil
}

// Next returns the pair to ask about, which stays the same until it is answered
// or skipped. It waits for the texts, and if that takes long, another pair comes
// first, but for Options.InOrder. At the end the error is io.EOF.
func (l *List) Next() (*Pair, error) {
	for l.at == len(l.pairs) && !l.end {
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
	if l.Done() {
		return nil, io.EOF
	}
	if err := l.wait(); err != nil {
		return nil, err
	}
	p := l.pairs[l.at]
	if p.texts != nil {
		p.A.Text, p.B.Text, p.texts = p.texts.got[p.A.ID], p.texts.got[p.B.ID], nil
	}
	return p, nil
}

// wait reads documents until the pair in turn is complete, or puts one in its place
// that is.
func (l *List) wait() error {
	p := l.pairs[l.at]
	if p.complete() {
		return nil
	}
	if l.o.Found != nil {
		defer l.o.Found()
	}
	t := p.texts
	for t.read, t.found = 0, true; !p.complete(); {
		if t.found && t.read > l.patience && !l.o.InOrder {
			if i := slices.IndexFunc(l.pairs[l.at:], (*Pair).complete); i > 0 {
				first := l.pairs[l.at+i]
				copy(l.pairs[l.at+1:], l.pairs[l.at:l.at+i])
				l.pairs[l.at] = first
				return nil
			}
			t.found = false
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		if !t.more() {
			if t.err != nil {
				return t.err
			}
			id := p.A.ID
			if _, ok := t.got[id]; ok {
				id = p.B.ID
			}
			return fmt.Errorf("review: %s: no document has the id %q", p.at, id)
		}
	}
	return nil
}

// complete reports whether the texts of a pair are there.
func (p *Pair) complete() bool {
	if p.texts == nil {
		return true
	}
	_, a := p.texts.got[p.A.ID]
	_, b := p.texts.got[p.B.ID]
	return a && b
}

// Done reports whether no pair is left.
func (l *List) Done() bool { return l.end && l.at == len(l.pairs) }

// Answer keeps the answer about the pair that Next returned.
func (l *List) Answer(alike bool) error {
	p := l.pairs[l.at]
	label := surrogate.Label{A: p.A.ID, B: p.B.ID, Alike: alike}
	if err := surrogate.AppendLabel(l.o.Labels, label); err != nil {
		return err
	}
	l.label[l.at] = label
	l.Asked++
	l.Skip()
	return nil
}

// Skip goes on without an answer. The next review asks about the pair again.
func (l *List) Skip() {
	l.given = append(l.given, l.at)
	l.at++
}

// Undo goes back to the pair before, and drops its answer. It reports whether
// there is one.
func (l *List) Undo() (bool, error) {
	last := len(l.given) - 1
	if last < 0 {
		return false, nil
	}
	i := l.given[last]
	if label, ok := l.label[i]; ok {
		if err := surrogate.DropLabel(l.o.Labels, label); err != nil {
			return false, err
		}
		delete(l.label, i)
		l.Asked--
	}
	l.given, l.at = l.given[:last], i
	return true, nil
}

// Ask asks about one pair after the other, until there is none left or the person
// quits. Each answer is kept before the next question.
func (l *List) Ask(a *Asker) error {
	for {
		p, err := l.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		state := fmt.Sprintf("%d answered", l.Asked)
		if l.end {
			state += fmt.Sprintf(", %d to go", len(l.pairs)-l.at)
		}
		if !math.IsNaN(p.Score) {
			state += fmt.Sprintf(", score %.3f", p.Score)
		}
		answer, err := a.Ask(p.A, p.B, state+": are they the same?", Yes, No, Skip, Undo, Quit)
		switch {
		case err != nil:
			return err
		case answer == Quit:
			return nil
		case answer == Skip:
			l.Skip()
		case answer == Undo:
			var ok bool
			if ok, err = l.Undo(); !ok && err == nil {
				_, err = fmt.Fprintln(a.w, "there is nothing to undo")
			}
		default:
			err = l.Answer(answer == Yes)
		}
		if err != nil {
			return err
		}
	}
}

// texts reads the texts of documents as far as they are asked for.
type texts struct {
	want  map[string]bool
	got   map[string]string
	next  func() (datasets.Doc, bool)
	err   error
	read  int64 // what was read, as patience counts it
	found bool  // a text that is wanted was read
}

// more reads a document. It returns false at the end.
func (t *texts) more() bool {
	d, ok := t.next()
	if !ok {
		return false
	}
	t.read += int64(len(d.Text)) + rowCost
	if _, had := t.got[d.ID]; t.want[d.ID] && !had {
		t.got[strings.Clone(d.ID)] = strings.Clone(d.Text) // a batch may be used again
		t.found = true
	}
	return true
}
