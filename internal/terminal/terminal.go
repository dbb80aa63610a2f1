// Package terminal shows on standard error, where that is a terminal, that a command works.
package terminal

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Of returns the file that a terminal is, or nil.
func Of(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Working draws on stderr, when that is a terminal, that something goes on of which nobody can say how
// much is left, and since when, until done is called.
func Working(stderr io.Writer, what string) (done func()) {
	f := Of(stderr)
	if f == nil {
		return func() {}
	}
	bar := progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
	)
	bar.RenderBlank() // starts it
	return func() { bar.Finish() }
}
