// Package pairs decides which documents stay, given pairs of alike documents
// that an engine has found. This is the last step of a deduplication by SQL, on
// one machine. Pairs are sorted in files; memory holds some bytes for each
// document.
//
// The command alike cluster runs it, docs/scale/edges measures it, and package
// local writes the result. Finding pairs belongs to the queries in sql, the
// rules to package dedup.
package pairs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/alike-go/alike/dedup/sketches"
)

// Pair is a row that an engine has found: the numbers of two alike documents, in
// any order, and their score in [0, 1]. A pair may come more than once, with the
// same score.
type Pair struct {
	A     int64   `parquet:"a"`
	B     int64   `parquet:"b"`
	Score float64 `parquet:"score"`
}

// Source is where pairs are read.
type Source struct {
	path  string
	files []string
}

// Open returns the pairs of a Parquet file, or of all Parquet files in a folder.
// It skips names that begin with a dot or an underscore. A file without the
// columns of pairs is an error.
func Open(path string) (*Source, error) {
	s := &Source{path: path}
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != path && strings.ContainsAny(d.Name()[:1], "._"):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case !d.IsDir() && (name == path || strings.HasSuffix(name, ".parquet")):
			s.files = append(s.files, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pairs: %w", err)
	}
	if len(s.files) == 0 {
		return nil, fmt.Errorf("pairs: no Parquet file in %s", path)
	}
	for _, name := range s.files {
		if err := check(name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// check reports an error unless a file has the columns of pairs.
func check(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	p, err := parquet.OpenFile(f, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return fmt.Errorf("pairs: %s: %w", name, err)
	}
	for column, want := range map[string]parquet.Kind{"a": parquet.Int64, "b": parquet.Int64, "score": parquet.Double} {
		leaf, ok := p.Schema().Lookup(column)
		if !ok || leaf.Node.Type().Kind() != want {
			return fmt.Errorf("pairs: %s: want the columns a and b, of 64 bits, and score, a double", name)
		}
	}
	return nil
}

// agree refuses pairs that were found in another folder of sketches, if the pairs
// say in which.
func (s *Source) agree(f *sketches.Folder) error {
	b, err := os.ReadFile(filepath.Join(s.path, sketches.HeaderFile))
	if errors.Is(err, os.ErrNotExist) || err != nil && !isDir(s.path) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	var found struct {
		Settings sketches.Header `json:"settings"`
	}
	if err := json.Unmarshal(b, &found); err != nil {
		return fmt.Errorf("pairs: %s: %w", filepath.Join(s.path, sketches.HeaderFile), err)
	}
	x, err1 := json.Marshal(&found.Settings)
	y, err2 := json.Marshal(&f.Header)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	if !bytes.Equal(x, y) {
		return fmt.Errorf("pairs: %s was found in sketches of other settings (%s of %d sources, want %s of %d)",
			s.path, found.Settings.Method, len(found.Settings.Sources), f.Method, len(f.Sources))
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Each calls do with each pair, in the order of the files, and progress with the
// share of the files that it has read.
func (s *Source) Each(ctx context.Context, progress func(share float64), do func(a, b int64, score float64) error) error {
	for i, name := range s.files {
		err := sketches.Rows(ctx, name, func(p *Pair) error {
			if p.A == p.B || math.IsNaN(p.Score) || p.Score < 0 || p.Score > 1 {
				return fmt.Errorf("pairs: %s: %d and %d with the score %v, want two documents and a score from 0 to 1", name, p.A, p.B, p.Score)
			}
			return do(p.A, p.B, p.Score)
		})
		if err != nil {
			return err
		}
		progress(float64(i+1) / float64(len(s.files)))
	}
	return nil
}
