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

// A text in another encoding is an error that names it and says what to do.
func TestEncodings(t *testing.T) {
	layouts := map[string]string{"lines": "%[1]s\n%[1]s\n", "jsonl": `{"text":"%[1]s"}` + "\n", "csv": "id,text\n1,%[1]s\n2,%[1]s\n", "tsv": "id\ttext\n1\t%[1]s\n", "text": "%[1]s\n%[1]s\n%[1]s\n%[1]s\n"}
	for _, e := range encodings {
		for format, layout := range layouts {
			content, err := e.in.NewEncoder().String(fmt.Sprintf(layout, e.text))
			if err != nil {
				t.Fatal(err)
			}
			want := fmt.Sprintf("the text looks like %s: convert it, as with iconv -f %[1]s -t UTF-8", e.name)
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
