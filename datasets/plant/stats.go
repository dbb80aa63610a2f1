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
	// Edits is the copies by edit, in the order of Kinds and of the rates.
	Edits []EditStats
}

// EditStats sums the records of the copies that one edit made.
type EditStats struct {
	Edit           Edit
	Copies         int
	Equal          int // copies on which it had no effect
	Units, Touched int64
}

// Rate returns the share touched over all copies.
func (e EditStats) Rate() float64 {
	if e.Units == 0 {
		return 0
	}
	return float64(e.Touched) / float64(e.Units)
}

func (s *Stats) add(d Document) {
	s.Documents++
	s.Bytes += int64(len(d.Text))
	if d.Copy == 0 {
		return
	}
	s.Copies++
	if d.Copy == 1 {
		s.Clusters++
	}
	at, ok := slices.BinarySearchFunc(s.Edits, d.Edit, func(e EditStats, edit Edit) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds(), e.Edit.Kind), slices.Index(Kinds(), edit.Kind)), cmp.Compare(e.Edit.Rate, edit.Rate))
	})
	if !ok {
		s.Edits = slices.Insert(s.Edits, at, EditStats{Edit: d.Edit})
	}
	e := &s.Edits[at]
	e.Copies++
	e.Units += int64(d.Record.Units)
	e.Touched += int64(d.Record.Touched)
	if d.Record.Touched == 0 {
		e.Equal++
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
	if o.Source != "" {
		fmt.Fprintf(&b, "- source: %s\n", line(o.Source))
	}
	if o.Licence != "" {
		fmt.Fprintf(&b, "- licence: %s\n", line(o.Licence))
	}
	fmt.Fprintf(&b, "- documents: %d, %d of them copies, %d bytes of text\n", s.Documents, s.Copies, s.Bytes)
	fmt.Fprintf(&b, "- clusters: %d of an original and its copies\n", s.Clusters)
	fmt.Fprintf(&b, "- pairs (`%s`): %d alike, %d random ones\n", PairsFile, s.Alike, s.Different)
	if len(s.Edits) == 0 {
		return b.String()
	}
	b.WriteString("\nOf the units that an edit could touch (words, or characters in scripts without spaces)\n" +
		"it touched the share below. `edits.tsv` has it by document.\n\n" +
		"| edit | copies | share touched | without effect |\n| --- | ---: | ---: | ---: |\n")
	for _, e := range s.Edits {
		fmt.Fprintf(&b, "| %v | %d | %.4f | %d |\n", e.Edit, e.Copies, e.Rate(), e.Equal)
	}
	return b.String()
}
