package eval

import "github.com/alike-go/alike/similarity"

// Found is what some program found among the documents of a set: pairs, clusters, or
// what it removed.
type Found struct {
	// Pairs are the pairs that it calls alike, by document numbers in the set, in
	// either order. If a pair occurs twice, the higher score counts. A pair of a
	// document with itself is ignored.
	Pairs []similarity.Pair

	// Scored says that the scores of Pairs mean something: any finite numbers, larger for
	// more alike.
	Scored bool

	// Clusters is the number of the cluster of each document of the set. It is nil if
	// something else was found.
	Clusters []int

	// Removed says whether each document of the set was removed. It is nil if
	// something else was found. Removals say nothing about pairs, so truth must be
	// clusters.
	Removed []bool
}

// Judgement says how well what a program found agrees with the truth of a set.
// Undefined figures are NaN in Go and null in JSON.
type Judgement struct {
	Dataset string `json:"dataset"`
	Split   string `json:"split"` // "all" means the whole set
	Truth   string `json:"truth"` // "pairs", those that are labelled, or "all" pairs of clustered documents

	Docs      int   `json:"n_docs"`
	Pairs     int64 `json:"n_pairs"`    // that are judged
	Positives int64 `json:"n_positive"` // of these, those that are alike
	Found     int64 `json:"n_found"`    // of these, those that were found
	Skipped   int64 `json:"n_skipped"`  // pairs that count neither as hits nor as errors

	// Unlabelled counts the pairs found that have no label. Outside counts the pairs
	// found with a document that is not in the split. Neither are judged.
	Unlabelled int64 `json:"n_unlabelled"`
	Outside    int64 `json:"n_outside"`

	// EffectiveUnits and Unusable are as in Record. Both are null and false where
	// only removals are judged.
	EffectiveUnits Figure `json:"effective_units"`
	Unusable       bool   `json:"unusable,omitempty"`

	Precision     Figure `json:"precision"`
	PrecisionLow  Figure `json:"precision_low"`
	PrecisionHigh Figure `json:"precision_high"`
	Recall        Figure `json:"recall"`
	RecallLow     Figure `json:"recall_low"`
	RecallHigh    Figure `json:"recall_high"`
	F1            Figure `json:"f1"`
	F1Low         Figure `json:"f1_low"`
	F1High        Figure `json:"f1_high"`

	// AP is the average precision of the pairs by their scores. Pairs that were not
	// found come last, as one tie. Null without scores.
	AP     Figure `json:"ap"`
	APLow  Figure `json:"ap_low"`
	APHigh Figure `json:"ap_high"`

	ClosureFigures // of the clusters found, or of the pairs found

	// Removal judges what was removed, or what is removed if the first document of
	// each cluster found is kept. Null if truth is not clusters.
	Removal *Removal `json:"removal"`
}
