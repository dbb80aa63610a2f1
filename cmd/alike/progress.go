package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress returns a callback that draws a bar on stderr when that is a terminal,
// and a function that clears it. Elsewhere both do nothing.
func progress(stderr io.Writer) (show func(share float64, what string), done func()) {
	f := terminal(stderr)
	if f == nil {
		return func(float64, string) {}, func() {}
	}
	bar := progressbar.NewOptions(1000,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetWidth(20),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
	)
	return func(share float64, what string) {
		bar.Describe(what)
		bar.Set(min(999, int(share*1000)))
	}, func() { bar.Clear() }
}

// working draws on stderr, when that is a terminal, that something goes on of which nobody can say how
// much is left, until done is called.
func working(stderr io.Writer, what string) (done func()) {
	f := terminal(stderr)
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

// terminal returns the file that a terminal is, or nil.
func terminal(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
