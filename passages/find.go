package passages

import (
	"context"
	"errors"
	"fmt"
	"math"

	"golang.org/x/sync/semaphore"

	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/internal/parallel"
	"github.com/alike-go/alike/rabinkarp"
)

// Finder finds passages. Prepare may be called from many goroutines, everything
// else from one: Add for each document, then Each once, then perhaps EachPair, then
// Close. With old documents, Gather may take the place of Each.
type Finder struct {
	o      Options
	k, w   int // of winnowing
	winnow *rabinkarp.Winnow

	original, folded *spool
	cuts             map[uint32][]cut // by document, few have any
	windows          *extsort.Sorter  // by hash
	old              *uint32          // the first old document
	found            *candidates      // once Each has found them
	least            int              // length of a match; passages are as long unless they are seeds
	seeded           int64            // rows of seeds
	stats            Stats

	work  *workspace // if Options.Work is set
	saved Stats      // at the last Save
}

// New returns a finder, or an error that names the option out of range.
func New(o Options) (*Finder, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	f := &Finder{o: o, cuts: map[uint32][]cut{}, least: o.least()}
	if o.Unit != Any {
		return f, f.open()
	}
	if o.Fuzzy > 0 {
		f.o.seed()
	}
	// A string of k+w-1 bytes has w windows of k bytes, so that one of them is
	// chosen. A large k gives few windows that occur twice without being in a
	// passage, a large w gives few windows.
	f.k = max(4, f.o.leastBytes()*2/5)
	f.w = f.o.leastBytes() - f.k + 1
	var err error
	if f.winnow, err = rabinkarp.NewWinnow(rabinkarp.WinnowOptions{K: f.k, Window: f.w}); err != nil {
		return nil, fmt.Errorf("passages: %w", err)
	}
	return f, f.open()
}

