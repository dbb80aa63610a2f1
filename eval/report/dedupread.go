package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
)

// Dedup is the outcome of a deduplication.
type Dedup struct {
	Report local.Report

	// Sizes is the number of documents of each cluster.
	Sizes []int

	// Scores counts the documents removed as alike to another by the score of the two, in 50
	// equal steps of [0, 1].
	Scores []int64

	// Removed are some of the documents removed beside those that stay for them: the
	// least alike, and others at even steps of score.
	Removed []Removed

	// Lines are the lines that stand in the most documents, and Read how many documents, of
	// those kept and those removed, were searched for them.
	Lines []Line
	Read  int
}

// Removed is a document that was removed and the one that stays for it.
type Removed struct {
	local.Removal
	Text, KeptText string
}

// Line is a line of text, and how many documents have it.
type Line struct {
	Text      string
	Documents int
}

// Bounds on what is read of the documents, so that a page of a large corpus is made in
// seconds; all of why.jsonl and clusters.tsv is read.
const (
	readDocuments = 200_000
	readBytes     = 128 << 20
	readPairs     = 12
)

// Bounds on the lines that are counted and shown.
const (
	lineBytes = 32
	lineMost  = 400
	linesMost = 15
)

// ReadDedup reads a folder that a deduplication wrote. src tells how documents are read,
// as it was told then; its path is not looked at. Documents are read only so far as takes
// seconds, and where they were dropped or annotated not at all.
func ReadDedup(folder string, src datasets.Source) (*Dedup, error) {
	d := &Dedup{Scores: make([]int64, 50)}
	made, err := local.OpenMade(folder)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	d.Report = made.Report
	if d.Sizes, err = readSizes(filepath.Join(folder, "clusters.tsv")); err != nil {
		return nil, err
	}
	counts := newLineCounts(d.Report.Settings.Clean)
	var texts outcome
	if texts.kept, err = read(made, "kept", src, counts); err == nil && texts.kept != nil {
		texts.removed, err = read(made, "removed", src, counts)
	}
	if err != nil {
		return nil, err
	}
	d.Lines, d.Read = counts.most(), counts.documents
	removals, err := d.readWhy(made, texts)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return d, d.choose(made, texts, removals)
}

// readSizes counts the members of clusters.
func readSizes(name string) ([]int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	var sizes []int
	r := bufio.NewReaderSize(f, 1<<16)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("report: %s: %w", name, err)
		}
		if line = strings.TrimRight(line, "\r\n"); line != "" && n > 1 { // behind the head
			tab := strings.LastIndexByte(line, '\t')
			k, err := strconv.Atoi(line[tab+1:])
			if tab < 0 || err != nil || k < 1 || k > len(sizes)+1_000_000 {
				return nil, fmt.Errorf("report: %s:%d: %q, want an id and a cluster", name, n, line)
			}
			for len(sizes) < k {
				sizes = append(sizes, 0)
			}
			sizes[k-1]++
		}
		if err == io.EOF {
			return sizes, nil
		}
	}
}

// removal is what choosing examples takes of a line of why.jsonl.
type removal struct {
	line      int  // of why.jsonl
	row, kept int  // among the rows of all sources; with file, kept is among the documents kept, or -1
	file      bool // each document is a file
	at        int  // among the documents removed, or -1
	reason    string
	score     float64
	cluster   int
	without   bool // the one kept is of an old source, which is not here
}

// outcome is the documents kept and removed, as far as they are read.
type outcome struct{ kept, removed []document }

type document struct{ id, text string }

// find returns the position of a document among documents in the order of their
// ids, or -1.
func find(docs []document, id string) int {
	i, ok := slices.BinarySearchFunc(docs, id, func(d document, id string) int { return cmp.Compare(d.id, id) })
	if !ok {
		return -1
	}
	return i
}

func (d *Dedup) readWhy(made *local.Made, texts outcome) ([]removal, error) {
	var out []removal
	at, lost := 0, 0
	err := made.Removals(func(n, row int, w *local.Removal) (err error) {
		r := removal{line: n, row: row, reason: w.Reason, score: w.Score, cluster: w.Cluster}
		if w.Reason == "unreadable" {
			out = append(out, r)
			return nil
		}
		r.at = at
		at++
		if w.Kept == nil {
			return errors.New("no document kept, want one")
		}
		if r.without = w.Kept.Against; !r.without {
			if r.kept, err = made.Row(w.Kept.Ref); err != nil {
				return err
			}
			if file := made.File(w.Kept.At); file != "" {
				r.file, r.at, r.kept = true, find(texts.removed, made.File(w.At)), find(texts.kept, file)
			}
		}
		if w.Reason == "alike" && w.Score < d.Report.Settings.MinScore() {
			lost++
		}
		if w.Reason == "alike" && w.Score >= 0 && w.Score <= 1 {
			d.Scores[min(len(d.Scores)-1, int(w.Score*float64(len(d.Scores))))]++
		}
		out = append(out, r)
		return nil
	})
	d.Report.Lost = lost // earlier versions did not report it
	return out, err
}

