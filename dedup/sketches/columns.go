// Package sketches lays the sketches of a corpus and the buckets they go into down as Parquet, for an
// engine that finds pairs by SQL. It is written by workers that know nothing of each other, each of
// which has a shard of the documents; one that is killed is repaired by running it again.
//
//	_alike.json                            the settings, the same for all workers: see Header
//	documents/part-SSSSS-PPPPP.parquet     a row for each row of the input: see Document
//	sketches/part-SSSSS-PPPPP.parquet      the sketches, unless they lie beside bucket keys: see Sketch
//	verify/part-SSSSS-PPPPP.parquet        those that decide, where others than the first do
//	buckets/bucket_table=T/slice=N/….parquet  the keys of the buckets, of fingerprints and signatures: see Key and InlineKey
//	_done/                                 what is complete
//
// S is the number of the shard and P that of the part of it. A file appears under its name when it is
// whole; a part is complete when its marker in _done is there, and a shard when that of the shard is.
// Files that begin with a dot or an underscore are no data to Spark, DuckDB and their like.
//
// Where 64 bits stand for a number without sign (words of sketches, bucket keys, hashes), the column
// is the signed integer of the same bits, because Spark has no other.
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

// MaxInline is the greatest number of words that lie beside each bucket key, so that a bucket alone shows
// how alike its members are.
const MaxInline = 2

// Inline reports whether the words lie beside bucket keys.
func (l *Layout) Inline() bool { return l.Kind == Lanes && l.Words <= MaxInline }

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
