// Package kit is what the programs under docs share: pages in Markdown, numbers
// in their tables, records of runs, commands, and measurements that end with
// their first error.
//
// What a page says, and what one program measures, stays in that program.
package kit

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/alike-go/alike/eval"
)

// Page writes Markdown and remembers the first error.
type Page struct {
	w   io.Writer
	Err error
}

// NewPage returns an empty page.
func NewPage(w io.Writer) *Page { return &Page{w: w} }

// Printf writes text.
func (p *Page) Printf(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.w, format, args...)
	}
}

// Row writes a row of a table. It escapes what would end a cell.
func (p *Page) Row(cells ...string) {
	p.Printf("|")
	for _, c := range cells {
		p.Printf(" %s |", strings.ReplaceAll(c, "|", "\\|"))
	}
	p.Printf("\n")
}

// Header writes the first two rows of a table.
func (p *Page) Header(cells ...string) {
	p.Row(cells...)
	p.Printf("|%s\n", strings.Repeat("---|", len(cells)))
}

// Machine says where and by which commit something was measured.
func Machine(m eval.Machine) string {
	return fmt.Sprintf("commit %.12s, %s, %s/%s, %s, %d CPUs", cmp.Or(m.Commit, "unknown"), m.Go, m.OS, m.Arch, m.CPU, m.CPUs)
}

// Fixed is a figure with so many decimals, or a dash if it is not finite.
func Fixed(f eval.Figure, decimals int) string {
	if v := float64(f); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return fmt.Sprintf("%.*f", decimals, v)
	}
	return "-"
}

// F1 is the F1 of a record, with its interval if it has one.
func F1(r eval.Record) string {
	if r.Unusable {
		return Fixed(r.F1, 3) + " [unusable]"
	}
	if math.IsNaN(float64(r.F1Low)) {
		return Fixed(r.F1, 3)
	}
	return fmt.Sprintf("%s [%s, %s]", Fixed(r.F1, 3), Fixed(r.F1Low, 3), Fixed(r.F1High, 3))
}

// Value is a figure, with 0 for one that is undefined.
func Value(f eval.Figure) float64 {
	if v := float64(f); !math.IsNaN(v) {
		return v
	}
	return 0
}

// Mean returns the mean of values.
func Mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// Median returns the middle of the defined values, the greater of two; NaN if
// there are none.
func Median(v []float64) float64 {
	v = slices.DeleteFunc(slices.Clone(v), math.IsNaN)
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// List returns the names in a list with commas between them.
func List(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

// Records reads files of records of alike eval, and fails if they have none.
func Records(names ...string) ([]eval.Record, error) {
	var records []eval.Record
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		more, _, err := eval.ReadRecords(f, name)
		f.Close()
		if err != nil {
			return nil, err
		}
		records = append(records, more...)
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no records", strings.Join(names, ", "))
	}
	return records, nil
}

// Output runs a command and returns what it prints. The error has what it prints
// to standard error.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// failure is what Check panics with.
type failure struct{ err error }

// Check ends a measurement that Try has begun, unless err is nil.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Must returns v, after a Check of err.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Try calls f and returns the error that a Check in it has found. A measurement
// has many steps and can only end with any of their errors, as a test does. Check
// must be called from the goroutine of Try.
func Try(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case failure:
			err = e.err
		default:
			panic(e)
		}
	}()
	f()
	return nil
}
