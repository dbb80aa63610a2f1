package eval

import "github.com/alike-go/alike/similarity"

// Found is what some program found among the documents of a set: pairs, clusters, or
// what it removed.
type Found struct {
	// Pairs are the pairs that it takes for alike, by document numbers in the set, in
	// either order; of a pair that stands twice the higher score counts. A pair of a document
	// with itself is none.
	Pairs []similarity.Pair

	// Scored says that the scores of Pairs mean something: any finite numbers, larger for
	// more alike.
	Scored bool

	// Clusters gives each document of the set the number of its cluster. It is nil where
	// something else was found.
	Clusters []int

	// Removed says of each document of the set whether it was removed. It is nil where
	// something else was found. Of pairs nothing is known then; truth must be clusters.
	Removed []bool
}

// Judgement is how what was found stands up to the truth of a set. Undefined figures are
// NaN in Go and null in JSON.
type Judgement struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"` // "all" where it is the whole set
	Truth   string `json:"truth"` // "pairs", those that are labelled, or "all" pairs of clustered documents

	Docs      int   `json:"n_docs"`
	Pairs     int64 `json:"n_pairs"`    // that are judged
	Positives int64 `json:"n_positive"` // of these, those that are alike
	Found     int64 `json:"n_found"`    // of these, those that were found
	Skipped   int64 `json:"n_skipped"`  // pairs that count neither as hits nor as errors

	// Unlabelled counts the pairs found that have no label; Outside those of which a
	// document is not in the split. Neither is judged.
	Unlabelled int64 `json:"n_unlabelled"`
	Outside    int64 `json:"n_outside"`

	Precision     Figure `json:"precision"`
	PrecisionLow  Figure `json:"precision_low"`
	PrecisionHigh Figure `json:"precision_high"`
	Recall        Figure `json:"recall"`
	RecallLow     Figure `json:"recall_low"`
	RecallHigh    Figure `json:"recall_high"`
	F1            Figure `json:"f1"`
	F1Low         Figure `json:"f1_low"`
	F1High        Figure `json:"f1_high"`

	// AP is the average precision of the pairs by their scores; those not found come
	// last, together. Null without scores.
	AP     Figure `json:"ap"`
	APLow  Figure `json:"ap_low"`
	APHigh Figure `json:"ap_high"`

	ClosureFigures // of the clusters found, or of the pairs found

	// Removal is what comes of what was removed, or of keeping the first document of each
	// cluster found; null where truth is not clusters.
	Removal *Removal `json:"removal"`
}
