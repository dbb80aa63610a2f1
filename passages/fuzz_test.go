package passages_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/passages"
)

// composed makes texts of letters from bytes. A byte may also begin the next text, or
// copy some characters from anywhere before.
func composed(code []byte, letters []rune, most int) []string {
	all, starts := []rune{}, []int{0}
	for i := 0; i < len(code) && len(all) < most; i++ {
		switch b := int(code[i]); {
		case b >= 0xf0:
			starts = append(starts, len(all))
		case b >= 0xa0 && i+2 < len(code) && len(all) > 0:
			from := int(code[i+1]) % len(all)
			to := min(from+int(code[i+2])%64, len(all), from+most-len(all))
			all = append(all, all[from:to]...)
			i += 2
		default:
			all = append(all, letters[b%len(letters)])
		}
	}
	var texts []string
	for i, start := range starts {
		end := len(all)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		texts = append(texts, string(all[start:end]))
	}
	return texts
}

// Growing finds what a look at all substrings finds.
func FuzzGrow(f *testing.F) {
	f.Add([]byte("abcdefghijk\xf0xy\xb0\x00\x0bz\xf0\xb0\x01\x0a"), uint8(0))
	f.Add([]byte("ababababababab\xf0\xb0\x00\x20c\xf0d\xb0\x00\x20"), uint8(5))
	f.Add([]byte("\xa0ab \x05cd,\x06\x07ef\xf0\xb0\x00\x10,\xf0\xb0\x02\x0f\xb0\x00\x10"), uint8(9))
	f.Fuzz(func(t *testing.T, code []byte, settings uint8) {
		o := passages.Options{MinLength: 8 + int(settings&3), Docs: 1 + int(settings>>2)%3, Fold: feature.Fold{Form: feature.NoForm, KeepCase: true, Space: feature.KeepSpace}}
		texts := composed(code, []rune("ab c,的é😀\u0301"), 100)
		for i := range texts {
			texts[i] = strings.TrimLeft(texts[i], "\u0301")
		}
		if settings&0x80 != 0 {
			o.Memory = least
		}
		var got []string
		all, _ := find(t, o, texts...)
		for _, p := range all {
			got = append(got, brief(p))
		}
		slices.Sort(got)
		if want := naive(t, o, texts...); !slices.Equal(got, want) {
			t.Fatalf("length %d, docs %d:\n%q\ngot\n%s\nwant\n%s", o.MinLength, o.Docs, texts, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// The original texts of all occurrences fold to the same, but for the
// characters at their ends, of which folding may have made several. UTF-16 and
// lines are those of the bytes.
func FuzzMap(f *testing.F) {
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xf0\x01\xb0\x00\x0e\x02"), uint8(0))
	f.Add([]byte("\x10\x12\x14\x16\x18\x1a\x1c\x1e\x20\x22\xf0\xb0\x00\x0a\x05\xf0\x06\xb0\x00\x0a"), uint8(77))
	letters := []rune("aB \n\té́e\u0301ﬁßＡ，漢字ｶﾞ㍿½’“😀👍🏽\u200dשάς가\u1100\u1161\u00ad\ufeff\u0000x.")
	f.Fuzz(func(t *testing.T, code []byte, settings uint8) {
		fold := feature.Fold{
			Form: feature.Form(settings % 3), Space: feature.Space(settings / 3 % 3), KeepCase: settings&0x40 != 0, DropMarks: settings&0x80 != 0, DropPunct: settings&0x20 != 0,
		}
		texts := composed(code, letters, 2000)
		all, st := find(t, passages.Options{MinLength: 8, Docs: 1, Fold: fold}, texts...)
		for _, p := range all {
			var spans, inner [][]byte
			for _, x := range p.Occurrences {
				text := texts[x.Doc]
				span := text[x.Bytes.Start:x.Bytes.End]
				if !utf8.ValidString(span) {
					t.Fatalf("span %v of %q is %q", x.Bytes, text, span)
				}
				spans = append(spans, fold.Normalize(nil, span))
				inner = append(inner, fold.Normalize(nil, withoutEnds(span)))
				units := func(end int) int { return len(utf16.Encode([]rune(text[:end]))) }
				line := func(end int) int { return 1 + strings.Count(text[:end], "\n") }
				if units(x.Bytes.Start) != x.UTF16.Start || units(x.Bytes.End) != x.UTF16.End || line(x.Bytes.Start) != x.FirstLine || line(x.Bytes.End-1) != x.LastLine {
					t.Fatalf("%+v in %q", x, text)
				}
			}
			if st.Runs > 0 {
				continue // which differ in length
			}
			for i := range spans {
				if !bytes.Contains(spans[0], inner[i]) || !bytes.Contains(spans[i], inner[0]) {
					t.Fatalf("{%s} %q: passage %q, and occurrence %d folds to %q", fold, texts, spans[0], i, spans[i])
				}
			}
		}
	})
}

// withoutEnds returns a text without its first and last letters and all that belongs to
// them.
func withoutEnds(text string) string {
	r := []rune(text)
	joins := func(c rune) bool {
		return unicode.Is(unicode.M, c) || unicode.Is(unicode.Cf, c) || c >= 0x1f3fb && c <= 0x1f3ff || c == 'ﾞ' || c >= 0x1160 && c < 0x1200
	}
	from, to := min(1, len(r)), len(r)
	for from < to && joins(r[from]) {
		from++
	}
	for to > from && joins(r[to-1]) {
		to--
	}
	return string(r[from:max(from, to-1)])
}
