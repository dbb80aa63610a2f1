package local

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alike-go/alike/datasets"
)

// manifest is a file that lists test sets.
type manifest struct {
	Tests []struct {
		Name     string `json:"name"`
		Revision string `json:"revision"`
		Path     string `json:"path"` // relative to the folder of the manifest
		SHA256   string `json:"sha256"`
		Format   string `json:"format"`
		Sample   bool   `json:"sample"`
		Fields   struct {
			ID       string  `json:"id"`
			Text     columns `json:"text"`
			Question columns `json:"question"`
			Answer   columns `json:"answer"`
		} `json:"fields"`
	} `json:"tests"`
}

// columns is the name of a column, or a list of names.
type columns []string

// UnmarshalJSON reads a name or a list.
func (c *columns) UnmarshalJSON(b []byte) error {
	if !bytes.HasPrefix(b, []byte("[")) {
		*c = columns{""}
		return json.Unmarshal(b, &(*c)[0])
	}
	return json.Unmarshal(b, (*[]string)(c))
}

// ReadTests returns the test sets that a manifest lists. They are read like a
// source, except for its path and for what the manifest says of a set. It is an
// error if a file does not have the checksum that the manifest states.
func ReadTests(path string, like datasets.Source) ([]TestSet, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	var m manifest
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	err = d.Decode(&m)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the object")
		}
	}
	if err != nil {
		line := 1 + bytes.Count(b[:d.InputOffset()], []byte("\n"))
		if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // it names Go types
			if e.Field != "" {
				return nil, fmt.Errorf("dedup: %s:%d: %s cannot be a JSON %s", path, line, e.Field, e.Value)
			}
			err = fmt.Errorf("a JSON %s", e.Value)
		}
		return nil, fmt.Errorf("dedup: %s:%d: %w, want an object with a list of tests", path, line, err)
	}
	if len(m.Tests) == 0 {
		return nil, fmt.Errorf("dedup: %s lists no tests", path)
	}
	var out []TestSet
	for i := range m.Tests {
		t := &m.Tests[i]
		wrong := func(format string, args ...any) error {
			return fmt.Errorf("dedup: %s: test %d (%s): %w", path, i+1, t.Name, fmt.Errorf(format, args...))
		}
		f := &t.Fields
		switch {
		case t.Name == "" || strings.ContainsAny(t.Name+t.Revision, "\t\r\n"):
			return nil, wrong("want a name without tabs and line breaks")
		case slices.ContainsFunc(out, func(s TestSet) bool { return s.Name == t.Name }):
			return nil, wrong("the name is listed twice")
		case t.Path == "" || t.Path == "-":
			return nil, wrong("want a path of a file or folder")
		case len(f.Text) > 0 && len(f.Question)+len(f.Answer) > 0:
			return nil, wrong("want either the field text, or question and answer")
		}
		src := like
		src.Path, src.SkipBad, src.OnBad = t.Path, 0, nil // skipping is of the run
		src.Format, src.ID = cmp.Or(t.Format, like.Format), cmp.Or(f.ID, like.ID)
		if named := slices.Concat(f.Text, f.Question, f.Answer); len(named) > 0 {
			src.Text = named
		}
		if !filepath.IsAbs(t.Path) {
			src.Path = filepath.Join(filepath.Dir(path), t.Path)
		}
		if t.SHA256 != "" {
			sum, err := sumOfFile(src.Path)
			if err != nil {
				return nil, wrong("%w", err)
			}
			if sum != strings.ToLower(t.SHA256) {
				return nil, wrong("%s has the SHA-256 %s, want %s: it is another revision, or damaged", src.Path, sum, t.SHA256)
			}
		}
		out = append(out, TestSet{
			Name: t.Name, Revision: t.Revision, Sources: []datasets.Source{src},
			Question: f.Question, Answer: f.Answer, Sample: t.Sample, text: f.Text,
		})
	}
	return out, nil
}

// sumOfFile returns the SHA-256 of a file.
func sumOfFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
