package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
)

// Run is one run of alike pairs over a large collection.
type Run struct {
	Args    []string    `json:"args"`
	Seconds float64     `json:"seconds"` // by the clock on the wall
	CPU     float64     `json:"cpu_seconds"`
	Peak    int64       `json:"peak_bytes"` // resident, 0 where the system does not tell
	Stderr  string      `json:"stderr"`     // what the command says of its join
	Kinds   []KindFound `json:"kinds"`
}

// KindFound is a line that alike pairs --truth writes.
type KindFound struct {
	Kind   string  `json:"kind"`
	Alike  bool    `json:"alike"`
	Pairs  int64   `json:"n_pairs"`
	Reach  int64   `json:"n_reach"`
	Found  int64   `json:"n_found"`
	Recall float64 `json:"recall"`
}

// collectionRuns are the runs of a large collection. SimHash counts each word once: by their
// occurrences the most frequent words, which all made documents share, outweigh the rest,
// and one pair in a hundred unrelated ones would be found.
var collectionRuns = [][]string{
	{"--method", "simhash:weights=binary", "--distance", "3"},
	{"--method", "minhash:width=3", "--threshold", "0.8"},
}

// Collection makes a collection of about n documents on disk with the command alike, finds
// its pairs by each of the runs, and writes what it took and what was found.
func Collection(w io.Writer, n int, dir string, r *Report) error {
	dir, err := os.MkdirTemp(dir, "alike-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	alike := filepath.Join(dir, "alike")
	build := exec.Command("go", "build", "-o", alike, "./cmd/alike")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build alike: %w\n%s", err, out)
	}
	// Of 25 documents of the collection four are copies, give or take what is drawn.
	args := []string{"datasets", "make", "--yardstick", "-n", fmt.Sprint(math.Round(float64(n) * 21.06 / 25))}
	made, err := exec.Command(alike, append(args, filepath.Join(dir, "docs"))...).Output()
	if err != nil {
		return fmt.Errorf("alike %s: %w", strings.Join(args, " "), err)
	}
	var runs []Run
	for _, args := range collectionRuns {
		run, err := pairsOf(alike, dir, args)
		if err != nil {
			return err
		}
		runs = append(runs, run)
	}
	_, what, _ := strings.Cut(strings.TrimSpace(string(made)), ": ")
	return writeCollection(w, r, "alike "+strings.Join(args, " ")+" docs", what, runs)
}

// pairsOf runs alike pairs over dir/docs.
func pairsOf(alike, dir string, args []string) (Run, error) {
	run := Run{Args: append([]string{"pairs", "docs"}, args...)}
	truth, err := filepath.Glob(filepath.Join(dir, "docs", "pairs-planted.tsv*"))
	if err != nil || len(truth) != 1 {
		return run, fmt.Errorf("found %d tables of planted pairs, want one (%v)", len(truth), err)
	}
	cmd := exec.Command(alike, append(run.Args, "--truth", truth[0], "-o", filepath.Join(dir, "pairs.tsv"), "--format", "json")...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	from := time.Now()
	if err := cmd.Run(); err != nil {
		return run, fmt.Errorf("alike %s: %w\n%s", strings.Join(run.Args, " "), err, &stderr)
	}
	run.Seconds = time.Since(from).Seconds()
	run.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	run.Peak = peakMemory(cmd.ProcessState)
	run.Stderr = stderr.String()
	for dec := json.NewDecoder(&stdout); ; {
		var k KindFound
		if err := dec.Decode(&k); err == io.EOF {
			return run, nil
		} else if err != nil {
			return run, err
		}
		run.Kinds = append(run.Kinds, k)
	}
}

func writeCollection(w io.Writer, r *Report, command, made string, runs []Run) error {
	fmt.Fprintf(w, `    $ cd bench && %s

%s, %d CPUs, %s, commit %s: %s.
The collection is that of %s: %s.
Every run reads it from disk, on all CPUs.

`, r.Command, r.CPU, r.CPUs, r.Go, r.Commit, r.Date.Format("2 January 2006"), "`"+command+"`", made)
	table := tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()), plain)
	table.Header("command", "wall, s", "CPU, s", "peak memory, MB")
	for _, run := range runs {
		peak := "unknown"
		if run.Peak > 0 {
			peak = fmt.Sprintf("%.0f", float64(run.Peak)/1e6)
		}
		if err := table.Append("`alike "+strings.Join(run.Args, " ")+"`", number(run.Seconds), number(run.CPU), peak); err != nil {
			return err
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for _, run := range runs {
		fmt.Fprintf(w, "\nWhat it says of `%s`:\n\n", strings.Join(run.Args[2:], " "))
		for line := range strings.Lines(run.Stderr) {
			fmt.Fprintf(w, "    %s", line)
		}
	}
	fmt.Fprint(w, `
Recall of the planted pairs by what was done to the copy; in brackets the share of pairs that
do reach the threshold, where the join missed some of those. "copies" are pairs of two copies of one document.

`)
	table = tablewriter.NewTable(w, tablewriter.WithRenderer(renderer.NewMarkdown()), plain)
	head := []string{"planted", "pairs"}
	for _, run := range runs {
		head = append(head, strings.Join(run.Args[2:], " "))
	}
	table.Header(head)
	for i, k := range runs[0].Kinds {
		if !k.Alike && k.Kind == "all" {
			continue
		}
		row := []string{k.Kind, fmt.Sprint(k.Pairs)}
		if !k.Alike {
			row[0] += " (not alike)"
		}
		for _, run := range runs {
			if !slices.EqualFunc(run.Kinds, runs[0].Kinds, func(a, b KindFound) bool { return a.Kind == b.Kind && a.Alike == b.Alike && a.Pairs == b.Pairs }) {
				return fmt.Errorf("runs do not tell of the same kinds of pairs")
			}
			k := run.Kinds[i]
			cell := fmt.Sprintf("%.4f", k.Recall)
			if k.Found != k.Reach {
				cell += fmt.Sprintf(" (%.4f)", float64(k.Reach)/float64(k.Pairs))
			}
			row = append(row, cell)
		}
		if err := table.Append(row); err != nil {
			return err
		}
	}
	return table.Render()
}
