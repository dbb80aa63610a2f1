package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Lines of strace. A call that another thread interrupts has two of them.
var (
	syncCall   = regexp.MustCompile(`^(?:fsync|fdatasync)\(\d+<(.*)>\) += 0`)
	renameCall = regexp.MustCompile(`^(?:renameat2?|linkat)\([^"]*"(.*)", [^"]*"(.*)"(?:, \w+)?\) += 0`)
	unfinished = regexp.MustCompile(`^(.*) <unfinished \.\.\.>$`)
	resumed    = regexp.MustCompile(`^<\.\.\. \w+ resumed>(.*)$`)
)

// checkSynced reads a trace of strace. Each file or folder that a rename or a
// link names must be synced before, with all that is in it, and the folder of
// the name must be synced after. It returns the names.
func checkSynced(t *testing.T, trace, dir string) map[string]bool {
	t.Helper()
	f, err := os.Open(trace)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	synced, names := map[string]bool{}, map[string]bool{}
	pending := map[string]string{} // by process, the first part of a call
	unnamed := map[string]string{} // by folder that must be synced, a name in it
	for lines := bufio.NewScanner(f); lines.Scan(); {
		pid, line, _ := strings.Cut(lines.Text(), " ")
		line = strings.TrimLeft(line, " ")
		if m := unfinished.FindStringSubmatch(line); m != nil {
			pending[pid] = m[1]
			continue
		}
		if m := resumed.FindStringSubmatch(line); m != nil {
			line = pending[pid] + m[1]
		}
		if m := syncCall.FindStringSubmatch(line); m != nil {
			synced[m[1]] = true
			delete(unnamed, m[1])
		}
		m := renameCall.FindStringSubmatch(line)
		if m == nil || !strings.HasPrefix(m[2], dir) {
			continue
		}
		from, to := m[1], m[2]
		names[to] = true
		unnamed[filepath.Dir(to)] = to
		if !synced[from] {
			t.Errorf("%s is not synced before it is renamed to %s", from, to)
		}
		if info, err := os.Stat(to); err != nil || !info.IsDir() {
			continue // a file, or a checkpoint that is removed since
		}
		err := filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
			if before := from + strings.TrimPrefix(path, to); !synced[before] {
				t.Errorf("%s is not synced before %s is renamed to %s", before, from, to)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	for folder, name := range unnamed {
		t.Errorf("%s is not synced after %s got its name", folder, name)
	}
	return names
}

// A power cut leaves no name without its content: a command syncs what it has
// made before it gives it a name, and the name after that.
func TestOutputsAreSynced(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err == nil {
		err = exec.Command(strace, "-o", os.DevNull, os.Args[0], "-test.run=^$").Run()
	}
	if err != nil {
		t.Skip("no strace: ", err)
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpusOf(t, at("in.jsonl"), 31, 300)
	corpusOf(t, at("old.jsonl"), 31, 100)
	for i := range 9 {
		name := at(fmt.Sprintf("texts/%d/%d.txt", i%3, i))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "text %d of a few", i/2), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		made []string
	}{
		{"dedup in.jsonl -o rows", []string{"rows", "rows.partial/commit", "rows.partial/decision"}},
		{"dedup texts -o files --max-drop 100%", []string{"files", "files.partial/commit"}},
		{"dedup in.jsonl --against old.jsonl --update -o updated", []string{"updated", "old.jsonl"}},
		{"restore rows -o rows.jsonl", []string{"rows.jsonl"}},
		{"restore files -o texts.back", []string{"texts.back"}},
		{"datasets convert in.jsonl -o in.csv", []string{"in.csv"}},
		{"datasets make -n 100 planted", []string{"planted"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			trace := filepath.Join(t.TempDir(), "trace")
			args := strings.Fields(c.args)
			for i, a := range args {
				for _, name := range append(c.made, "in.jsonl", "old.jsonl", "texts", "rows", "files") {
					if a == name && i > 0 {
						args[i] = at(a)
					}
				}
			}
			cmd := command(args...)
			cmd.Args = append([]string{strace, "-f", "-y", "-s", "4096", "-o", trace, "-e", "trace=fsync,fdatasync,renameat,renameat2,linkat", cmd.Path}, args...)
			cmd.Path = strace
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			names := checkSynced(t, trace, dir)
			for _, name := range c.made {
				if !names[at(name)] {
					t.Errorf("the trace does not tell of %s", name)
				}
			}
		})
	}
}
