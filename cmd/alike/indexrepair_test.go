package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The torn end of a log, as a killed writer leaves it, is no damage: commands say
// that it is there, and the next that writes keeps it aside.
func TestIndexTorn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "seen")
	at := "disk:" + dir
	var said strings.Builder
	run := func(args ...string) {
		t.Helper()
		code, stdout, stderr := alike(t, `{"id":"a","text":"the cat sat on the mat"}`, append([]string{"index"}, args...)...)
		if code != 0 {
			t.Errorf("%v: exit code %d", args, code)
		}
		fmt.Fprintf(&said, "$ alike index %s\n%s%s", strings.Join(args, " "), stdout, stderr)
	}
	run("create", at, "-m", "simhash", "-k", "3")
	run("add", at, "-")
	f, err := os.OpenFile(filepath.Join(dir, "00000001.log"), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString("torn")
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	run("verify", at)
	run("repair", at)
	run("add", at, "-")
	run("verify", at)
	if b, err := os.ReadFile(filepath.Join(dir, "00000001.log.damaged")); err != nil || string(b) != "torn" {
		t.Errorf("kept aside: %q, %v", b, err)
	}
	golden(t, filepath.Join("testdata", "index-torn.golden"), strings.ReplaceAll(said.String(), dir, "DIR"))
}

// Acknowledged documents do not get lost in silence: three adds of 300 documents,
// and then damage to the files. Verify says so with exit code 1, no command reads
// or writes, and after repair what was whole is there.
func TestIndexDamage(t *testing.T) {
	whole := t.TempDir()
	row := func(i int) string {
		return fmt.Sprintf(`{"id":"doc-%d","text":"number %d stands between %d and %d in this row of documents about %d"}`+"\n", i, i, i-1, i+1, i*i)
	}
	for part := range 3 {
		var rows strings.Builder
		for i := range 300 {
			rows.WriteString(row(300*part + i))
		}
		if part == 0 {
			if code, _, stderr := alike(t, "", "index", "create", "disk:"+whole, "-m", "simhash", "-k", "3"); code != 0 {
				t.Fatal(stderr)
			}
		}
		if code, _, stderr := alike(t, rows.String(), "index", "add", "disk:"+whole, "-", "--time", "100"); code != 0 {
			t.Fatal(stderr)
		}
	}
	const log = "00000001.log"
	for _, c := range []struct {
		name, file string
		damage     func([]byte) []byte // nil if the file goes
		left       int                 // documents after repair, or -1 if it cannot mend that; add makes batches of 256
	}{
		{"index-damage-flip", log, func(b []byte) []byte { b[3] ^= 1 << 6; return b }, 900},
		{"index-damage-zeros", log, func(b []byte) []byte { clear(b[:4096]); return b }, 900 - 256},
		{"index-damage-last", log, func(b []byte) []byte { b[len(b)-100] ^= 1; return b }, 900 - 300%256},
		{"index-damage-missing", log, nil, 0},
		{"index-damage-manifest", "MANIFEST", nil, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "seen")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(dir, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if c.damage == nil {
				err = os.Remove(filepath.Join(dir, c.file))
			} else {
				err = os.WriteFile(filepath.Join(dir, c.file), c.damage(b), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			at := "disk:" + dir
			var said strings.Builder
			run := func(want int, args ...string) {
				t.Helper()
				code, stdout, stderr := alike(t, row(1), append([]string{"index"}, args...)...)
				if code != want {
					t.Errorf("%v: exit code %d, want %d: %s%s", args, code, want, stdout, stderr)
				}
				fmt.Fprintf(&said, "$ alike index %s\n%s%s", strings.Join(args, " "), stdout, stderr)
			}
			run(1, "verify", at)
			run(2, "query", at, "-")
			run(2, "add", at, "-")
			if c.left < 0 {
				run(2, "repair", at)
			} else {
				run(1, "repair", at)
				run(0, "repair", at, "--yes")
				run(0, "verify", at)
				if want := fmt.Sprintf("alike: %d documents, nothing wrong", c.left); !strings.Contains(said.String(), want) {
					t.Errorf("want %q in %s", want, said.String())
				}
				run(0, "repair", at)
			}
			golden(t, filepath.Join("testdata", c.name+".golden"), strings.ReplaceAll(said.String(), dir, "DIR"))
		})
	}
	if code, _, stderr := alike(t, "", "index", "repair", "redis://localhost:1/0"); code != 2 || !strings.Contains(stderr, "only an index on disk") {
		t.Errorf("repair of Redis: exit code %d, %s", code, stderr)
	}
}
