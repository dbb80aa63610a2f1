package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

// An interrupt ends every command that reads: one that waits for standard
// input, and one that would read a file of empty lines for minutes.
func TestInterruptEndsReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system cannot send an interrupt")
	}
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	// A row, and as many empty lines as a reader bears: reading stays long in one row.
	z.Write([]byte(`{"text":"a b c"}` + "\n"))
	z.Write(bytes.Repeat([]byte(" \n"), 4<<20))
	z.Close()
	path := filepath.Join(t.TempDir(), "a.jsonl.gz")
	if err := os.WriteFile(path, bytes.Repeat(member.Bytes(), 1000), 0o666); err != nil {
		t.Fatal(err)
	}
	convert := filepath.Join(t.TempDir(), "x.csv")
	for _, c := range []struct {
		stdin bool
		args  []string
	}{
		{true, []string{"dedup", "jsonl:-", "--dry-run"}},
		{true, []string{"pairs", "jsonl:-", "-m", "shingle", "-t", "1"}},
		{true, []string{"datasets", "convert", "jsonl:-", "-o", convert}},
		{false, []string{"datasets", "convert", path, "-o", convert}},
		{false, []string{"pairs", path, "-m", "shingle", "-t", "1"}},
	} {
		cmd := command(c.args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		in, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.stdin { // more than a pipe holds: when it is written the command reads
			if _, err := in.Write(bytes.Repeat([]byte(`{"text":"a b c"}`+"\n"), 1<<14)); err != nil {
				t.Fatal(err)
			}
		} else {
			time.Sleep(300 * time.Millisecond) // until it has begun; it cannot have ended
		}
		cmd.Process.Signal(os.Interrupt)
		dead := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		dead.Stop()
		if cmd.ProcessState.ExitCode() != exitCancelled || !strings.Contains(stderr.String(), "alike: cancelled") {
			t.Errorf("%q: exit code %d, %s", c.args, cmd.ProcessState.ExitCode(), stderr.String())
		}
		in.Close()
	}
}
