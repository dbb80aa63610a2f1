package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/internal/filelock"
)

// commit is the checkpoint of a run that only has to give its outputs their names.
type commit struct {
	Made, Out string

	Updated, Old string // Updated replaces Old, unless it is empty
	Adding       string // file of the documents that go into the index, or empty
	Outputs      string // see Options.outputs
}

// outputs names the options that the outputs depend on besides the identity.
func (o *Options) outputs() string {
	return fmt.Sprint(o.Format, o.Annotate, o.DropText, o.Explain, o.Sketches, o.Update, o.Counts)
}

// commit gives the names. Some may have been given already.
func (r *run) commit(ctx context.Context, c *commit) error {
	if c.Adding != "" {
		if err := r.add(ctx, c.Adding); err != nil {
			return err
		}
	}
	if c.Updated != "" {
		err := os.Rename(c.Updated, c.Old)
		if errors.Is(err, os.ErrNotExist) {
			err = nil // it has its name already
		}
		if err = errors.Join(err, durable.SyncDir(filepath.Dir(c.Old))); err != nil {
			return fmt.Errorf("dedup: update: %w", err)
		}
	}
	return prefixed(durable.Rename(c.Made, c.Out))
}

// finish gives the outputs their names. If it is killed, a run that goes on does
// the rest.
func (w *writer) finish(ctx context.Context) error {
	c := commit{Made: w.made, Out: w.o.Out, Outputs: w.o.outputs()}
	switch {
	case w.o.Update && w.o.Index != nil:
		c.Adding = filepath.Join(w.dir, addingFile)
	case w.o.Update:
		info, err := os.Stat(w.o.Against[0].Path)
		if err != nil {
			return fmt.Errorf("dedup: update: %w", err)
		}
		c.Old = place(w.o.Against[0].Path) // what a link leads to, and not the link
		c.Updated = filepath.Join(filepath.Dir(c.Old), "."+filepath.Base(c.Old)+".update")
		if err := w.writeUpdate(ctx, c.Updated); err != nil {
			os.Remove(c.Updated)
			return err
		}
		if err := os.Chmod(c.Updated, info.Mode().Perm()); err != nil {
			os.Remove(c.Updated)
			return fmt.Errorf("dedup: update: %w", err)
		}
	}
	if err := durable.SyncTree(w.made); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if err := w.saveGob("commit", &c); err != nil {
		return err
	}
	w.commits = true
	if err := w.commit(ctx, &c); err != nil {
		return err
	}
	w.work.abandon()
	return nil
}

// checkAdding refuses to clear the folder of a run that was killed while it added
// documents to an index. A new run would find these documents in the index and
// remove them from its output.
func (w *workspace) checkAdding(out string) error {
	var c commit
	if ok, err := w.loadGob("commit", &c); !ok || err != nil {
		return err
	}
	if _, err := os.Stat(c.Made); c.Adding != "" && err == nil {
		return fmt.Errorf("dedup: a run to %s ended while it added documents to the index: go on with it (--resume)", out)
	}
	return nil
}

// finishOther does the last step of a run of the same identity that was killed
// within it, and returns its report. It returns nil if there is nothing to do.
func (r *run) finishOther(ctx context.Context, id []byte) (*Report, error) {
	c, err := r.work.finishing(id, &r.o)
	if c == nil || err != nil {
		return nil, err
	}
	rep, err := readReport(c.Made)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil // it was done, and its output has been moved since
	}
	if err == nil {
		err = r.commit(ctx, c)
	}
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	r.work.abandon()
	return rep, nil
}

// finished removes the folder of a run of the same identity that was killed after
// it had given all names, and returns its report. It returns nil if there is no
// such run.
func (r *run) finished(id []byte) (*Report, error) {
	if _, err := os.Lstat(r.o.Out); err != nil || !r.o.Resume {
		return nil, nil
	}
	w, err := lockWorkspace(r.o.Out)
	if w == nil || err != nil {
		return nil, err
	}
	c, err := w.finishing(id, &r.o)
	if c != nil {
		if _, notMade := os.Lstat(c.Made); !errors.Is(notMade, os.ErrNotExist) {
			c = nil
		}
	}
	if c == nil || err != nil {
		w.leave()
		return nil, err
	}
	rep, err := readReport(r.o.Out)
	if err != nil {
		w.leave()
		return nil, fmt.Errorf("dedup: %w", err)
	}
	w.abandon()
	return rep, nil
}

// finishing returns the checkpoint of a run that only had to give names, if it
// had the same identity and outputs, or nil.
func (w *workspace) finishing(id []byte, o *Options) (*commit, error) {
	var c commit
	ok, err := w.loadGob("commit", &c)
	was, _ := w.load("identity")
	if !ok || err != nil || c.Outputs != o.outputs() || !sameRun(was, id, c.Updated != "") {
		return nil, err
	}
	return &c, nil
}

// writeUpdate writes the old documents and behind them the new ones that are kept.
func (w *writer) writeUpdate(ctx context.Context, path string) error {
	if w.in.sketched[0] {
		return w.writeSketches(ctx, path, true)
	}
	out, err := newCopied(path, w.o.Against[0])
	if err != nil {
		return err
	}
	err = eachChunk(ctx, w.in, func(row int) bool { return w.stays(row, true) }, func(float64) {}, asRead, func(ch *chunk, _ struct{}) error {
		for _, raw := range ch.rows {
			if err := out.Write(raw); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, out.close())
}

// lockOld keeps other runs from updating the same file. The lock ends with
// unlock, or with the process.
func (o *Options) lockOld() (unlock func(), err error) {
	if !o.Update || o.Index != nil {
		return func() {}, nil
	}
	f, err := os.Open(o.Against[0].Path)
	if err != nil {
		return nil, fmt.Errorf("dedup: update: %w", err)
	}
	locked, err := filelock.Try(f)
	if err == nil && locked {
		// While it was opened another run may have put another file in its place.
		var was, is os.FileInfo
		if was, err = f.Stat(); err == nil {
			is, err = os.Stat(o.Against[0].Path)
		}
		locked = err == nil && os.SameFile(was, is)
	}
	if err != nil || !locked {
		f.Close()
		if err == nil {
			err = errUpdating
		}
		return nil, fmt.Errorf("dedup: %s: %w", o.Against[0].Path, err)
	}
	return func() { f.Close() }, nil
}

// errUpdating is wrapped by the error for a file that another run updates.
var errUpdating = errors.New("another run is updating it")

// checkUpdate refuses what cannot be updated, before any work.
func (o *Options) checkUpdate() error {
	if !o.Update {
		return nil
	}
	if o.Index != nil {
		if o.DryRun || o.Annotate {
			return errors.New("dedup: Update goes without DryRun and Annotate")
		}
		return nil
	}
	if len(o.Against) != 1 || o.DryRun || o.Annotate {
		return errors.New("dedup: Update wants one source in Against, and neither DryRun nor Annotate")
	}
	info, err := os.Stat(o.Against[0].Path)
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("dedup: %s is no file, which an update could be added to", o.Against[0].Path)
	}
	return nil
}
