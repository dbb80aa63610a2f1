package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/gzip"
)

// The input comes through as it is, whatever its reads return.
func TestInterruptiblePasses(t *testing.T) {
	want := strings.Repeat("0123456789", 50_000)
	for name, r := range map[string]io.Reader{
		"plain": strings.NewReader(want), "one byte": iotest.OneByteReader(strings.NewReader(want)), "error with data": iotest.DataErrReader(strings.NewReader(want)),
	} {
		got, err := io.ReadAll(&interruptible{Reader: r, ctx: t.Context()})
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(want))
		}
	}
	wrong := errors.New("wrong")
	in := &interruptible{Reader: io.MultiReader(strings.NewReader("a"), iotest.ErrReader(wrong)), ctx: t.Context()}
	if got, err := io.ReadAll(in); string(got) != "a" || err != wrong {
		t.Errorf("%q, %v, want the error after what came before it", got, err)
	}
}

// A read that waits ends with the context.
func TestInterruptibleEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	defer w.Close()
	in := &interruptible{Reader: r, ctx: ctx}
	cancel()
	if _, err := in.Read(make([]byte, 9)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// An interrupt ends every command that reads: one that waits for standard
// input, and one that would read a file of empty lines for minutes.
func TestInterruptEndsReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system cannot send an interrupt")
	}
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(bytes.Repeat([]byte(" \n"), 8<<20))
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
		if cmd.ProcessState.ExitCode() != exitFail || !strings.Contains(stderr.String(), "alike: cancelled") {
			t.Errorf("%q: exit code %d, %s", c.args, cmd.ProcessState.ExitCode(), stderr.String())
		}
		in.Close()
	}
}
