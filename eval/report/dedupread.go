package report

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
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
	if made.Report.Below != nil {
		return nil, fmt.Errorf("report: %s was made below the document, want one of whole documents; alike why says what was cut", folder)
	}
	d.Report = made.Report
	if d.Sizes, err = readSizes(filepath.Join(folder, "clusters.tsv")); err != nil {
		return nil, err
	}
	texts, err := made.Texts(src, readDocuments, readBytes)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	counts := newLineCounts(d.Report.Settings.Clean)
	if len(texts.Kept) > 0 {
		for _, doc := range slices.Concat(texts.Kept, texts.Removed) {
			counts.add(doc.Text)
		}
	}
	d.Lines, d.Read = counts.most(), counts.documents
	found, err := d.readWhy(texts)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return d, d.choose(made, texts, found)
}

// readSizes counts the members of clusters.
func readSizes(name string) ([]int, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	var sizes []int
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, math.MaxInt32)
	lines.Scan() // the head
	for n := 2; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" {
			continue
		}
		tab := strings.LastIndexByte(line, '\t')
		k, err := strconv.Atoi(line[tab+1:])
		if tab < 0 || err != nil || k < 1 || k > len(sizes)+1_000_000 {
			return nil, fmt.Errorf("report: %s:%d: %q, want an id and a cluster", name, n, line)
		}
		if k > len(sizes) {
			sizes = append(sizes, make([]int, k-len(sizes))...)
		}
		sizes[k-1]++
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("report: %s: %w", name, err)
	}
	return sizes, nil
}

// removal is a document removed as alike to another, as far as choosing
// examples needs it.
type removal struct {
	line, row int // of why.jsonl, and among the rows of all sources
	score     float64
	place     local.TextPlace
}

// readWhy returns the documents removed as alike, and counts their scores.
func (d *Dedup) readWhy(texts *local.Texts) ([]removal, error) {
	var out []removal
	d.Report.Lost = 0 // earlier versions did not report it
	err := texts.Removals(func(n, row int, w *local.Removal, p local.TextPlace) error {
		if w.Reason != "alike" {
			return nil
		}
		if w.Score < d.Report.Settings.MinScore() {
			d.Report.Lost++
		}
		if w.Score >= 0 && w.Score <= 1 {
			d.Scores[min(len(d.Scores)-1, int(w.Score*float64(len(d.Scores))))]++
		}
		out = append(out, removal{n, row, w.Score, p})
		return nil
	})
	return out, err
}

// picked returns the removals to show: the third part of them the least alike, the others
// at even steps of score.
func picked(alike []removal) []removal {
	slices.SortStableFunc(alike, func(a, b removal) int { return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.row, b.row)) })
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
func (d *Dedup) choose(made *local.Made, texts *local.Texts, found []removal) error {
	chosen := picked(slices.DeleteFunc(found, func(r removal) bool {
		_, removed := texts.RemovedAt(r.place)
		_, kept := texts.KeptAt(r.place)
		return !removed || !kept
	}))
	if len(chosen) == 0 {
		return nil
	}
	want := map[int]*Removed{}
	d.Removed = make([]Removed, len(chosen))
	for i, r := range chosen {
		removed, _ := texts.RemovedAt(r.place)
		kept, _ := texts.KeptAt(r.place)
		d.Removed[i] = Removed{Text: removed.Text, KeptText: kept.Text}
		want[r.line] = &d.Removed[i]
	}
	return made.Removals(func(n, _ int, w *local.Removal) error {
		if to := want[n]; to != nil {
			to.Removal = *w
		}
		return nil
	})
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
