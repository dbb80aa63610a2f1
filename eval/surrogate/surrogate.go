// Package surrogate makes labels for documents that nobody has labelled, so
// that package choose can search for what fits them. The labels have two
// sources.
//
// The first is the collection itself. A committee of exact methods scores all
// pairs of a sample: the resemblance of sets and the cosine of TF-IDF vectors,
// on several features. In the upper tail of such scores unrelated pairs become
// rarer and rarer, and alike pairs stand out from them. A mixture of the two
// gives the probability that a pair of some score is alike (as Efron's local
// false discovery rate does, JASA 2004), and the mean over the committee is the
// pair's label. A doubtful pair is alike in part, so a copy that is already in
// the collection does not count as an error.
//
// The second is planted edits: copies of documents, edited in ways and at rates
// that are to be expected. They are alike for certain.
//
// Only a reader can say what is alike for that reader: one reader calls an
// amended law the same law, another does not, and nothing in the texts tells
// the two apart. The committee reports where its members disagree. Review asks
// for answers where they teach most, and learns from them.
//
// The command alike choose and serve use it. The search belongs to package
// choose, edits to package plant.
package surrogate

import (
	"context"
	"fmt"
	"runtime"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/eval/choose"
)

// Options says how truth is made. The zero value is a sound default.
type Options struct {
	// Mix is the edits to plant. Nil means plant.DefaultMix, and that edits count for little beside the
	// alike pairs that the collection has; a mix that is stated counts as much as those.
	Mix []plant.Choice

	// MaxDocs bounds the documents that are looked at, 100 or more; 0 means 5,000. Long documents
	// bound it further, so that scoring all pairs stays a matter of a minute.
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
		o.MaxDocs = 5000
	}
	if o.MaxDocs < leastDocs {
		return o, fmt.Errorf("surrogate: MaxDocs is %d, want %d or more", o.MaxDocs, leastDocs)
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
	Docs    []datasets.Doc // the sample, in the order of the collection
	Of      int            // documents of the collection
	Members []Member       // of the committee
	Copies  []Copy         // planted
	Pairs   []Pair         // of documents of the sample, ascending by number
	Labels  int            // answers that were learnt from

	// Checksum is that of all documents of the collection, for records.
	Checksum string

	answers map[[2]int32]bool // by numbers of documents, the lower one first
	stated  bool              // edits were
	grow    float64           // documents of the collection for one of the sample
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

// Pair is two documents of the sample that are scored.
type Pair struct {
	A, B   int32
	Weight float32   // the number of pairs of the sample that it stands for
	Scores []float32 // by member
	Vote   float64   // mean probability of the trusted members that the pair is alike
	Alike  float64   // the same after what was learnt from answers

	far bool // in no member's tail
}

// Build makes truth for the documents, at least a hundred of which must have a text. Answers about documents that are
// not in the sample are passed over.
func Build(ctx context.Context, name string, docs []datasets.Doc, labels []Label, o Options) (*Truth, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &Truth{
		Name: name, Of: len(docs), Profile: choose.ProfileOf(docs), Checksum: (&datasets.Set{Docs: docs}).Checksum(),
		stated: o.Mix != nil,
	}
	if t.Docs, err = sample(ctx, docs, labels, o); err != nil {
		return nil, err
	}
	if len(t.Docs) < leastDocs {
		return nil, fmt.Errorf("surrogate: %d documents with a text, want %d or more", len(t.Docs), leastDocs)
	}
	texts := 0
	for _, d := range docs {
		if d.Text != "" {
			texts++
		}
	}
	t.grow = float64(texts) / float64(len(t.Docs))
	o.Progress(0.05, "edits")
	if err := t.plant(o); err != nil {
		return nil, err
	}
	if err := t.convene(ctx, labels, o); err != nil {
		return nil, err
	}
	t.Learn(labels)
	o.Progress(1, "truth")
	return t, nil
}
