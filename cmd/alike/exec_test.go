package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Commands of the shell: one that gives every text the same sketch, one that ends at once, one
// that never answers, and one that ends at the third document.
const (
	execEqual = `exec:echo '{"alike":1,"name":"sed","version":"1","kind":"set"}'; sed -u 's/.*"id":"\([0-9]*\)".*/{"id":"\1","sketch":[7]}/'`
	execDead  = `exec:echo out of memory >&2; exit 3`
	execMute  = `exec:echo '{"alike":1,"name":"mute","kind":"set"}'; sleep 3600`
	execThird = `exec:echo '{"alike":1,"name":"sed","version":"1","kind":"set"}'; sed -u -e 's/.*"id":"\([0-9]*\)".*/{"id":"\1","sketch":[7]}/' -e '2q'`
)

func TestExecGoldens(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not every sed has -u")
	}
	rows := `{"id":"a","text":"the cat"}` + "\n" + `{"id":"b","text":"a dog"}` + "\n" + `{"id":"c","text":"no cow"}` + "\n"
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"exec-compare", []string{"compare", "--text", "one", "two", "-m", execEqual, "-f", "md"}, 0},
		{"exec-pairs", []string{"pairs", "jsonl:-", "-m", execEqual, "-t", "0.5"}, 0},
		{"exec-dead", []string{"compare", "--text", "one", "two", "-m", execDead}, 2},
		{"exec-dead-eval", []string{"eval", "--data", "en", "-m", execDead, "--repeat", "-1"}, 2},
		{"exec-third", []string{"pairs", "jsonl:-", "-m", execThird, "-t", "0.5"}, 2},
		{"exec-dedup", []string{"dedup", "-", "-o", "out", "-m", execEqual}, 2},
		{"exec-no-command", []string{"compare", "--text", "one", "two", "-m", "exec"}, 2},
		{"methods-exec", []string{"methods", "exec"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, rows, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			mask := func(s string) string { return timings.ReplaceAllString(s, "TIME") }
			golden(t, filepath.Join("testdata", c.name+".golden"), "stdout:\n"+mask(stdout)+"stderr:\n"+mask(stderr))
		})
	}
}

// An eval of a command that does not answer ends when it is cancelled.
func TestExecIsCancelled(t *testing.T) {
	root := newRoot()
	root.SetArgs([]string{"eval", "--data", "en", "--repeat", "-1", "-m", execMute})
	root.SetOut(new(strings.Builder))
	root.SetErr(new(strings.Builder))
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := root.ExecuteContext(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 30*time.Second {
		t.Errorf("error %v after %v, want the end of the context", err, time.Since(start))
	}
}
