package external

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// batch is documents or pairs that are asked for together.
type batch struct {
	docs  []document
	bytes int // of their texts

	pairs []pair
	out   []float64 // their scores, in the answer
	check int       // the pair that stands a second time at the end, turned round; -1 for none

	done chan struct{}
}

// document is a text that is to be sketched.
type document struct {
	text   string
	asked  *asked
	sketch *Sketch // where the answer goes
}

// asked is by what a document is known: to the process, to users, and among texts.
type asked struct {
	number uint64
	name   string
	text   xxh3.Uint128
}

type pair struct{ a, b *Sketch }

// numbers are the ids that processes know documents by. They are unique in a program, so
// that a sketch of one process means nothing to another.
var numbers atomic.Uint64

func (b *batch) add(name, text string, s *Sketch) {
	if name == "" {
		name = fmt.Sprintf("%.40s", text)
	}
	b.docs = append(b.docs, document{text, &asked{numbers.Add(1), name, xxh3.HashString128(text)}, s})
	b.bytes += len(text)
}

func (b *batch) full() bool { return len(b.docs) == batchDocs || b.bytes >= batchBytes }

// The lines of questions.
type (
	askSketch struct {
		ID   string `json:"id"`
		Text string `json:"text"`
	}
	askScores struct {
		Score [][2]string `json:"score"`
	}
	askFlush struct {
		Flush bool `json:"flush"`
	}
)

// write writes the questions of a batch.
func (b *batch) write(w io.Writer, flush bool) error {
	for i := range b.docs {
		d := &b.docs[i]
		if err := question(w, askSketch{id(d.asked.number), d.text}); err != nil {
			return err
		}
		d.text = "" // lets the memory go
	}
	if b.pairs != nil {
		ask := make([][2]string, len(b.pairs))
		for i, p := range b.pairs {
			ask[i] = [2]string{id(p.a.kept.number), id(p.b.kept.number)}
		}
		if err := question(w, askScores{ask}); err != nil {
			return err
		}
	}
	if flush {
		return question(w, askFlush{true})
	}
	return nil
}

func id(n uint64) string { return strconv.FormatUint(n, 10) }

// read reads the answers to a batch. Where that fails it says at what.
func (b *batch) read(p *process) (what string, err error) {
	for i := range b.docs {
		d := &b.docs[i] // no copy: the text is the writer's
		line, err := p.line()
		if err == nil {
			err = d.sketch.parse(line, &p.hello, d.asked)
		}
		if err != nil {
			return fmt.Sprintf("document %q", d.asked.name), err
		}
	}
	if b.pairs == nil {
		return "", nil
	}
	line, err := p.line()
	if err == nil {
		err = b.readScores(line)
	}
	return fmt.Sprintf("scores of %d pairs from %q and %q on", len(b.pairs), b.pairs[0].a.kept.name, b.pairs[0].b.kept.name), err
}

// tolerance is by how much a score may leave [0, 1], or differ from that of the pair
// turned round: the rounding of somebody's float32.
const tolerance = 1e-6

func (b *batch) readScores(line []byte) error {
	var got struct {
		Scores []float64 `json:"scores"`
		Error  string    `json:"error"`
	}
	if err := decode(line, &got); err != nil {
		return err
	}
	if got.Error != "" {
		return fmt.Errorf("the process says: %s", got.Error)
	}
	if len(got.Scores) != len(b.pairs) {
		return fmt.Errorf("%d scores for %d pairs", len(got.Scores), len(b.pairs))
	}
	for i, s := range got.Scores {
		p := b.pairs[i]
		if s < -tolerance || s > 1+tolerance {
			return fmt.Errorf("the score of %q and %q is %v, want 0 to 1", p.a.kept.name, p.b.kept.name, s)
		}
		if p.a.kept.text == p.b.kept.text {
			if s < 1-tolerance {
				return fmt.Errorf("the score of the equal texts %q and %q is %v, want 1", p.a.kept.name, p.b.kept.name, s)
			}
			s = 1
		}
		got.Scores[i] = max(0, min(1, s))
	}
	if n := len(got.Scores) - 1; b.check >= 0 && math.Abs(got.Scores[b.check]-got.Scores[n]) > tolerance {
		p := b.pairs[b.check]
		return fmt.Errorf("the score of %q and %q is %v one way and %v the other, want a symmetric one", p.a.kept.name, p.b.kept.name, got.Scores[b.check], got.Scores[n])
	}
	copy(b.out, got.Scores)
	return nil
}
