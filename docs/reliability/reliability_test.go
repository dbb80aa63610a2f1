package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/internal/jsonl"
)

// Each promise stands on its page word for word, and its test is there.
func TestPromisesHaveTests(t *testing.T) {
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for _, p := range promises {
		if !strings.Contains(strings.Join(strings.Fields(read(p.Page)), " "), p.Says) {
			t.Errorf("%s does not say %q", p.Page, p.Says)
		}
		if !strings.Contains(read(p.File), "\nfunc "+p.Test+"(") {
			t.Errorf("%s has no %s, which %q of %s needs", p.File, p.Test, p.Says, p.Page)
		}
	}
}

// TestFrame makes one attack, keeps its record and writes the page.
func TestFrame(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "alike")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/alike-go/alike/cmd/alike").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	records, page := filepath.Join(t.TempDir(), "records.jsonl"), filepath.Join(t.TempDir(), "page.md")
	l := &lab{alike: bin, seed: 1}
	broke, err := run(t.Context(), l, "^(index of two writers|alike-beam killed)$", 0.01, records, page)
	if err != nil || broke {
		t.Fatalf("broken %v, %v", broke, err)
	}
	list, err := jsonl.Read[record](records)
	if err != nil || len(list) != 2 || list[0].Outcome != held || list[0].Rounds < 1 || list[1].Outcome != skipped {
		t.Errorf("%+v, %v, want an attack that held and one that was skipped", list, err)
	}
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| index of two writers |", "writers refused", promises[0].Says} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %q on the page", want)
		}
	}
	if _, err := run(t.Context(), l, "no such attack", 1, records, page); err == nil {
		t.Error("no error for a name that no attack has")
	}
}

// What breaks is seen: a command that crashes, one that gives a wrong answer,
// one that never ends, and an attack that cannot be carried out.
func TestBreachesAreSeen(t *testing.T) {
	l := &lab{seed: 1}
	sh := func(script string) func(context.Context, *arena) {
		return func(ctx context.Context, a *arena) {
			_ = kit.Must(a.process(ctx, exec.Command("sh", "-c", script), time.After(time.Second)))
			a.count("processes", 1)
		}
	}
	for what, c := range map[string]struct {
		try  func(context.Context, *arena)
		want string
	}{
		"panic":   {sh("printf 'panic: no\\n\\ngoroutine 1 [running]:\\n' >&2; exit 2"), broken},
		"killed":  {sh("sleep 60"), held},
		"wrong":   {func(_ context.Context, a *arena) { a.broke("a wrong answer") }, broken},
		"skipped": {func(context.Context, *arena) { kit.Check(fmt.Errorf("%w: no disk", errSkipped)) }, skipped},
		"failed":  {func(context.Context, *arena) { kit.Check(io.ErrUnexpectedEOF) }, failed},
	} {
		if r := l.attack(t.Context(), attack{what, what, c.try}, 0); r.Outcome != c.want {
			t.Errorf("%s: %+v, want %s", what, r, c.want)
		} else if what == "panic" && !strings.Contains(fmt.Sprint(r.Notes), "crashed") {
			t.Errorf("%s: %q", what, r.Notes)
		}
	}
}
