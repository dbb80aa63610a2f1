//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// However many workers there are, alike passages has no more memory than
// --memory, beside the pages of files.
func TestPassagesMemory(t *testing.T) {
	if info, _ := debug.ReadBuildInfo(); slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector takes memory of its own")
	}
	const budget = 64 << 20
	dir := t.TempDir()
	must(t, "datasets", "make", filepath.Join(dir, "made"), "-n", "12000")
	cmd := command("passages", filepath.Join(dir, "made", "docs.jsonl"), "-o", filepath.Join(dir, "out.tsv"), "--memory", "64MiB", "--workers", "64")
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	most, n := 0, 0
	for {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v: %s", err, out.Bytes())
			}
			if most > budget || n < 5 {
				t.Errorf("%d MiB in %d looks, want at most %d", most>>20, n, budget>>20)
			}
			return
		case <-time.After(5 * time.Millisecond):
		}
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		_, rest, _ := bytes.Cut(status, []byte("RssAnon:"))
		kb := 0
		if _, err := fmt.Sscan(string(rest[:min(len(rest), 40)]), &kb); err == nil {
			most, n = max(most, kb<<10), n+1
		}
	}
}
