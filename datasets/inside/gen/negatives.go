package main

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/zeebo/xxh3"
)

const (
	// negativeShare is the number of negative pairs for each positive one, and
	// hardShare how many of them are hard.
	negativeShare, hardShare = 2.5, 0.6
	// tooAlike is the overlap from which a pair of different groups is left out:
	// it might be called alike with good reason.
	tooAlike = 0.5
	// maxUses is the number of hard negatives that a document can be in.
	maxUses = 3
)

// candidate is a document that negatives are drawn from.
type candidate struct {
	id       string
	group    *group
	features []uint64
	twins    [][]uint64
	lender   []uint64
}

// candidates returns the documents of a group.
func (b *builder) candidates(g *group) []candidate {
	var twins [][]uint64
	for _, t := range g.twin {
		twins = append(twins, b.features(t))
	}
	lender := b.features(g.lender)
	var out []candidate
	for _, d := range g.docs {
		out = append(out, candidate{d.ID, g, b.features(d.Text), twins, lender})
	}
	return out
}

// decoys adds n of the groups of a pool, those that overlap most with a document
// that is in the set already and still are surely not alike to it; each split
// gets its share, and a unit gives one.
func (b *builder) decoys(pool []*group, n int) {
	var docs []candidate
	for _, g := range b.groups {
		docs = append(docs, b.candidates(g)...)
	}
	best := map[*group]float64{}
	for _, g := range pool {
		for _, c := range b.candidates(g) {
			for _, d := range docs {
				if b.splitOf(g) == b.splitOf(d.group) && comparable(c, d) {
					s, _ := overlap(c.features, d.features)
					best[g] = max(best[g], s)
				}
			}
		}
	}
	pool = slices.Clone(pool)
	slices.SortStableFunc(pool, func(x, y *group) int { return cmp.Compare(best[y], best[x]) })
	dev := int(devShare * float64(n))
	left := map[datasets.Split]int{datasets.Dev: dev, datasets.Test: n - dev}
	given := map[string]bool{}
	for _, g := range pool {
		if split := b.splitOf(g); left[split] > 0 && !given[g.unit] && b.add(g) {
			left[split]--
			given[g.unit] = true
		}
	}
}

// negatives draws the negative pairs of each split.
func (b *builder) negatives() {
	for _, split := range []datasets.Split{datasets.Dev, datasets.Test} {
		var docs []candidate
		for _, g := range b.groups {
			if b.splitOf(g) != split {
				continue
			}
			docs = append(docs, b.candidates(g)...)
		}
		positives := 0
		for _, p := range b.pairs {
			if p.split == split && p.label == 1 {
				positives++
			}
		}
		want := int(float64(positives) * negativeShare)
		hard := int(float64(want) * hardShare)
		b.draw(docs, split, hard, want-hard)
	}
}

// draw adds hard negatives, nearest neighbours of documents in turn, and random
// pairs of documents of one length class.
func (b *builder) draw(docs []candidate, split datasets.Split, hard, random int) {
	seen := map[[2]string]bool{}
	take := func(x, y candidate, kind string) bool {
		key := [2]string{min(x.id, y.id), max(x.id, y.id)}
		if seen[key] {
			return false
		}
		seen[key] = true
		b.pairs = append(b.pairs, pair{x.id, y.id, 0, kind, split})
		return true
	}
	// A text of nothing but common phrases is near to many; it must not decide alone.
	uses := make([]int, len(docs))
	near := make([][]int, len(docs))
	for i := range docs {
		near[i] = nearest(docs, i)
	}
	order := b.random.Perm(len(docs))
	for rank := 0; rank < 20 && hard > 0; rank++ {
		for _, i := range order {
			if hard == 0 || rank >= len(near[i]) {
				continue
			}
			j := near[i][rank]
			if uses[i] < maxUses && uses[j] < maxUses && take(docs[i], docs[j], "hard") {
				uses[i]++
				uses[j]++
				hard--
			}
		}
	}
	for random > 0 {
		x, y := docs[b.random.IntN(len(docs))], docs[b.random.IntN(len(docs))]
		if comparable(x, y) && x.group.long == y.group.long && take(x, y, "random") {
			random--
		}
	}
}

// nearest returns the documents that overlap most with document i and can make a
// negative pair with it, the most alike first.
func nearest(docs []candidate, i int) []int {
	type neighbour struct {
		doc   int
		share float64
	}
	var all []neighbour
	for j := range docs {
		if comparable(docs[i], docs[j]) {
			if s, _ := overlap(docs[i].features, docs[j].features); s > 0 {
				all = append(all, neighbour{j, s})
			}
		}
	}
	slices.SortFunc(all, func(x, y neighbour) int {
		return cmp.Or(cmp.Compare(y.share, x.share), cmp.Compare(docs[x.doc].id, docs[y.doc].id))
	})
	var out []int
	for _, n := range all[:min(len(all), 20)] {
		out = append(out, n.doc)
	}
	return out
}

// comparable reports whether two documents are surely not alike: of different
// groups, not a text and a part of it, not of two books that tell the same, not an edited text and one that the edit
// borrowed from, and without much overlap themselves or in another edition.
func comparable(x, y candidate) bool {
	if x.group == y.group || (x.group.unit == y.group.unit && x.group.long != y.group.long) {
		return false
	}
	if x.group.kin != "" && x.group.kin == y.group.kin && x.group.work != y.group.work {
		return false
	}
	if alike(x.features, y.features) || x.borrows(y) || y.borrows(x) {
		return false
	}
	for i := range min(len(x.twins), len(y.twins)) {
		if alike(x.twins[i], y.twins[i]) {
			return false
		}
	}
	return true
}

// borrows reports whether an edit of x's group borrowed from y, in this edition
// or another.
func (x candidate) borrows(y candidate) bool {
	if len(x.lender) == 0 {
		return false
	}
	for _, t := range y.twins {
		if alike(x.lender, t) {
			return true
		}
	}
	return alike(x.lender, y.features)
}

func alike(x, y []uint64) bool {
	jaccard, containment := overlap(x, y)
	return jaccard >= tooAlike || containment >= 1.4*tooAlike
}

// overlap returns the Jaccard resemblance of two sets and the share of the
// smaller one that lies in the other; both are 0 for an empty set.
func overlap(x, y []uint64) (jaccard, containment float64) {
	n := 0
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			n++
			i++
			j++
		}
	}
	if n == 0 {
		return 0, 0
	}
	return float64(n) / float64(len(x)+len(y)-n), float64(n) / float64(min(len(x), len(y)))
}

// hashes returns the sorted hashes of features, each once.
func hashes(features []string) []uint64 {
	out := make([]uint64, len(features))
	for i, f := range features {
		out[i] = xxh3.HashString(f)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
