package clean

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
)

// passages learns in so many passes: a rough one, to spare most windows, which stand in one
// document only, a place in the table of the other.
const passes = 2

// passages finds the windows that enough documents have, and takes out what lies in
// them.
type passages struct {
	prints Fingerprinter
	least  int
	memory int64
	pass   int
	rough  *counters
	table  *table
}

func newPassages(prints Fingerprinter, least int, memory int64) *passages {
	return &passages{prints: prints, least: least, memory: memory, rough: newCounters(memory/2, least), table: newTable()}
}

// window is a place in a text that is known by its hash.
type window struct {
	hash uint64
	feature.Span
}

// The seeds that keep what begins a text from being taken for what ends one.
const headSeed, tailSeed = 1, 2

// windows returns the windows of a text: those chosen, and what stands from its beginning
// to the end of the first of them and from the beginning of the last to its
// end. So passages that begin or end a text, as most do, leave no rest there.
func (p *passages) windows(text string) []window {
	located := p.prints.Fingerprints(text)
	if len(located) == 0 {
		return nil
	}
	out := make([]window, 0, len(located)+2)
	head := feature.Span{Start: 0, End: located[0].End}
	tail := feature.Span{Start: located[len(located)-1].Start, End: len(text)}
	out = append(out, window{xxh3.HashStringSeed(text[:head.End], headSeed), head})
	for _, l := range located {
		out = append(out, window{l.Hash, l.Span})
	}
	return append(out, window{xxh3.HashStringSeed(text[tail.Start:], tailSeed), tail})
}

func (p *passages) learn(text string) {
	windows := p.windows(text)
	hashes := make([]uint64, len(windows))
	for i, w := range windows {
		hashes[i] = w.hash
	}
	slices.Sort(hashes)
	for _, h := range slices.Compact(hashes) {
		switch {
		case p.pass == 0:
			p.rough.add(h)
		case p.rough.full(h):
			p.table.add(h)
		}
	}
}

// next ends a pass.
func (p *passages) next() error {
	p.pass++
	if p.pass == 1 {
		if n := p.rough.expected(); n*tableEntry > float64(p.memory/2) {
			return fmt.Errorf("clean: some %.0f windows may stand in %d documents, more than fit in %d bytes: want more memory, or passages of more documents", n, p.least, p.memory)
		}
		return nil
	}
	p.rough = nil
	p.table.keep(p.least)
	return nil
}

// common returns what the windows cover that enough documents have, as ascending spans
// apart from one another.
func (p *passages) common(text string) []feature.Span {
	var out []feature.Span
	for _, w := range p.windows(text) {
		if !p.table.has(w.hash) {
			continue
		}
		if n := len(out); n > 0 && w.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, w.End)
		} else {
			out = append(out, w.Span)
		}
	}
	return out
}

// strip returns the text without its common passages, or with them if nothing else is in it.
func (p *passages) strip(text string) string {
	spans := p.common(text)
	if len(spans) == 0 {
		return text
	}
	var rest []string
	at, substance := 0, false
	for _, s := range append(spans, feature.Span{Start: len(text), End: len(text)}) {
		if s.Start > at {
			rest = append(rest, text[at:s.Start])
			substance = substance || strings.ContainsFunc(text[at:s.Start], isLetterOrDigit)
		}
		at = s.End
	}
	if !substance {
		return text
	}
	return strings.Join(rest, "\n")
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
