package similarity

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Pair is two documents and their score. In a self-join A < B; in a join of two
// collections A counts in the first and B in the second.
type Pair struct {
	A, B  int
	Score float64
}

// JoinOptions configures a join.
type JoinOptions struct {
	// Threshold is the least score of a pair that is wanted, in (0, 1].
	Threshold float64

	// Recall is the least probability, in (0, 1), with which a joiner that is not exact
	// shall find a pair whose score is the threshold itself. Zero means
	// DefaultRecall. Exact joiners pay it no heed.
	Recall float64

	// Documents is how many documents a layout of buckets is to serve, those to come
	// included: the more there are, the longer the keys and the more of them. Zero means
	// a layout of few keys, which serves some millions. Joins, which see what they join, and
	// methods whose layout has nothing to choose, pay it no heed.
	Documents int64

	// Workers is the number of goroutines. Zero means GOMAXPROCS. The pairs do not
	// depend on it.
	Workers int

	// Progress, where set, is called now and then with the share of the work that
	// is done, in [0, 1], never twice at a time.
	Progress func(done float64)
}

// DefaultRecall is the probability of finding a pair at the threshold that a join
// which is not exact aims at.
const DefaultRecall = 0.95

// Check returns an error unless the options make sense, and otherwise the options
// with the defaults filled in, Workers excepted.
func (o JoinOptions) Check() (JoinOptions, error) {
	if math.IsNaN(o.Threshold) || o.Threshold <= 0 || o.Threshold > 1 {
		return o, fmt.Errorf("similarity: join threshold is %v, want more than 0 and at most 1", o.Threshold)
	}
	if o.Recall == 0 {
		o.Recall = DefaultRecall
	}
	if math.IsNaN(o.Recall) || o.Recall < 0 || o.Recall >= 1 {
		return o, fmt.Errorf("similarity: join recall is %v, want more than 0 and less than 1", o.Recall)
	}
	if o.Documents < 0 {
		return o, fmt.Errorf("similarity: layout for %d documents, want 0 or more", o.Documents)
	}
	if o.Workers < 0 {
		return o, fmt.Errorf("similarity: %d join workers, want 0 or more", o.Workers)
	}
	return o, nil
}

// JoinStats says what a join did.
type JoinStats struct {
	// Candidates is the number of pairs that the index proposed, each counted once
	// for every place that proposed it; what an index rejects by its own word (a
	// length, a position, a bound) before the sketches are looked at is not counted.
	Candidates int64

	// Verified is the number of pairs whose sketches were compared.
	Verified int64

	// Pairs is the number of pairs found.
	Pairs int64

	// Recall is the probability that a pair whose score is the threshold is found;
	// 1 for an exact join.
	Recall float64

	// Design names the way taken and its settings, such as "4 blocks of 16 bits".
	Design string
}

// Joiner is implemented by methods that can find all pairs with a score of at
// least a threshold without scoring them all.
type Joiner[S any] interface {
	// Join calls emit for each pair of a and b, or where b is nil of a with itself, that
	// scores at least o.Threshold: each once, in ascending order of A and then B, from one
	// goroutine, with the very score that Score gives. A joiner that is not exact misses some pairs
	// with the probability that the statistics state, and never emits a false one.
	// Texts without features are in no pair. Join stops at the first error of emit or
	// of the context and returns it. Neither slice is kept or changed.
	Join(ctx context.Context, a, b []S, o JoinOptions, emit func(Pair) error) (JoinStats, error)
}

// Searcher is implemented by methods that can look up one sketch after another
// among those of a collection, exactly, without scoring them all.
type Searcher[S any] interface {
	// Search indexes the sketches for searches at o.Threshold. It keeps the
	// slice.
	Search(ctx context.Context, sketches []S, o JoinOptions) (Search, error)
}

// Search finds documents of a collection that are alike to one of them. It is
// not safe for concurrent use.
type Search interface {
	// Find appends the documents that score at least the threshold with a
	// document and that want accepts: each once, in any order, without the
	// document itself. compared is the number of sketches that were compared.
	Find(dst []int, doc int, want func(doc int) bool) (found []int, compared int64)
}

// ErrNoSearch is the error for a method that is no Searcher.
var ErrNoSearch = errors.New("similarity: the method has no search")

// NewSearch returns a search of the documents of a collection at o.Threshold.
// The error is ErrNoSearch if the method is no Searcher. The collection must
// not change while the search is used.
func NewSearch(ctx context.Context, c Collection, o JoinOptions) (Search, error) {
	if s, ok := c.(interface {
		search(context.Context, JoinOptions) (Search, error)
	}); ok {
		return s.search(ctx, o)
	}
	return nil, ErrNoSearch
}

// Key is a key to a bucket. Keys of different tables are never equal.
type Key struct {
	Table uint8

	// Bucket is filled from its most significant bit down, so that its top 32 bits
	// alone are a key to a larger bucket that holds this one.
	Bucket uint64
}

// Buckets says into which buckets the sketches of a method go at a threshold.
type Buckets[S any] struct {
	// Tables is the number of tables, 1 to 256; Key.Table is less.
	Tables int

	// Design names the layout, such as "20 bands of 5 rows".
	Design string

	// Recall returns the probability that two documents of the given score share a
	// bucket. It is 1 at and above the threshold where the layout is exact.
	Recall func(score float64) float64

	// Append appends the keys of one sketch: none for a text without features,
	// otherwise any number to a table, without repetition, in ascending order. It is
	// safe for concurrent use.
	Append func(dst []Key, s S) []Key

	// Word lets a scan skip most documents of a bucket without their sketches. It is
	// nil for methods without one.
	Word *Word[S]
}

// Word is 64 bits of a sketch that tell a scan of a bucket about scores.
type Word[S any] struct {
	// Design names the word, such as "fingerprint".
	Design string

	// Within is the maximum number of bits, 0 to 64, in which the words of two
	// sketches differ that score at least the threshold: 64 if the word tells nothing.
	Within int

	// Of returns the word of a sketch. It is safe for concurrent use.
	Of func(s S) uint64

	// Distance returns the distance that the score of two sketches is made of. It is
	// nil if the method has none.
	Distance func(a, b S) int
}

// Bucketer is implemented by methods whose sketches can be put into buckets so
// that alike documents share one.
type Bucketer[S any] interface {
	// Buckets returns the layout for o.Threshold: any two sketches that score at least
	// the threshold share a key, surely or with a probability of at least o.Recall. It
	// depends on the threshold, the recall and o.Documents alone.
	Buckets(o JoinOptions) (Buckets[S], error)
}

// ErrNoBuckets is wrapped by the error for a method that is no Bucketer.
var ErrNoBuckets = errors.New("the method has no buckets")
