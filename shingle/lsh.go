package shingle

import (
	"fmt"
	"slices"

	"github.com/alike-go/alike/similarity"
)

// LSHOptions configures an LSH.
type LSHOptions struct {
	// Threshold is the least score of a match, in (0, 1].
	Threshold float64

	// Recall is the least probability, in (0, 1), with which a signature that scores
	// the threshold shall be found. Zero means similarity.DefaultRecall.
	Recall float64

	// Banding is the bands to use, of together at most the values of a signature. The
	// zero value means those of MinHash.Design for Threshold and Recall.
	Banding Banding
}

// LSH is an index of signatures in memory, which finds those that share a band with
// another. It takes, for each signature and band, 4 bytes and a place in a hash table
// of 11 to 16 bytes, and keeps the signatures: with 14 bands and 128 full values about 750
// bytes each. An index of a collection that is at hand as a whole is not needed to
// join it: see MinHash.Join.
//
// Queries may run at the same time; adding and deleting may not run with anything.
type LSH struct {
	m         *MinHash
	design    LSHDesign
	threshold float64

	words  int        // of a signature
	blocks [][]uint64 // of blockLen signatures by number; one deleted stays until the number is used again
	free   []uint32   // numbers to use again
	live   []bool
	tables []bandTable
	len    int
}

// blockLen is the number of signatures in a block, which is never copied.
const blockLen = 256

// NewLSH returns an empty index for the signatures of a method, or an error that names the
// option that is out of range.
func NewLSH(m *MinHash, o LSHOptions) (*LSH, error) {
	d := LSHDesign{Banding: o.Banding, Size: m.size, Bits: m.bits}
	jo, err := similarity.JoinOptions{Threshold: o.Threshold, Recall: o.Recall}.Check()
	if err != nil {
		return nil, fmt.Errorf("shingle: %w", err)
	}
	if o.Banding == (Banding{}) {
		if d, err = m.Design(jo); err != nil {
			return nil, err
		}
	}
	if d.Bands < 1 || d.Rows < 1 || d.Bands > m.size/d.Rows {
		return nil, fmt.Errorf("shingle: Banding is %s, want 1 or more of 1 or more of %d", d, m.size)
	}
	return &LSH{
		m: m, design: d, threshold: o.Threshold,
		words:  (m.size*m.bits + 63) / 64,
		tables: make([]bandTable, d.Bands),
	}, nil
}

// Design returns the bands and how likely they find a signature.
func (x *LSH) Design() LSHDesign { return x.design }

// Len returns the number of signatures in the index.
func (x *LSH) Len() int { return x.len }

// Bytes returns the memory that the index takes.
func (x *LSH) Bytes() int {
	n := 8*blockLen*x.words*len(x.blocks) + 4*cap(x.free) + cap(x.live)
	for _, t := range x.tables {
		n += 8*cap(t.slots) + 4*cap(t.next)
	}
	return n
}

// Add puts a signature in and returns its number: the least that is free after Delete, or else
// the number of signatures. That of a text without shingles is −1: nothing would find
// it. It panics on a signature of another size.
func (x *LSH) Add(s Signature) int {
	if len(s) == 0 {
		return -1
	}
	x.check(s)
	doc := uint32(len(x.live))
	if n := len(x.free); n > 0 {
		doc, x.free = x.free[n-1], x.free[:n-1]
		x.live[doc] = true
	} else {
		if int(doc)%blockLen == 0 {
			x.blocks = append(x.blocks, make([]uint64, blockLen*x.words))
		}
		x.live = append(x.live, true)
	}
	copy(x.signature(int(doc)), s)
	for band := range x.tables {
		x.tables[band].add(uint32(x.design.key(s, band)>>32), doc)
	}
	x.len++
	return int(doc)
}

// Delete takes the signature of a number out, after which the number may be given to
// another, and reports whether there was one. It takes time in proportion to the
// signatures that share bands with it.
func (x *LSH) Delete(number int) bool {
	if number < 0 || number >= len(x.live) || !x.live[number] {
		return false
	}
	s := x.signature(number)
	for band := range x.tables {
		x.tables[band].delete(uint32(x.design.key(s, band)>>32), uint32(number))
	}
	x.live[number] = false
	x.free = append(x.free, uint32(number))
	x.len--
	return true
}

// Match is a signature found, by the number that Add gave it, and its score.
type Match struct {
	Number int
	Score  float64
}

// Query appends the signatures that share a band with s and score at least the threshold, in
// ascending order of their numbers. It allocates nothing but what dst needs to grow by
// the candidates.
func (x *LSH) Query(dst []Match, s Signature) []Match {
	from := len(dst)
	dst = x.Candidates(dst, s)
	kept := dst[:from]
	for _, c := range dst[from:] {
		c.Score = x.m.Score(s, x.signature(c.Number))
		if c.Score >= x.threshold {
			kept = append(kept, c)
		}
	}
	return kept
}

// Candidates appends the signatures that share a band with s, in ascending order of their
// numbers, without having scored them: for callers that have a better score, such as the
// resemblance of the sets. Their Score is 0.
func (x *LSH) Candidates(dst []Match, s Signature) []Match {
	if len(s) == 0 {
		return dst
	}
	x.check(s)
	from := len(dst)
	for band := range x.tables {
		t := &x.tables[band]
		for at := t.find(uint32(x.design.key(s, band) >> 32)); at != 0; at = t.next[at-1] {
			dst = append(dst, Match{Number: int(at - 1)})
		}
	}
	if len(dst)-from < 2 {
		return dst
	}
	slices.SortFunc(dst[from:], func(a, b Match) int { return a.Number - b.Number })
	found := slices.Compact(dst[from:])
	return dst[:from+len(found)]
}

func (x *LSH) signature(number int) Signature {
	at := number % blockLen * x.words
	return x.blocks[number/blockLen][at : at+x.words]
}

func (x *LSH) check(s Signature) {
	if len(s) != x.words {
		panic(fmt.Sprintf("shingle: signature of %d words in an LSH of %s, want %d", len(s), x.m, x.words))
	}
}
