package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var beamAttacks = []attack{
	{"alike-beam killed", "`alike-beam` in one process is killed in each twelfth of its run, and interrupted: no OUT, or a whole one; run again it gives the bytes of a run that was not killed, which are those of `alike dedup`, and `alike restore` gives the input", beamKilled},
}

func (a *arena) runBeam(ctx context.Context, kill <-chan time.Time, args ...string) result {
	return kit.Must(a.process(ctx, exec.Command(a.beam, args...), kill))
}

// joined returns the pieces of an output, concatenated.
func joined(pattern string) []byte {
	list := kit.Must(filepath.Glob(pattern))
	slices.Sort(list)
	var all []byte
	for _, name := range list {
		b := kit.Must(os.ReadFile(name))
		all = append(all, b...)
	}
	return all
}

func beamKilled(ctx context.Context, a *arena) {
	if a.beam == "" {
		kit.Check(fmt.Errorf("%w: there is no alike-beam", errSkipped))
	}
	a.corpus("docs.jsonl", "doc", 1500)
	input := kit.Must(os.ReadFile(a.at("docs.jsonl")))
	a.must(ctx, "dedup", a.at("docs.jsonl"), "-o", a.at("local"))
	out := filepath.Join(a.at("out"), "out")
	args := []string{a.at("docs.jsonl"), "-o", out, "--piece", "100000"}
	whole := a.runBeam(ctx, nil, args...)
	if whole.code != 0 {
		kit.Check(fmt.Errorf("alike-beam: %v", whole))
	}
	want := kit.Must(contents(out))
	for _, name := range []string{"kept", "removed", "why"} {
		got := joined(filepath.Join(out, name+"-*.jsonl"))
		b, err := os.ReadFile(filepath.Join(a.at("local"), name+".jsonl"))
		if err != nil || !bytes.Equal(got, b) {
			a.broke("%s of alike-beam has %d bytes, that of alike dedup %d, or others: %v", name, len(got), len(b), err)
		}
	}
	const parts = 12 // visited in steps of five, so that few rounds already meet early and late parts
	for round := range a.rounds(ctx) {
		kit.Check(os.RemoveAll(a.at("out")))
		part := whole.took / parts
		r := a.runBeam(ctx, time.After(time.Duration(round*5%parts)*part+a.upTo(part)), args...)
		got := kit.Must(contents(out))
		switch d := differ(got, want); {
		case r.code == -1:
			a.count("kills", 1)
			if got != nil && d != "" {
				a.broke("killed, and OUT is there and not whole: %s", d)
			}
		case r.code != 0 || d != "":
			a.broke("%v: %s", r, d)
		}
		if got == nil {
			a.beamInterrupted(ctx, out, args, whole.took)
			r = a.runBeam(ctx, nil, args...)
			var err error
			got, err = contents(out)
			if d := differ(got, want); err != nil || r.code != 0 || d != "" {
				a.broke("killed and run again: %v: %s %v", r, d, err)
			}
			a.count("runs after a kill", 1)
		}
		left := kit.Must(names(filepath.Dir(out)))
		for _, name := range left {
			if strings.HasPrefix(name, ".out.partial-") {
				a.count("folders of killed runs left", 1)
			} else if name != "out" {
				a.broke("killed and run again leaves %q", left)
			}
		}
		r = a.alikeRuns(ctx, "restore", out, "-o", filepath.Join(filepath.Dir(out), "back.jsonl"))
		back, err := os.ReadFile(filepath.Join(filepath.Dir(out), "back.jsonl"))
		if err != nil || r.code != 0 || !bytes.Equal(back, input) {
			a.broke("restore gives %d bytes, want %d: %v %v", len(back), len(input), r, err)
		}
	}
}

// beamInterrupted interrupts a run as a user does.
func (a *arena) beamInterrupted(ctx context.Context, out string, args []string, took time.Duration) {
	dir := filepath.Dir(out)
	before := kit.Must(names(dir))
	cmd := exec.Command(a.beam, args...)
	interrupt := time.AfterFunc(a.upTo(took/2)+took/10, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	r, err := a.process(ctx, cmd, nil)
	interrupt.Stop()
	kit.Check(err)
	a.count("interrupts", 1)
	after := kit.Must(names(dir))
	switch {
	case r.code == 0:
		kit.Check(os.RemoveAll(out))
	case r.code != 130 && r.code != -1: // -1 if it does not handle signals yet
		a.broke("interrupted: %v", r)
	case r.code == 130 && !slices.Equal(before, after):
		a.count("folders of interrupted runs left", 1) // a worker wrote while it was removed
	}
}
