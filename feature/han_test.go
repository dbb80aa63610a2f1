package feature

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// hanOnly is folding that does nothing to Chinese text but converting it.
func hanOnly(han Han) Fold { return Fold{NoForm, true, false, false, KeepSpace, han} }

// naivePairs reads what characters become from the tables, line by line.
var naivePairs = func() (m [3]map[string]string) {
	for i, tables := range [][]string{KeepHan: nil, Simplified: {hanTS, hanTSExt}, Traditional: {hanST}} {
		m[i] = make(map[string]string)
		for line := range strings.SplitSeq(strings.Join(tables, ""), "\n") {
			if f := strings.Fields(line); len(f) > 1 && f[0] != "#" {
				m[i][f[0]] = f[1]
			}
		}
	}
	return m
}()

// naiveHan converts until nothing changes any more.
func naiveHan(han Han, text string) string {
	for {
		var b strings.Builder
		for _, r := range text {
			to, ok := naivePairs[han][string(r)]
			if !ok {
				to = string(r)
			}
			b.WriteString(to)
		}
		if b.String() == text {
			return text
		}
		text = b.String()
	}
}

// The tables hold one character for one, as many as the README says, and all of
// them letters, which no other step of folding changes.
func TestHanTables(t *testing.T) {
	for _, q := range []struct {
		table string
		want  int
	}{{hanTS, 4148}, {hanTSExt, 895}, {hanST, 4012}} {
		n := 0
		for line := range strings.Lines(q.table) {
			f := strings.Fields(line)
			if len(f) == 0 || f[0] == "#" {
				continue
			}
			n++
			if len(f) < 2 {
				t.Fatalf("line %q", line)
			}
			for _, c := range f {
				r, size := utf8.DecodeRuneInString(c)
				if size != len(c) {
					t.Errorf("%q is not one character", c)
				}
				if k := classOf(r); k != hanClass {
					t.Errorf("%U is of class %b, want %b", r, k, hanClass)
				}
			}
		}
		if n != q.want {
			t.Errorf("table has %d lines, want %d", n, q.want)
		}
	}
}

// Every character there is becomes what the tables say, chains followed to their
// end, and is then at rest.
func TestHanEveryRune(t *testing.T) {
	for _, han := range []Han{KeepHan, Simplified, Traditional} {
		f := hanOnly(han)
		for from := rune(0); from < 0x32000; from += 256 { // the planes behind hold none
			var page strings.Builder
			for r := from; r < from+256; r++ {
				if utf8.ValidRune(r) && classOf(r)&clSpace == 0 {
					page.WriteRune(r)
				}
			}
			got := string(f.Normalize(nil, page.String()))
			if want := naiveHan(han, page.String()); got != want {
				t.Errorf("{%s} of the page at %U is %q, want %q", f, from, got, want)
			}
			if again := string(f.Normalize(nil, got)); again != got {
				t.Errorf("{%s} of the page at %U is %q, and folded again %q", f, from, got, again)
			}
		}
	}
	for _, f := range []Fold{{Han: Simplified}, {Han: Traditional}} {
		checkFold(t, f, hanTS+hanTSExt+hanST)
	}
}

func TestHanVectors(t *testing.T) {
	for _, q := range []struct {
		han        Han
		text, want string
	}{
		{Simplified, "漢字", "汉字"},
		{Simplified, "後后", "后后"},
		{Simplified, "發髮", "发发"},
		{Simplified, "爲為为", "为为为"},
		{Simplified, "薴苧", "苎苎"}, // a chain, where OpenCC has 苧苎
		{Simplified, "㑮", "𫝈"},   // four bytes instead of three
		{Traditional, "汉字", "漢字"},
		{Traditional, "头发", "頭發"}, // 頭髮 by phrases
		{Traditional, "𫝈", "㑮"},
		{KeepHan, "漢字汉字", "漢字汉字"},
	} {
		if got := string(Fold{Han: q.han}.Normalize(nil, q.text)); got != q.want {
			t.Errorf("han=%d of %s is %s, want %s", q.han, q.text, got, q.want)
		}
	}
	// A compatibility ideograph is normalised first: U+F90A is 金 and U+F93D 綠.
	if got := string(Fold{Han: Simplified}.Normalize(nil, "\uf90a\uf93d黃")); got != "金绿黄" {
		t.Errorf("got %s", got)
	}
}

func TestHanMap(t *testing.T) {
	folded, offsets := Fold{Han: Simplified}.NormalizeMap("a㑮  漢𫝈")
	if string(folded) != "a𫝈 汉𫝈" {
		t.Fatalf("folded to %s", folded)
	}
	for i, want := range []int{0, 1, 1, 1, 1, 4, 6, 6, 6, 9, 9, 9, 9, 13} {
		if offsets[i] != want {
			t.Fatalf("offsets are %v", offsets)
		}
	}
}

// OpenCC's own cases, which expect phrases to be regarded: as many come out as the
// documentation of Han says, and they are mostly right in the others, too.
func TestHanCases(t *testing.T) {
	b, err := os.ReadFile("testdata/opencc.tsv")
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ same, cases, runes, allRunes int }
	var got [3]count
	for line := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n") {
		if line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		han := Simplified
		if f[0] == "s2t" {
			han = Traditional
		}
		out := string(hanOnly(han).Normalize(nil, f[1]))
		n := &got[han]
		n.cases++
		if out == f[2] {
			n.same++
		}
		a, b := []rune(out), []rune(f[2])
		for i := range min(len(a), len(b)) {
			if a[i] == b[i] {
				n.runes++
			}
		}
		n.allRunes += len(b)
	}
	for han, want := range map[Han]count{Simplified: {34, 55, 1209, 1310}, Traditional: {49, 105, 2537, 2807}} {
		if got[han] != want {
			t.Errorf("han=%d: cases and characters right %+v, want %+v", han, got[han], want)
		}
	}
}
