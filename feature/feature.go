// Package feature turns text into weighted feature hashes. It does so in one
// way for all methods of a run, so that methods are compared on the same
// features.
//
// The pipeline: fold (NFKC, case, optionally marks, traditional Chinese and
// punctuation) → tokens (words after UAX #29 with overlapping rune bigrams
// where a script writes no spaces; runes; bytes; the words of a Segmenter) →
// optional stop words, stemming, phrases → shingles of one width or a range of
// widths → 64-bit seeded hashes → weights.
//
// Hot paths stream: Blocks hands out hashes in blocks, with no string per token
// and no allocation per feature; a text of any size is held in pieces of 32 kB.
// Unicode correctness is the definition, and fast paths give the same result:
// ASCII is cut into words 64 bytes at a time, ideographs are passed without
// looking them up, and single runes fold by table. Only the rest goes through
// x/text and uax29.
//
// One core of an AMD EPYC at 2.45 GHz shared with others, in one run, text in
// documents of 2.7 kB, in MB/s of text, where the same chain of x/text, uax29
// and xxh3 (BenchmarkChain) does 69 of English and 42 of Chinese:
//
//	                          English  Chinese
//	words                         540      180
//	3-word shingles               440      160
//	runes, width 2                 95      195
//	words, logtf weights          220
//	Normalize alone              1000      530
//
// New makes an extractor of its own, which methods can share:
//
//	x, err := feature.New(feature.Options{MinWidth: 3})
//	features := x.Append(nil, text)
//
// Spec strings name options by Keys and FoldKeys.
//
// Methods take features or folded text from it; eval, serve and the commands
// use it to share extractors and to explain scores. Comparing features belongs
// to the methods, word lists of Chinese to packages segment and jiebadict.
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
