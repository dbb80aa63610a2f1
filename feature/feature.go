// Package feature turns text into weighted feature hashes, the one way for all
// methods of a run, so that two methods compared are compared on the same features.
//
// The pipeline: fold (NFKC, case, optionally marks and punctuation) → tokens
// (words after UAX #29 with overlapping rune bigrams where a script writes no
// spaces; runes; bytes; the words of a Segmenter) → optional stop words,
// stemming, phrases → shingles of one width or a range of widths → 64-bit seeded
// hashes → weights.
//
// Hot paths stream: Blocks hands out hashes in blocks, with no string per token
// and no allocation per feature. The price of the whole pipeline is stated in the
// benchmarks of this package.
package feature

// Feature is one weighted feature of a text.
//
// In a list of features a hash may repeat; its weights then add up. Weights are
// non-negative and finite; a feature of weight 0 counts as absent.
type Feature struct {
	Hash   uint64
	Weight float64
}

// Span is a half-open range of byte offsets in a text.
type Span struct{ Start, End int }

// Located is a feature and where it stands: Text[Start:End] of the original text
// (before folding) is the shingle, from its first token's first byte to its last
// token's last.
type Located struct {
	Hash uint64
	Span
}
