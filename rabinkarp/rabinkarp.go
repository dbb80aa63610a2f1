// Package rabinkarp scores documents by the byte windows that they share,
// sampled by value from a Karp-Rabin rolling hash: Manber's fingerprints
// ([Manber]) and winnowing ([Winnow]).
//
// Both read the folded bytes of a text, not its words, so they need no
// segmentation and find copied passages wherever they stand. They keep only
// some windows, chosen by the windows' own content, so that a passage that
// stands in two texts gives the same fingerprints in both:
//
//   - [Manber] keeps a window if its hash falls in one value of 2^Keep, on
//     average one window in 2^Keep. It is cheaper, but nothing bounds the gap
//     between two kept windows; a short text may have no sample at all.
//   - [Winnow] keeps the least hash of every run of Window hashes, about 2 in
//     Window+1. Any shared passage of Window+K-1 bytes is then sure to share a
//     fingerprint.
//
// Use them for copied passages, containment, and versions of long documents. A
// change in every sentence breaks every window: for paraphrases and short texts
// use package shingle or cosine. A fingerprint takes eight bytes. By default a
// kilobyte of text has some 28 for Manber and 95 for Winnow. The benchmarks of
// this package give the price of hashing all windows; folding the text comes on
// top.
//
// Among many texts, Join finds all pairs above a threshold. Fingerprints tells
// where each fingerprint stands, and Explain which passages two texts share.
//
// Texts without substance: a text that folds to nothing (white space, control
// characters, bytes that are no UTF-8) is empty and scores 0 with every text. A
// text shorter than a window has one fingerprint for Winnow and none for
// Manber. One character repeated has one fingerprint for Winnow, and at most
// one for each byte of the character for Manber, however long the text is;
// repetitions of other lengths of it then score 1 or, without a sample, 0.
// Fingerprints are a set: a repeated passage counts once.
//
// Sources: U. Manber, Finding similar files in a large file system, USENIX
// Winter 1994; S. Schleimer, D. Wilkerson and A. Aiken, Winnowing: local
// algorithms for document fingerprinting, SIGMOD 2003; R. Karp and M. Rabin,
// Efficient randomized pattern-matching algorithms, IBM J. Res. Dev. 31(2),
// 1987.
//
// Package catalog offers both methods to the commands, and sql writes their
// sketches as columns. Finding sets that share fingerprints is the job of
// internal/setjoin; folding text is the job of package feature.
package rabinkarp

import (
	"sync"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
)

// Measure is how the shared fingerprints of two texts become a score.
type Measure int

const (
	// Resemblance is shared fingerprints over the fingerprints of either text.
	Resemblance Measure = iota
	// Overlap is shared fingerprints over those of the text that has fewer: 1
	// where one text lies within the other.
	Overlap
)

var measureNames = settings.Words{"resemblance", "overlap"}

// String returns the name in spec strings.
func (m Measure) String() string { return measureNames.Name(int(m)) }

// measureKey is the setting of the measure, for either method.
func measureKey[O any](at func(*O) *Measure) settings.Setting[O] {
	return settings.Enum("measure", measureNames, []string{"Resemblance", "Overlap"}, "what is scored", at).OfScores()
}

// place is a fingerprint and the offset of its window's first byte in the folded text.
type place struct {
	hash uint64
	at   int
}

// add appends a chosen window. With once it leaves out one whose fingerprint is that
// of the window before: a set has no use for it, and 100 MB of one character would
// take 16 times their size in places.
func add(dst []place, p place, once bool) []place {
	if once && len(dst) > 0 && dst[len(dst)-1].hash == p.hash {
		return dst
	}
	return append(dst, p)
}

// scratch holds the buffers of one sketching, so that a run over many
// documents allocates nothing but the sketches.
type scratch struct {
	once   bool // see add
	folded []byte
	places []place
	hashes []uint64
	counts feature.Counter
	lanes  *laneScratch
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// keepMost is the greatest buffer, in bytes, that waits in the pool: one
// document of 100 MB must not pin its buffers for good.
const keepMost = 4 << 20

func (s *scratch) release() {
	if cap(s.folded) > keepMost {
		s.folded = nil
	}
	if cap(s.places) > keepMost/16 {
		s.places = nil
	}
	if cap(s.hashes) > keepMost/8 {
		s.hashes = nil
	}
	scratches.Put(s)
}

// chooser is how a method chooses windows.
type chooser interface {
	// choose appends the chosen windows of a folded text, in ascending order of
	// their places, without runs of one fingerprint if s.once.
	choose(dst []place, s *scratch, folded []byte) []place

	// width returns the length in bytes of the windows of a folded text.
	width(folded []byte) int
}

// method is what Manber and Winnow share: everything but the choice of windows.
type method struct {
	chooser
	fold    feature.Fold
	measure Measure
}

// Sketch returns the fingerprints, checksum and size of the folded text. Under
// Winnow a text shorter than a window has one fingerprint, of the whole of it.
func (m *method) Sketch(text string) Sketch {
	s := scratches.Get().(*scratch)
	defer s.release()
	s.once = true
	s.folded = m.fold.Normalize(s.folded[:0], text)
	s.places = m.choose(s.places[:0], s, s.folded)
	return newSketch(s.folded, s.places, s)
}
