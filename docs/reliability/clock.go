package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var clockAttacks = []attack{
	{"inputs changed before a resume", "`alike dedup` is killed, then a word of the input changes, in a file of the same length and modification time, or in a file of a folder: `--resume` gives an error or what a new run gives", inputsChanged},
	{"clocks that jump", "inputs have modification times from 1901 to 2200 that change between a kill and `--resume`; processes run in namespaces whose clock since boot is years ahead: the same bytes", clocksJump},
	{"documents of odd times", "documents are added to an index with times from the least to the greatest number, before 1970 and in the future, exported, imported and deleted by `--before`: times are kept and exactly the older ones go", timesOdd},
}

func inputsChanged(ctx context.Context, a *arena) {
	for round := range a.rounds(ctx) {
		kit.Check(errors.Join(os.RemoveAll(a.dir), os.MkdirAll(a.at("in"), 0o777)))
		for _, name := range []string{"in/a.jsonl", "in/b.jsonl"} {
			a.corpus(name, name[3:4], 3000)
		}
		input := a.at("in")
		if round%2 == 0 {
			input = a.at("in/b.jsonl")
		}
		args := []string{"dedup", input, "--keep", "longest", "--resume", "-o", a.at("out")}
		r := a.must(ctx, append(args[:len(args)-1:len(args)-1], a.at("whole"))...)
		r = a.alikeKilled(ctx, a.upTo(r.took), args...)
		if r.code != -1 {
			continue
		}
		a.count("kills", 1)
		// Some of the copies differ afterwards: a run that decides by the old texts is
		// wrong.
		info := kit.Must(os.Stat(a.at("in/b.jsonl")))
		b := kit.Must(os.ReadFile(a.at("in/b.jsonl")))
		lines := bytes.SplitAfter(b, []byte("\n"))
		for range 20 {
			i := a.rand.IntN(len(lines))
			lines[i] = bytes.Replace(lines[i], []byte(" w"), []byte(" v"), 30)
		}
		kit.Check(os.WriteFile(a.at("in/b.jsonl"), bytes.Join(lines, nil), 0o666))
		kit.Check(os.Chtimes(a.at("in/b.jsonl"), time.Time{}, info.ModTime()))
		kit.Check(os.RemoveAll(a.at("whole")))
		a.must(ctx, append(args[:len(args)-1:len(args)-1], a.at("whole"))...)
		want := kit.Must(contents(a.at("whole")))
		r = a.alikeRuns(ctx, args...)
		got := kit.Must(contents(a.at("out")))
		switch d := differ(got, want); {
		case r.code == 2 && got == nil:
			a.count("refused", 1)
		case r.code != 0:
			a.broke("%v", r)
		case d != "":
			a.broke("--resume of %s gives what a new run does not: %s", filepath.Base(input), d)
		default:
			a.count("right", 1)
		}
	}
}

func clocksJump(ctx context.Context, a *arena) {
	a.corpus("docs.jsonl", "doc", 4000)
	whole := a.must(ctx, "dedup", a.at("docs.jsonl"), "-o", a.at("whole"))
	want := kit.Must(contents(a.at("whole")))
	ahead := exec.CommandContext(ctx, "unshare", "--time", "--boottime", "1", "--fork", "true").Run() == nil
	if !ahead {
		a.count("namespaces of time not allowed", 1)
	}
	touch := func(when time.Time) {
		a.count("jumps", 1)
		kit.Check(os.Chtimes(a.at("docs.jsonl"), when, when))
	}
	args := []string{"dedup", a.at("docs.jsonl"), "--resume", "-o", a.at("out")}
	for range a.rounds(ctx) {
		when := time.Date(1901+a.rand.IntN(300), 1, 1, 0, 0, 0, a.rand.IntN(1e9), time.UTC)
		touch(when)
		for last := false; !last; {
			last = a.rand.IntN(3) == 0
			var kill <-chan time.Time
			if !last {
				kill = time.After(a.upTo(whole.took))
			}
			cmd := exec.Command(a.alike, args...)
			if ahead {
				years := fmt.Sprint(a.rand.IntN(100 * 365 * 86400))
				// The kill must reach alike, so that alike takes the place of unshare's child.
				cmd = exec.Command("unshare", append([]string{"--time", "--monotonic", years, "--boottime", years, "--fork", "--kill-child", a.alike}, args...)...)
			}
			r := kit.Must(a.process(ctx, cmd, kill))
			if r.code == -1 {
				a.count("kills", 1)
				a.seemsAnother(ctx, when, args)
			} else if r.code != 0 && !bytes.Contains(r.stderr, []byte("exists already")) && !bytes.Contains(r.stderr, []byte("another run")) {
				a.broke("%v", r)
			}
		}
		// The last run above may have met the lock of one that was still ending.
		r := a.alikeRuns(ctx, args...)
		got, err := contents(a.at("out"))
		if d := differ(got, want); err != nil || d != "" {
			a.broke("after clocks that jump: %v: %s %v", r, d, err)
		}
		for _, name := range []string{"out", "out.partial"} {
			kit.Check(os.RemoveAll(a.at(name)))
		}
	}
}

