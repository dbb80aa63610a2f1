package datasets

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding/unicode"
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
		err = fmt.Errorf("%w; %s", err, looksLike(name))
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

// looksLike names an encoding and what to do about it.
func looksLike(name string) string {
	return fmt.Sprintf("the text looks like %s: convert it, as with iconv -f %s -t UTF-8", name, name)
}

// sampled is the number of bytes of a file that detecting its encoding looks
// at.
const sampled = 4 << 10

// checkEncoding returns an error if the first bytes of a file are in units of
// more than a byte. For any other encoding, each text is checked by itself.
func checkEncoding(head []byte) error {
	if name := wideEncoding(head); name != "" {
		return fmt.Errorf("no UTF-8; %s", looksLike(name))
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
