package plots

import (
	"bytes"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// SVG files keep characters that the font lacks for the reader's fonts; PNG
// files show their code points.
func TestCharactersOutsideTheFont(t *testing.T) {
	draw := func(label string) (pngFile, svgFile []byte, warnings []string) {
		dir := t.TempDir()
		warnings, err := write(dir, coarse, []Figure{{Name: "x", kind: scatter, Series: []Series{{Method: label, Points: []Point{{1, 1, 1, 1}}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return read(t, dir, "data-x.png"), read(t, dir, "data-x.svg"), warnings
	}
	pngFile, svg, warnings := draw("exec:相似")
	if !bytes.Contains(svg, []byte(">exec:相似</text>")) {
		t.Error("the SVG file lacks the text")
	}
	if want := `PNG files show the code points of "似相", `; len(warnings) != 1 || !strings.HasPrefix(warnings[0], want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	if spelt, _, warnings := draw(`exec:\u76f8\u4f3c`); !bytes.Equal(pngFile, spelt) || len(warnings) > 0 {
		t.Errorf("the PNG file differs from one with code points, or warnings %q", warnings)
	}
	if _, _, warnings := draw("Ähnlichkeit – подобие"); len(warnings) > 0 {
		t.Errorf("of characters in the font: %q", warnings)
	}
}

func TestWrap(t *testing.T) {
	s := newStyle(nil, true)
	long := "shingle:tokens=rune,width=2-4,hash=murmur3,seed=12345,stop=english,stem=english,phrases=3,norm=none"
	for _, text := range []string{"", "shingle", long, strings.Repeat(long, 100), strings.Repeat("x", 1e5), strings.Repeat("相似", 500), "a b c d e f g", "\x00\xff\n\t", "WWWWWW"} {
		for _, width := range []vg.Length{1, 30, 200, 500} {
			for most := 1; most <= 4; most++ {
				lines := s.wrap(text, s.body, width, most)
				if len(lines) > most && width > 40 {
					t.Errorf("wrap(%.20q..., %v, %d): %d lines", text, width, most, len(lines))
				}
				for _, l := range lines {
					// A Chinese character is as wide as the text is high.
					w := s.body.Width(strings.NewReplacer("相", "", "似", "").Replace(l.text))
					w += 12 * vg.Length(strings.Count(l.text, "相")+strings.Count(l.text, "似"))
					if w > width && len([]rune(l.text)) > 1 {
						t.Errorf("wrap(%.20q..., %v, %d): %q is %v wide", text, width, most, l.text, w)
					}
				}
			}
		}
	}
	joined := func(lines []textLine) (all string) {
		for _, l := range lines {
			all += l.text
		}
		return all
	}
	if got := joined(s.wrap(long, s.body, 220, 9)); got != long {
		t.Errorf("wrap = %q, which lost something", got)
	}
	got := joined(s.wrap(long, s.body, 220, 2))
	if !strings.HasPrefix(got, "shingle:tokens=rune,") || !strings.HasSuffix(got, "norm=none") || !strings.Contains(got, "…") {
		t.Errorf("wrap = %q, want beginning and end", got)
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a=b,c": "a=b,c", "a\nb\tc": "a b c", "\x00\x1b": "  ", "\xff": "\ufffd", "相似 度": "相似 度",
		"a\u200bb": "a b", "\ufffe": "\ufffd", "é": "é", "a\u3000b": "a b",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}
