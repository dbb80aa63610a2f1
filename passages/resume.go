package passages

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/extsort"
)

// workspace is a folder that keeps what a Finder has read. It holds the texts,
// the runs of windows, and parts, which say what was there at each Save. What is
// there beyond the last part, a process has left that was killed.
type workspace struct {
	dir   string
	lock  *os.File
	runs  []string // of all parts
	notes [][]byte
	done  bool
}

// workVersion changes whenever the meaning of the files in a workspace does.
const workVersion = 1

// identity is what the files depend on.
type identity struct {
	Version          int
	Settings, Inputs string
}

// part is what was added since the Save before.
type part struct {
	Original, Folded []int64  // ends
	Cuts             [][4]int // document, and the fields of a cut
	Runs             []string
	Short, Shortened int
	Bytes            int64
	Old              *uint32
	Note             []byte
}

// The files of a workspace besides parts and runs. The lock is made first and
// removed last.
const (
	lockFile     = "lock"
	identityFile = "identity"
	originalFile = "original"
	foldedFile   = "folded"
)

// workName matches the names of the files, also while durable.Replace makes them.
var workName = regexp.MustCompile(`^(lock|identity|original|folded|part-\d{6,}|run-\d+|\.(identity|part-\d{6,})\.new)$`)

// own lists the files of the folder and returns its identity, or nil if the run has
// not written it yet. It returns an error if a file may be of anything else: then the
// folder must stay as it is.
func (w *workspace) own() (names []string, was *identity, err error) {
	entries, err := os.ReadDir(w.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("passages: %w", err)
	}
	if data, ok := durable.Load(filepath.Join(w.dir, identityFile)); ok {
		if json.Unmarshal(data, &was) != nil || was == nil || was.Version == 0 {
			was = nil
		}
	}
	for _, e := range entries {
		name := e.Name()
		ours := workName.MatchString(name) && e.Type().IsRegular()
		if was == nil && name == lockFile { // the first file, which is empty
			info, err := e.Info()
			ours = ours && err == nil && info.Size() == 0
		} else if was == nil {
			ours = ours && name == ".identity.new" && entries[len(entries)-1].Name() == lockFile
		}
		if !ours {
			return nil, nil, fmt.Errorf("passages: %s holds something else than a run to go on with (%s): want an empty folder, or none", w.dir, name)
		}
		names = append(names, name)
	}
	return names, was, nil
}

// openWorkspace makes a workspace, or takes over that of a run that was killed.
func openWorkspace(dir string, id identity) (w *workspace, parts []part, err error) {
	w = &workspace{dir: filepath.Clean(dir)}
	if _, _, err := w.own(); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return nil, nil, fmt.Errorf("passages: %w", err)
	}
	if w.lock, err = durable.Lock(filepath.Join(w.dir, lockFile)); err != nil {
		return nil, nil, fmt.Errorf("passages: %s: %w", w.dir, err)
	}
	defer func(lock *os.File) {
		if err != nil {
			lock.Close()
		}
	}(w.lock)
	_, was, err := w.own()
	if err != nil {
		return nil, nil, err
	}
	if was == nil { // killed before it had begun, or as it ended
		data, err := json.Marshal(id)
		if err != nil {
			return nil, nil, fmt.Errorf("passages: %w", err)
		}
		return w, nil, w.save(identityFile, data)
	}
	for _, c := range []struct {
		other bool
		what  string
	}{{was.Version != id.Version, "is of another version"}, {was.Settings != id.Settings, "has other settings (" + was.Settings + ")"}, {was.Inputs != id.Inputs, "has other inputs, or they have changed or are read otherwise"}} {
		if c.other {
			return nil, nil, fmt.Errorf("passages: the run to go on with, in %s, %s: repeat that run, or remove the folder", w.dir, c.what)
		}
	}
	for {
		var p part
		data, ok := durable.Load(filepath.Join(w.dir, partName(len(parts))))
		if !ok {
			break
		}
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&p); err != nil {
			return nil, nil, fmt.Errorf("passages: %s: %w", w.dir, err)
		}
		parts = append(parts, p)
		w.runs = append(w.runs, p.Runs...)
		w.notes = append(w.notes, p.Note)
	}
	return w, parts, w.removeRest()
}

func partName(i int) string { return fmt.Sprintf("part-%06d", i) }

