// Package datasets reads and writes documents, and the truth about which of
// them are alike. Every command and engine reads its input here, and package
// eval measures methods on its sets. It knows no method: what compares texts
// belongs in the package of a method or in eval.
//
// There is one way to read. A [RawReader] opens the files of a [Source], finds
// their formats, checks their columns and cuts them into rows of bytes. A
// [Parser] makes documents of rows. [Open] joins the two into a [Reader] of
// documents, and [ReadSet] reads pairs into a [Set]. To write, [Create] makes a
// file of records, a [Copier] copies rows byte for byte, an [Extender] adds
// columns to them, and [WriteFolder] writes a set.
//
// Two small sets, "en" and "zh", lie inside the binary ([Inside]). [Load] reads
// them, the folders of a shared data directory ([SharedDir], [Shared]) and any
// folder of the same layout:
//
//   - docs.jsonl: one JSON object per line with the strings id, text and,
//     optionally, lang;
//   - pairs.tsv, or one file for each split (pairs-train.tsv, pairs-dev.tsv,
//     pairs-test.tsv), or files of other kinds (pairs-KIND.tsv): a header line,
//     then id1, id2, label and optionally the kind of the pair, tab-separated;
//   - or clusters.tsv: a header line, then id and cluster;
//   - pairs-ignore.tsv: pairs that count neither as hits nor as errors;
//   - README.md: a heading, a paragraph of description, and the list items
//     "source:" and "licence:".
//
// Every file but the README may be compressed, with .gz or .zst added to its
// name. Lines end at LF only, because texts hold other separators. Damaged
// input of any kind is an error that names file and line, never a panic.
package datasets

import (
	"fmt"
	"strconv"
)

// Doc is one document.
type Doc struct {
	// ID names the document; it is unique in its set.
	ID string
	// Text is the document as in its source. Bytes that are no UTF-8 arrive as
	// U+FFFD.
	Text string
	// Lang is the language: en, zh, zh-Hant, zh-Hans, go, java, or empty.
	Lang string
}

// Pair is two documents and what is known about them.
type Pair struct {
	// A and B are document numbers, indices into Set.Docs. They are equal where
	// the source pairs a text with itself.
	A, B int

	// Label is 1 if the two are alike and 0 if not.
	Label float64

	// Grade is the label as the source states it: equal to Label, or on the
	// source's own scale in a graded set.
	Grade float64

	// Split is the part of the set that the pair belongs to.
	Split Split

	// Kind says where the pair comes from, to break results down: the kind that
	// a file of pairs states, the KIND of its name, or, for pairs drawn from
	// clusters, "same", "random" or "hard". It may be empty.
	Kind string
}

// Alike reports whether the two documents of the pair are alike: a label of 0.5
// or more.
func (p Pair) Alike() bool { return p.Label >= 0.5 }

// Split is a part of a data set. What is chosen (thresholds, parameters, fits)
// is chosen on one split and reported on another; [Set.Roles] says which.
type Split uint8

// The splits. None is that of sets, or pairs, that no split is stated for.
const (
	None Split = iota
	Train
	Dev
	Test
)

// String returns none, train, dev or test.
func (s Split) String() string {
	if s > Test {
		return "Split(" + strconv.Itoa(int(s)) + ")"
	}
	return [...]string{"none", "train", "dev", "test"}[s]
}

// splits are the names of the splits, which are kinds of files of pairs too.
var splits = map[string]Split{"train": Train, "dev": Dev, "test": Test}

// ParseSplit returns the split of a name. The empty name is that of None.
func ParseSplit(name string) (Split, error) {
	s := splits[name]
	if s == None && name != "" {
		return None, fmt.Errorf("datasets: the split is %q, want test, dev or train", name)
	}
	return s, nil
}

// Set is a data set: documents and labelled pairs of them. Load makes one;
// nothing is shared between two of them.
type Set struct {
	// Name is the name that Load reads the set by, or the base of its path.
	Name string
	// Description and Licence come from the set's README; they are empty if it
	// has none.
	Description, Licence string

	Docs  []Doc
	Pairs []Pair

	// Graded says that the source grades its pairs on a scale of more than two
	// values; Label is then 1 for the grades of AlikeFrom and above.
	Graded    bool
	AlikeFrom float64

	// Clusters gives every document the number of its cluster, counted from 0 in
	// the order of the documents, if the truth of the set is clusters: two
	// documents are alike if and only if they share one. Pairs is then a sample
	// (see Load). It is nil in other sets.
	Clusters []int

	// Sources gives every document its source, if the set compares sources: a pair
	// of one source counts neither as a hit nor as an error. It is nil in other sets.
	Sources []string

	// Ignore lists pairs of documents that must count neither as hits nor as
	// errors: the texts overlap, but the source does not call them alike. Label
	// is 0, and Grade whatever the source says of the overlap. Pairs drawn from
	// clusters are none of them.
	Ignore []Pair
}

// Select returns the pairs of one split in the order of the set.
func (s *Set) Select(split Split) []Pair {
	var out []Pair
	for _, p := range s.Pairs {
		if p.Split == split {
			out = append(out, p)
		}
	}
	return out
}
