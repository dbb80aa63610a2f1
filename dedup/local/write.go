package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
)

// writer writes what was decided on a corpus.
type writer struct {
	*corpus
	*Decided
	clusters []uint32       // the kept rows of clusters, ascending
	sizes    map[uint32]int // of clusters, by the row kept
	examples map[int]bool   // rows of w.report.Lower
	report   Report         // see timed
}

// conclude does the steps behind the decision.
func (c *corpus) conclude(ctx context.Context, d *Decided) (*Report, error) {
	w, err := c.writer(d)
	if err != nil {
		return nil, err
	}
	if err := w.assure(ctx); err != nil {
		return nil, err
	}
	return w.write(ctx)
}

// writer returns the writer of a decision, or an error if it would remove too
// much.
func (c *corpus) writer(d *Decided) (*writer, error) {
	w := &writer{corpus: c, Decided: d}
	w.report.Settings = c.o.Settings()
	w.count()
	w.describe()
	if w.report.DropShare() > w.o.MaxDrop && !w.o.Annotate {
		return nil, &DropError{w.timed(), w.o.MaxDrop}
	}
	w.lower()
	return w, nil
}

// write writes the outputs, or only the report if nothing else is to be written.
func (w *writer) write(ctx context.Context) (*Report, error) {
	if w.o.DryRun {
		if err := w.tell(ctx); err != nil {
			return nil, err
		}
		w.stage("")
		return w.timed(), nil
	}
	if err := w.prepareAdding(ctx); err != nil {
		return nil, err
	}
	w.stage("write")
	rows := w.divide
	if w.o.Annotate {
		rows = w.annotate
	}
	if err := rows(ctx); err != nil {
		return nil, err
	}
	if w.o.Sketches {
		w.stage("sketches")
		if err := w.writeSketches(ctx, filepath.Join(w.made, SketchFile), false); err != nil {
			return nil, err
		}
	}
	w.stage("")
	if err := w.timed().write(w.made); err != nil {
		return nil, err
	}
	if err := w.finish(ctx); err != nil {
		return nil, err
	}
	return &w.report, nil
}

// tell passes on the removals of a run that writes nothing.
func (w *writer) tell(ctx context.Context) error {
	if w.o.OnRemoved == nil && len(w.examples) == 0 {
		return nil
	}
	w.stage("write")
	m, err := w.route(ctx, nowhere{}, nowhere{}, true)
	if err != nil {
		return err
	}
	defer m.content.close()
	return w.writeWhy(ctx, m)
}

// timed returns the report with the times up to now.
func (w *writer) timed() *Report {
	w.report.Run = w.timing
	return &w.report
}

// kept returns the row that is kept in place of a row, which may be the row
// itself, and how the two are alike. A bad row has none. With the policy none, the
// row that is kept goes too, once the clusters are known.
func (w *writer) kept(row int) (kept uint32, reason string, score float64) {
	kept, reason, score = w.first(row)
	if reason == "" && w.o.Keep.None() && row >= w.oldRows && w.sizes[kept] > 0 {
		return kept, reasonFirst, 0
	}
	return kept, reason, score
}

// first is kept for a policy that keeps the first row of a cluster.
func (w *writer) first(row int) (kept uint32, reason string, score float64) {
	t := w.Text[row]
	if t == none {
		return none, reasonBad, 0
	}
	l := w.Leader[t]
	kept = w.Best[l]
	switch {
	case row < w.oldRows || int(kept) == row:
		return uint32(row), "", 1
	case t == l && w.o.Limits.Apart():
		return uint32(row), "", 1
	case t == l:
		return kept, reasonEqual, 1
	case w.o.Judged != nil && w.Scores[t] < w.report.Settings.MinScore() && w.report.Settings.Cohesion == w.report.Settings.MinScore():
		return kept, reasonJudged, w.Scores[t]
	}
	return kept, reasonAlike, w.Scores[t]
}

// stays reports whether a row is kept. For old rows it returns old.
func (w *writer) stays(row int, old bool) bool {
	if row < w.oldRows {
		return old
	}
	_, reason, _ := w.kept(row)
	return reason == ""
}

