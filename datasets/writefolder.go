package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/alike-go/alike/internal/durable"
)

// WriteFolder writes a set as a folder that Load reads: docs.jsonl.gz, the pairs
// by their splits or else in one file, or the clusters, the pairs to ignore, and
// a README.md. There must be no such folder yet. It is written aside and gets its
// name when it is whole.
//
// Load draws the pairs of a set with clusters anew, and gets the same ones unless
// the set compares two tables. What the layout cannot say is an error: pairs
// without a split beside others that have one, and grades that count as alike
// from another step than Load takes.
func WriteFolder(dir string, s *Set) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("datasets: write %s: there is one already", dir)
	}
	files, err := s.layout()
	if err != nil {
		return fmt.Errorf("datasets: write %s: %w", dir, err)
	}
	aside, err := durable.CreateFolder(dir)
	if err != nil {
		return fmt.Errorf("datasets: write %s: %w", dir, withoutPath(err))
	}
	defer aside.Abort() // nothing, once it is committed
	for _, f := range files {
		if err := writeFile(filepath.Join(aside.Dir, f.name), f.fill); err != nil {
			return err
		}
	}
	readme := "# " + s.Name + "\n\n" + s.Description + "\n\n- licence: " + s.Licence + "\n- documents: " + strconv.Itoa(len(s.Docs)) + "\n"
	if err = os.WriteFile(filepath.Join(aside.Dir, "README.md"), []byte(readme), 0o666); err == nil {
		err = aside.Commit("")
	}
	if err != nil {
		return fmt.Errorf("datasets: write %s: %w", dir, err)
	}
	return nil
}

// layoutFile is a file of the layout and what writes its records.
type layoutFile struct {
	name string
	fill func(w *Writer) error
}

// layout returns the files of a set.
func (s *Set) layout() ([]layoutFile, error) {
	files := []layoutFile{{"docs.jsonl.gz", func(w *Writer) error { return w.writeDocs(s.Docs) }}}
	if len(s.Ignore) > 0 {
		files = append(files, s.pairsFile("pairs-ignore", s.Ignore))
	}
	if s.Clusters != nil {
		return append(files, tableFile("clusters", len(s.Clusters), func(i int) []Field {
			return []Field{{Name: "id", Value: s.Docs[i].ID}, {Name: "cluster", Value: strconv.Itoa(s.Clusters[i])}}
		})), nil
	}
	name, from := "pairs", float64(semevalAlike)
	if len(s.Pairs) > 0 && alikeFrom[s.Pairs[0].Kind] != 0 {
		name, from = "pairs-"+s.Pairs[0].Kind, alikeFrom[s.Pairs[0].Kind]
	}
	without := len(s.Select(None))
	switch {
	case len(s.Pairs) == 0:
		return nil, errors.New("the set has neither pairs nor clusters")
	case s.Graded && s.AlikeFrom != from:
		return nil, fmt.Errorf("pairs count as alike from the grade %v, which the layout cannot say", s.AlikeFrom)
	case without == len(s.Pairs):
		return append(files, s.pairsFile(name, s.Pairs)), nil
	case without > 0:
		return nil, fmt.Errorf("%d of %d pairs have no split, which the layout cannot say", without, len(s.Pairs))
	}
	for _, split := range []Split{Train, Dev, Test} {
		if pairs := s.Select(split); len(pairs) > 0 {
			files = append(files, s.pairsFile("pairs-"+split.String(), pairs))
		}
	}
	return files, nil
}

// pairsFile is a table of pairs, with their kinds if one of them has any.
func (s *Set) pairsFile(name string, pairs []Pair) layoutFile {
	columns := 3
	for _, p := range pairs {
		if p.Kind != "" && "pairs-"+p.Kind != name {
			columns = 4
		}
	}
	return tableFile(name, len(pairs), func(i int) []Field {
		p := pairs[i]
		fields := []Field{{Name: "id1", Value: s.Docs[p.A].ID}, {Name: "id2", Value: s.Docs[p.B].ID},
			{Name: "label", Value: strconv.FormatFloat(p.Grade, 'g', -1, 64)}, {Name: "kind", Value: p.Kind}}
		return fields[:columns]
	})
}

// tableFile is a table of n records.
func tableFile(name string, n int, record func(i int) []Field) layoutFile {
	return layoutFile{name + ".tsv.gz", func(w *Writer) error {
		for i := range n {
			if err := w.Write(record(i)); err != nil {
				return err
			}
		}
		return nil
	}}
}
