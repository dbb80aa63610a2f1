package datasets

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

const (
	simplified  = "北京市发展和改革委员会关于进一步完善居民阶梯电价制度的通知，自二〇一二年七月一日起执行。"
	traditional = "台北市政府今日宣布，將於下個月開始實施新的交通管理措施，希望市民能夠配合。"
	japaneseOne = "東京都は本日、新しい交通規制を来月から実施すると発表しました。"
	koreanOne   = "서울시는 오늘 다음 달부터 새로운 교통 관리 조치를 시행한다고 발표했습니다. 시민 여러분의 협조를 부탁드립니다."
	french      = "La mairie a annoncé aujourd’hui que de nouvelles mesures entreront en vigueur dès l’été. Les élèves étaient déjà prévenus."
	russian     = "Сегодня мэрия объявила о введении новых правил дорожного движения со следующего месяца."
)

// encodings are texts in encodings that are not supported, and their names in
// the error.
var encodings = []struct {
	name string
	text string
	in   encoding.Encoding
	wide bool
}{
	{"GB18030", simplified, simplifiedchinese.GBK, false},
	{"GB18030", simplified, simplifiedchinese.GB18030, false},
	{"BIG5", traditional, traditionalchinese.Big5, false},
	{"SHIFT_JIS", japaneseOne, japanese.ShiftJIS, false},
	{"EUC-JP", japaneseOne, japanese.EUCJP, false},
	{"EUC-KR", koreanOne, korean.EUCKR, false},
	{"WINDOWS-1252", french, charmap.Windows1252, false},
	{"KOI8-R", russian, charmap.KOI8R, false},
	{"WINDOWS-1251", russian, charmap.Windows1251, false},
	{"UTF-16LE", french, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), true},
	{"UTF-16BE", simplified, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), true},
	{"UTF-16LE", simplified, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true},
	{"UTF-16LE", french, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), true},
	{"UTF-16BE", french, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), true},
	{"UTF-32LE", french, utf32.UTF32(utf32.LittleEndian, utf32.UseBOM), true},
	{"UTF-32LE", french, utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), true},
	{"UTF-32BE", simplified, utf32.UTF32(utf32.BigEndian, utf32.UseBOM), true},
}

// A text in another encoding is an error that names it, and is read by that name.
func TestEncodings(t *testing.T) {
	layouts := map[string]string{"lines": "%[1]s\n%[1]s\n", "jsonl": `{"text":"%[1]s"}` + "\n", "csv": "id,text\n1,%[1]s\n2,%[1]s\n", "tsv": "id\ttext\n1\t%[1]s\n", "text": "%[1]s\n%[1]s\n%[1]s\n%[1]s\n"}
	for _, e := range encodings {
		for format, layout := range layouts {
			content, err := e.in.NewEncoder().String(fmt.Sprintf(layout, e.text))
			if err != nil {
				t.Fatal(err)
			}
			want := "the text looks like " + e.name
			for _, raw := range []bool{false, true} {
				for _, lossy := range []bool{false, true} {
					_, err := countRows(Source{Path: "-", Format: format, Input: strings.NewReader(content), Lossy: lossy}, raw)
					if lossy && !e.wide && strings.IndexByte(e.name, '-') >= 0 && e.name != "EUC-JP" {
						continue // of some the characters of ASCII are most of the text
					}
					if wrongError(err, want) || !strings.Contains(err.Error(), "-:") {
						t.Errorf("%s as %s, lossy=%t, raw=%t: error %v, want %q", e.name, format, lossy, raw, err, want)
					}
				}
			}
			named, ok := errors.AsType[*EncodingError](func() error {
				_, err := countRows(Source{Path: "-", Format: format, Input: strings.NewReader(content)}, false)
				return err
			}())
			if !ok {
				continue
			}
			rows, err := readAll(Source{Path: "-", Format: format, Input: strings.NewReader(content), Encoding: named.Encoding})
			if err != nil || len(rows) == 0 || !strings.HasPrefix(rows[0].Doc.Text, e.text) {
				t.Errorf("%s as %s, read as %s: %v, %v", e.name, format, named.Encoding, rows, err)
			}
		}
	}
}

