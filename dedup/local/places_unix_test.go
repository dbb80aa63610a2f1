//go:build unix

package local

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/alike-go/alike/datasets"
)

// A pipe, which can be read once, is refused instead of waited for.
func TestPipeIsRefused(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.jsonl")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	o := Options{Sources: []datasets.Source{{Path: pipe}}, DryRun: true}
	refused(t, o, "more than once")
}
