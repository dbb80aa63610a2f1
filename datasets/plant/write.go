package plant

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/internal/durable"
)

// WriteOptions says how Write writes a data set. The zero value writes plain
// files.
type WriteOptions struct {
	// Compress is "gz", "zst" or, for plain files, empty.
	Compress string
	// Description, Source and Licence are lines of the README, the first one its
	// opening paragraph. Those that are empty are left out; the description is
	// then a general one.
	Description, Source, Licence string
}

// PairsFile is the name, without ending, of the file of pairs. It is not
// "pairs", because datasets.Load would then read the pairs and not the clusters:
// Load of the folder has the clusters and draws pairs from them, and Load of the
// folder with "/planted" behind it has these pairs with their kinds.
const PairsFile = "pairs-planted"

// Write writes a stream of documents as a data set into a folder that is empty or
// does not exist, and returns counts of what it has written:
//
//   - docs.jsonl, the documents in their order; bytes that are no UTF-8 become
//     U+FFFD;
//   - clusters.tsv, the documents that have a copy or are one, by the id of the
//     original;
//   - pairs-planted.tsv, labelled pairs with their kind: each copy with its
//     original (the kind is the edit), two copies of one original ("copies"), and
//     twice as many random pairs of different clusters ("random") as of the first
//     sort;
//   - edits.tsv: id, original, kind and rate of the edit, and the units it could
//     touch and did;
//   - README.md, with counts.
//
// It streams. The folder appears when all of the files are complete. After an
// error nothing is left of them.
func Write(dir string, docs iter.Seq2[Document, error], o WriteOptions) (Stats, error) {
	if o.Compress != "" && o.Compress != "gz" && o.Compress != "zst" {
		return Stats{}, fmt.Errorf("plant: Compress is %q, want gz, zst or nothing", o.Compress)
	}
	dir = filepath.Clean(dir)
	exists, err := isEmpty(dir)
	if err != nil {
		return Stats{}, err
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

// isEmpty reports whether there is a folder; it is an error if it holds anything.
func isEmpty(dir string) (exists bool, err error) {
	f, err := os.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("plant: write %s: %w", dir, err)
	}
	defer f.Close()
	switch names, err := f.Readdirnames(1); {
	case len(names) > 0:
		return true, fmt.Errorf("plant: write %s: the folder is not empty", dir)
	case err != nil && err != io.EOF:
		return true, fmt.Errorf("plant: write %s: %w", dir, err)
	}
	return true, nil
}

// writeFiles writes all files of the set into a folder that exists.
func writeFiles(dir, name string, docs iter.Seq2[Document, error], o WriteOptions) (stats Stats, err error) {
	var open []*file
	defer func() {
		for _, f := range open {
			err = errors.Join(err, f.Close())
		}
	}()
	create := func(name string) *file {
		f, e := createFile(filepath.Join(dir, name), o.Compress)
		if e != nil {
			err = errors.Join(err, e)
			return nil
		}
		open = append(open, f)
		return f
	}
	texts, clusters := create("docs.jsonl"), create("clusters.tsv")
	pairs, edits := create(PairsFile+".tsv"), create("edits.tsv")
	if err != nil {
		return stats, err
	}
	clusters.WriteString("id\tcluster\n")
	pairs.WriteString("id1\tid2\tlabel\tkind\n")
	edits.WriteString("id\toriginal\tkind\trate\tunits\ttouched\n")
	var t truth
	var line []byte
	for d, err := range docs {
		if err != nil {
			return stats, err
		}
		stats.add(d)
		if line, err = appendDoc(line[:0], d); err != nil {
			return stats, err
		}
		// A write that fails is seen here, those to the smaller files on closing.
		if _, err := texts.Write(line); err != nil {
			return stats, err
		}
		if d.Copies > 0 {
			fmt.Fprintf(clusters, "%s\t%s\n", d.ID, d.Original)
		}
		if d.Copy > 0 {
			fmt.Fprintf(edits, "%s\t%s\t%s\t%v\t%d\t%d\n", d.ID, d.Original, d.Edit.Kind, d.Edit.Rate, d.Record.Units, d.Record.Touched)
		}
		t.add(d, func(p pair) {
			stats.pair(p)
			fmt.Fprintf(pairs, "%s\t%s\t%d\t%s\n", p.a, p.b, p.label, p.kind)
		})
	}
	if stats.Documents == 0 {
		return stats, errors.New("there are no documents")
	}
	return stats, os.WriteFile(filepath.Join(dir, "README.md"), []byte(readme(name, stats, o)), 0o666)
}
