package datasets

import (
	"slices"

	"github.com/alike-go/alike/internal/splitmix"
)

// How many pairs are drawn from clusters. A few large clusters would otherwise
// be most of a set, and a score a score on them.
const (
	samplePerCluster  = 1_000
	samplePositives   = 20_000
	sampleMinNegative = 2_000
	sampleMaxNegative = 40_000
	// sampleHard bounds the documents of a split that hard pairs are chosen among,
	// which takes a hundred microseconds for each.
	sampleHard = 20_000
	// sampleSeed fixes the choice.
	sampleSeed = 1
)

// sample draws the pairs of a set whose truth is clusters, as the comment of
// Load says.
func (s *Set) sample() {
	d := drawer{set: s, random: sampleSeed, seen: map[[2]int]bool{}}
	for _, p := range s.Ignore {
		d.seen[ordered(p.A, p.B)] = true
	}
	s.Pairs = d.positives()
	d.side = s.divide(s.Clusters, sampleSeed, 0.5)
	for i := range s.Pairs {
		s.Pairs[i].Split = d.side[s.Pairs[i].A]
	}
	for _, split := range []Split{Dev, Test} {
		want := len(s.Select(split)) * 2
		want = min(max(want, sampleMinNegative/2), sampleMaxNegative/2)
		hard := d.hard(split, want/2)
		s.Pairs = append(s.Pairs, hard...)
		s.Pairs = append(s.Pairs, d.easy(split, want-len(hard))...)
	}
}

// drawer draws pairs of a set without drawing one twice.
type drawer struct {
	set    *Set
	side   []Split
	random splitmix.Stream
	seen   map[[2]int]bool // pairs drawn, and pairs never to draw
}

// positives returns pairs of documents that share a cluster, in the order of
// the documents.
func (d *drawer) positives() []Pair {
	members := make([][]int, len(d.set.Docs)) // by cluster
	for i, c := range d.set.Clusters {
		members[c] = append(members[c], i)
	}
	var pairs []Pair
	for _, m := range members {
		n := len(m)
		for _, k := range choose(&d.random, n*(n-1)/2, samplePerCluster) {
			i, j := triangle(k)
			if a, b := m[j], m[i]; d.comparable(a, b) && !d.seen[ordered(a, b)] {
				pairs = append(pairs, Pair{A: a, B: b, Label: 1, Grade: 1, Kind: "same"})
			}
		}
	}
	var out []Pair
	for _, k := range choose(&d.random, len(pairs), samplePositives) {
		out = append(out, pairs[k])
	}
	return out
}

// triangle returns the k-th pair (i, j), j < i, of the order (1,0), (2,0),
// (2,1), (3,0), ...
func triangle(k int) (i, j int) {
	for step := 1 << 30; step > 0; step /= 2 { // the largest i with i(i-1)/2 <= k
		if n := int64(i + step); n*(n-1)/2 <= int64(k) {
			i += step
		}
	}
	return i, k - i*(i-1)/2
}

// docs returns the documents of a split.
func (d *drawer) docs(split Split) []int {
	var docs []int
	for i, s := range d.side {
		if s == split {
			docs = append(docs, i)
		}
	}
	return docs
}

// easy returns up to want random pairs of different clusters within the split.
func (d *drawer) easy(split Split, want int) []Pair {
	docs := d.docs(split)
	var pairs []Pair
	// Small sets have fewer pairs than wanted; the tries are bounded.
	for range 20 * want {
		if len(docs) < 2 || len(pairs) == want {
			break
		}
		a, b := docs[d.random.Below(len(docs))], docs[d.random.Below(len(docs))]
		if d.take(a, b) {
			pairs = append(pairs, negative(a, b, split, "random"))
		}
	}
	return pairs
}

// hard returns up to want pairs of different clusters within the split that
// share many rare features: for documents in random order those that overlap
// most with each, the same number for every document. Of splits of more than
// sampleHard documents it takes that many.
func (d *drawer) hard(split Split, want int) []Pair {
	in := make([]bool, len(d.side))
	docs := d.docs(split)
	for _, k := range choose(&d.random, len(docs), sampleHard) {
		in[docs[k]] = true
	}
	index := newOverlap(d.set.Docs, func(i int) bool { return in[i] })
	var pairs []Pair
	each := min(want/max(len(index.docs), 1)+1, 20)
	order := slices.Clone(index.docs)
	shuffle(&d.random, order)
	for _, a := range order {
		if len(pairs) == want {
			break
		}
		found := 0
		for _, b := range index.nearest(a) {
			if found == each || len(pairs) == want {
				break
			}
			if d.take(a, b) {
				pairs = append(pairs, negative(a, b, split, "hard"))
				found++
			}
		}
	}
	return pairs
}

func negative(a, b int, split Split, kind string) Pair {
	o := ordered(a, b)
	return Pair{A: o[0], B: o[1], Split: split, Kind: kind}
}

// take reports whether the pair can be a negative that was not drawn before, and
// marks it as drawn. Equal texts cannot: whatever their clusters, no method of
// comparing texts should be asked to tell them apart.
func (d *drawer) take(a, b int) bool {
	s := d.set
	key := ordered(a, b)
	if s.Clusters[a] == s.Clusters[b] || !d.comparable(a, b) || d.seen[key] || s.Docs[a].Text == s.Docs[b].Text {
		return false
	}
	d.seen[key] = true
	return true
}

func (d *drawer) comparable(a, b int) bool {
	return d.set.Sources == nil || d.set.Sources[a] != d.set.Sources[b]
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// choose returns k different numbers below n in ascending order, all of them if
// k >= n. It uses Floyd's algorithm (Bentley and Floyd, CACM 1987), whose cost
// depends on k alone.
func choose(r *splitmix.Stream, n, k int) []int {
	if k >= n {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	in := make(map[int]bool, k)
	out := make([]int, 0, k)
	for i := n - k; i < n; i++ {
		x := r.Below(i + 1)
		if in[x] {
			x = i
		}
		in[x] = true
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// shuffle puts the numbers in random order (Fisher and Yates, from the end).
func shuffle(r *splitmix.Stream, x []int) {
	for i := len(x) - 1; i > 0; i-- {
		j := r.Below(i + 1)
		x[i], x[j] = x[j], x[i]
	}
}