// The reasons of a Removal.
const (
	reasonEqual  = "equal"
	reasonAlike  = "alike"
	reasonFirst  = "first"
	reasonJudged = "judged"
	reasonBad    = "unreadable"
	reasonLeaked = "leaked"
	reasonCut    = "cut"
	reasonShort  = "short"
)

// count numbers the clusters and counts what is removed.
func (w *writer) count() {
	rep := &w.report
	least := w.o.Settings().MinScore()
	w.sizes = make(map[uint32]int)
	for row := w.oldRows; row < len(w.Text); row++ {
		if kept, reason, _ := w.first(row); reason != "" && reason != reasonBad {
			w.sizes[kept] = max(w.sizes[kept], 1) + 1
		}
	}
	for row := w.oldRows; row < len(w.Text); row++ {
		_, reason, score := w.kept(row)
		switch reason {
		case reasonEqual:
			rep.Equal++
		case reasonAlike:
			rep.Alike++
			if score < least {
				rep.Lost++
			}
		case reasonBad:
			rep.Unreadable++
		case reasonFirst:
			rep.First++
		case reasonJudged:
			rep.Judged++
		default:
			if w.Empty[w.Text[row]] {
				rep.WithoutFeatures++
			}
		}
	}
	rep.Rows = len(w.Text) - w.oldRows
	rep.Documents = rep.Rows - rep.Unreadable
	rep.Kept = rep.Documents - rep.Removed()
	rep.Clusters = len(w.sizes)
	w.clusters = slices.Sorted(maps.Keys(w.sizes))
	for _, k := range w.clusters {
		if n := w.sizes[k]; n > rep.Largest {
			rep.Largest, rep.LargestAt = n, Place{w.ref(int(k)), int(k) < w.oldRows}
		}
	}
}

// describe completes the report.
func (w *writer) describe() {
	rep := &w.report
	rep.Texts, rep.Active, rep.Scored, rep.Chaining = len(w.Best), w.Active, w.Scored, w.Chaining
	rep.Design, rep.Recall, rep.Bytes, rep.Missing = w.Design, w.Recall, w.Bytes, w.Missing
	rep.Repeated, rep.RepeatedID = w.Repeated, w.RepeatedID
	rep.Unpaired = w.unpaired
	rep.Reading = w.o.Sources[0].Reading()
	all := w.in.origins()
	rep.Against, rep.Sources = all[:w.old:w.old], all[w.old:]
}

// cluster returns the number of the cluster of a kept row, from 1, or 0 if it has
// no cluster.
func (w *writer) cluster(kept uint32) int {
	i, found := slices.BinarySearch(w.clusters, kept)
	if !found {
		return 0
	}
	return i + 1
}

// told reports whether the outputs describe a row, because it is removed, in a
// cluster, or an example of what a lower minimum would remove.
func (w *writer) told(row int) bool {
	k, reason, _ := w.kept(row)
	return reason != "" || w.cluster(k) > 0 || w.examples[row]
}

// members are the rows of clusters and the rows removed for other reasons, in
// ascending order, with what the outputs say about them.
type members struct {
	rows    []uint32
	lines   []uint32
	files   []uint32 // numbers in names
	names   []string
	ids     []byte
	ends    []int  // of the ids
	content *spool // texts to explain, and the bytes of bad rows that no other file holds
}

func (m *members) add(row int, doc datasets.Doc, file string, line int) error {
	if n := len(m.names); n == 0 || m.names[n-1] != file {
		m.names = append(m.names, file)
	}
	m.rows, m.lines = append(m.rows, uint32(row)), append(m.lines, uint32(line))
	m.files = append(m.files, uint32(len(m.names)-1))
	m.ids = append(m.ids, doc.ID...)
	m.ends = append(m.ends, len(m.ids))
	return m.content.add(doc.Text)
}

func (m *members) id(i int) string {
	from := 0
	if i > 0 {
		from = m.ends[i-1]
	}
	return string(m.ids[from:m.ends[i]])
}

// at returns file and line, or the name of the index that holds the document.
func (m *members) at(i int) string {
	name := m.names[m.files[i]]
	if m.lines[i] == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, m.lines[i])
}

// find returns the index of a row. It panics if the row is not a member.
func (m *members) find(row uint32) int {
	i, found := slices.BinarySearch(m.rows, row)
	if !found {
		panic(fmt.Sprintf("local: row %d is no member of a cluster", row))
	}
	return i
}