// A few invalid bytes do not suggest an encoding, and a lossy reader replaces
// them.
func TestStrayBytes(t *testing.T) {
	latin, err := charmap.ISO8859_1.NewEncoder().String("les élèves étaient prévenus")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{simplified + "\xff" + simplified, french + " \xa0 " + french, "\x00\x00\x00\x00", "a\x00b\x00c d e f g h i j k"} {
		src := Source{Path: "-", Format: "lines", Input: strings.NewReader(text + "\n")}
		if _, err := countRows(src, true); err != nil && strings.Contains(err.Error(), "looks like") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{simplified + "\xff" + simplified, latin, "\xff\xff", strings.Repeat("\x00", 100)} {
		src := Source{Path: "-", Format: "lines", Input: strings.NewReader("one\n" + text + "\n"), Lossy: true}
		if n, err := countRows(src, true); n != 2 || err != nil {
			t.Errorf("lossy %q: %d rows, %v", text, n, err)
		}
	}
}

// A file is read in an encoding if converting it back gives the same bytes.
func TestExactDecoder(t *testing.T) {
	long := strings.Repeat(simplified+"\n", 3000) // many buffers
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(long)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ encoding, content, want string }{
		{"gb18030", gbk + "\xff", fmt.Sprintf("byte %d is no gb18030", len(gbk)+1)},
		{"GBK", gbk[:len(gbk)-2] + "\n", ""}, // half a character, and a line feed, which it may not have
		{"utf-16le", "a\x00\x00\xd8b\x00", "byte 3 is no utf-16le"},
		{"UTF-16", "a\x00b", "byte 3 is no UTF-16"},
		{"latin-2", "a", `the encoding "latin-2" is unknown`},
		{"iso-2022-jp", "a", "is not supported"},
	} {
		_, err := countRows(Source{Path: "-", Format: "lines", Input: strings.NewReader(c.content), Encoding: c.encoding}, true)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.encoding, err, c.want)
		}
	}
	rows, err := readAll(Source{Path: "-", Format: "lines", Input: strings.NewReader("\xba\xba\xff\xd7\xd6"), Encoding: "gb18030", Lossy: true})
	if err != nil || rows[0].Doc.Text != "汉\ufffd字" {
		t.Errorf("lossy: %v, %v", rows, err)
	}
	for name, content := range map[string]string{
		"gb18030": gbk, "utf-16": "\xfe\xffe\x00", "UTF-16": "\xff\xfe\x00e", "latin-1": "caf\xe9", "windows-1252": "\x93caf\xe9\x94",
	} {
		want := map[string]string{"gb18030": simplified, "utf-16": "攀", "UTF-16": "攀", "latin-1": "café", "windows-1252": "“café”"}[name]
		for _, pack := range []string{content, string(gz(t, content))} {
			rows, err := readAll(Source{Path: "-", Format: "lines", Input: strings.NewReader(pack), Encoding: name})
			if err != nil || len(rows) == 0 || rows[0].Doc.Text != want || name == "gb18030" && len(rows) != 3000 {
				t.Errorf("%s: %d rows, %v, want %q", name, len(rows), err, want)
			}
		}
	}
}

// A binary file is an error that names what it is, also for a lossy reader. A text is
// none, though it may begin with the mark of a type.
func TestBinary(t *testing.T) {
	for kind, content := range map[string]string{
		"a PDF":              "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
		"a PDF ":             "%PDF-1.4\nall of it ASCII",
		"a zip archive":      "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00word/document.xml",
		"a document of Word": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 16),
		"image/png":          "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"image/jpeg":         "\xff\xd8\xff\xe0\x00\x10JFIF\x00",
		"image/bmp":          "BM\xf6\x00\x00\x00\x00\x00",
		"an unknown type":    "\x7fELF\x02\x01\x01\x00\x00\x00\xb7\xff\xe8\x9c\x00\x00",
		"gzip within gzip":   string(gz(t, string(gz(t, "a text")))),
	} {
		for _, lossy := range []bool{false, true} {
			for _, format := range []string{"text", "lines", "csv"} {
				_, err := readAll(Source{Path: "-", Format: format, Input: strings.NewReader(content), Lossy: lossy})
				if b, ok := errors.AsType[*BinaryError](err); !ok || !strings.HasPrefix(b.Kind, strings.TrimSpace(kind)) {
					t.Errorf("%s as %s, lossy=%t: %v", kind, format, lossy, err)
				}
			}
		}
	}
	for _, text := range []string{"BMW announced", "OTTO", "ID3 is a decision tree", "GIF89a was a format", "RIFF of WEBPVP", "%PD", "", "a\x00b", "Rar!", "ustar"} {
		if rows, err := readAll(Source{Path: "-", Format: "text", Input: strings.NewReader(text)}); err != nil || rows[0].Doc.Text != text {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// In a folder of texts, a file in another encoding is one bad row.
func TestEncodingInFolder(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(simplified)
	if err != nil {
		t.Fatal(err)
	}
	dir := write(t, "a.txt", simplified, "b.txt", gbk, "c.txt", "\xff\xfea\x00b\x00", "d.txt", french)
	var bad []string
	src := Source{Path: dir, SkipBad: 2, OnBad: func(err error) { bad = append(bad, err.Error()) }}
	if n, err := countRows(src, false); n != 2 || err != nil {
		t.Errorf("%d rows, %v", n, err)
	}
	for i, want := range []string{"b.txt:1: byte 1 is no UTF-8", "c.txt:1: no UTF-8; the text looks like UTF-16LE"} {
		if len(bad) != 2 || !strings.Contains(bad[i], filepath.ToSlash(want)) {
			t.Errorf("bad rows %q, want %q", bad, want)
		}
	}
	src.SkipBad = 0
	_, err = countRows(src, true)
	if row, ok := errors.AsType[*BadRow](err); !ok || row.Line != 1 {
		t.Errorf("error %v, want that of a bad row", err)
	}
}
