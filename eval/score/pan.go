package score

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/alike-go/alike/eval/spans"
)

// folder reads one file of PAN, or all files *.xml of a folder and its folders.
func (in *passageReader) folder(root string) error {
	real, err := filepath.EvalSymlinks(root) // WalkDir follows no links
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	files := 0
	err = filepath.WalkDir(real, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type()&fs.ModeSymlink != 0 {
			if to, err := os.Stat(name); err == nil && to.IsDir() {
				return fmt.Errorf("score: %s is a link to a folder, want the folder itself", name)
			}
		}
		if err == nil && (d.IsDir() || name != real && !strings.HasSuffix(name, ".xml")) {
			return nil
		}
		var f *os.File
		if err == nil {
			f, err = os.Open(name)
		}
		if err != nil {
			return fmt.Errorf("score: %w", err)
		}
		defer f.Close()
		files++
		return in.pan(filepath.ToSlash(name), f)
	})
	if err == nil && files == 0 {
		return fmt.Errorf("score: the folder %s holds no .xml file, want those of PAN", root)
	}
	return err
}

// pan reads a file in the format of the PAN workshops:
//
//	<document reference="suspicious-document00001.txt">
//	<feature name="plagiarism" this_offset="5" this_length="1000"
//	  source_reference="source-document00001.txt" source_offset="100" source_length="1000" />
//	</document>
//
// It skips features whose name does not end in "plagiarism", as PAN's scripts do.
func (in *passageReader) pan(file string, r io.Reader) error {
	d := xml.NewDecoder(r)
	reference, depth := "", 0
	for {
		token, err := d.Token()
		line, _ := d.InputPos()
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("score: %s:%d: %w", file, line, err)
		case reference == "":
			return fmt.Errorf("score: %s:%d: no element, want <document reference=...>", file, line)
		default:
			return nil
		}
		switch e := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			depth++
			switch {
			case depth == 1:
				if reference = attribute(e, "reference"); e.Name.Local != "document" || reference == "" {
					return fmt.Errorf("score: %s:%d: <%s>, want <document reference=...>", file, line, e.Name.Local)
				}
			case depth == 2 && e.Name.Local == "feature" && strings.HasSuffix(attribute(e, "name"), "plagiarism"):
				if err := in.feature(file, line, reference, e); err != nil {
					return err
				}
			}
		}
	}
}

// feature reads a passage. Its kind is how the text is obfuscated, if it says so.
func (in *passageReader) feature(file string, line int, reference string, e xml.StartElement) error {
	source := attribute(e, "source_reference")
	if source == "" {
		return fmt.Errorf("score: %s:%d: no source_reference, want a passage with its source", file, line)
	}
	var p spans.Passage
	for _, side := range []struct {
		reference, offset, length string
		to                        *spans.Span
	}{{reference, "this_offset", "this_length", &p.A}, {source, "source_offset", "source_length", &p.B}} {
		doc, ok := in.number[side.reference]
		if !ok {
			if doc, ok = in.texts.base[baseOf(side.reference)]; !ok {
				return fmt.Errorf("score: %s:%d: %s has no document %q", file, line, in.set.Name, side.reference)
			}
		}
		if doc < 0 {
			return fmt.Errorf("score: %s:%d: %s has several documents called %q", file, line, in.set.Name, side.reference)
		}
		size, _ := in.texts.characters(doc, len(in.set.Docs[doc].Text))
		number := func(name string, least, most int) (int, error) {
			n, err := strconv.Atoi(attribute(e, name))
			if err != nil || n < least || n > most {
				return 0, fmt.Errorf("score: %s:%d: %s is %q, want %d to %d, as %q has %d characters", file, line, name, attribute(e, name), least, most, in.set.Docs[doc].ID, size)
			}
			return n, nil
		}
		start, err := number(side.offset, 0, size-1)
		if err != nil {
			return err
		}
		length, err := number(side.length, 1, size-start)
		if err != nil {
			return err
		}
		*side.to = spans.Span{Doc: doc, Start: start, End: start + length}
	}
	return in.add(file, line, p, attribute(e, "obfuscation"))
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
