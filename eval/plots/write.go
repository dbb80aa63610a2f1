package plots

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// page is a figure laid out: its size and how to draw it.
type page struct {
	width, height vg.Length
	paint         func(draw.Canvas)
}

// output is where fonts are searched and how fine PNG files are.
type output struct {
	fontDirs []string
	dpi      int
}

// Write draws every figure as NAME.png and NAME.svg in dir, which it makes where
// it is missing. Files are written aside and renamed, so that none is ever seen
// half written.
//
// Text is drawn with Liberation Sans, which needs no installation, and what that
// lacks (Chinese, for one) with a font found on the system. Warnings say which
// characters no font has, and what of a figure was left out for want of space.
// Names that no file can have, or that two figures share, are errors, before
// anything is written.
func Write(dir string, figures ...Figure) (warnings []string, err error) {
	// At 96 dots an inch a page of 900 points is 1200 pixels wide.
	return output{fontDirs(), 96}.write(dir, figures)
}

func (o output) write(dir string, figures []Figure) (warnings []string, err error) {
	seen := map[string]bool{}
	var texts []string
	for _, f := range figures {
		h := f.heading()
		if err := checkName(h.Name); err != nil {
			return nil, err
		}
		// File systems that ignore case would let one overwrite the other.
		folded := strings.ToLower(h.Name)
		if seen[folded] {
			return nil, fmt.Errorf("plots: two figures have the name %q, want different ones", h.Name)
		}
		seen[folded] = true
		texts = append(append(texts, h.Title, h.Subtitle), f.labels()...)
	}
	fonts, warnings, err := findFonts(o.fontDirs, texts)
	if err != nil {
		return nil, fmt.Errorf("plots: fonts: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return warnings, fmt.Errorf("plots: %w", err)
	}
	forPNG, forSVG := newStyle(fonts, true), newStyle(fonts, false)
	for _, f := range figures {
		warnings = append(warnings, f.warnings()...)
		for _, format := range []struct {
			ending string
			render func() ([]byte, error)
		}{
			{".png", func() ([]byte, error) { return renderPNG(forPNG.withHeading(f), o.dpi) }},
			{".svg", func() ([]byte, error) { return renderSVG(forSVG.withHeading(f), fonts.families()) }},
		} {
			data, err := format.render()
			if err == nil {
				err = replace(filepath.Join(dir, f.heading().Name+format.ending), data)
			}
			if err != nil {
				return warnings, fmt.Errorf("plots: %w", err)
			}
		}
	}
	return warnings, nil
}

// maxName is the greatest length of a figure's name in bytes: file systems allow
// 255, of which the ending and the name aside take some.
const maxName = 200

func checkName(name string) error {
	odd := strings.IndexFunc(name, func(r rune) bool { return !nameRune(r) })
	if name == "" || odd >= 0 || name[0] == '.' || len(name) > maxName {
		return fmt.Errorf("plots: Name is %q, want 1 to %d bytes of letters, digits, '-', '_' and '.', not first '.'", name, maxName)
	}
	return nil
}

func nameRune(r rune) bool {
	return r != unicode.ReplacementChar && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.", r))
}

func renderPNG(p page, dpi int) ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dpi))}
	p.paint(draw.New(c))
	return bytesOf(c)
}

// renderSVG names families to fall back on: where a reader has not installed the
// font that the text was measured with, one of about the same widths serves.
func renderSVG(p page, families []string) ([]byte, error) {
	c := vgsvg.New(p.width, p.height)
	p.paint(draw.New(c))
	data, err := bytesOf(c)
	for _, family := range families {
		old := "font-family:" + family + ";"
		data = bytes.ReplaceAll(data, []byte(old), []byte("font-family:"+family+",Arial,Helvetica,sans-serif;"))
	}
	return data, err
}

func bytesOf(w io.WriterTo) ([]byte, error) {
	var b bytes.Buffer
	_, err := w.WriteTo(&b)
	return b.Bytes(), err
}

// replace writes a file aside and renames it.
func replace(name string, data []byte) (err error) {
	aside := name + ".new"
	defer func() {
		if err != nil {
			err = errors.Join(err, removeIfThere(aside))
		}
	}()
	if err := os.WriteFile(aside, data, 0o666); err != nil {
		return err
	}
	return os.Rename(aside, name)
}

func removeIfThere(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