// divide reads the sources once more and writes each row to where it goes.
func (w *writer) divide(ctx context.Context) error {
	open, ending, err := newSinks(w.made, w.o.Format, w.o.Counts, w.in.sources[w.old:])
	if err != nil {
		return err
	}
	kept, err := open("kept")
	if err != nil {
		return err
	}
	var removed sink = nowhere{}
	if !w.o.DropText {
		if removed, err = open("removed"); err != nil {
			return errors.Join(err, kept.close())
		}
	}
	m, err := w.route(ctx, kept, removed, false)
	if m != nil {
		defer m.content.close()
	}
	if err = errors.Join(err, kept.close(), removed.close()); err != nil {
		return err
	}
	if err := w.writeTables(ctx, m); err != nil {
		return err
	}
	return w.writeLayout(ending)
}

// writeTables writes the reasons and the clusters.
func (w *writer) writeTables(ctx context.Context, m *members) error {
	if err := w.writeWhy(ctx, m); err != nil {
		return err
	}
	return w.writeClusters(m)
}

// route sends the rows of new sources to the sinks, and returns the rows that
// the other outputs describe. With only it reads no other rows.
func (w *writer) route(ctx context.Context, kept, removed sink, only bool) (_ *members, err error) {
	m := &members{}
	if w.o.Explain || len(w.bad) > 0 {
		if m.content, err = newSpool(w.scratch); err != nil {
			return nil, err
		}
	}
	var p datasets.Parser
	want := func(row int) bool {
		if row >= w.oldRows {
			return !only || w.told(row)
		}
		return w.Text[row] != none && w.told(row) // a bad row is none of a new source
	}
	err = eachChunk(ctx, w.in, want, w.progress("write"), w.nameChunk, func(ch *chunk, docs []datasets.Doc) error {
		for i, raw := range ch.rows {
			row := ch.numbers[i]
			_, reason, _ := w.kept(row)
			to := kept
			switch {
			case row < w.oldRows || reason == reasonBad && w.o.DropText:
				to = nowhere{}
			case reason == reasonBad && !treeOrParquet(raw, kept):
				to, docs[i].Text = nowhere{}, string(raw.Bytes)
			case reason != "":
				to = removed
			}
			if w.told(row) {
				if err := m.add(row, docs[i], ch.file(i), raw.Line); err != nil {
					return err
				}
			}
			if c, ok := to.(*counted); ok {
				c.size = max(1, w.sizes[uint32(row)])
			}
			if err := to.write(raw, &p); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = m.content.flush()
	}
	if err != nil {
		m.content.close()
		return nil, err
	}
	return m, nil
}

// nameChunk returns the ids of the documents that the outputs describe, and their
// texts if these are explained.
func (w *writer) nameChunk(p *datasets.Parser, ch *chunk) ([]datasets.Doc, error) {
	out := make([]datasets.Doc, len(ch.rows))
	for i, row := range ch.numbers {
		switch {
		case ch.part != nil:
			out[i].ID = ch.part.IDs[row-ch.first]
			continue
		case w.Text[row] == none || !w.told(row):
			continue
		}
		parsed, err := p.Row(ch.rows[i])
		if err != nil {
			return out, err
		}
		out[i].ID = parsed.Doc.ID
		if w.o.Explain {
			out[i].Text = w.cleaner.Clean(parsed.Doc.Text)
		}
	}
	return out, nil
}

// treeOrParquet reports whether a bad row can be written to the removed
// documents like any other.
func treeOrParquet(row datasets.RawRow, s sink) bool {
	_, files := s.(*tree)
	return files || row.Bytes == nil
}

// clustersFile is the table of clusters.
const (
	clustersFile   = "clusters.tsv"
	clustersHeader = "id\tcluster\n"
)

// writeClusters writes the table that package datasets reads as the labels of a
// set.
func (w *writer) writeClusters(m *members) error {
	f, err := create(filepath.Join(w.made, clustersFile))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	out.WriteString(clustersHeader)
	for i, row := range m.rows {
		if k, reason, _ := w.kept(int(row)); reason != reasonBad && w.cluster(k) > 0 {
			fmt.Fprintf(out, "%s\t%d\n", m.id(i), w.cluster(k))
		}
	}
	return errors.Join(out.Flush(), f.close())
}
