package plots

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestFindFonts(t *testing.T) {
	tests := []struct {
		name    string
		files   map[string][]byte
		texts   []string
		found   int
		warning string // "" for none
	}{
		{"no search without need", map[string][]byte{"a.ttf": fontOf('相')}, []string{"shingle:width=2", "Ähnlichkeit – подобие"}, 0, ""},
		{"no fonts", nil, []string{"相似"}, 0, `no font has the 2 characters "似相": PNG files show boxes, SVG files what the reader's fonts have; install one with Chinese, such as Noto Sans CJK or WenQuanYi Zen Hei`},
		{"one font", map[string][]byte{"deep/down/a.ttf": fontOf('似', '相')}, []string{"相似"}, 1, ""},
		{"several fonts", map[string][]byte{"a.ttf": fontOf('似'), "b.otf": fontOf('度'), "c.ttf": fontOf('相')}, []string{"相似", "a 相"}, 2, ""},
		{"collection", map[string][]byte{"a.ttc": collectionOf(fontOf('x'), fontOf('相', '似'))}, []string{"相似"}, 1, ""},
		{"one character missing", map[string][]byte{"a.ttf": fontOf('似')}, []string{"相似"}, 1, `no font has the character "相": PNG`},
		{"not Chinese", nil, []string{"\U0001f600"}, 0, "no font has the character \"\U0001f600\": PNG files show boxes, SVG files what the reader's fonts have"},
		{"damaged files", map[string][]byte{
			"a.ttf": nil, "b.ttf": []byte("ttcf"), "c.ttf": fontOf('相')[:5000], "d.ttc": collectionOf(fontOf('相'))[:40], "e.txt": fontOf('相'), "z.ttf": fontOf('相'),
		}, []string{"相"}, 1, ""},
		{"many missing", nil, []string{"abc" + strings.Repeat("一二三四五六七八九十百千万上下左右前后东西南北", 2)}, 0, `no font has the 23 characters`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range tt.files {
				writeFile(t, dir, name, data)
			}
			f, warnings, err := findFonts([]string{filepath.Join(dir, "missing"), dir}, tt.texts)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.found) != tt.found {
				t.Errorf("%d fonts, want %d", len(f.found), tt.found)
			}
			if tt.warning == "" && len(warnings) > 0 || tt.warning != "" && (len(warnings) != 1 || !strings.HasPrefix(warnings[0], tt.warning)) {
				t.Errorf("warnings %q, want %q", warnings, tt.warning)
			}
		})
	}
}

// Sans faces for Chinese come before others, and heavy or slanted ones last.
func TestFontFilesBestFirst(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"A-Bold.ttf", "A.ttf", "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "sub/wqy-zenhei.ttc", "readme.txt", "B.OTF"} {
		writeFile(t, dir, name, nil)
	}
	var got []string
	for _, path := range fontFiles([]string{dir}) {
		got = append(got, filepath.Base(path))
	}
	want := []string{"NotoSansCJK-Regular.ttc", "wqy-zenhei.ttc", "A.ttf", "B.OTF", "A-Bold.ttf", "NotoSansCJK-Bold.ttc"}
	if !slices.Equal(got, want) {
		t.Errorf("fontFiles = %v, want %v", got, want)
	}
}

// A label's characters are drawn with the font that has them; SVG files keep the
// text itself, PNG files show a box where there is no font.
func TestChineseLabels(t *testing.T) {
	fonts := t.TempDir()
	writeFile(t, fonts, "a.ttf", fontOf('相', '似'))
	draw := func(label string, dirs ...string) (pngFile, svgFile []byte, warnings []string) {
		dir := t.TempDir()
		warnings, err := coarse(dirs...).write(dir, []Figure{&Scatter{Heading: Heading{Name: "x"}, Marks: []Mark{{Label: label, X: 1, Y: 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		pngFile, err = os.ReadFile(filepath.Join(dir, "x.png"))
		if err != nil {
			t.Fatal(err)
		}
		svgFile, err = os.ReadFile(filepath.Join(dir, "x.svg"))
		if err != nil {
			t.Fatal(err)
		}
		return pngFile, svgFile, warnings
	}
	withFont, svg, warnings := draw("相似", fonts)
	if len(warnings) > 0 || !bytes.Contains(svg, []byte(">相似</text>")) {
		t.Errorf("with a font: warnings %q, text in SVG %v", warnings, bytes.Contains(svg, []byte(">相似</text>")))
	}
	// In the font of the test both characters look like an A.
	if asA, _, _ := draw("AA", fonts); !bytes.Equal(withFont, asA) {
		t.Error("with a font: PNG differs from one with the same shapes")
	}
	without, svg, warnings := draw("相似")
	if len(warnings) != 1 || !bytes.Contains(svg, []byte(">相似</text>")) {
		t.Errorf("without a font: warnings %q, text in SVG %v", warnings, bytes.Contains(svg, []byte(">相似</text>")))
	}
	if blank, _, _ := draw(" "); bytes.Equal(without, blank) || bytes.Equal(without, withFont) {
		t.Error("without a font: PNG shows no boxes")
	}
}

func testStyle(t *testing.T) *style {
	t.Helper()
	f, _, err := findFonts(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return newStyle(f, true)
}

func TestWrap(t *testing.T) {
	s := testStyle(t)
	long := "shingle:tokens=rune,width=2-4,hash=murmur3,seed=12345,stop=english,stem=english,phrases=3,norm=none"
	for _, text := range []string{"", "shingle", long, strings.Repeat(long, 100), strings.Repeat("x", 1e5), strings.Repeat("相似", 500), "a b c d e f g", "\x00\xff\n\t", "WWWWWW"} {
		for _, width := range []vg.Length{1, 30, 200, 500} {
			for most := 1; most <= 4; most++ {
				lines := wrap(text, s.body, width, most)
				if len(lines) > most && width > 40 {
					t.Errorf("wrap(%.20q..., %v, %d): %d lines", text, width, most, len(lines))
				}
				for _, line := range lines {
					if w := s.body.Width(line); w > width && len([]rune(line)) > 1 {
						t.Errorf("wrap(%.20q..., %v, %d): %q is %v wide", text, width, most, line, w)
					}
				}
			}
		}
	}
	if got := wrap(long, s.body, 220, 9); strings.Join(got, "") != long {
		t.Errorf("wrap = %q, which lost something", got)
	}
	got := strings.Join(wrap(long, s.body, 220, 2), "")
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
