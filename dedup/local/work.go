package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/filelock"
)

// workspace is the folder in which a run makes its outputs. It holds checkpoints
// from which another process can go on.
type workspace struct {
	dir  string
	lock *os.File
}

// partialOf returns the path of the workspace of out.
func partialOf(out string) string { return filepath.Clean(out) + ".partial" }

// lockName is the first file of a workspace, and is removed last.
const lockName = "lock"

// checkOwn returns an error if a folder holds anything that no run has put there.
func checkOwn(dir string) error {
	names, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	locked := false
	for _, n := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(n.Name(), "."), ".new") // see durable.Replace
		locked = locked || name == lockName
		if part, ok := strings.CutPrefix(name, "part-"); ok && part != "" {
			continue
		}
		if !slices.Contains([]string{lockName, "identity", "seen", "decision", "commit", "scratch", "out", knownFile, knownFile + "-rows", addingFile, cutFiles[0], cutFiles[1]}, name) {
			return fmt.Errorf("dedup: %s is needed for what is made, and holds %s, which is not of a run: move it away, or write to another folder", dir, n.Name())
		}
	}
	if len(names) > 0 && !locked {
		return fmt.Errorf("dedup: %s is needed for what is made, and is not of a run: move it away, or write to another folder", dir)
	}
	return nil
}

// openWorkspace makes the workspace of out, or takes over that of a run that was
// killed. fresh reports whether it is empty.
func openWorkspace(out string) (w *workspace, fresh bool, err error) {
	if _, err := os.Lstat(out); err == nil {
		return nil, false, fmt.Errorf("dedup: %s exists already", out)
	}
	w = &workspace{dir: partialOf(out)}
	for {
		if err := checkOwn(w.dir); err != nil {
			return nil, false, err
		}
		err := os.Mkdir(w.dir, 0o777)
		if fresh = err == nil; err != nil && !errors.Is(err, os.ErrExist) {
			return nil, false, fmt.Errorf("dedup: %w", err)
		}
		w.lock, err = durable.Lock(filepath.Join(w.dir, lockName))
		if errors.Is(err, os.ErrNotExist) {
			continue // the other run has just come to its end
		}
		if err != nil {
			return nil, false, fmt.Errorf("dedup: %s: %w", out, err)
		}
		if _, err := os.Lstat(out); err == nil {
			w.lock.Close()
			return nil, false, fmt.Errorf("dedup: %s exists already", out)
		}
		return w, fresh, nil
	}
}

// lockWorkspace takes over the workspace of out. It returns nil if there is none,
// or if another run uses it.
func lockWorkspace(out string) (*workspace, error) {
	w := &workspace{dir: partialOf(out)}
	if err := checkOwn(w.dir); err != nil {
		return nil, nil
	}
	var err error
	if w.lock, err = os.OpenFile(filepath.Join(w.dir, lockName), os.O_RDWR, 0o666); err != nil {
		return nil, nil
	}
	if ok, err := filelock.Try(w.lock); err != nil || !ok {
		w.lock.Close()
		return nil, err
	}
	return w, nil
}

// clear removes what another run has left. The checkpoints by which a run knows
// that it is done come last, so that one that is killed here is known to be
// done.
func (w *workspace) clear() error {
	names, err := os.ReadDir(w.dir)
	last := []string{"identity", "commit"}
	for _, n := range names {
		if n.Name() != lockName && !slices.Contains(last, n.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(w.dir, n.Name())))
		}
	}
	for _, name := range last {
		err = errors.Join(err, os.RemoveAll(filepath.Join(w.dir, name)))
	}
	return prefixed(err)
}

// abandon removes the folder. The lock is removed last, so that no other run takes
// over a folder that is being removed. If this process is killed here, checkOwn
// still accepts the rest.
func (w *workspace) abandon() {
	w.clear()
	durable.RemoveLock(w.lock)
}

// leave keeps the folder for a run that goes on.
func (w *workspace) leave() { w.lock.Close() }

// identity is what checkpoints depend on. A run of another identity cannot use
// them.
type identity struct {
	Version  int          `json:"version"`
	Program  string       `json:"program"`
	Settings any          `json:"settings"`
	Sources  []sourceFile `json:"sources"`
}

// sourceFile is a source as it was when the run began. A change of files in a
// folder is noticed only when they are read again.
type sourceFile struct {
	Source string    `json:"source"`
	Size   int64     `json:"size"`
	Time   time.Time `json:"time"`
}

// checkpointVersion changes whenever the meaning of checkpoints does.
const checkpointVersion = 4

func (r *run) identity() ([]byte, error) {
	settings := []any{r.o.Settings()}
	if r.o.Below != nil {
		settings = append(settings, r.o.Below)
	} else {
		settings = append(settings, r.o.Method.Settings())
	}
	settings = append(settings, r.o.SkipBad, len(r.o.Against))
	if r.o.Verify != nil {
		settings = append(settings, r.o.Verify.Settings())
	}
	if r.o.MaxDocument != 0 {
		settings = append(settings, "max document", r.o.MaxDocument)
	}
	if r.o.Lower != 0 {
		settings = append(settings, "lower", r.o.Lower)
	}
	if r.o.Index != nil {
		settings = append(settings, r.o.IndexName, r.o.Index.Header())
	}
	if w := r.o.Warranty; w != nil {
		settings = append(settings, "warranty", w.AtMost, w.Confidence, w.Seed)
	}
	id := identity{Version: checkpointVersion, Settings: settings}
	if info, ok := debug.ReadBuildInfo(); ok {
		id.Program = info.Main.Version
	}
	for _, s := range r.in.sources {
		info, err := os.Stat(s.Path)
		if err != nil {
			return nil, fmt.Errorf("dedup: %w", err)
		}
		s.Input, s.OnBad, s.OnFormat, s.Context = nil, nil, nil, nil
		s.MaxDocument = 0 // it follows from the settings, or from the memory, which may change
		id.Sources = append(id.Sources, sourceFile{fmt.Sprintf("%+v", s), info.Size(), info.ModTime().UTC()})
	}
	return json.Marshal(id)
}

// sameRun reports whether two identities are equal. With updated, the first
// source may have grown since.
func sameRun(a, b []byte, updated bool) bool {
	if !updated || bytes.Equal(a, b) {
		return bytes.Equal(a, b)
	}
	var ids [2]identity
	for i, data := range [][]byte{a, b} {
		if json.Unmarshal(data, &ids[i]) != nil || len(ids[i].Sources) == 0 {
			return false
		}
		ids[i].Sources[0] = sourceFile{Source: ids[i].Sources[0].Source}
	}
	return reflect.DeepEqual(ids[0], ids[1])
}

// save writes a checkpoint.
func (w *workspace) save(name string, data []byte) error {
	if err := durable.Save(filepath.Join(w.dir, name), data); err != nil {
		return fmt.Errorf("dedup: checkpoint: %w", err)
	}
	return nil
}

// load reads a checkpoint; ok is false if there is none, or if it is damaged.
func (w *workspace) load(name string) (data []byte, ok bool) {
	return durable.Load(filepath.Join(w.dir, name))
}