// seemsAnother resumes a killed run after the modification time of its input has
// jumped. The command must refuse that, and lose nothing.
func (a *arena) seemsAnother(ctx context.Context, when time.Time, args []string) {
	input := args[1]
	kit.Check(os.Chtimes(input, when, when.Add(-time.Hour)))
	if _, err := os.Stat(a.at("out.partial/identity")); err != nil {
		kit.Check(os.Chtimes(input, when, when)) // there is nothing to resume
		return
	}
	r := a.alikeRuns(ctx, args...)
	switch {
	case r.code == 2 && bytes.Contains(r.stderr, []byte("had other inputs")):
		a.count("resumes of what seems another input refused", 1)
	case r.code != 2: // unless the killed run is still ending
		a.broke("goes on with another input: %v", r)
	}
	kit.Check(os.Chtimes(input, when, when))
}

func timesOdd(ctx context.Context, a *arena) {
	for round := range a.rounds(ctx) {
		url, back := "disk:"+a.at(fmt.Sprint("index-", round)), "disk:"+a.at(fmt.Sprint("copy-", round))
		for _, u := range []string{url, back} {
			a.must(ctx, "index", "create", u, "-m", "simhash", "-k", "3")
		}
		times := map[string]int64{}
		for i, when := range []int64{math.MinInt64, -1 << 40, -1, 0, 1, time.Now().Unix(), 1 << 40, math.MaxInt64, a.rand.Int64(), -a.rand.Int64()} {
			id := fmt.Sprint("doc-", i)
			kit.Check(os.WriteFile(a.at("one.jsonl"), fmt.Appendf(nil, `{"id":%q,"text":"some words of document number %d and its own %d"}`+"\n", id, i, a.rand.Int64()), 0o666))
			r := a.alikeRuns(ctx, "index", "add", url, a.at("one.jsonl"), fmt.Sprintf("--time=%d", when))
			switch r.code {
			case 0:
				times[id] = when
				a.count("documents", 1)
			case 2:
				a.count("times refused", 1)
			default:
				a.broke("%v", r)
			}
			if a.rand.IntN(4) == 0 {
				a.must(ctx, "index", "merge", url)
			}
		}
		x := a.must(ctx, "index", "export", url)
		kit.Check(os.WriteFile(a.at("export.jsonl"), x.stdout, 0o666))
		a.must(ctx, "index", "import", back, a.at("export.jsonl"))
		for _, u := range []string{url, back} {
			a.timesAre(ctx, u, times)
		}
		var before int64
		for _, before = range times {
			if before != 0 {
				break // of a map: any
			}
		}
		a.must(ctx, "index", "delete", back, fmt.Sprintf("--before=%d", before))
		for id, when := range times {
			if when < before && when != 0 { // 0 means unknown: it never expires
				delete(times, id)
			}
		}
		a.count("retentions", 1)
		a.timesAre(ctx, back, times)
	}
}

// timesAre compares the documents of an index and their times with what they
// must be.
func (a *arena) timesAre(ctx context.Context, url string, want map[string]int64) {
	x := a.must(ctx, "index", "export", url)
	got := map[string]int64{}
	for line := range strings.Lines(string(x.stdout)) {
		var d struct {
			ID   string
			Time int64
		}
		kit.Check(json.Unmarshal([]byte(line), &d))
		if d.ID != "" {
			got[d.ID] = d.Time
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) { // maps are printed in order
		a.broke("%s holds %v, want %v", url, got, want)
	}
}
