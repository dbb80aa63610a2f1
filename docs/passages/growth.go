package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/cli"
)

// The table of growth stands between these lines of the page.
const (
	page      = "docs/passages.md"
	tableFrom = "<!-- go run ./docs/passages -growth 3GB -->\n"
	tableTo   = "<!-- end -->\n"
)

// docsPerMB is how many made documents have a megabyte of text, with the copies.
const docsPerMB = 280

// measured is a run on some text.
type measured struct {
	bytes, docs, passages, places float64
	wall, cpu                     time.Duration
	peak                          int64 // of memory
}

// growth measures runs of alike on ever more text, up to a size, and writes the table.
func growth(alike, dir, largest string) error {
	most, err := cli.ParseSize(largest)
	if err != nil {
		return fmt.Errorf("-growth: %w", err)
	}
	var runs []measured
	for _, mb := range []int{10, 100, 1000, 3000, 10_000} {
		if int64(mb)*1_000_000 > most {
			break
		}
		m, err := measure(alike, dir, mb)
		if err != nil {
			return err
		}
		runs = append(runs, m)
	}
	if len(runs) < 2 {
		return fmt.Errorf("-growth is %s, want 100MB or more", largest)
	}
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(old, []byte(tableFrom))
	_, after, ok2 := bytes.Cut(rest, []byte(tableTo))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no line %q, or no %q behind it", page, tableFrom, tableTo)
	}
	return os.WriteFile(page, []byte(string(before)+tableFrom+table(runs)+tableTo+string(after)), 0o666)
}

// measure makes documents and runs alike on them.
func measure(alike, dir string, mb int) (m measured, err error) {
	made := filepath.Join(dir, fmt.Sprintf("made-%d", mb))
	defer os.RemoveAll(made)
	if _, err := kit.Output(exec.Command(alike, "datasets", "make", made, "-n", strconv.Itoa(mb*docsPerMB))); err != nil {
		return m, err
	}
	cmd := exec.Command(alike, "passages", filepath.Join(made, "docs.jsonl"), "-o", filepath.Join(made, "passages.tsv"), "--occurrences", filepath.Join(made, "places.tsv"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return m, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	m.wall = time.Since(start)
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" { // elsewhere the unit is another
		m.peak = u.Maxrss << 10
	}
	for _, c := range []struct {
		file string
		to   *float64
	}{{"docs.jsonl", &m.docs}, {"passages.tsv", &m.passages}, {"places.tsv", &m.places}} {
		b, err := os.ReadFile(filepath.Join(made, c.file))
		if err != nil {
			return m, err
		}
		*c.to = float64(bytes.Count(b, []byte("\n")))
		if c.file == "docs.jsonl" {
			m.bytes = float64(len(b))
		} else {
			*c.to-- // the header
		}
	}
	return m, nil
}

// exponent returns b of the power a·bytes^b that is nearest to the times of the
// runs, by least squares of the logarithms.
func exponent(runs []measured) float64 {
	var x, y, xx, xy float64
	for _, m := range runs {
		lx, ly := math.Log(m.bytes), math.Log(m.cpu.Seconds())
		x, y, xx, xy = x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	n := float64(len(runs))
	return (n*xy - x*y) / (n*xx - x*x)
}

func table(runs []measured) string {
	var b strings.Builder
	p := kit.NewPage(&b)
	p.Header("JSONL", "documents", "passages", "occurrences", "time", "processor time", "MB/s", "peak memory")
	for _, m := range runs {
		whole := func(v float64) string { return fmt.Sprintf("%.0f", v) }
		p.Row(whole(m.bytes/1e6)+" MB", whole(m.docs), whole(m.passages), whole(m.places), fmt.Sprintf("%.1f s", m.wall.Seconds()),
			fmt.Sprintf("%.1f s", m.cpu.Seconds()), whole(m.bytes/1e6/m.wall.Seconds()), fmt.Sprintf("%.2f GB", float64(m.peak)/1e9))
	}
	p.Printf("\nProcessor time grows with the size to the power of %.2f (least squares over the rows).\nMeasured at %s, %s.\n",
		exponent(runs), kit.Machine(eval.ThisMachine()), time.Now().UTC().Format(time.DateOnly))
	return b.String()
}
