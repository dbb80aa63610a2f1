package local

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/alike-go/alike/dedup/clean"
)

// run is what the steps of a run share: what to do and where. The steps stand in
// a row. Each one takes what the step before it returns, and changes neither
// that nor the options:
//
//	read    the sources      → corpus, and the sketches of its texts
//	find    corpus, sketches → candidates
//	decide  candidates       → Decided
//	count   corpus, Decided  → writer, unless too much would be removed
//	assure  writer           → an error, unless the removals are shown to be right
//	write   writer           → the outputs, Report
type run struct {
	o  Options // checked, with its defaults
	in *input  // Against and Sources

	work    *workspace // nil where nothing is written
	resumed bool
	dir     string // of everything that the run writes
	scratch string // in dir, for files that no other run uses
	made    string // in dir, for the outputs
	commits bool   // the outputs are being given their names

	began  time.Time
	timing Timing

	partRows int // see there
	way      way
}

// Run removes duplicates. The folder Out appears when all is done. Until then
// the outputs are in a folder beside it, with ".partial" at the end of its name.
func Run(ctx context.Context, o Options) (*Report, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	return r.run(ctx)
}

// newRun checks the options, and the names and first rows of the sources.
func newRun(o Options) (*run, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &run{o: o, partRows: partRows}
	r.in = newInput(slices.Concat(o.Against, o.Sources), o.Workers, o.Memory/documentShare)
	for i := range r.in.sources {
		r.in.sources[i].MaxDocument = cmp.Or(o.MaxDocument, MaxDocument(o.Memory))
	}
	out := o.Out
	if o.DryRun {
		out = ""
	}
	if err := CheckPlaces(r.in.sources, out); err != nil {
		return nil, err
	}
	if err := r.checkSketches(); err != nil {
		return nil, err
	}
	return r, r.checkOutput()
}

// run does all steps.
func (r *run) run(ctx context.Context) (*Report, error) {
	if r.o.Below != nil {
		return r.within(ctx, func() (*Report, error) { return r.below(ctx) })
	}
	return r.within(ctx, func() (*Report, error) {
		c, sketches, err := r.read(ctx)
		if err != nil {
			return nil, err
		}
		defer sketches.close()
		d, err := c.loadDecision()
		if err != nil {
			return nil, err
		}
		if d == nil {
			found, err := c.find(ctx, sketches)
			if err != nil {
				return nil, err
			}
			defer found.sketches.close()
			if d, err = found.decide(ctx); err != nil {
				return nil, err
			}
			if err := c.saveDecision(d); err != nil {
				return nil, err
			}
		}
		return c.conclude(ctx, d)
	})
}

// within does the steps in the folder of the run, and leaves it or removes it.
func (r *run) within(ctx context.Context, steps func() (*Report, error)) (report *Report, err error) {
	unlock, err := r.o.lockOld()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if report, err = r.open(ctx); err != nil || report != nil {
		return report, err
	}
	defer func() {
		switch {
		case r.work == nil:
			os.RemoveAll(r.dir)
		case err == nil:
		case errors.Is(err, context.Canceled), r.commits, unproved(err):
			r.work.leave()
		default:
			r.work.abandon()
		}
	}()
	r.began = time.Now()
	return steps()
}

func unproved(err error) bool {
	_, ok := errors.AsType[*WarrantyError](err)
	return ok
}

// open makes the folder of the run, or takes over the folder of a run that did
// not end. It returns a report if all was made and only had to get its name.
func (r *run) open(ctx context.Context) (done *Report, err error) {
	if r.o.DryRun {
		r.dir, err = os.MkdirTemp("", "alike-dedup-*")
		r.scratch = r.dir
		return nil, err
	}
	id, err := r.identity()
	if err != nil {
		return nil, err
	}
	if done, err := r.finished(id); err != nil || done != nil {
		return done, err
	}
	w, fresh, err := openWorkspace(r.o.Out)
	if err != nil {
		return nil, err
	}
	r.work, r.dir = w, w.dir
	if !fresh && r.o.Resume {
		if done, err := r.finishOther(ctx, id); err != nil || done != nil {
			if err != nil {
				w.leave()
			}
			return done, err
		}
		was, ok := w.load("identity")
		switch {
		case !ok: // killed before it had begun
		case !bytes.Equal(was, id):
			w.leave()
			return nil, fmt.Errorf("dedup: the run to go on with, in %s, had other inputs or settings, or was one of another version", w.dir)
		default:
			r.resumed = true
		}
	}
	if !r.resumed {
		err := w.checkAdding(r.o.Out)
		if err == nil {
			err = w.clear()
		}
		if err != nil {
			w.leave()
			return nil, err
		}
	}
	return nil, errors.Join(w.save("identity", id), r.clearScratch())
}

// clearScratch removes everything that a killed run has left but its checkpoints:
// runs of records, pages of sketches, incomplete outputs.
func (r *run) clearScratch() error {
	r.scratch = filepath.Join(r.dir, "scratch")
	r.made = filepath.Join(r.dir, "out")
	for _, dir := range []string{r.scratch, r.made} {
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o777)); err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
	}
	return nil
}

// stage ends the current stage and begins another one; an empty name begins
// none.
func (r *run) stage(name string) {
	now := time.Since(r.began).Seconds()
	t := &r.timing
	if n := len(t.Stages); n > 0 {
		t.Stages[n-1].Seconds = now - t.Seconds
	}
	t.Seconds = now
	if name != "" {
		t.Stages = append(t.Stages, Stage{Name: name})
		r.o.Progress(name, 0)
		return
	}
	t.Peak, t.Workers, t.Memory = peakMemory(), r.o.Workers, r.o.Memory
}

// progress returns a function that shows how much of a stage is done.
func (r *run) progress(stage string) func(share float64) {
	return func(share float64) { r.o.Progress(stage, share) }
}

// corpus is what reading the sources has shown.
type corpus struct {
	*run
	in       *input // the sources of the run, behind the documents of the index
	old      int    // sources whose documents are kept in any case: the first ones
	oldRows  int    // rows of these
	cleaner  *clean.Cleaner
	texts    texts
	best     []uint32      // by text, the row that is kept of it
	bad      map[int]error // rows that hold no document
	known    *known        // what the index says, or nil
	pairs    [][2]uint32   // texts that the index has found alike, the old one first
	findings Findings      // Bytes and Missing of them
	unpaired int64         // Report.Unpaired
}

// read reads the sources once, and more often if the cleaner or an index has to
// know them first.
func (r *run) read(ctx context.Context) (*corpus, *store, error) {
	c, err := r.newCorpus(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := c.askIndex(ctx); err != nil {
		return nil, nil, err
	}
	sketches := newStore(r.o.Method, r.scratch, r.o.Memory*2/5)
	r.stage("sketch")
	if err = c.sketch(ctx, sketches); err == nil {
		c.oldRows = c.in.starts[c.old]
		c.chooseBest()
		c.pairs, err = c.knownPairs()
		var judged [][2]uint32
		if err = cmp.Or(err, c.checkFields()); err == nil {
			judged, err = c.judgedPairs()
		}
		c.pairs = append(c.pairs, judged...)
	}
	if err != nil {
		return nil, nil, errors.Join(err, sketches.close())
	}
	return c, sketches, nil
}

// newCorpus returns an empty corpus. It has learned the passages that are not
// compared, if the options ask for that.
func (r *run) newCorpus(ctx context.Context) (*corpus, error) {
	c := &corpus{run: r, in: r.in, old: len(r.o.Against), bad: make(map[int]error)}
	return c, c.learn(ctx)
}
