package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"":       "",
		"a\tb\n": "a\tb\n",
		"日本 é 👩‍👩‍👧 a\u00a0b �":          "日本 é 👩‍👩‍👧 a\u00a0b �",
		"\x1b[31mred\x1b[0m":             `\u001b[31mred\u001b[0m`,
		"\x1b]0;title\a":                 `\u001b]0;title\u0007`,
		"hidden\rshown\b\b":              `hidden\u000dshown\u0008\u0008`,
		"\x00\x0b\x0c\x0e\x1f\x7f":       `\u0000\u000b\u000c\u000e\u001f\u007f`,
		"\u0080\u0085\u009b2J\u009f":     `\u0080\u0085\u009b2J\u009f`,
		"\x9b2J\xc2":                     `\x9b2J\xc2`,
		"\xe2\x80":                       `\xe2\x80`,
		"\xed\xa0\x80":                   `\xed\xa0\x80`, // a surrogate
		"a\u202eb\u2066c\u2069\u200f":    `a\u202eb\u2066c\u2069\u200f`,
		"\u061c\u200e\u202a\u202d\u2068": `\u061c\u200e\u202a\u202d\u2068`,
	} {
		if got := escapeString(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// checkSafe fails where a terminal would do more with s than show it.
func checkSafe(t *testing.T, s string) {
	t.Helper()
	for i, r := range s {
		if _, n := utf8.DecodeRuneInString(s[i:]); r == utf8.RuneError && n == 1 {
			t.Fatalf("%q has the byte %#x", s, s[i])
		}
		switch {
		case r == '\n', r == '\t':
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			t.Fatalf("%q has %U", s, r)
		}
	}
}

// However text is cut into writes, what comes out is the same and is safe.
func FuzzStreams(f *testing.F) {
	for _, s := range []string{"plain", "日本語", "a\u202eb", "\xe2\x80", "\xe2\x80\xe2\x80\xae", "\xf0\x9f\x92", "\x1b[2J\x9b", "\xc2\x9b"} {
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(s), uint8(2))
	}
	f.Fuzz(func(t *testing.T, text []byte, step uint8) {
		var out, errs bytes.Buffer
		stdout, stderr, end := Streams(&out, &errs)
		for rest := text; len(rest) > 0; {
			n := min(int(step)+1, len(rest))
			for _, w := range []interface{ Write([]byte) (int, error) }{stdout, stderr} {
				if got, err := w.Write(rest[:n]); got != n || err != nil {
					t.Fatalf("%d bytes written of %d: %v", got, n, err)
				}
			}
			rest = rest[n:]
		}
		end()
		if !bytes.Equal(out.Bytes(), text) {
			t.Errorf("standard output, no terminal, has %q of %q", out.Bytes(), text)
		}
		if got, want := errs.String(), escapeString(string(text)); got != want {
			t.Errorf("standard error has %q, want %q", got, want)
		}
		checkSafe(t, errs.String())
		if utf8.Valid(text) && !strings.Contains(string(text), `\`) && strings.Count(errs.String(), `\u`) == 0 && errs.String() != string(text) {
			t.Errorf("%q has changed to %q", text, errs.String())
		}
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestStreamsTellErrors(t *testing.T) {
	_, stderr, end := Streams(broken{}, broken{})
	defer end()
	if n, err := fmt.Fprint(stderr, "text"); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%d bytes written, error %v", n, err)
	}
}

func TestOfNoTerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, stderr, end := Streams(file, file)
	defer end()
	if Of(file) != nil || Of(stderr) != nil || Of(new(bytes.Buffer)) != nil {
		t.Error("a file or a buffer is taken for a terminal")
	}
}
