package plots

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// fonts is the font that comes with the program and those found for what it
// lacks. It is not safe for concurrent use.
type fonts struct {
	base  *font.Cache
	plain *opentype.Font
	found []*opentype.Font
	known map[want]*opentype.Font // which font has a character: asked for each many times
}

// want is a character, wanted of a font first.
type want struct {
	first *opentype.Font
	char  rune
}

// findFonts returns fonts for the characters of the texts, and a warning where
// some are in none. Directories are searched only where the own font lacks some.
func findFonts(dirs, texts []string) (*fonts, []string, error) {
	f := &fonts{base: font.NewCache(liberation.Collection()), known: map[want]*opentype.Font{}}
	f.plain = f.base.Lookup(sans(0), 12).Face
	if f.plain == nil {
		return nil, nil, fmt.Errorf("no Liberation Sans in the library")
	}
	missing := map[rune]bool{}
	for _, text := range texts {
		for _, r := range clean(text) {
			if !missing[r] && !hasGlyph(f.plain, r) {
				missing[r] = true
			}
		}
	}
	if len(missing) > 0 {
		for _, path := range fontFiles(dirs) {
			if face := openFor(path, missing); face != nil {
				f.found = append(f.found, face)
				for r := range missing {
					if hasGlyph(face, r) {
						delete(missing, r)
					}
				}
			}
			if len(missing) == 0 {
				break
			}
		}
	}
	if len(missing) == 0 {
		return f, nil, nil
	}
	var runes []rune
	for r := range missing {
		runes = append(runes, r)
	}
	slices.Sort(runes)
	shown, more := runes, ""
	if len(shown) > 20 {
		shown, more = shown[:20], " and others"
	}
	what := fmt.Sprintf("no font has the %d characters %q%s", len(runes), string(shown), more)
	if len(runes) == 1 {
		what = fmt.Sprintf("no font has the character %q", string(shown))
	}
	hint := ""
	if slices.ContainsFunc(runes, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		hint = "; install one with Chinese, such as Noto Sans CJK or WenQuanYi Zen Hei"
	}
	return f, []string{what + ": PNG files show boxes, SVG files what the reader's fonts have" + hint}, nil
}

// fontFor returns the font that has the character: the given one, or else the
// first found; nil where none has it.
func (f *fonts) fontFor(r rune, first *opentype.Font) *opentype.Font {
	key := want{first, r}
	if font, ok := f.known[key]; ok {
		return font
	}
	var has *opentype.Font
	for _, font := range append([]*opentype.Font{first}, f.found...) {
		if hasGlyph(font, r) {
			has = font
			break
		}
	}
	f.known[key] = has
	return has
}

// families returns the names of the fonts as SVG files give them.
func (f *fonts) families() []string {
	names := []string{family(f.plain)}
	for _, face := range f.found {
		if name := family(face); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func family(f *opentype.Font) string {
	name, err := f.Name(nil, sfnt.NameIDFamily)
	if err != nil {
		return ""
	}
	return name
}

// hasGlyph reports whether the font can draw the character: some list glyphs that
// are bitmaps or damaged.
func hasGlyph(f *opentype.Font, r rune) bool {
	var buf sfnt.Buffer
	i, err := f.GlyphIndex(&buf, r)
	if err != nil || i == 0 {
		return false
	}
	em := fixed.Int26_6(f.UnitsPerEm())
	if _, err := f.GlyphAdvance(&buf, i, em, 0); err != nil {
		return false
	}
	_, err = f.LoadGlyph(&buf, i, em, nil)
	return err == nil
}

// fontDirs returns where systems keep fonts.
func fontDirs() []string {
	home, _ := os.UserHomeDir()
	dirs := []string{
		filepath.Join(home, ".local", "share", "fonts"), filepath.Join(home, ".fonts"),
		"/usr/local/share/fonts", "/usr/share/fonts", "/run/current-system/sw/share/X11/fonts",
	}
	switch runtime.GOOS {
	case "windows":
		dirs = []string{filepath.Join(os.Getenv("WINDIR"), "Fonts"), filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "Windows", "Fonts")}
	case "darwin":
		dirs = []string{filepath.Join(home, "Library", "Fonts"), "/Library/Fonts", "/System/Library/Fonts"}
	}
	// Without a home directory the working directory would be searched.
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) })
}

// preferred are parts of the file names of fonts that suit a figure, best first.
var preferred = []string{
	"notosanscjk-regular", "notosanscjksc-regular", "notosanssc", "sourcehansanssc-regular", "sourcehansans-regular",
	"wqy-microhei", "wqy-zenhei", "droidsansfallback", "pingfang", "hiragino sans gb", "stheiti", "msyh.", "simhei",
	"dejavusans.", "notosans-regular", "arial unicode",
}

// unsuited are parts of the names of fonts that come last.
var unsuited = []string{"bold", "italic", "oblique", "light", "thin", "black", "mono", "serif", "math", "condensed"}

// fontFiles lists the font files of the directories, best first. What cannot be
// read is left out: a figure is drawn with what there is.
func fontFiles(dirs []string) []string {
	type file struct {
		path string
		rank int
	}
	var files []file
	for _, dir := range dirs {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			name := strings.ToLower(d.Name())
			if !slices.Contains([]string{".ttf", ".otf", ".ttc", ".otc"}, filepath.Ext(name)) {
				return nil
			}
			in := func(part string) bool { return strings.Contains(name, part) }
			rank := slices.IndexFunc(preferred, in)
			if rank < 0 {
				rank = len(preferred)
				if slices.ContainsFunc(unsuited, in) {
					rank++
				}
			}
			files = append(files, file{path, rank})
			return nil
		})
	}
	slices.SortStableFunc(files, func(a, b file) int { return a.rank - b.rank }) // WalkDir goes in lexical order
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
	}
	return paths
}

// openFor returns the font of a file that has at least one of the characters, or
// nil. Of a collection it takes the one for simplified Chinese, where there is
// one: others draw the same characters in the shapes of other countries.
func openFor(path string, runes map[rune]bool) *opentype.Font {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	best := -1
	collection, err := opentype.ParseCollectionReaderAt(file)
	if err != nil {
		return nil
	}
	for i := range collection.NumFonts() {
		f, err := collection.Font(i)
		if err != nil || !usable(f) || !hasAny(f, runes) {
			continue
		}
		if best < 0 {
			best = i
		}
		if strings.HasSuffix(family(f), " SC") {
			best = i
			break
		}
	}
	if best < 0 {
		return nil
	}
	// Of all files looked at, only those of use are read whole.
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	if collection, err = opentype.ParseCollection(data); err != nil {
		return nil
	}
	f, err := collection.Font(best)
	if err != nil {
		return nil
	}
	return f
}

func hasAny(f *opentype.Font, runes map[rune]bool) bool {
	for r := range runes {
		if hasGlyph(f, r) {
			return true
		}
	}
	return false
}

// usable reports whether the font has what drawing asks for without leave to
// fail: metrics, and a family name that can stand in a style of SVG.
func usable(f *opentype.Font) bool {
	if _, err := f.Metrics(nil, fixed.Int26_6(f.UnitsPerEm()), 0); err != nil {
		return false
	}
	name := family(f)
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '-'
	})
}
