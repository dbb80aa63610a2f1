package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// text returns a text in UTF-8. If the source is lossy, invalid bytes are
// replaced. Otherwise they are an error, and the text is returned as it is.
// They are also an error if little of the text would be left: it is in another
// encoding.
func (f *rawFile) text(b []byte) ([]byte, error) {
	if utf8.Valid(b) {
		return b, nil
	}
	const stray = 16 // bad bytes that may be all of a short field
	n := badBytes(b)
	if f.lossy && (n < stray || 2*n < len(b)) {
		return []byte(valid(string(b))), nil
	}
	err := notUTF8(b)
	if f.lossy {
		err = fmt.Errorf("%d of %d bytes are no UTF-8, too many to be replaced", n, len(b))
	}
	// The rest of the file could say more, but the error for a row must not
	// depend on how the input is cut into files.
	if name := suspect(b); name != "" {
		err = &EncodingError{name, err}
	}
	return b, err
}

// textOf is text for a string.
func (f *rawFile) textOf(s string) (string, error) {
	if utf8.ValidString(s) {
		return s, nil
	}
	b, err := f.text([]byte(s))
	return string(b), err
}

// EncodingError is the error for a text that is probably in another encoding.
type EncodingError struct {
	Encoding string // as Source.Encoding takes it
	err      error
}

// Error returns what is wrong, and names the encoding.
func (e *EncodingError) Error() string {
	return fmt.Sprintf("%v; the text looks like %s", e.err, e.Encoding)
}

// Unwrap returns what is wrong.
func (e *EncodingError) Unwrap() error { return e.err }

var errNotUTF8 = errors.New("no UTF-8")

// charset returns the encoding of a name.
func charset(name string) (encoding.Encoding, error) {
	switch strings.ToLower(name) {
	case "utf-32le":
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), nil
	case "utf-32be":
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), nil
	case "latin-1":
		name = "latin1"
	}
	e, err := htmlindex.Get(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("datasets: the encoding %q is unknown, want one such as GB18030, Big5, Shift_JIS, UTF-16, windows-1252 or latin1", name)
	case e == japanese.ISO2022JP || e == encoding.Replacement:
		return nil, fmt.Errorf("datasets: the encoding %s is not supported: convert the file, as with iconv -f %s -t UTF-8", name, name)
	}
	return e, nil
}

// decoded returns a reader of text in UTF-8.
func (src *Source) decoded(r *bufio.Reader) (io.Reader, error) {
	e, err := charset(src.Encoding)
	if err != nil {
		return nil, err
	}
	if mark, _ := r.Peek(2); strings.EqualFold(src.Encoding, "utf-16") && string(mark) == "\xfe\xff" {
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	if src.Lossy {
		return e.NewDecoder().Reader(r), nil
	}
	return transform.NewReader(r, &exactDecoder{e.NewDecoder(), e.NewEncoder(), src.Encoding, 0}), nil
}

// exactDecoder decodes what is the same bytes again when it is encoded. The decoder
// alone would turn everything else into U+FFFD, or into a character for which the
// encoding has another spelling too.
type exactDecoder struct {
	transform.Transformer
	back *encoding.Encoder
	name string
	at   int64
}

func (d *exactDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	nDst, nSrc, err = d.Transformer.Transform(dst, src, atEOF)
	back, _ := d.back.Bytes(dst[:nDst]) // where it fails, bytes are missing
	if !bytes.Equal(back, src[:nSrc]) {
		same := 0
		for same < min(len(back), nSrc) && back[same] == src[same] {
			same++
		}
		return 0, 0, &stopped{fmt.Errorf("byte %d is no %s (%q)", d.at+int64(same)+1, d.name, src[same:min(same+4, nSrc)])}
	}
	d.at += int64(nSrc)
	return nDst, nSrc, err
}

// BinaryError is the error for a file that is no text.
type BinaryError struct{ Kind string }

// Error says what the file is.
func (e *BinaryError) Error() string { return "binary, not a text: " + e.Kind }

// kinds are names for some types of content.
var kinds = map[string]string{
	"application/pdf": "a PDF", "application/zip": "a zip archive, such as .docx, .odt or .epub",
	"application/x-rar-compressed": "a RAR archive", "application/x-gzip": "gzip within gzip",
}

// CheckText returns a *BinaryError if a file begins like one that is no text. The
// bytes that mark a type may begin a text too, as BM that of a bitmap, so there must
// be bytes that a text does not have.
func CheckText(head []byte) error {
	head = head[:min(len(head), sampled)]
	kind := http.DetectContentType(head)
	odd := bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:wholeRunes(head)])
	switch name := kinds[kind]; {
	case bytes.HasPrefix(head, []byte("alike test sketches\n")):
		return &BinaryError{"the hashes of alike sketch --for leak, which alike leak takes as the file TEST"}
	case kind == "application/pdf", name != "" && odd:
		return &BinaryError{name}
	case !odd || strings.HasPrefix(kind, "text/"):
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return &BinaryError{"a document of Word, Excel or PowerPoint"}
	case kind != "application/octet-stream":
		return &BinaryError{kind}
	}
	return nil
}

