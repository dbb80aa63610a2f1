package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
)

// layoutVersion changes whenever what LayoutFile means does. Rows in pieces came later: what knows
// nothing of them refuses piecesVersion.
const (
	layoutVersion = 2
	piecesVersion = 3
)

// LayoutFile tells it.
const LayoutFile = "layout.json"

// layout is what Restore needs besides the kept and the removed rows.
type layout struct {
	Version int      `json:"version"`
	Format  string   `json:"format,omitempty"` // that rows were converted to
	Ending  string   `json:"ending"`           // of the files kept and removed
	Tree    bool     `json:"tree,omitempty"`   // they are folders of files
	Dropped bool     `json:"dropped,omitempty"`
	Sources []Origin `json:"sources"`
	Files   []file   `json:"files"`
	Pieces  []Piece  `json:"pieces,omitempty"` // instead of files
}

// Piece is a part of a file, or all of it, whose rows an engine of many machines has written by themselves: those kept
// to the file "kept" + Infix + Ending, those removed to one named likewise, and the reasons to "why" + Infix + ".jsonl".
type Piece struct {
	datasets.Layout        // of the piece as if it were a file; File is that of the whole one
	Source          int    `json:"source"` // that it belongs to
	First           int    `json:"first"`  // number of its first row in the source
	Name            string `json:"name"`   // where Restore puts the file; pieces of one stand behind each other
	Infix           string `json:"infix"`
	Ending          string `json:"ending"`
	Sum             string `json:"xxh3"` // of its bytes, uncompressed
}

// PiecesLayout returns what LayoutFile holds where rows were written in pieces, in input order, or, without
// any, where texts are files under the names of FileNames.
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
	old := w.old
	l := layout{
		Version: layoutVersion, Format: w.o.Format, Ending: ending, Tree: ending == "", Dropped: w.o.DropText,
		Sources: w.report.Sources,
	}
	names := FileNames(w.o.Sources)
	for _, f := range w.in.files {
		if f.Source -= old; f.Source >= 0 {
			f.Name = names(f.File)
			l.Files = append(l.Files, f)
		}
	}
	b, err := l.encode()
	if err != nil {
		return err
	}
	return prefixed(os.WriteFile(filepath.Join(w.made, LayoutFile), b, 0o666))
}
