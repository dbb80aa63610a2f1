// Package local removes duplicates from a corpus on one machine, from files to
// files, in bounded memory.
//
// It reads the sources three times: to find equal texts and sketch the others,
// to read candidates again, and to write. Rows are copied byte for byte. Memory
// holds the sketches, some twenty bytes per row, the data that verifies
// candidates, and a few chunks for each worker. Beyond the budget, sketches and
// that data move to files; sorting always uses files. The outputs do not depend
// on the workers, the budget, or how the input is split into files, except for
// the names of the files.
//
// With Options.Below it removes what repeats below the document instead: it reads
// the sources once, keeps the texts in a temporary file, and reads again to write.
//
// The commands alike dedup, leak, restore and cluster run it. Packages
// dedup/pairs and beam/pipeline share its output, and serve and eval/report
// read it. What a duplicate is, and which one stays, belongs to package dedup.
package local

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// Options says what to do. Sources, Method and Threshold are required, and Out
// unless DryRun is set.
type Options struct {
	// Sources are read in their order, more than once, so none may be the standard
	// input.
	Sources []datasets.Source

	// Against are old documents, which stay. Their duplicates are removed from
	// Sources. They come before Sources in every order, and are not written. If
	// Verify is nil, one may be a SketchFile of another run.
	Against []datasets.Source

	// Index, if set, holds more old documents. They come before the old documents
	// of Against.
	// If it finds documents alike to a new one, the new one is removed for the
	// document with the same text, or else for the first by id. Verify must be
	// nil, Method the method of the index, and Threshold at least that of the
	// index.
	Index *index.Index

	// IndexName names the index in reports, without a password.
	IndexName string

	// IndexTime is the time of the documents that Update adds to the index, in seconds since 1970.
	IndexTime int64

	// Update adds the kept documents to the index, or to the only file of Against,
	// as the last step. An id must stand for one text in the index and among the
	// kept documents.
	Update bool

	// Clean says what to remove from texts before they are compared.
	Clean clean.Options

	// SkipBad is the maximum number of rows that hold no document. They are
	// removed, with the reason. Source.SkipBad is ignored. A damaged row of a
	// Parquet file cannot be written again, so it needs DropText or Format too.
	SkipBad int

	// OnBad, if set, is called with the error of each such row.
	OnBad func(error)

	// Out is the folder to make.
	Out string

	// Method makes the sketches by which candidates are found.
	Method similarity.Method

	// Candidates is the minimum score of the sketches of two candidates. Recall is
	// the probability that a method which is not exact finds candidates of that
	// score. Zero means Threshold and similarity.DefaultRecall.
	Candidates, Recall float64

	// Verify is the method that decides. Use an exact method if decisions must hold
	// for the texts themselves. Nil means that the sketches decide.
	Verify similarity.Method

	// Unverified believes all candidates without looking at a score.
	Unverified bool

	// dedup.Rule describes Threshold and Cohesion. If Unverified is set,
	// Candidates replaces the threshold.
	Threshold, Cohesion float64

	// Lower, if set, is a minimum below the threshold. The report counts the kept
	// documents that it would remove, by the pairs that were candidates. With a
	// Cohesion below the threshold there is no such count.
	Lower float64

	// UniqueIDs makes it an error if two documents of Sources have the same id. The
	// report counts them otherwise.
	UniqueIDs bool

	// Keep says which document of a cluster is kept. It is an error if no document
	// has a value for a field that it goes by.
	Keep dedup.Policy

	// Limits say which pairs count. They need the fields of documents, which an
	// Index holds if it was created with them, and sketch files do not hold.
	Limits dedup.Limits

	// Judged, if set, says which documents are the same and which are different, by
	// their ids, whatever they score: see dedup.Rule.
	Judged *dedup.Judged

	// Below, if set, removes what repeats below the document instead of documents.
	// MaxDrop is then a share of the text.
	Below *Below

	// Workers is the number of goroutines. Zero means GOMAXPROCS.
	Workers int

	// Memory is the budget of the large structures in bytes, not a limit of the
	// process. Zero means 2 GiB, and less than 64 MiB counts as 64 MiB.
	Memory int64

	// MaxDocument is the maximum size of a document in bytes. Its own maximum
	// is a sixteenth of Memory, and never more than datasets.DefaultMaxDocument.
	// It replaces Source.MaxDocument. A larger document is a bad row. Zero means
	// the maximum; then a larger document ends the run, because the outputs must
	// not depend on Memory.
	MaxDocument int64

	// MaxDrop is the maximum share of the documents to remove. A run that would
	// remove more ends with a *DropError before it writes. Zero means 1.
	MaxDrop float64

	// Warranty, if set, has removals judged before anything is written.
	Warranty *Warranty

	// MaxPairs is the maximum number of pairs of texts to compare, by an
	// estimate from a sample. A run that would compare more ends with a
	// *PairsError before it does. Zero means PairsEach for each text.
	MaxPairs int64

	// OnPairs, if set, is called with each estimate of pairs.
	OnPairs func(int64)

	// DryRun decides and reports, and writes nothing.
	DryRun bool

	// Annotate writes all documents, with columns that say what would become of
	// them.
	Annotate bool

	// Counts adds the column CountColumn to the kept documents: how many
	// documents are in the cluster, or 1. It goes without Format, Annotate and
	// Below.
	Counts bool

	// DropText does not write the removed documents. Restore needs them.
	DropText bool

	// Format is the format of the output: jsonl, csv, tsv or parquet. Empty means
	// that rows are copied unchanged.
	Format string

	// Resume goes on with a run to the same Out that was killed or cancelled, if
	// there is one. Without Resume, its checkpoints are discarded.
	Resume bool

	// Sketches writes SketchFile too.
	Sketches bool

	// Explain adds shared passages to the reasons: up to three, the longest.
	Explain bool

	// OnRemoved, if set, is called for each row that is removed, in input order,
	// even if nothing is written.
	OnRemoved func(Removal) error

	// Progress, if set, is called with the stage and how much of it is done, in
	// [0, 1].
	Progress func(stage string, share float64)
}