// sampled is the number of bytes of a file that detecting its encoding looks
// at.
const sampled = 4 << 10

// checkEncoding returns an error if the first bytes of a file are in units of
// more than a byte, or in no encoding. For any other encoding, each text is checked
// by itself.
func checkEncoding(head []byte) error {
	if name := wideEncoding(head); name != "" {
		return &EncodingError{name, errNotUTF8}
	}
	if bytes.IndexByte(head, 0) >= 0 && 10*badBytes(head) > len(head) {
		return &BinaryError{"an unknown type"}
	}
	return nil
}

// wholeRunes returns the length of a text without a last character that is cut
// short.
func wholeRunes(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if at := len(b) - n; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				return at
			}
			break
		}
	}
	return len(b)
}

// leastNULs is the number of NULs below which a file is not said to be in units
// of two or four bytes: a short text may hold some.
const leastNULs = 8

// wideEncoding returns the name of the encoding of units of two or four bytes
// that a file begins in, or "". It goes by the byte order mark, or by the NULs
// that are half of each ASCII character. Texts in such an encoding may be valid
// UTF-8.
func wideEncoding(head []byte) string {
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32LE"}, {"\x00\x00\xfe\xff", "UTF-32BE"}, {"\xff\xfe", "UTF-16LE"}, {"\xfe\xff", "UTF-16BE"},
	} {
		if strings.HasPrefix(string(head[:min(4, len(head))]), mark.bytes) {
			return mark.name
		}
	}
	var nuls [4]int // by position in four bytes
	for i, b := range head {
		if b == 0 {
			nuls[i%4]++
		}
	}
	few := func(n, of int) bool { return 20*n <= of } // UTF-8 with NULs in it has them at all places
	low, high := nuls[0]+nuls[2], nuls[1]+nuls[3]
	switch all := low + high; {
	case all < leastNULs:
	case 10*all > 7*len(head) && few(nuls[0], nuls[3]):
		return "UTF-32LE"
	case 10*all > 7*len(head) && few(nuls[3], nuls[0]):
		return "UTF-32BE"
	case 8*all > len(head) && few(low, high):
		return "UTF-16LE"
	case 8*all > len(head) && few(high, low):
		return "UTF-16BE"
	case 500*all > len(head) && !utf8.Valid(head[:wholeRunes(head)]): // the NULs belong to line ends and spaces
		if little, big := units(head, binary.LittleEndian), units(head, binary.BigEndian); max(little, big) > len(head)/2*19/20 {
			if little > big {
				return "UTF-16LE"
			}
			return "UTF-16BE"
		}
	}
	return ""
}

// units counts the units of two bytes that are ASCII characters, or in the
// Unicode blocks of most European and East Asian text.
func units(b []byte, order binary.ByteOrder) int {
	n := 0
	for ; len(b) > 1; b = b[2:] {
		switch u := order.Uint16(b); {
		case u >= ' ' && u < 0x530, u == '\n', u == '\r', u == '\t', u >= 0x2000 && u < 0x2100,
			u >= 0x3000 && u < 0x3100, u >= 0x4e00 && u < 0xa000, u >= 0xac00 && u < 0xd800, u >= 0xff00:
			n++
		}
	}
	return n
}

// suspect returns the name of the encoding that a text is probably in, as iconv
// calls it. It returns "" if most characters beyond ASCII are valid UTF-8, or
// if no encoding is likely.
func suspect(b []byte) string {
	b = b[:min(len(b), sampled)]
	beyond := 0
	for _, c := range b {
		if c >= utf8.RuneSelf {
			beyond++
		}
	}
	if 2*badBytes(b) <= beyond {
		return ""
	}
	all, err := chardet.NewTextDetector().DetectAll(b)
	all = slices.DeleteFunc(all, func(r chardet.Result) bool { return strings.HasPrefix(r.Charset, "IBM") })
	if err != nil || len(all) == 0 {
		return ""
	}
	best := slices.MaxFunc(all, func(a, b chardet.Result) int { // equally likely ones come in no order
		return cmp.Or(cmp.Compare(a.Confidence, b.Confidence), strings.Compare(a.Charset, b.Charset))
	})
	if best.Confidence < 20 {
		return ""
	}
	return strings.ToUpper(best.Charset)
}

// badBytes counts the bytes that are not valid UTF-8.
func badBytes(b []byte) int {
	n := 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			n++
		}
		b = b[size:]
	}
	return n
}

// validPrefix returns how many bytes of a text are UTF-8 before the first that
// is not.
func validPrefix(b []byte) int {
	at := 0
	for at < len(b) {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n < 2 {
			break
		}
		at += n
	}
	return at
}

// notUTF8 says where a text is no UTF-8.
func notUTF8(b []byte) error {
	at := validPrefix(b)
	return fmt.Errorf("byte %d is no UTF-8 (%q)", at+1, b[at:min(at+4, len(b))])
}

// valid replaces what is no UTF-8 as the Unicode standard recommends: one U+FFFD
// for each beginning of a sequence that is not completed.
func valid(s string) string {
	text, err := unicode.UTF8.NewDecoder().String(s)
	if err != nil {
		return strings.ToValidUTF8(s, "\uFFFD")
	}
	return text
}
