// Package sketches writes the sketches of a corpus and their bucket keys as
// Parquet, for an engine that finds pairs by SQL. Workers write independently
// of each other: each has a shard of the documents. If a worker is killed, run
// it again.
//
//	_alike.json                            the settings, the same for all workers: see Header
//	documents/part-SSSSS-PPPPP.parquet     a row for each row of the input: see Document
//	sketches/part-SSSSS-PPPPP.parquet      the sketches, unless they lie beside bucket keys: see Sketch
//	verify/part-SSSSS-PPPPP.parquet        the sketches that decide, if the first ones do not
//	buckets/bucket_table=T/slice=N/….parquet  the keys of the buckets, of fingerprints and signatures: see Key and InlineKey
//	_done/                                 what is complete
//
// S is the number of the shard, and P is the number of the part in it. A file
// appears under its name when it is complete. A part is complete when its
// marker is in _done, and a shard is complete when the marker of the shard is
// there. Spark, DuckDB and similar engines skip files that begin with a dot or
// an underscore.
//
// Unsigned 64-bit numbers (words of sketches, bucket keys, hashes) are stored
// in signed columns with the same bits, because Spark has no unsigned type.
//
// The command alike sketch writes these folders, and dedup/pairs reads them.
// Queries, and the columns of each method, belong to package sql.
package sketches

// Kind is a way to score the words of two sketches.
type Kind string

const (
	// Lanes are sketches of Words words each, cut in lanes of Bits bits: Scores[d] is the score
	// of two sketches that differ in d lanes. They are fingerprints and signatures.
	Lanes Kind = "lanes"

	// Sets are sets of words, of any number. Of those that two have in common the score is the
	// share of all that either has, or under the measure overlap of the lesser set. Where the layout
	// says Whole, sketches of equal Sum and Size score 1 whatever words they have.
	Sets Kind = "set"

	// Bags are sets of words with a whole number for each, its weight. Sums of lesser weights count
	// for words in common.
	Bags Kind = "bag"

	// Bottoms are sets of the least words of a text, as unsigned integers: of the Size least words of two
	// sketches together the score is the share that both have.
	Bottoms Kind = "bottom"
)

// Layout says how the columns of a method are scored.
type Layout struct {
	Kind Kind `json:"kind"`

	Words  int       `json:"words,omitempty"`
	Bits   int       `json:"bits,omitempty"`
	Scores []float64 `json:"scores,omitempty"`

	Measure string `json:"measure,omitempty"` // resemblance or overlap
	Whole   bool   `json:"whole,omitempty"`
	Size    int    `json:"size,omitempty"`
}

// maxInline is the maximum number of words that lie beside each bucket key, so
// that a bucket alone shows how alike its members are.
const maxInline = 2

// Inline reports whether the words lie beside bucket keys.
func (l *Layout) Inline() bool { return l.Kind == Lanes && l.Words <= maxInline }

// Keyed reports whether there are bucket keys. Sets have none: an engine sees all of them, and pairs them by the
// words that few have, which a worker cannot know.
func (l *Layout) Keyed() bool { return l.Kind == Lanes }

// Row is a sketch in columns. What a kind has no use for is empty.
type Row struct {
	Words   []int64 // ascending as unsigned integers in sets
	Weights []int64
	Sum     int64
	Size    int64
}

// Columns turns the encoded sketches of a method into rows. It is safe for concurrent use. Package sql has
// those of the methods.
type Columns interface {
	Layout() Layout
	Row(sketch []byte) (Row, error)
}
