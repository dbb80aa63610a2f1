// Package terminal connects commands to people: it escapes what they write,
// shows that they work, and lets an interrupt end them, also while they wait
// for input.
//
// Commands use it for their standard streams. What they write is their own
// matter.
package terminal

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
)

// newBar returns a bar on a terminal, which goes when it is finished or cleared.
func newBar(f *os.File, most int, more ...progressbar.Option) *progressbar.ProgressBar {
	return progressbar.NewOptions(most, append(more, progressbar.OptionSetWriter(f), progressbar.OptionClearOnFinish())...)
}

// Progress returns a function that shows on stderr, if that is a terminal, which
// share of the work is done, and a function that clears it.
func Progress(stderr io.Writer) (show func(share float64, what string), done func()) {
	f := Of(stderr)
	if f == nil {
		return func(float64, string) {}, func() {}
	}
	bar := newBar(f, 1000, progressbar.OptionSetWidth(20), progressbar.OptionSetPredictTime(true))
	return func(share float64, what string) {
		bar.Describe(escapeString(what))
		bar.Set(min(999, int(share*1000)))
	}, func() { bar.Clear() }
}

// Working shows on stderr, if that is a terminal, that a command works and for
// how long, until done is called. It is for work of unknown length.
func Working(stderr io.Writer, what string) (done func()) {
	f := Of(stderr)
	if f == nil {
		return func() {}
	}
	bar := newBar(f, -1, progressbar.OptionSetDescription(escapeString(what)), progressbar.OptionSpinnerType(14), progressbar.OptionSetElapsedTime(true))
	bar.RenderBlank() // starts it
	return func() { bar.Finish() }
}
