package clean

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// passes is how often all texts are learnt: once roughly, so that windows of one document,
// which most are, need no place in the table that counts exactly the second time.
const passes = 2

// passages finds the windows that enough documents have, and takes out what lies in
// them.
type passages struct {
	least  int
	memory int64
	pass   int
	rough  func() *counters // made when first asked for: who only names the settings pays nothing
	table  *table
}

func newPassages(least int, memory int64) *passages {
	return &passages{
		least: least, memory: memory, table: newTable(),
		rough: sync.OnceValue(func() *counters { return newCounters(memory/2, least) }),
	}
}

// buffers hold the windows of a text at work.
var buffers = sync.Pool{New: func() any { return new([]window) }}

// keepMost is how many windows a buffer that waits may have.
const keepMost = 1 << 16

func release(b *[]window) {
	if cap(*b) <= keepMost {
		buffers.Put(b)
	}
}

func (p *passages) learn(text string) {
	b := buffers.Get().(*[]window)
	defer release(b)
	*b = windows((*b)[:0], text)
	slices.SortFunc(*b, func(v, w window) int { return cmp.Compare(v.hash, w.hash) })
	rough := p.rough()
	for i, w := range *b {
		switch {
		case i > 0 && w.hash == (*b)[i-1].hash:
		case p.pass == 0:
			rough.add(w.hash)
		case rough.full(w.hash):
			p.table.add(w.hash)
		}
	}
}

// next ends a pass.
func (p *passages) next() error {
	p.pass++
	if p.pass == 1 {
		if n := p.rough().expected(); n*tableEntry > float64(p.memory/2) {
			return fmt.Errorf("clean: some %.0f windows may stand in %d documents, more than fit in %d bytes: want more memory, or passages of more documents", n, p.least, p.memory)
		}
		return nil
	}
	p.rough = nil
	p.table.keep(p.least)
	return nil
}

// span is a part of a text.
type span struct{ start, end int }

// common returns what the windows cover that enough documents have, as ascending spans of
// whole characters apart from one another.
func (p *passages) common(text string) []span {
	b := buffers.Get().(*[]window)
	defer release(b)
	*b = windows((*b)[:0], text)
	found := slices.DeleteFunc(*b, func(w window) bool { return !p.table.has(w.hash) })
	slices.SortFunc(found, func(v, w window) int { return cmp.Compare(v.start, w.start) })
	var out []span
	for _, w := range found {
		if n := len(out); n > 0 && w.start <= out[n-1].end {
			out[n-1].end = max(out[n-1].end, w.end)
		} else {
			out = append(out, span{w.start, w.end})
		}
	}
	for i := range out {
		out[i] = whole(text, out[i])
	}
	return out
}

// whole returns the characters that lie within a span; those it cuts do not.
func whole(text string, s span) span {
	for s.start < s.end && !utf8.RuneStart(text[s.start]) {
		s.start++
	}
	for s.end > s.start && s.end < len(text) && !utf8.RuneStart(text[s.end]) {
		s.end--
	}
	return s
}

// strip returns the text without its common passages, or with them if nothing else is in it.
func (p *passages) strip(text string) string {
	spans := p.common(text)
	if len(spans) == 0 {
		return text
	}
	var rest []string
	at, substance := 0, false
	for _, s := range append(spans, span{len(text), len(text)}) {
		if s.start > at {
			rest = append(rest, text[at:s.start])
			substance = substance || strings.ContainsFunc(text[at:s.start], isLetterOrDigit)
		}
		at = s.end
	}
	if !substance {
		return text
	}
	return strings.Join(rest, "\n")
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
