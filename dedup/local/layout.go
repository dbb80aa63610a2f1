package local

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// layoutVersion changes whenever what layout.json means does.
const layoutVersion = 2

// layoutFile tells it.
const layoutFile = "layout.json"

// layout is what Restore needs besides the kept and the removed rows.
type layout struct {
	Version int      `json:"version"`
	Format  string   `json:"format,omitempty"` // that rows were converted to
	Ending  string   `json:"ending"`           // of the files kept and removed
	Tree    bool     `json:"tree,omitempty"`   // they are folders of files
	Dropped bool     `json:"dropped,omitempty"`
	Sources []Origin `json:"sources"`
	Files   []file   `json:"files"`
}

func (r *run) writeLayout(ending string) error {
	old := r.oldSources()
	l := layout{
		Version: layoutVersion, Format: r.o.Format, Ending: ending, Tree: ending == "", Dropped: r.o.DropText,
		Sources: r.report.Sources,
	}
	names := fileNames(r.o.Sources)
	for _, f := range r.in.files {
		if f.Source -= old; f.Source >= 0 {
			f.Name = names(f.File)
			l.Files = append(l.Files, f)
		}
	}
	b, err := json.MarshalIndent(&l, "", " ")
	if err != nil {
		return fmt.Errorf("dedup: layout: %w", err)
	}
	if err := os.WriteFile(filepath.Join(r.made, layoutFile), append(b, '\n'), 0o666); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}
