package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var fuzzAttacks = []attack{
	{"fuzz targets", "each fuzz target runs for the same time: no crash, and the fast path agrees with the naive one", fuzzAll},
}

// target is the result of one fuzz target.
type target struct {
	Package string  `json:"package"`
	Name    string  `json:"name"`
	Execs   int     `json:"execs"`
	New     int     `json:"new"` // inputs that reached code that no seed and no earlier input reaches
	Seconds float64 `json:"seconds"`
}

var (
	fuzzLine = regexp.MustCompile(`(?m)^fuzz: elapsed: (\w+), execs: (\d+) .*$`)
	newInput = regexp.MustCompile(`new interesting: (\d+)`)
)

// fuzzAll runs every fuzz target once. It ignores the time of the attack.
func fuzzAll(ctx context.Context, a *arena) {
	if a.fuzzTime <= 0 {
		kit.Check(fmt.Errorf("%w: -fuzztime is %v", errSkipped, a.fuzzTime))
	}
	dir := kit.Must(root())
	a.round = 1
	for _, module := range []string{".", "beam"} {
		a.fuzzModule(ctx, filepath.Join(dir, module))
	}
}

// fuzzModule runs the targets of the module in a folder.
func (a *arena) fuzzModule(ctx context.Context, dir string) {
	list := exec.CommandContext(ctx, "go", "test", "-list", "^Fuzz", "./...")
	list.Dir = dir
	out, err := kit.Output(list)
	kit.Check(err)
	var names []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case strings.HasPrefix(line, "Fuzz"):
			names = append(names, f[0])
		case f[0] == "ok": // the line after the targets of a package
			for _, n := range names {
				a.fuzzOne(ctx, dir, f[1], n)
			}
			names = nil
		}
	}
}

func (a *arena) fuzzOne(ctx context.Context, dir, pkg, name string) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-fuzz", "^"+name+"$", "-fuzztime", a.fuzzTime.String(),
		"-fuzzminimizetime", "10x", pkg) // by default an input is made smaller for up to a minute, without executions
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	kit.Check(ctx.Err())
	t := target{Package: pkg, Name: name}
	if all := fuzzLine.FindAllStringSubmatch(string(out), -1); len(all) > 0 {
		last := all[len(all)-1]
		took, _ := time.ParseDuration(last[1]) // without building
		t.Seconds = took.Seconds()
		t.Execs, _ = strconv.Atoi(last[2])
		if m := newInput.FindStringSubmatch(last[0]); m != nil {
			t.New, _ = strconv.Atoi(m[1])
		}
	}
	// Before Go 1.27 the end of the time may count as a failure (golang/go#75804).
	if err != nil && !(strings.Contains(string(out), "context deadline exceeded") && !strings.Contains(string(out), "Failing input")) {
		a.broke("%s %s: %s", pkg, name, excerpt(out))
	}
	a.fuzz = append(a.fuzz, t)
	a.count("targets", 1)
	a.count("executions", t.Execs)
	a.count("new inputs", t.New)
}
