package terminal

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Streams returns the standard streams that a command should write to. What it
// writes to errs, and to out if that is a terminal, is escaped. Otherwise texts,
// ids, file names and the output of other programs could move the cursor or
// hide a line. Progress is not escaped. A pipe or a file gets the
// bytes of standard output unchanged. Call end last.
func Streams(stdout, stderr io.Writer) (out, errs io.Writer, end func()) {
	e := &escaper{w: stderr}
	if Of(stdout) == nil {
		return stdout, e, e.end
	}
	o := &escaper{w: stdout}
	return o, e, func() { o.end(); e.end() }
}

// Of returns the file that a terminal is, or nil.
func Of(w io.Writer) *os.File {
	if e, ok := w.(*escaper); ok {
		w = e.w
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Shown returns s as w will show it, for callers that need its width.
func Shown(w io.Writer, s string) string {
	if _, ok := w.(*escaper); ok {
		return escapeString(s)
	}
	return s
}

// Mark writes s so that it stands out: on a terminal in colour, unless NO_COLOR
// or TERM=dumb asks for none, otherwise in brackets. See https://no-color.org.
func Mark(w io.Writer, s string) error {
	if Of(w) == nil || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		_, err := fmt.Fprintf(w, "[%s]", s)
		return err
	}
	if e, ok := w.(*escaper); ok {
		w, s = e.w, escapeString(s)
	}
	_, err := fmt.Fprintf(w, "\x1b[1;33m%s\x1b[m", s)
	return err
}

// escapeString returns s with each control character but line break and tab, and each
// character that changes the direction of writing, as \u and four digits, which
// JSON reads too. A byte that is not valid UTF-8 becomes \x and two digits,
// because some terminals treat it as a control character.
func escapeString(s string) string { return string(escape([]byte(s))) }

// escape is escapeString. It returns b itself where there is nothing to escape.
func escape(b []byte) []byte {
	var out []byte
	done := 0 // bytes of b that out has
	for i := 0; i < len(b); {
		r, n := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(b[i:])
		}
		if invalid := r == utf8.RuneError && n == 1; invalid || controls(r) {
			out = append(out, b[done:i]...)
			if invalid {
				out = fmt.Appendf(out, `\x%02x`, b[i])
			} else {
				out = fmt.Appendf(out, `\u%04x`, r)
			}
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return b
	}
	return append(out, b[done:]...)
}

func controls(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r))
}

// escaper escapes what is written to w. It is safe for concurrent use.
type escaper struct {
	w io.Writer

	mu   sync.Mutex
	held []byte // the first bytes of a character that the next Write may complete
}

func (e *escaper) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := p
	if len(e.held) > 0 {
		b = append(e.held, p...)
	}
	whole := len(b)
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if start := len(b) - n; utf8.RuneStart(b[start]) {
			if !utf8.FullRune(b[start:]) {
				whole = start
			}
			break
		}
	}
	if _, err := e.w.Write(escape(b[:whole])); err != nil {
		return 0, err
	}
	e.held = slices.Clone(b[whole:])
	return len(p), nil
}

// end writes the first bytes of a character that nothing has completed.
func (e *escaper) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.w.Write(escape(e.held))
	e.held = nil
}
