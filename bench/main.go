// Command bench measures alike beside other Go modules: the same input, one
// process, contenders in turn, and ratios rather than absolute numbers.
//
// Usage:
//
//	go run . [-bench regexp] [-rounds n] [-format table|md|json] [-quick]
//	go run . -growth [-bench regexp] [-most n] [-memory GiB] [-format md|json]
//	go run . -collection n [-dir folder]
//	go run . -index n [-dir folder]
//
// Each row checks the answers of all its contenders before it is timed. The exit
// status is 2 where that fails or the usage is bad, and with -fail 1 where a row is below its floor.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var (
		pattern = flags.String("bench", "", "only rows whose area matches this `regexp`")
		rounds  = flags.Int("rounds", 0, "rounds of all contenders (default 11, with -quick 5)")
		format  = flags.String("format", "table", "table, md or json")
		quick   = flags.Bool("quick", false, "fewer documents, shorter samples, fewer rounds, no heavy rows")
		docs    = flags.Int("docs", 0, "number of documents (default 3000, with -quick 400)")
		seed    = flags.Uint64("seed", 1, "seed of the documents")
		procs   = flags.Int("procs", 1, "processors that Go may use while timing")
		fail    = flags.Bool("fail", false, "exit with status 1 if a row is below its floor")

		growth = flags.Bool("growth", false, "the table of how times grow with the collection, in place of the rows")
		most   = flags.Int("most", 100_000_000, "largest collection of -growth; what is larger is extrapolated")
		memory = flags.Float64("memory", 12, "`GiB` that -growth may take")

		collection = flags.Int("collection", 0, "run alike pairs on a collection of `n` documents, in place of the rows")
		indexed    = flags.Int("index", 0, "fill index/disk and Pebble with `n` fingerprints and query them, in place of the rows")
		dir        = flags.String("dir", "", "folder for the files of -collection and -index (default that for temporary files)")
	)
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	usage := func(err error) int {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 2
	}
	if flags.NArg() > 0 {
		return usage(fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	}
	match, err := regexp.Compile(*pattern)
	if err != nil {
		return usage(err)
	}
	write, ok := formats[*format]
	if !ok {
		return usage(fmt.Errorf("unknown format %q, want table, md or json", *format))
	}
	timing := Timing{Rounds: 11, Least: 40 * time.Millisecond, Most: 8 * time.Second, Procs: *procs}
	size := 3000
	if *quick {
		timing.Rounds, timing.Least, size = 5, 10*time.Millisecond, 400
	}
	if *rounds > 0 {
		timing.Rounds = *rounds
	}
	if *docs > 0 {
		size = *docs
	}
	if size < 100 || *procs < 1 {
		return usage(fmt.Errorf("%d documents on %d processors, want at least 100 and 1", size, *procs))
	}

	report := &Report{
		Machine: NewMachine(),
		Command: command(args),
		Date:    time.Now().UTC(),
		Rounds:  timing.Rounds,
		Procs:   timing.Procs,
	}
	said := func(format string, args ...any) {
		if f, ok := stderr.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
			fmt.Fprintf(stderr, "bench: "+format+"\n", args...)
		}
	}
	switch {
	case *growth:
		limits := Limits{Seconds: 90, Bytes: *memory * (1 << 30), N: *most}
		if err := writeGrown(stdout, *format, report, *seed, timing, limits, match, said); err != nil {
			return usage(err)
		}
		return 0
	case *indexed > 0:
		if err := IndexRun(stdout, *indexed, *dir, report, said); err != nil {
			return usage(err)
		}
		return 0
	case *collection > 0:
		if err := Collection(stdout, *collection, *dir, report); err != nil {
			return usage(err)
		}
		return 0
	}

	in := NewInput(size, *seed)
	defer in.Close()
	report.Docs, report.Bytes, report.Corpus = len(in.Docs), in.Bytes, in.Sum
	for _, b := range Builders() {
		if !match.MatchString(b.Area) || *quick && b.Heavy {
			continue
		}
		said("%s", b.Area)
		row, err := b.Build(in)
		if errors.Is(err, errAbsent) {
			fmt.Fprintf(stderr, "bench: %s: %v\n", b.Area, err)
			report.Notes = append(report.Notes, fmt.Sprintf("%s: %v", b.Area, err))
			continue
		}
		if err != nil {
			return usage(fmt.Errorf("%s: %w", b.Area, err))
		}
		report.Lines = append(report.Lines, Measure(row, timing).Lines()...)
		for _, note := range row.Notes {
			report.Notes = append(report.Notes, b.Area+": "+note)
		}
		debug.FreeOSMemory() // what a row holds is not to weigh on the next
	}
	if len(report.Lines) == 0 {
		return usage(fmt.Errorf("no row matches %q", *pattern))
	}
	if err := write(stdout, report); err != nil {
		return usage(err)
	}
	if missed, _ := report.Missed(); *fail && missed > 0 {
		return 1
	}
	return 0
}

// command returns the command line as one would type it.
func command(args []string) string {
	line := "go run ."
	for _, arg := range args {
		if strings.ContainsAny(arg, " |()[]*?$^\\") {
			arg = "'" + arg + "'"
		}
		line += " " + arg
	}
	return line
}