// open makes the temporary files.
func (f *Finder) open() (err error) {
	if f.o.Work != "" {
		err = f.resume()
	} else if f.original, err = newSpool(f.o.Dir); err == nil {
		f.windows = extsort.New(f.o.Dir, f.o.Memory/4)
		f.folded, err = newSpool(f.o.Dir)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// Workers returns the number of goroutines that Options say, or fewer if the
// budget is small.
func (f *Finder) Workers() int {
	const each = 32 << 20
	return min(parallel.Workers(f.o.Workers), max(int(f.o.Memory/each), 1))
}

// Close removes the temporary files. It keeps Options.Work, unless Forget was
// called.
func (f *Finder) Close() error {
	err := errors.Join(f.original.close(), f.folded.close())
	if f.windows != nil {
		err = errors.Join(err, f.windows.Close())
	}
	if f.work != nil {
		err = errors.Join(err, f.work.close())
	}
	if f.found != nil {
		err = errors.Join(err, f.found.close())
	}
	return err
}

// Prepared is a document ready to be added.
type Prepared struct {
	text    string
	folded  []byte
	cuts    []cut
	windows []rabinkarp.Window
}

// Prepare folds a text and chooses its windows.
func (f *Finder) Prepare(text string) (*Prepared, error) {
	if f.o.Unit != Any {
		return f.prepareUnits(text)
	}
	p := &Prepared{text: text}
	p.folded = f.o.Fold.Normalize(make([]byte, 0, len(text)), text)
	switch {
	case len(p.folded) < f.o.leastBytes():
		return p, nil
	case len(p.folded) > math.MaxUint32:
		return nil, fmt.Errorf("passages: a text of %d bytes when folded, want less than 4 GiB", len(p.folded))
	}
	// Of random text, winnowing chooses two windows of w+1.
	p.windows = f.winnow.Windows(make([]rabinkarp.Window, 0, 5*len(p.folded)/(2*f.w+2)+4), p.folded)
	if p.folded, p.cuts = f.o.collapse(p.folded, p.windows); p.cuts != nil {
		p.windows = p.windows[:0]
		if len(p.folded) >= f.o.leastBytes() { // a ruler has no words
			p.windows = f.winnow.Windows(p.windows, p.folded)
		}
	}
	return p, nil
}

// Add adds a document. Documents have numbers from 0 on.
func (f *Finder) Add(p *Prepared) error {
	if f.stats.Docs == math.MaxUint32 {
		return fmt.Errorf("passages: more than %d documents", f.stats.Docs)
	}
	doc := uint32(f.stats.Docs)
	f.stats.Docs++
	f.stats.Bytes += int64(len(p.text))
	f.stats.Runs += len(p.cuts)
	if len(p.windows) == 0 {
		f.stats.Short++
	}
	if p.cuts != nil {
		f.cuts[doc] = p.cuts
	}
	if f.o.Unit == Any { // units are folded again where they are compared
		if err := f.original.addString(p.text); err != nil {
			return err
		}
	}
	if err := f.folded.add(p.folded); err != nil {
		return err
	}
	var records [256]extsort.Record
	n := 0
	for i, w := range p.windows {
		records[n] = extsort.Record{w.Hash, placed(doc, w.At)}
		if n++; n == len(records) || i == len(p.windows)-1 {
			if err := f.windows.Add(records[:n]...); err != nil {
				return fmt.Errorf("passages: %w", err)
			}
			n = 0
		}
	}
	return nil
}

// BeginOld says that the documents added from now on are old: passages must
// stand in an old document and in one that is not.
func (f *Finder) BeginOld() {
	n := uint32(f.stats.Docs)
	f.old = &n
}

// Each calls emit with each passage, in the order of their first occurrences, a
// longer one first. With Top those in more documents come first. The passage is
// emit's to keep.
func (f *Finder) Each(ctx context.Context, emit func(Passage) error) (Stats, error) {
	if err := f.find(ctx); err != nil {
		return f.stats, err
	}
	if err := f.found.locate(ctx); err != nil {
		return f.stats, err
	}
	return f.stats, f.found.each(ctx, emit)
}

// find finds the passages that are reported.
func (f *Finder) find(ctx context.Context) error {
	if err := errors.Join(f.original.flush(), f.folded.open()); err != nil {
		return err
	}
	c := newCandidates(f)
	f.found = c
	if err := f.grow(ctx, c); err != nil {
		return err
	}
	if err := f.windows.Close(); err != nil {
		return fmt.Errorf("passages: %w", err)
	}
	return c.nest(ctx)
}

// work is some groups of windows of equal hash.
type work struct {
	places []uint64
	ends   []int // of the groups
	share  float64
	again  bool // its passages are more than a worker may hold
	found  []found
}

func (w *work) bytes() int64 { return int64(len(w.places)) * memberBytes }

// memberBytes is what an occurrence of a window takes while passages grow, with
// an occurrence of a passage for each.
const memberBytes = 160

// placesAhead is how many places are prefetched, since they are all over memory.
const placesAhead = 32

// grow collects the candidates.
//
// The work under way takes a quarter of the budget at most. Of what a worker may
// not hold, the collector looks for the passages once more, and holds one at a
// time.
func (f *Finder) grow(ctx context.Context, c *candidates) error {
	workers := f.Workers()
	room := f.o.Memory / 4
	held := semaphore.NewWeighted(room)
	most := int(room / memberBytes)              // places of a group
	least := min(max(most/64/workers, 64), 4096) // places of work, unless it is the last
	newGrower := func() *grower {
		return &grower{o: &f.o, winnow: f.winnow, reach: f.w, span: f.k + f.w - 1, old: f.old}
	}
	growers := make([]*grower, workers)
	for i := range growers {
		growers[i] = newGrower()
	}
	return parallel.OrderedWith(ctx, growers, func(ctx context.Context, emit func(*work) error) error {
		w := &work{}
		var hash uint64
		var n int64
		start := 0 // of the group in w
		finish := func(least int) error {
			if len(w.places)-start < max(2, f.o.Docs) {
				w.places = w.places[:start]
			} else {
				w.ends = append(w.ends, len(w.places))
			}
			start = len(w.places)
			if len(w.ends) == 0 || start < least {
				return nil
			}
			w.share = float64(n) / float64(f.windows.Len())
			// A group begins in work that is not full: both together may be
			// more than fits.
			err := held.Acquire(ctx, min(w.bytes(), room))
			if err == nil {
				err = emit(w)
			}
			w, start = &work{}, 0
			return err
		}
		err := f.windows.Each(func(r extsort.Record) error {
			if n++; n%(1<<16) == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if r[0] != hash {
				if err := finish(least); err != nil {
					return err
				}
				hash = r[0]
			}
			if len(w.places)-start == most {
				return beyond("the same %d bytes stand in more than %d places, which do not fit in %d bytes of memory: raise Memory, MinLength or MinWords", f.k, most, f.o.Memory)
			}
			w.places = append(w.places, r[1])
			return nil
		})
		if err != nil {
			return err
		}
		return finish(0)
	}, func(g *grower, w *work) (*work, error) {
		left := len(w.places)
		g.emit = func(p found) error {
			if left -= len(p.places); left < 0 {
				w.again, w.found = true, nil
				return errAgain
			}
			w.found = append(w.found, p)
			return nil
		}
		err := f.growFrom(ctx, g, w)
		if err == errAgain {
			err = nil
		}
		return w, err
	}, func(w *work) error {
		if w.again {
			g := newGrower()
			g.emit = func(p found) error { return errors.Join(ctx.Err(), c.add(&p)) }
			if err := f.growFrom(ctx, g, w); err != nil {
				return err
			}
		}
		for i := range w.found {
			if err := c.add(&w.found[i]); err != nil {
				return err
			}
		}
		held.Release(min(w.bytes(), room))
		f.o.Progress("grow", w.share)
		return nil
	})
}

// errAgain ends the growing of work that a worker may not hold.
var errAgain = errors.New("passages: more than a worker may hold")

// growFrom has a grower report the passages of work.
func (f *Finder) growFrom(ctx context.Context, g *grower, w *work) error {
	grow := f.members
	if f.o.Unit != Any {
		grow = f.units
	}
	from, ready := 0, 0
	for _, end := range w.ends {
		if err := ctx.Err(); err != nil {
			return err
		}
		for ; ready < min(end+placesAhead, len(w.places)); ready++ {
			f.folded.prefetch(uint32(w.places[ready]>>32), int(uint32(w.places[ready])))
		}
		if err := grow(g, w.places[from:end]); err != nil {
			return err
		}
		from = end
	}
	if len(w.ends) == 1 { // which may be large
		g.members, g.lefts, g.docs = nil, nil, nil
	}
	return nil
}

// members has a grower report the passages of a window at some places.
func (f *Finder) members(g *grower, places []uint64) error {
	g.members = g.members[:0]
	for _, p := range places {
		doc := uint32(p >> 32)
		text, err := f.folded.at(doc)
		if err != nil {
			return err
		}
		g.members = append(g.members, member{text: text, doc: doc, at: uint32(p)})
	}
	return g.group(g.members)
}
