package datasets

import (
	"cmp"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/zeebo/xxh3"
)

const (
	// overlapFeatures bounds the features kept of a document: those with the
	// lowest hashes, the same ones in every document that has them.
	overlapFeatures = 256
	// overlapCommon is the number of documents in which a feature stops being
	// rare. It bounds the work for one document.
	overlapCommon = 50
)

// overlap finds the documents that share most rare features with one. It serves
// to choose hard negatives, so it knows no more of text than words, lone Han
// characters and pairs of neighbours among these, and is none of the methods.
type overlap struct {
	docs     []int              // the documents that are indexed
	features [][]uint64         // by document, sorted
	postings map[uint64][]int32 // the documents of a feature; nil if it is common
	shared   []int              // by document: scratch space of nearest, all 0
}

func newOverlap(docs []Doc, in func(i int) bool) *overlap {
	o := &overlap{
		features: make([][]uint64, len(docs)),
		postings: map[uint64][]int32{},
		shared:   make([]int, len(docs)),
	}
	for i, d := range docs {
		if !in(i) {
			continue
		}
		o.docs = append(o.docs, i)
		f := lexicalFeatures(d.Text)
		slices.Sort(f)
		f = slices.Compact(f)
		f = slices.Clone(f[:min(len(f), overlapFeatures)]) // lets the rest go
		o.features[i] = f
		for _, h := range f {
			o.postings[h] = append(o.postings[h], int32(i))
		}
	}
	for h, p := range o.postings {
		if len(p) < 2 || len(p) > overlapCommon {
			delete(o.postings, h)
		}
	}
	return o
}

// nearest returns the documents that share rare features with document i, the
// largest share (the Jaccard resemblance of the features kept) first, then the
// lowest number. It must not be called from several goroutines.
func (o *overlap) nearest(i int) []int {
	var near []neighbour
	for _, h := range o.features[i] {
		for _, j := range o.postings[h] {
			if o.shared[j] == 0 && int(j) != i {
				near = append(near, neighbour{doc: int(j)})
			}
			o.shared[j]++
		}
	}
	for k := range near {
		j := near[k].doc
		n := o.shared[j]
		near[k].share = float64(n) / float64(len(o.features[i])+len(o.features[j])-n)
		o.shared[j] = 0
	}
	o.shared[i] = 0
	slices.SortFunc(near, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.share, a.share), a.doc-b.doc)
	})
	out := make([]int, len(near))
	for k, n := range near {
		out[k] = n.doc
	}
	return out
}

type neighbour struct {
	doc   int
	share float64
}

// lexicalFeatures returns the hashes of the words of the text, lower-cased, and
// of the pairs of neighbouring words; a Han character is a word, but has no
// feature of its own.
func lexicalFeatures(text string) []uint64 {
	var out []uint64
	var word []byte
	var last uint64
	end := func(alone bool) {
		if len(word) == 0 {
			return
		}
		h := xxh3.Hash(word)
		if alone {
			out = append(out, h)
		}
		out = append(out, last*0x9e3779b97f4a7c15+h)
		last, word = h, word[:0]
	}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			end(true)
			word = utf8.AppendRune(word, r)
			end(false)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = utf8.AppendRune(word, unicode.ToLower(r))
		default:
			end(true)
		}
	}
	end(true)
	return out
}