// removeRest removes runs that no part has.
func (w *workspace) removeRest() error {
	names, _, err := w.own()
	for _, name := range names {
		if strings.HasPrefix(name, "run-") && !slices.Contains(w.runs, name) {
			err = errors.Join(err, os.Remove(filepath.Join(w.dir, name)))
		}
	}
	return err
}

func (w *workspace) save(name string, data []byte) error {
	if err := durable.Save(filepath.Join(w.dir, name), data); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return nil
}

// clear removes all files but the lock. A kill in between leaves a run to go on with:
// the last part goes first, and the identity last.
func (w *workspace) clear() error {
	names, _, err := w.own()
	if err != nil {
		return err
	}
	rank := func(name string) int {
		switch {
		case strings.HasPrefix(name, "part-"):
			return 0
		case name != identityFile:
			return 1
		}
		return 2
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(rank(a)-rank(b), len(b)-len(a), strings.Compare(b, a))
	})
	for _, name := range names {
		if name != lockFile {
			if err := os.Remove(filepath.Join(w.dir, name)); err != nil {
				return fmt.Errorf("passages: %w", err)
			}
		}
	}
	return nil
}

// close ends the use of the folder, and removes it if that is done.
func (w *workspace) close() error {
	if !w.done {
		return w.lock.Close()
	}
	return errors.Join(w.clear(), durable.RemoveLock(w.lock))
}

// resume opens the files of a finder, with what an earlier one has saved.
func (f *Finder) resume() error {
	id := identity{workVersion, fmt.Sprintf("min-length=%d words=%d fuzzy=%v %s", f.least-f.o.MinWords, f.o.MinWords, f.o.Fuzzy, f.o.Fold.Settings()), f.o.Inputs}
	w, parts, err := openWorkspace(f.o.Work, id)
	if err != nil {
		return err
	}
	f.work = w
	original, folded := []int64{0}, []int64{0}
	for _, p := range parts {
		original, folded = append(original, p.Original...), append(folded, p.Folded...)
		for _, c := range p.Cuts {
			doc := uint32(c[0])
			f.cuts[doc] = append(f.cuts[doc], cut{c[1], c[2], c[3]})
		}
		f.stats.Docs += len(p.Folded)
		f.stats.Short += p.Short
		f.stats.Bytes += p.Bytes
		f.stats.Runs += p.Shortened
		if p.Old != nil {
			f.old = p.Old
		}
	}
	f.saved = f.stats
	if f.original, err = openSpool(filepath.Join(w.dir, originalFile), original); err != nil {
		return err
	}
	if f.folded, err = openSpool(filepath.Join(w.dir, foldedFile), folded); err != nil {
		return err
	}
	f.windows, err = extsort.Kept(w.dir, f.o.Memory/4, w.runs)
	return err
}

// Saved returns the notes of all calls of Save in their order, also those of
// earlier finders.
func (f *Finder) Saved() [][]byte {
	if f.work == nil {
		return nil
	}
	return f.work.notes
}

// Save keeps what was added so far in Options.Work, with a note of the caller.
// Another Finder with the same folder and settings then begins with it.
func (f *Finder) Save(note []byte) error {
	if f.work == nil {
		return errors.New("passages: Save wants Options.Work")
	}
	runs, err := f.windows.Keep()
	if err = errors.Join(err, f.original.sync(), f.folded.sync()); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	from := f.saved.Docs
	p := part{
		Original: f.original.ends[from+1:], Folded: f.folded.ends[from+1:], Runs: runs[len(f.work.runs):],
		Short: f.stats.Short - f.saved.Short, Shortened: f.stats.Runs - f.saved.Runs, Bytes: f.stats.Bytes - f.saved.Bytes,
		Old: f.old, Note: note,
	}
	for doc := from; doc < f.stats.Docs; doc++ {
		for _, c := range f.cuts[uint32(doc)] {
			p.Cuts = append(p.Cuts, [4]int{doc, c.at, c.n, c.reach})
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(&p); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	if err := f.work.save(partName(len(f.work.notes)), b.Bytes()); err != nil {
		return err
	}
	f.work.runs, f.work.notes, f.saved = runs, append(f.work.notes, note), f.stats
	return nil
}

// Forget says that Close removes Options.Work.
func (f *Finder) Forget() {
	if f.work != nil {
		f.work.done = true
	}
}
