package main

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/alike-go/alike/internal/terminal"
)

// progress returns a callback that draws a bar on stderr when that is a terminal,
// and a function that clears it. Elsewhere both do nothing.
func progress(stderr io.Writer) (show func(share float64, what string), done func()) {
	f := terminal.Of(stderr)
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
		bar.Describe(terminal.Escape(what))
		bar.Set(min(999, int(share*1000)))
	}, func() { bar.Clear() }
}
