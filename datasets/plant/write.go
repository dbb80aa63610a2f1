package plant

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/durable"
)

// WriteOptions says how Write writes a data set. The zero value writes plain
// files.
type WriteOptions struct {
	// Compress is "gz", "zst" or, for plain files, empty.
	Compress string
	// Description is the opening paragraph of the README. Empty means a general
	// one.
	Description string
	// Passages says that the truth is Document.Passages, not copies.
	Passages bool
}

// pairsFile is the name, without ending, of the file of pairs. It is not
// "pairs", because datasets.Load would then read the pairs and not the clusters:
// Load of the folder has the clusters and draws pairs from them, and Load of the
// folder with "/planted" behind it has these pairs with their kinds.
const pairsFile = "pairs-planted"

// spansFile is the name of the file of passages.
const spansFile = "spans.tsv"

// Write writes a stream of documents as a data set into a folder that is empty or
// does not exist, and returns counts of what it has written:
//
//   - docs.jsonl, the documents in their order; bytes that are no UTF-8 become
//     U+FFFD;
//   - clusters.tsv, the documents that have a copy or are one, by the id of the
//     original;
//   - pairs-planted.tsv, labelled pairs with their kind: each copy with its
//     original (the kind is the edit), two copies of one original ("copies"),
//     twice as many random pairs of different clusters ("random") as of the first
//     sort, and replies with the message that they quote ("reply"), not alike;
//   - edits.tsv: id, original, kind and rate of the edit, and the units it could
//     touch and did;
//   - README.md, with counts.
//
// If the truth is passages, spans.tsv replaces the three tables. It has a row for
// each passage: the document that took it (id1) and its source (id2), where it
// starts and ends in each (start1, end1, start2, end2), in bytes of the text, and
// the kind and rate of what was done to it.
//
// It streams. The folder appears when all of the files are complete. After an
// error nothing is left of them.
func Write(dir string, docs iter.Seq2[Document, error], o WriteOptions) (Stats, error) {
	if o.Compress != "" && o.Compress != "gz" && o.Compress != "zst" {
		return Stats{}, fmt.Errorf("plant: Compress is %q, want gz, zst or nothing", o.Compress)
	}
	dir = filepath.Clean(dir)
	old, err := os.ReadDir(dir)
	exists := err == nil
	switch {
	case len(old) > 0:
		return Stats{}, fmt.Errorf("plant: write %s: the folder is not empty", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return Stats{}, fmt.Errorf("plant: write %s: %w", dir, err)
	}
	aside, err := durable.CreateFolder(dir)
	if err != nil {
		return Stats{}, fmt.Errorf("plant: write %s: %w", dir, err)
	}
	stats, err := writeFiles(aside.Dir, filepath.Base(dir), docs, o)
	if err == nil && exists {
		err = os.Remove(dir) // fails if it is no longer empty
	}
	if err == nil {
		err = aside.Commit("")
	}
	if err != nil {
		return Stats{}, errors.Join(fmt.Errorf("plant: write %s: %w", dir, err), aside.Abort())
	}
	return stats, nil
}

// table is a table that is being written.
type table struct {
	*datasets.Writer
	row []datasets.Field
}

// write writes a row of values in the order of the columns.
func (t *table) write(values ...any) error {
	for i, v := range values {
		t.row[i].Value = fmt.Sprint(v)
	}
	return t.Write(t.row)
}

// writeFiles writes all files of the set into a folder that exists.
func writeFiles(dir, name string, docs iter.Seq2[Document, error], o WriteOptions) (stats Stats, err error) {
	var open []*datasets.Writer
	defer func() {
		for _, w := range open {
			w.Abort() // nothing, once it is closed
		}
	}()
	create := func(name string, columns ...string) *table {
		if o.Compress != "" {
			name += "." + o.Compress
		}
		w, e := datasets.Create(filepath.Join(dir, name))
		if err = errors.Join(err, e); e != nil {
			return nil
		}
		open = append(open, w)
		t := &table{Writer: w}
		for _, c := range columns {
			t.row = append(t.row, datasets.Field{Name: c})
		}
		err = errors.Join(err, w.Columns(columns...))
		return t
	}
	texts := create("docs.jsonl")
	var spans, clusters, pairs, edits *table
	if o.Passages {
		spans = create(spansFile, "id1", "start1", "end1", "id2", "start2", "end2", "kind", "rate")
	} else {
		clusters = create("clusters.tsv", "id", "cluster")
		pairs = create(pairsFile+".tsv", "id1", "id2", "label", "kind")
		edits = create("edits.tsv", "id", "original", "kind", "rate", "units", "touched")
	}
	if err != nil {
		return stats, err
	}
	var t truth
	for d, err := range docs {
		if err != nil {
			return stats, err
		}
		stats.add(d)
		if err := texts.WriteDoc(d.Doc); err != nil {
			return stats, err
		}
		if o.Passages {
			for _, p := range d.Passages {
				if err := spans.write(d.ID, p.Start, p.End, p.Source, p.SourceStart, p.SourceEnd, p.Edit.Kind, p.Edit.Rate); err != nil {
					return stats, err
				}
			}
			continue
		}
		if d.Copies > 0 {
			if err := clusters.write(d.ID, d.Original); err != nil {
				return stats, err
			}
		}
		if d.Copy > 0 {
			if err := edits.write(d.ID, d.Original, d.Edit.Kind, d.Edit.Rate, d.Record.Units, d.Record.Touched); err != nil {
				return stats, err
			}
		}
		for _, p := range t.add(d) {
			stats.pair(p)
			if err := pairs.write(p.a, p.b, p.label, p.kind); err != nil {
				return stats, err
			}
		}
	}
	if stats.Documents == 0 {
		return stats, errors.New("there are no documents")
	}
	for _, w := range open {
		if err := w.Close(); err != nil {
			return stats, err
		}
	}
	return stats, os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme(name, stats, o)), 0o666)
}