// picked returns the removals to show: the third part of them the least alike, the others
// at even steps of score. All lie within what is read.
func picked(removals []removal, within func(r removal) bool) []removal {
	var alike []removal
	for _, r := range removals {
		if r.reason == "alike" && !r.without && within(r) {
			alike = append(alike, r)
		}
	}
	slices.SortStableFunc(alike, func(a, b removal) int { return cmp.Compare(a.score, b.score) })
	if len(alike) <= readPairs {
		return alike
	}
	out := alike[: readPairs/3 : readPairs/3]
	rest := alike[readPairs/3:]
	for i := range readPairs - len(out) {
		out = append(out, rest[i*(len(rest)-1)/(readPairs-readPairs/3-1)])
	}
	return out
}

// choose takes from the documents read what is to be shown.
func (d *Dedup) choose(made *local.Made, texts outcome, removals []removal) error {
	if texts.kept == nil {
		return nil
	}
	slices.SortStableFunc(removals, func(a, b removal) int { return cmp.Compare(a.row, b.row) })
	// A document kept stands in its file behind those kept before it.
	keptAt := func(r removal) int {
		if r.file {
			return r.kept
		}
		before, _ := slices.BinarySearchFunc(removals, r.kept, func(r removal, row int) int { return cmp.Compare(r.row, row) })
		return r.kept - before
	}
	chosen := picked(removals, func(r removal) bool {
		at := keptAt(r)
		return r.at >= 0 && r.at < len(texts.removed) && at >= 0 && at < len(texts.kept)
	})
	want := map[int]*Removed{}
	for _, r := range chosen {
		d.Removed = append(d.Removed, Removed{Text: texts.removed[r.at].text, KeptText: texts.kept[keptAt(r)].text})
	}
	for i, r := range chosen {
		want[r.line] = &d.Removed[i]
	}
	return made.Removals(func(n, _ int, w *local.Removal) error {
		if to := want[n]; to != nil {
			to.Removal = *w
		}
		return nil
	})
}

// read returns the texts of a part of the outcome, as far as bounds allow, or none if it
// was not written.
func read(made *local.Made, part string, src datasets.Source, counts *lineCounts) (texts []document, err error) {
	r, err := made.Documents(part, src)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if r == nil {
		return nil, nil
	}
	defer r.Close()
	size := 0
	for row, err := range r.Rows() {
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		texts = append(texts, document{row.Doc.ID, row.Doc.Text})
		counts.add(row.Doc.Text)
		if size += len(row.Doc.Text); size >= readBytes || len(texts) >= readDocuments {
			break
		}
	}
	return texts, nil
}

// lineCounts counts the documents that have a line.
type lineCounts struct {
	least     int // documents from which on a line is shown; 0 means a hundredth of all, at least five
	documents int
	count     map[uint64]*counted
}

type counted struct {
	documents, last int // how many, and the last one
	text            string
}

func newLineCounts(cleaned string) *lineCounts {
	c := &lineCounts{count: map[uint64]*counted{}}
	for _, s := range strings.Split(cleaned, ",") {
		if n, ok := strings.CutPrefix(s, "boilerplate="); ok {
			c.least, _ = strconv.Atoi(n)
		}
	}
	return c
}

func (c *lineCounts) add(text string) {
	c.documents++
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if len(line) < lineBytes {
			continue
		}
		h := xxh3.HashString(line)
		k := c.count[h]
		if k == nil {
			k = &counted{}
			c.count[h] = k
		}
		if k.last == c.documents {
			continue
		}
		k.last = c.documents
		if k.documents++; k.documents == 2 {
			k.text = strings.Clone(line[:min(len(line), lineMost)])
		}
	}
}

func (c *lineCounts) most() []Line {
	least := c.least
	if least == 0 {
		least = max(5, c.documents/100)
	}
	var out []Line
	for _, k := range c.count {
		if k.documents >= max(2, least) {
			out = append(out, Line{strings.ToValidUTF8(k.text, "…"), k.documents})
		}
	}
	slices.SortFunc(out, func(a, b Line) int {
		return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Text, b.Text))
	})
	return out[:min(len(out), linesMost)]
}
