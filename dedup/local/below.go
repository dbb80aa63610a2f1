package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/extsort"
	"github.com/alike-go/alike/passages"
)

// Below says what Run removes below the document. Documents are then not compared
// as a whole: Method, Threshold and all that belongs to them must be unset.
type Below struct {
	// Unit, Fold and MinLength say what repeats: see passages.Options.
	Unit      passages.Unit
	Fold      feature.Fold
	MinLength int

	// MinCount is the minimum number of documents that text stands in to be removed.
	// Zero means 2. With 1, text also goes that repeats within one document only.
	MinCount int

	// MinLeft and MaxShare are those of repeats.Options. Zero means 1 in both.
	MinLeft  int
	MaxShare float64
}

// String returns the settings.
func (b *Below) String() string {
	s := fmt.Sprintf("%vs of %d characters or more in %d documents or more", b.Unit, b.MinLength, b.MinCount)
	if b.MinCount == 1 {
		s = fmt.Sprintf("%vs of %d characters or more, also within one document", b.Unit, b.MinLength)
	}
	if fold := b.Fold.String(); fold != "" {
		s += ", folded by " + fold
	}
	if b.MinLeft > 1 {
		s += fmt.Sprintf(", at least %d characters left", b.MinLeft)
	}
	if b.MaxShare < 1 {
		s += fmt.Sprintf(", at most %.4g%% of a document", 100*b.MaxShare)
	}
	return s
}

// checkBelow fills in the defaults of Below, and refuses what does not go with it.
func (o *Options) checkBelow() error {
	b := *o.Below
	o.Below = &b
	if b.MinLength == 0 {
		b.MinLength = b.Unit.DefaultLength()
	}
	if b.MinCount == 0 {
		b.MinCount = 2
	}
	if b.MinLeft == 0 {
		b.MinLeft = 1
	}
	if b.MaxShare == 0 {
		b.MaxShare = 1
	}
	switch {
	case b.MinCount < 1:
		return fmt.Errorf("dedup: MinCount is %d, want 1 or more documents", b.MinCount)
	case b.MinLeft < 1:
		return fmt.Errorf("dedup: MinLeft is %d, want 1 or more characters", b.MinLeft)
	case !(b.MaxShare > 0 && b.MaxShare <= 1):
		return fmt.Errorf("dedup: MaxShare is %v, want more than 0 and at most 1", b.MaxShare)
	case o.Method != nil || o.Verify != nil || o.Unverified || o.Threshold != 0 || o.Candidates != 0 || o.Recall != 0 || o.Cohesion != 0 || o.Lower != 0 || o.MaxPairs != 0:
		return errors.New("dedup: Below compares no whole documents, so it goes without Method, Threshold and what belongs to them")
	case len(o.Against) > 0 || o.Index != nil || o.Update || o.Limits.Any() || o.Judged != nil || o.Warranty != nil || o.Sketches || o.Explain || o.Annotate || o.Counts || o.Clean.Boilerplate > 0 || o.Clean.Mask != 0:
		return errors.New("dedup: Below goes without Against, Index, Update, Limits, Judged, Warranty, Clean, Sketches, Explain, Annotate and Counts")
	}
	for i := range o.Sources {
		if err := o.Sources[i].CanSetText(); err != nil {
			return prefixed(err)
		}
	}
	return nil
}

// below removes what repeats below the document: read → find → decide → write.
func (r *run) below(ctx context.Context) (*Report, error) {
	c, err := r.newCorpus(ctx)
	if err != nil {
		return nil, err
	}
	d, err := c.loadCuts()
	if d == nil && err == nil {
		d, err = c.cutUp(ctx)
	}
	if err != nil {
		return nil, err
	}
	w := &belowWriter{writer: &writer{corpus: c, Decided: &Decided{Findings: d.Findings}}, d: d}
	return w.conclude(ctx)
}

// cutting is what was decided. The cuts themselves are in two files. It is a
// checkpoint.
type cutting struct {
	Seen seen
	Bad  map[int]string
	Findings

	Cut, Dropped, Named bitmap // rows; Named are those that a cut names
	Rows                int
	Alone               int
	Parts, Cuts         int64
	Gone                int64 // bytes of text
	Sums                [2][]byte
}

// The files of the cuts, in the folder of a run. A cut is the row, the first byte,
// the one behind the last, and the number of the text that is kept for it, or none.
// In the other file stand the row and the span of these texts.
var cutFiles = [2]string{"cuts", "cuts-kept"}

const (
	cutBytes  = 4 + 8 + 8 + 8
	keptBytes = 4 + 8 + 8
	noText    = math.MaxUint64
)

// cutUp reads the sources and decides what to cut.
func (c *corpus) cutUp(ctx context.Context) (_ *cutting, err error) {
	b := c.o.Below
	f, err := passages.New(passages.Options{
		Unit: b.Unit, Fold: b.Fold, MinLength: b.MinLength, Docs: b.MinCount, MaxRows: math.MaxUint32,
		Memory: max(c.o.Memory/2, leastMemory), Dir: c.scratch, Workers: c.o.Workers, Progress: c.o.Progress,
	})
	if err != nil {
		return nil, prefixed(err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	d := &cutting{Bad: map[int]string{}}
	if err := c.readParts(ctx, f, d); err != nil {
		return nil, err
	}
	cuts := extsort.NewBytes(c.scratch, c.o.Memory/8)
	defer func() { err = errors.Join(err, cuts.Close()) }()
	if err := c.chooseCuts(ctx, f, d, cuts); err != nil {
		return nil, err
	}
	c.stage("locate")
	m := &cutMapper{corpus: c, f: f, d: d, own: extsort.NewBytes(c.scratch, c.o.Memory/8)}
	defer func() { err = errors.Join(err, m.own.Close()) }()
	if err := m.locate(ctx, cuts); err != nil {
		return nil, err
	}
	return d, c.saveGob("decision", d)
}

// loadCuts returns what an earlier run has decided, or nil.
func (c *corpus) loadCuts() (*cutting, error) {
	d := &cutting{}
	ok, err := c.loadGob("decision", d)
	if !ok || err != nil {
		return nil, err
	}
	for i, name := range cutFiles {
		sum := xxh3.New()
		f, err := os.Open(filepath.Join(c.dir, name))
		if err == nil {
			_, err = io.Copy(sum, f)
			f.Close()
		}
		if err != nil || string(sum.Sum(nil)) != string(d.Sums[i]) {
			return nil, nil // it is decided again
		}
	}
	c.in.files, c.in.starts, c.in.sums = d.Seen.Files, d.Seen.Starts, d.Seen.Sums
	for _, row := range slices.Sorted(maps.Keys(d.Bad)) {
		c.bad[row] = errors.New(d.Bad[row])
		if c.o.OnBad != nil {
			c.o.OnBad(c.bad[row])
		}
	}
	return d, nil
}
