package plant

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Stats counts what was written.
type Stats struct {
	Documents int   // originals and copies
	Copies    int   // of them
	Clusters  int   // of an original and at least one copy
	Bytes     int64 // of text
	Alike     int   // pairs with label 1
	Different int   // pairs with label 0
	Passages  int
	Takers    int // documents that hold passages
	// edits is the copies or passages by edit, in the order of Kinds and of the rates.
	edits []editStats
}

// editStats sums the records of the copies or passages that one edit made.
type editStats struct {
	Record
	edit   Edit
	copies int
	equal  int // copies on which it had no effect
}

func (s *Stats) add(d Document) {
	s.Documents++
	s.Bytes += int64(len(d.Text))
	if len(d.Passages) > 0 {
		s.Takers++
	}
	for _, p := range d.Passages {
		s.Passages++
		s.edit(p.Edit, p.Record)
	}
	if d.Copy == 0 {
		return
	}
	s.Copies++
	if d.Copy == 1 {
		s.Clusters++
	}
	s.edit(d.Edit, d.Record)
}

func (s *Stats) edit(edit Edit, record Record) {
	at, ok := slices.BinarySearchFunc(s.edits, edit, func(e editStats, edit Edit) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds(), e.edit.Kind), slices.Index(Kinds(), edit.Kind)),
			cmp.Compare(e.edit.Rate, edit.Rate), cmp.Compare(e.edit.Kind, edit.Kind))
	})
	if !ok {
		s.edits = slices.Insert(s.edits, at, editStats{edit: edit})
	}
	e := &s.edits[at]
	e.copies++
	e.Units += record.Units
	e.Touched += record.Touched
	if record.Touched == 0 {
		e.equal++
	}
}

func (s *Stats) pair(p pair) {
	if p.label == 1 {
		s.Alike++
	} else {
		s.Different++
	}
}

// readme returns the text of the README.
func readme(name string, s Stats, o WriteOptions) string {
	var b strings.Builder
	line := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	fmt.Fprintf(&b, "# %s\n\n", line(name))
	if o.Description == "" {
		o.Description = "Documents with planted near-duplicates: edited copies of some of them."
	}
	fmt.Fprintf(&b, "%s\n\n", line(o.Description))
	if o.Passages {
		fmt.Fprintf(&b, "- documents: %d, %d bytes of text\n- passages (`%s`): %d in %d documents\n", s.Documents, s.Bytes, spansFile, s.Passages, s.Takers)
		for i, e := range s.edits {
			if i == 0 {
				b.WriteString("\n| passages | number | share of words or characters touched |\n| --- | ---: | ---: |\n")
			}
			touched := "-"
			if e.edit.rated() {
				touched = fmt.Sprintf("%.4f", e.Rate())
			}
			fmt.Fprintf(&b, "| %v | %d | %s |\n", e.edit, e.copies, touched)
		}
		return b.String()
	}
	fmt.Fprintf(&b, "- documents: %d, %d of them copies, %d bytes of text\n", s.Documents, s.Copies, s.Bytes)
	fmt.Fprintf(&b, "- clusters: %d of an original and its copies\n", s.Clusters)
	fmt.Fprintf(&b, "- pairs (`%s`): %d alike, %d not\n", pairsFile, s.Alike, s.Different)
	if len(s.edits) == 0 {
		return b.String()
	}
	b.WriteString("\nOf the units that an edit could touch (words, or characters in scripts without spaces)\n" +
		"it touched the share below. `edits.tsv` has it by document.\n\n" +
		"| edit | copies | share touched | without effect |\n| --- | ---: | ---: | ---: |\n")
	for _, e := range s.edits {
		fmt.Fprintf(&b, "| %v | %d | %.4f | %d |\n", e.edit, e.copies, e.Rate(), e.equal)
	}
	return b.String()
}
