package sketches

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/datasets"
)

// HeaderFile is the name of the settings in the folder.
const HeaderFile = "_alike.json"

// version is the version of the folder's layout. It changes whenever the meaning of the
// files does.
const version = 1

// Header is the settings of a folder: what its workers must have in common, and what a
// query needs to know.
type Header struct {
	Version int `json:"version"`

	Method   string `json:"method"`   // its spec
	Settings string `json:"settings"` // all its settings, and those of fits
	Verify   string `json:"verify"`   // what decides: "sketch", "none" or the spec of a method
	Decides  string `json:"decides"`  // all settings of that method

	Candidates float64 `json:"candidates"` // see local.Options
	Recall     float64 `json:"recall"`
	Threshold  float64 `json:"threshold"`
	Keep       string  `json:"keep"`
	Mask       string  `json:"mask,omitempty"`      // of clean.Options, as ParseMask reads it
	Documents  int64   `json:"documents,omitempty"` // that the buckets are for, 0 where none were named

	Design string  `json:"design"` // of the buckets, or of what finds pairs without
	Tables int     `json:"tables"`
	Found  float64 `json:"found"` // probability that candidates at Candidates share a bucket
	Floor  float64 `json:"floor"` // least score of the sketches of a pair

	Shards int `json:"shards"`
	Slices int `json:"slices"` // of each table, by the highest bits of the key

	// PartRows is the greatest number of rows of a part: a part that is made again has the
	// same files.
	PartRows int `json:"part_rows"`

	Columns       Layout  `json:"columns"`
	Inline        bool    `json:"inline"` // words lie beside bucket keys
	VerifyColumns *Layout `json:"verify_columns,omitempty"`

	Sources []Source `json:"sources"`
}

// Source is a source as all workers must see it.
type Source struct {
	Path    string   `json:"path"`
	Name    string   `json:"name,omitempty"`
	Format  string   `json:"format,omitempty"`
	ID      string   `json:"id,omitempty"`
	PathIDs bool     `json:"path_ids,omitempty"`
	Text    []string `json:"text,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Quotes  string   `json:"quotes,omitempty"`
	HTML    bool     `json:"html,omitempty"`
	Lossy   bool     `json:"lossy,omitempty"`

	Delimiter string `json:"delimiter,omitempty"`
	Encoding  string `json:"encoding,omitempty"`

	Size int64 `json:"size"` // of a file, in bytes
}

// readHeader returns the settings of a folder.
func readHeader(dir string) (*Header, error) {
	b, err := os.ReadFile(filepath.Join(dir, HeaderFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("sketches: %s: no %s in it: not a folder of alike sketch", dir, HeaderFile)
	}
	if err != nil {
		return nil, fmt.Errorf("sketches: %w", err)
	}
	var h Header
	if err := json.Unmarshal(b, &h); err != nil {
		// As of a folder of pairs, whose file of this name says other things.
		return nil, fmt.Errorf("sketches: %s: not a folder of alike sketch: %w", filepath.Join(dir, HeaderFile), err)
	}
	if h.Version != version {
		return nil, fmt.Errorf("sketches: %s: version %d of sketches, want %d", dir, h.Version, version)
	}
	return &h, nil
}

// agree writes the settings, or where they are there already compares them.
func (h *Header) agree(dir string) error {
	own, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	own = append(own, '\n')
	path := filepath.Join(dir, HeaderFile)
	there, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if err := empty(dir); err != nil {
			return err
		}
		// Workers that begin at the same time write the same bytes, or else one of them reads
		// below what is not its own.
		if err := aside(path, func(w *file) error { _, err := w.Write(own); return err }); err != nil {
			return err
		}
		if there, err = os.ReadFile(path); err != nil {
			return fmt.Errorf("sketches: %w", err)
		}
	} else if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	if bytes.Equal(there, own) {
		return nil
	}
	return h.differs(dir, there, own)
}

// empty refuses a folder that holds what no worker has put there. Another one may be
// about to begin it.
func empty(dir string) error {
	names, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	for _, n := range names {
		name := n.Name()
		if name[0] == '.' || name == HeaderFile {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, HeaderFile)); err != nil {
			return fmt.Errorf("sketches: %s holds %s and no %s: not a folder of alike sketch, want an empty one or none", dir, name, HeaderFile)
		}
	}
	return nil
}

// differs names the first setting that is another.
func (h *Header) differs(dir string, there, own []byte) error {
	var a, b map[string]json.RawMessage
	if err := json.Unmarshal(there, &a); err != nil {
		return fmt.Errorf("sketches: %s: %w", filepath.Join(dir, HeaderFile), err)
	}
	if err := json.Unmarshal(own, &b); err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	if a["method"] == nil {
		return fmt.Errorf("sketches: %s: not a folder of alike sketch, want an empty one or none", filepath.Join(dir, HeaderFile))
	}
	for _, key := range []string{"version", "method", "settings", "verify", "decides", "candidates", "recall", "threshold", "keep", "mask", "documents", "shards", "slices", "part_rows", "sources"} {
		if !bytes.Equal(compact(a[key]), compact(b[key])) {
			return fmt.Errorf("sketches: %s was begun with other settings: %s is %s there, and %s here", dir, key, compact(a[key]), compact(b[key]))
		}
	}
	return fmt.Errorf("sketches: %s was begun by another version of this program", dir)
}

func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if len(raw) == 0 || json.Compact(&b, raw) != nil {
		return []byte("absent")
	}
	return b.Bytes()
}

// Inputs returns the sources as they were read. It is an error if a file is missing or
// has another size.
func (h *Header) Inputs() ([]datasets.Source, error) {
	var out []datasets.Source
	for _, s := range h.Sources {
		info, err := os.Stat(s.Path)
		if err != nil {
			return nil, fmt.Errorf("sketches: %w", err)
		}
		if !info.IsDir() && info.Size() != s.Size {
			return nil, fmt.Errorf("sketches: %s has %d bytes, and had %d when it was sketched: it has changed", s.Path, info.Size(), s.Size)
		}
		out = append(out, datasets.Source{
			Path: s.Path, Name: s.Name, Format: s.Format, ID: s.ID, PathIDs: s.PathIDs, Text: s.Text,
			Columns: s.Columns, Quotes: s.Quotes, HTML: s.HTML, Lossy: s.Lossy,
			Delimiter: s.Delimiter, Encoding: s.Encoding,
		})
	}
	return out, nil
}
