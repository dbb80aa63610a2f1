package plant

import (
	"container/heap"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// Plant yields the documents in their order, with edited copies of some of them
// further down. What happens to a document depends on the options, its text, its
// number and the words of the documents before it, which new units are drawn
// from; nothing depends on what comes after it. An error of the source, or of a
// document whose id cannot stand, is yielded and ends the stream. Ids must be
// unique, which is not checked: that would take memory for all of them.
//
// The stream can be walked again if the source can.
func (p *Planter) Plant(docs iter.Seq2[datasets.Doc, error]) iter.Seq2[Document, error] {
	return func(yield func(Document, error) bool) {
		s := stream{Planter: p, editor: editor{lang: p.options.Lang}, yield: yield}
		n := uint64(0)
		for doc, err := range docs {
			if err == nil {
				if err = checkID(doc.ID); err != nil {
					err = fmt.Errorf("%w (document %d)", err, n+1)
				}
			}
			if err != nil {
				yield(Document{}, err)
				return
			}
			if !s.add(doc, n) {
				return
			}
			n++
		}
		s.release(-1)
	}
}

const (
	maxWaiting = 64 << 20 // bytes
	overhead   = 256      // bytes of a copy that waits besides its text, about
	// New words come from a pool of up to maxPool words of earlier documents, of
	// up to maxWord bytes each. The first documents give words to it, and then
	// all that get copies: those are cut into units anyway.
	maxPool = 1 << 13
	maxWord = 64
	early   = 128 // documents
	lent    = 128 // words of a document
)

// stream is the state of a walk.
type stream struct {
	*Planter
	editor editor
	yield  func(Document, error) bool
	pool   [2][]string // of words, those for Chinese documents second
	held   queue
	bytes  int // of the copies held
	out    int // documents yielded
	due    []int
}

// add yields a document, makes its copies and yields those that are due.
func (s *stream) add(doc datasets.Doc, number uint64) bool {
	r := seeded(s.options.Seed, 'p', number)
	o := Document{Doc: doc, Original: doc.ID}
	if r.Chance(s.options.Share) {
		o.Copies = s.copies.pick(r.Uint64()) + 1
	}
	var pool []string
	if o.Copies > 0 || number < early {
		pool = s.learn(&r, doc.Text)
	}
	if !s.emit(o) {
		return false
	}
	// The copies come in the order of their numbers, so that any beginning of the
	// stream is a collection whose pairs are all there.
	s.due = s.due[:0]
	for range o.Copies {
		s.due = append(s.due, s.out+s.delay(&r))
	}
	slices.Sort(s.due)
	for i, due := range s.due {
		c := o
		c.Copy = i + 1
		c.ID = doc.ID + "~" + strconv.Itoa(c.Copy)
		for range 8 {
			c.Edit = s.options.Mix[s.mix.pick(r.Uint64())].Edit
			if c.Text, c.Record = s.editor.apply(&r, c.Edit, doc.Text, pool); c.Record.Touched > 0 {
				break
			}
		}
		s.bytes += len(c.Text) + overhead
		heap.Push(&s.held, waiter{c, due, number})
	}
	return s.release(s.Planter.waiting)
}

// delay draws how many documents later a copy comes: first the order of
// magnitude, so that collections of every size have copies near and far.
func (s *stream) delay(r *Rand) int {
	magnitude := r.Below(bits.Len(uint(s.options.Window)))
	return min(1<<magnitude+r.Below(1<<magnitude), s.options.Window)
}

// release yields the copies that are due, and more until at most limit bytes wait;
// with a limit below 0, all.
func (s *stream) release(limit int) bool {
	for len(s.held) > 0 && (s.held[0].due <= s.out || s.bytes > limit) {
		h := heap.Pop(&s.held).(waiter)
		s.bytes -= len(h.Text) + overhead
		if !s.emit(h.Document) {
			return false
		}
	}
	return true
}

func (s *stream) emit(d Document) bool {
	s.out++
	return s.yield(d, nil)
}

// learn gives words of a text to the pool of its language and returns the pool.
func (s *stream) learn(r *Rand, text string) []string {
	units, _, chinese := s.options.Lang.census(text, nil)
	pool := &s.pool[0]
	if chinese {
		pool = &s.pool[1]
	}
	p := picker{units, min(units, lent)}
	for start, end := range s.options.Lang.units(text) {
		if p.want == 0 {
			break
		}
		if !p.take(r) || end-start > maxWord {
			continue
		}
		word := strings.Clone(text[start:end]) // or it would keep the document
		if len(*pool) < maxPool {
			*pool = append(*pool, word)
		} else {
			(*pool)[r.Below(maxPool)] = word
		}
	}
	return *pool
}

// waiter is a copy that waits until due documents were yielded.
type waiter struct {
	Document
	due    int
	number uint64 // of the original, to break ties
}

// queue is a heap of copies by the time they are due.
type queue []waiter

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	if a.due != b.due {
		return a.due < b.due
	}
	if a.number != b.number {
		return a.number < b.number
	}
	return a.Copy < b.Copy
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(waiter)) }
func (q *queue) Pop() any {
	old := *q
	h := old[len(old)-1]
	old[len(old)-1] = waiter{}
	*q = old[:len(old)-1]
	return h
}
