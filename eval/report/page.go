package report

import (
	"fmt"
	"html/template"

	"github.com/alike-go/alike/passages"
)

// text is a text in English and in Chinese.
type text [2]string

// same is what is the same in both: names and numbers.
func same(s string) text { return text{s, s} }

func (t text) Plain() bool { return t[0] == t[1] }
func (t text) EN() string  { return t[0] }
func (t text) ZH() string  { return t[1] }

// format fills both languages' patterns, whose verbs are numbered where the order differs.
func format(t text, args ...any) text {
	return text{fmt.Sprintf(t[0], args...), fmt.Sprintf(t[1], args...)}
}

// page is what the template shows.
type page struct {
	Language string
	Title    text
	Subtitle text
	Sections []section

	Data     template.JS
	Script   template.JS
	Style    template.CSS
	Licences string
	Policy   string

	view *passages.View // what the script shows; may be nil
}

// add appends a section and returns it; the pointer is good until the next one.
func (p *page) add(id string, title, intro text) *section {
	p.Sections = append(p.Sections, section{ID: id, Title: title, Intro: intro})
	return &p.Sections[len(p.Sections)-1]
}

type section struct {
	ID           string
	Title, Intro text
	Blocks       []block
}

// block is one of its parts.
type block struct {
	Heading text // above it; may be empty
	Note    text
	Table   *table
	Figure  *figure
	Pairs   []pair

	// Passages is the list of passages that stands where the script does not run.
	Passages *table
}

func (s *section) table(heading, note text, t *table) {
	s.Blocks = append(s.Blocks, block{Heading: heading, Note: note, Table: t})
}

func (s *section) figure(f *figure) {
	if f != nil {
		s.Blocks = append(s.Blocks, block{Figure: f})
	}
}

func (s *section) pairs(heading, note text, p []pair) {
	if len(p) > 0 {
		s.Blocks = append(s.Blocks, block{Heading: heading, Note: note, Pairs: p})
	}
}

// figure is a chart, which the script draws, and its numbers as a table.
type figure struct {
	ID          string
	Title, Note text
	Keys        []key // of what no legend tells
	Table       *table
	chart       any
}

// drawn returns the figure with its chart, or nil if the chart shows nothing.
func (f *figure) drawn(c chart) *figure {
	if c.Series == nil && c.Panels == nil {
		return nil
	}
	f.chart = c
	return f
}

// key is one entry of a legend.
type key struct {
	Class string
	Text  text
}

// table is a table whose first cells are heads of rows.
type table struct {
	Caption text // above it; may be empty
	Head    []cell
	Rows    [][]cell
}

// cell is a cell with its class: "number", "number best", "words" or none.
type cell struct {
	Text  text
	Small string // below it
	Class string
	Code  bool
}

// newTable returns a table whose rows are named in the first column, with columns
// of numbers behind it.
func newTable(first text, numbers ...text) *table {
	t := &table{Head: []cell{{Text: first}}}
	t.numbers(numbers...)
	return t
}

func (t *table) numbers(heads ...text) {
	for _, h := range heads {
		t.Head = append(t.Head, cell{Text: h, Class: "number"})
	}
}

func (t *table) columns(heads ...text) {
	for _, h := range heads {
		t.Head = append(t.Head, words(h))
	}
}

func (t *table) row(cells ...cell) { t.Rows = append(t.Rows, cells) }

// column adds a cell to each row.
func (t *table) column(head cell, cells []cell) {
	t.Head = append(t.Head, head)
	for i, c := range cells {
		t.Rows[i] = append(t.Rows[i], c)
	}
}

func name(s string) cell   { return cell{Text: same(s)} }
func number(s string) cell { return cell{Text: same(s), Class: "number"} }
func words(t text) cell    { return cell{Text: t} }
func code(s string) cell   { return cell{Text: same(s), Code: true} }

// axis says what a chart shows along one side.
type axis struct {
	Label  text        `json:"label"`
	Log    bool        `json:"log,omitempty"`
	Domain *[2]float64 `json:"domain,omitempty"`
}

// share is the domain of what lies between 0 and 1.
func share() *[2]float64 { return &[2]float64{0, 1} }
