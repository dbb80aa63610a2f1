package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
)

// layoutVersion changes whenever the meaning of LayoutFile does. A program that
// knows no pieces refuses piecesVersion, and one that knows no cuts
// and no counts cutsVersion.
const (
	layoutVersion = 2
	piecesVersion = 3
	cutsVersion   = 4
)

// LayoutFile says how Restore rebuilds the input.
const LayoutFile = "layout.json"

// layout is what Restore needs besides the kept and the removed rows.
type layout struct {
	Version int      `json:"version"`
	Format  string   `json:"format,omitempty"` // that rows were converted to
	Ending  string   `json:"ending"`           // of the files kept and removed
	Tree    bool     `json:"tree,omitempty"`   // they are folders of files
	Dropped bool     `json:"dropped,omitempty"`
	Cut     bool     `json:"cut,omitempty"`     // see Options.Below and LeakOptions.Cut: removed rows also stand in their shorter form among the kept ones
	Counted bool     `json:"counted,omitempty"` // see Options.Counts
	Sources []Origin `json:"sources"`
	Files   []file   `json:"files"`
	Pieces  []Piece  `json:"pieces,omitempty"` // instead of files
}

// Piece is a file or a part of a file, with outputs of its own: an engine of many
// machines has written its kept rows to "kept" + Infix + Ending, its removed rows
// to "removed" + Infix + Ending, and the reasons to "why" + Infix + ".jsonl".
type Piece struct {
	datasets.Layout        // of the piece as if it were a file; File names the whole file
	Source          int    `json:"source"` // that it belongs to
	First           int    `json:"first"`  // number of its first row in the source
	Name            string `json:"name"`   // where Restore puts the file; its pieces follow each other
	Infix           string `json:"infix"`
	Ending          string `json:"ending"`
	Sum             string `json:"xxh3"` // of its bytes, uncompressed
}

// PiecesLayout returns the content of LayoutFile for rows that were written in
// pieces, in input order. Without pieces, texts are files under the names of
// FileNames.
func PiecesLayout(sources []Origin, pieces []Piece, dropped bool) ([]byte, error) {
	l := layout{Version: piecesVersion, Dropped: dropped, Sources: sources, Pieces: pieces}
	if len(pieces) == 0 {
		l.Version, l.Tree = layoutVersion, true
	}
	return l.encode()
}

func (l *layout) encode() ([]byte, error) {
	b, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return nil, fmt.Errorf("dedup: layout: %w", err)
	}
	return append(b, '\n'), nil
}

func (w *writer) writeLayout(ending string) error {
	l := layout{
		Version: layoutVersion, Format: w.o.Format, Ending: ending, Tree: ending == "", Dropped: w.o.DropText,
		Sources: w.report.Sources,
	}
	if w.o.Below != nil || w.o.Counts {
		l.Version, l.Cut, l.Counted = cutsVersion, w.o.Below != nil, w.o.Counts
	}
	return l.write(w.made, w.in, w.old)
}

// write writes the layout of the sources that were read, but the first old ones.
func (l *layout) write(dir string, in *input, old int) error {
	names := FileNames(in.sources[old:])
	for _, f := range in.files {
		if f.Source -= old; f.Source >= 0 {
			f.Name = names(f.File)
			l.Files = append(l.Files, f)
		}
	}
	b, err := l.encode()
	if err != nil {
		return err
	}
	return prefixed(os.WriteFile(filepath.Join(dir, LayoutFile), b, 0o666))
}
