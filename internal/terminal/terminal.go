// Package terminal writes the output of commands for people. It escapes control
// characters and shows on a terminal that a command works.
package terminal

import (
	"io"

	"github.com/schollz/progressbar/v3"
)

// Working shows on stderr, if that is a terminal, that a command works and for
// how long, until done is called. It is for work of unknown length.
func Working(stderr io.Writer, what string) (done func()) {
	f := Of(stderr)
	if f == nil {
		return func() {}
	}
	bar := progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(Escape(what)),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
	)
	bar.RenderBlank() // starts it
	return func() { bar.Finish() }
}
