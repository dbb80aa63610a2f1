package score

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/spans"
)

// Passages are passages that stand in two documents, as a file lists them. Their
// spans are in characters: Unicode code points.
type Passages struct {
	// List has each passage once, even if the file has it again, or in the other order.
	List  []spans.Passage
	kinds []string // of each, or nothing
}

// Part is what was found of the cases of one kind.
type Part struct {
	Kind string `json:"case_kind"`
	spans.Figures
}

// ByKind returns the figures of each kind of the passages, which are the cases.
// The kinds are in the order of their names and rates. There are none if no
// passage has a kind.
func (p Passages) ByKind(cases []spans.Case) []Part {
	of := map[string][]spans.Case{}
	for i, c := range cases {
		if kind := p.kinds[i]; kind != "" {
			of[kind] = append(of[kind], c)
		}
	}
	var parts []Part
	for _, kind := range slices.SortedFunc(maps.Keys(of), compareKinds) {
		parts = append(parts, Part{kind, spans.Mean(of[kind])})
	}
	return parts
}

// Texts are the documents in which passages stand.
type Texts struct {
	set    *datasets.Set
	number map[string]int // by id
	base   map[string]int // by the last element of the id, without .txt; -1 for several
	counts [][]int        // of each document, the characters before every countEvery-th byte
}

// countEvery bounds the bytes that are counted to find one character.
const countEvery = 1024

// NewTexts returns the documents of a set. It refuses ids that repeat.
func NewTexts(set *datasets.Set) (*Texts, error) {
	t := &Texts{set, make(map[string]int, len(set.Docs)), make(map[string]int, len(set.Docs)), make([][]int, len(set.Docs))}
	for i, d := range set.Docs {
		if _, ok := t.number[d.ID]; ok {
			return nil, fmt.Errorf("score: %s has two documents %q, want ids that do not repeat", set.Name, d.ID)
		}
		t.number[d.ID] = i
		if _, ok := t.base[baseOf(d.ID)]; ok {
			i = -1
		}
		t.base[baseOf(d.ID)] = i
	}
	return t, nil
}

func baseOf(id string) string { return strings.TrimSuffix(path.Base(id), ".txt") }

// characters returns how many characters of a document stand before a byte of it.
// ok is false if the byte is within a character.
func (t *Texts) characters(doc, at int) (n int, ok bool) {
	text := t.set.Docs[doc].Text
	if at < len(text) && !utf8.RuneStart(text[at]) {
		return 0, false
	}
	if t.counts[doc] == nil {
		counts := []int{0}
		for from := 0; from+countEvery <= len(text); from += countEvery {
			n += starts(text[from : from+countEvery])
			counts = append(counts, n)
		}
		t.counts[doc] = counts
	}
	block := at / countEvery
	return t.counts[doc][block] + starts(text[block*countEvery:at]), true
}

// starts returns how many characters begin in a part of a text.
func starts(part string) (n int) {
	for i := range len(part) {
		if utf8.RuneStart(part[i]) {
			n++
		}
	}
	return n
}

// ReadPassages reads the passages of a source. A table has the columns id1, start1,
// end1, id2, start2 and end2, where starts and ends count the bytes of a text in
// UTF-8. It may have a kind and a rate. A folder, or a file that ends in .xml, is
// read as PAN writes plagiarism, where offsets and lengths count characters.
func (o *Output) ReadPassages(ctx context.Context, texts *Texts, src datasets.Source) (Passages, error) {
	in := &passageReader{reader: o.reader(ctx, texts.set, texts.number, src), texts: texts, seen: map[spans.Passage]bool{}}
	info, err := os.Stat(src.Path)
	if src.Format == "" && err == nil && (info.IsDir() || strings.HasSuffix(src.Path, ".xml")) {
		err = in.folder(src.Path)
	} else {
		err = eachRow(in.src, o.ID1, o.ID2, in.row)
	}
	return in.Passages, err
}

// passageReader reads one file, or the files of PAN in a folder.
type passageReader struct {
	reader
	Passages
	texts *Texts
	seen  map[spans.Passage]bool
}

// row reads a row of a table.
func (in *passageReader) row(row datasets.Row, id1, id2 string) error {
	var p spans.Passage
	for _, side := range []struct {
		id, start, end string
		to             *spans.Span
	}{{id1, "start1", "end1", &p.A}, {id2, "start2", "end2", &p.B}} {
		doc, err := in.document(row, side.id)
		if err != nil {
			return err
		}
		var at [2]int
		for i, column := range []string{side.start, side.end} {
			if at[i], err = in.byteAt(row, column, doc); err != nil {
				return err
			}
		}
		if *side.to = (spans.Span{Doc: doc, Start: at[0], End: at[1]}); at[0] >= at[1] {
			return fmt.Errorf("score: %s:%d: %s is not behind %s, want a passage that is not empty", row.File, row.Line, side.end, side.start)
		}
	}
	kind, _ := row.Get("kind")
	if rate, _ := row.Get("rate"); rate != "" && rate != "0" {
		kind += ":" + rate
	}
	return in.add(row.File, row.Line, p, kind)
}

// byteAt returns the number of characters before the byte that a field states.
func (in *passageReader) byteAt(row datasets.Row, column string, doc int) (int, error) {
	d := &in.set.Docs[doc]
	value, ok := row.Get(column)
	if !ok {
		return 0, fmt.Errorf("score: %s:%d: no field %q, want %s, start1, end1, %s, start2 and end2", row.File, row.Line, column, in.ID1, in.ID2)
	}
	at, err := strconv.Atoi(value)
	if err != nil || at < 0 || at > len(d.Text) {
		return 0, fmt.Errorf("score: %s:%d: %s is %q, want a number of bytes from 0 to %d, the size of the text of %q", row.File, row.Line, column, value, len(d.Text), d.ID)
	}
	n, ok := in.texts.characters(doc, at)
	if !ok {
		return 0, fmt.Errorf("score: %s:%d: %s is %d, which is within a character of %q, want where one begins", row.File, row.Line, column, at, d.ID)
	}
	return n, nil
}

// add adds a passage that the line of a file states.
func (in *passageReader) add(file string, line int, p spans.Passage, kind string) error {
	if p.A.Doc == p.B.Doc {
		return fmt.Errorf("score: %s:%d: both spans are of %q, want two documents", file, line, in.set.Docs[p.A.Doc].ID)
	}
	if p = p.Sorted(); !in.seen[p] {
		in.seen[p] = true
		in.List, in.kinds = append(in.List, p), append(in.kinds, strings.Clone(kind))
	}
	return in.ctx.Err()
}

// compareKinds orders kinds by name, and then by rate.
func compareKinds(x, y string) int {
	xName, xRate := rateOf(x)
	yName, yRate := rateOf(y)
	return cmp.Or(cmp.Compare(xName, yName), cmp.Compare(xRate, yRate), cmp.Compare(x, y))
}

// rateOf divides a kind such as mixed:0.05 at its colon.
func rateOf(kind string) (name string, rate float64) {
	name, text, _ := strings.Cut(kind, ":")
	rate, _ = strconv.ParseFloat(text, 64)
	return name, rate
}
