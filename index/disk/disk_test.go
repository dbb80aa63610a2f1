package disk_test

import (
	"path/filepath"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/indextest"
)

func open(t testing.TB, dir string, o disk.Options) *disk.Store {
	t.Helper()
	s, err := disk.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}

func TestSuite(t *testing.T) {
	for name, o := range map[string]disk.Options{
		"one-log":    {},
		"small-logs": {LogBytes: 4 << 10, LoadMemory: 1 << 16},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && o.LogBytes == 0 {
				t.Skip("its log never becomes a segment")
			}
			dir := t.TempDir()
			indextest.Run(t, indextest.Backend{
				Open: func(t *testing.T, name string) index.Store { return open(t, filepath.Join(dir, name), o) },
			})
		})
	}
}
