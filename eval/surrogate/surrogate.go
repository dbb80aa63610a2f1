// Package surrogate says what is alike in documents that nobody has labelled,
// so that package choose can search for what fits them, and whether that can be
// said at all.
//
// Whether two documents are duplicates is not in the texts alone. It depends on
// what the user wants (dedup.Want):
//
//   - Copies. At most a small share of the words differ. This is counted on the
//     texts themselves (align.Words), so that no model is needed.
//   - Versions. The documents resemble each other more than unrelated documents of
//     this collection. A committee of exact methods says so: in the upper tail of
//     the scores of all pairs, unrelated pairs become rarer and rarer, and alike ones
//     stand out. A mixture gives the probability that a pair of some score is alike
//     (as Efron's local false discovery rate does, JASA 2004).
//   - Excerpts. One document contains a large part of the other.
//
// All of it is about the whole collection. False pairs grow with the square of the
// documents and true ones do not, so a sample of documents would promise too much.
// Documents are drawn at random as queries, and each is scored against all others. A
// pair weighs the inverse of the probability that it was drawn with (Horvitz and
// Thompson, JASA 1952), and the bootstrap draws queries. The rule is at last run on
// the whole collection, so that what it removes is counted and not estimated.
//
// The rule is one of the committee's own methods, the part of the shorter text that
// stands in the longer, or the share of equal words, at the threshold of the greatest
// expected F1. For versions it is recommended only if it loses little F1 whichever
// member is right, so that one mixture which is wrong and sure of it does no harm.
//
// Planted edits stand beside: copies of documents, edited in ways and at rates that
// are to be expected.
//
// There are three outcomes: a recommendation, one that waits for answers, and that
// the texts cannot tell. Review asks for answers where they teach most.
//
// The command alike choose and serve use it. The search belongs to package
// choose, edits to package plant.
package surrogate

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/eval/choose"
)

// Options says how truth is made. The zero value is a sound default.
type Options struct {
	// Want is what the user calls alike. Nil means that nobody said: copies are looked for,
	// and the outcome says whether versions would be something else.
	Want *dedup.Want

	// Differ is the largest share of words, in (0, 0.5], that differ between copies;
	// 0 means dedup.DefaultDiffer, or less if replies would be removed for what they quote.
	Differ float64

	// Mix is the edits to plant. Nil means plant.DefaultMix, and that edits count for little beside the
	// alike pairs that the collection has; a mix that is stated counts as much as those.
	// For copies only edits that leave a copy count.
	Mix []plant.Choice

	// MaxDocs bounds the documents that queries are scored against, 100 or more; 0 means
	// 20,000. Of a larger collection a random sample of that many is taken.
	MaxDocs int

	// Seed selects samples and edits.
	Seed uint64

	// Workers is the number of goroutines; 0 means one for each CPU. Nothing depends on it.
	Workers int

	// Progress, when not nil, is called as work proceeds, with the share done in [0, 1] and
	// what is being done; never from two goroutines at once.
	Progress func(share float64, what string)
}

func (o Options) withDefaults() (Options, error) {
	if o.MaxDocs == 0 {
		o.MaxDocs = 20_000
	}
	if o.MaxDocs < leastDocs {
		return o, fmt.Errorf("surrogate: MaxDocs is %d, want %d or more", o.MaxDocs, leastDocs)
	}
	if o.Differ == 0 {
		o.Differ = dedup.DefaultDiffer
	}
	if !(o.Differ > 0 && o.Differ <= mostDiffer) {
		return o, fmt.Errorf("surrogate: Differ is %v, want more than 0 and at most %v", o.Differ, mostDiffer)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(float64, string) {}
	}
	return o, nil
}

// leastDocs is the number of documents below which all pairs are too few to tell a background by.
const leastDocs = 100

// Truth is what is taken for true of a collection.
type Truth struct {
	Name    string
	Profile choose.Profile
	Want    dedup.Want
	Stated  bool           // somebody said what is wanted
	Differ  float64        // see Options
	Docs    []datasets.Doc // that queries are scored against: those with a text, or a sample of them
	Of      int            // documents of the collection that have a text
	Queries int            // documents that are scored against all others
	Members []Member       // of the committee
	Copies  []Copy         // planted
	Pairs   []Pair         // ascending by number
	Labels  int            // answers, those included that check a rule
	Shape   Shape

	// Checksum is that of all documents of the collection, for records.
	Checksum string

	all      []datasets.Doc     // with a text
	sampled  int                // documents of Docs that stand for the collection; those behind were only asked about
	strata   [2][]int32         // sampled documents without and with a near one, in the order of a hash
	drawn    [2]int             // how many of each, the first ones, are queries
	words    []align.WordList   // of Docs, until they are compared
	sorted   []align.WordList   // the same, ascending
	labels   []Label            // all answers in their order
	given    []Label            // those to learn from
	checks   map[[2]string]bool // the others, by ids in ascending order
	answers  map[[2]int32]bool  // by numbers of documents, the lower one first
	skipped  map[[2]string]bool // removals that a reader could not judge
	planted  bool               // edits were stated
	differed bool               // Differ was stated
	seed     uint64
	workers  int
}

// Member is a method of the committee and its own view of the collection.
type Member struct {
	Spec      string
	Threshold float64 // of the greatest F1 by the member's own mixture
	Alike     float64 // pairs that it expects to be alike
	F1        float64 // that it expects at its threshold: near 1 where there is a gap, less where classes overlap
	Trusted   bool    // whether it has a vote

	m *mixture
}

// Copy is a planted copy.
type Copy struct {
	Of   int32 // number of the document
	Text string
	Edit plant.Edit
}

// Pair is two documents that were drawn.
type Pair struct {
	A, B   int32
	Weight float32   // the number of pairs of the collection that it stands for
	Scores []float32 // by member
	Vote   float64   // mean probability of the trusted members that the pair is alike
	Differ float64   // share of words that differ; 1 where it is more than mostDiffer
	Alike  float64   // probability that the pair is what is wanted

	by       [2]float32 // the weight by A as the query, and by B
	chance   float32    // the probability that it was drawn with, once a query was
	contains float32    // the part of the shorter that stands in the longer
	far      bool       // in no member's tail
}

// Build makes truth for the documents, at least a hundred of which must have a text. Answers about documents that are
// not in the collection are ignored.
func Build(ctx context.Context, name string, docs []datasets.Doc, labels []Label, o Options) (*Truth, error) {
	differed := o.Differ != 0
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Truth{
		Name: name, Profile: choose.ProfileOf(docs), Checksum: (&datasets.Set{Docs: docs}).Checksum(),
		Differ: o.Differ, skipped: map[[2]string]bool{}, planted: o.Mix != nil, differed: differed, seed: o.Seed, workers: o.Workers,
	}
	if t.Stated = o.Want != nil; t.Stated {
		t.Want = *o.Want
	}
	for _, d := range docs {
		if d.Text != "" {
			t.all = append(t.all, d)
		}
	}
	if t.Of = len(t.all); t.Of < leastDocs {
		return nil, fmt.Errorf("surrogate: %d documents with a text, want %d or more", t.Of, leastDocs)
	}
	if err := t.sample(ctx, labels, o.MaxDocs); err != nil {
		return nil, err
	}
	t.readWords(ctx)
	t.Shape = t.shape()
	o.Progress(0.1, "edits")
	if err := t.plant(o.Mix); err != nil {
		return nil, err
	}
	if err := t.scan(ctx, labels, o.Progress); err != nil {
		return nil, err
	}
	t.Learn(labels)
	o.Progress(1, "truth")
	return t, nil
}