// defaultMemory and leastMemory are budgets in bytes.
const (
	defaultMemory = 2 << 30
	leastMemory   = 64 << 20
)

// Memory divided by documentShare is the maximum size of a document, and of all
// documents in use while the sources are read. Sketching a document takes
// several times its size.
const documentShare = 16

// MaxDocument returns the maximum size of a document for a memory budget, both
// in bytes: a sixteenth of it, but at most datasets.DefaultMaxDocument. A
// budget below leastMemory counts as leastMemory.
func MaxDocument(memory int64) int64 {
	return min(max(memory, leastMemory)/documentShare, datasets.DefaultMaxDocument)
}

func (o *Options) check() error {
	switch {
	case len(o.Sources) == 0:
		return errors.New("dedup: no sources")
	case o.Below != nil: // has no method
	case o.Method == nil:
		return errors.New("dedup: no method")
	case math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1:
		return fmt.Errorf("dedup: threshold is %v, want more than 0 and at most 1", o.Threshold)
	}
	switch {
	case o.Out == "" && !o.DryRun:
		return errors.New("dedup: no folder to write to")
	case math.IsNaN(o.MaxDrop) || o.MaxDrop < 0 || o.MaxDrop > 1:
		return fmt.Errorf("dedup: MaxDrop is %v, want 0 to 1", o.MaxDrop)
	case o.MaxPairs < 0:
		return fmt.Errorf("dedup: at most %d pairs, want 0 or more", o.MaxPairs)
	case o.Workers < 0:
		return fmt.Errorf("dedup: %d workers, want 0 or more", o.Workers)
	case o.Annotate && (o.Format != "" || o.DropText):
		return errors.New("dedup: --annotate keeps all rows as they are, and goes without --format and --drop-text")
	case o.Counts && (o.Annotate || o.Format != ""):
		return errors.New("dedup: --counts goes without --annotate and --format")
	case o.Verify != nil && o.Unverified:
		return errors.New("dedup: both verified and unverified")
	}
	for _, s := range slices.Concat(o.Against, o.Sources) {
		if s.Path == "-" {
			return errors.New("dedup: the standard input cannot be read more than once")
		}
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	o.Memory = max(o.Memory, leastMemory)
	if most := MaxDocument(o.Memory); o.MaxDocument < 0 || o.MaxDocument > most {
		return fmt.Errorf("dedup: MaxDocument is %d, want 0 to %d with %d bytes of memory", o.MaxDocument, most, o.Memory)
	}
	if o.MaxDrop == 0 {
		o.MaxDrop = 1
	}
	if o.Below != nil {
		if err := o.checkBelow(); err != nil {
			return err
		}
	} else if o.Recall == 0 {
		o.Recall = similarity.DefaultRecall
	}
	if o.Candidates == 0 {
		o.Candidates = o.Threshold
	}
	if o.OnPairs == nil {
		o.OnPairs = func(int64) {}
	}
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	least := o.Settings().MinScore()
	switch {
	case math.IsNaN(o.Cohesion) || o.Cohesion > least:
		return fmt.Errorf("dedup: cohesion is %v, want at most the threshold, %v", o.Cohesion, least)
	case !(o.Lower >= 0 && (o.Lower == 0 || o.Lower < least)):
		return fmt.Errorf("dedup: the lower minimum is %v, want less than the threshold, %v", o.Lower, least)
	}
	return errors.Join(o.checkIndex(), o.checkUpdate(), o.checkWarranty(), o.checkLimits())
}

// checkLimits refuses limits and policies where they cannot be kept.
func (o *Options) checkLimits() error {
	if o.Keep.None() && o.Warranty != nil {
		return errors.New("dedup: the policy none keeps no document to judge a removal by, so it goes without Warranty")
	}
	if o.Judged != nil && o.Index != nil {
		return fmt.Errorf("dedup: judgements are on documents, and %s holds none: want the documents themselves in Against", o.IndexName)
	}
	name := ""
	for _, s := range o.Against {
		if IsSketchFile(s.Path) {
			name = s.Path
		}
	}
	switch {
	case o.Judged != nil && name != "":
		return fmt.Errorf("dedup: judgements are on documents, and %s holds none: want the documents themselves in Against", name)
	case !o.Limits.Any():
		return nil
	case name != "":
		return fmt.Errorf("dedup: %s holds no fields, so the limits (%v) cannot be kept: want the documents themselves in Against", name, o.Limits)
	case o.Sketches:
		return fmt.Errorf("dedup: %s holds no fields, so later runs could not keep the limits (%v): want these without Sketches", SketchFile, o.Limits)
	}
	return o.Limits.Check()
}

// DropError is the error of a run that would remove too much. The report says
// what it would have removed.
type DropError struct {
	Report *Report
	Max    float64
}

// Error says how much would be removed, and names the largest cluster.
func (e *DropError) Error() string {
	r := e.Report
	if b := r.Below; b != nil {
		return fmt.Sprintf("dedup: this would remove %.1f%% of the text (%d of %d bytes), more than %.1f%%: nothing is written; "+
			"%d documents would be cut, and %d would go", 100*r.DropShare(), b.Gone, r.Bytes, 100*e.Max, b.Cut, r.Short)
	}
	sources := r.Sources
	if r.LargestAt.Against {
		sources = r.Against
	}
	judged := ""
	if r.Judged > 0 {
		judged = fmt.Sprintf(", %d judged the same", r.Judged)
	}
	return fmt.Sprintf("dedup: this would remove %.1f%% of the documents (%d of %d), more than %.1f%%: nothing is written; "+
		"%d are equal to another, %d alike%s; the largest of %d clusters has %d documents, the first of them row %d of %s",
		100*r.DropShare(), r.Removed(), r.Documents, 100*e.Max, r.Equal, r.Alike, judged, r.Clusters, r.Largest, r.LargestAt.Row+1, sources[r.LargestAt.Source].Path)
}

// prefixed names the package in an error. It returns nil for nil.
func prefixed(err error) error {
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	return nil
}
