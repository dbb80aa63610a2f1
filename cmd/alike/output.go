package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/alike-go/alike/eval/plots"
	"github.com/alike-go/alike/internal/charts"
	"github.com/alike-go/alike/internal/tables"
)

type column = tables.Column

// writePlots draws figures into a folder, and prints what is wrong with them.
func writePlots(stderr io.Writer, dir string, figures ...plots.Figure) error {
	warnings, err := plots.Write(dir, figures...)
	for _, w := range warnings {
		fmt.Fprintf(stderr, "alike: %s\n", w)
	}
	return err
}

// plural prints a number and the noun, with an s unless the number is 1.
func plural[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// fixed prints a figure with a number of decimals, and "-" where it is undefined.
func fixed(v float64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

// bytesOf prints a number of bytes: exactly below a thousand, otherwise as short does.
func bytesOf(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return short(float64(n))
}

// short prints a speed or count with three digits and a unit prefix: 1.23k, 45.6M.
func short(v float64) string { return cmp.Or(charts.Short(v), "-") }
