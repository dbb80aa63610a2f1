package eval

import (
	"slices"

	"github.com/alike-go/alike/datasets"
)

// maxPositives is the maximum number of pairs within clusters. Their scores are all
// kept in memory.
const maxPositives = 5_000_000

// clustered is truth as clusters over the documents of a part. Documents are
// sorted by cluster: those behind document i in its cluster are i+1 to end[i]-1.
type clustered struct {
	cluster []int   // by document, ascending from 0
	end     []int32 // by document: the end of its cluster
	at      []int   // by document: how many positive pairs have a smaller first document
	keep    int     // how many pairs that are not alike a scan holds
	from    int     // documents of the set that the clusters were sampled from; 0 where all were taken

	skip  map[int32][]int32 // documents behind a document that it makes no pair with
	equal [][]int32         // by document: all documents of equal text where those lie in several clusters

	source []string // by document, where pairs of one source do not count; else nil
}

// positives returns the number of pairs within clusters, skipped ones included.
func (c *clustered) positives() int { return c.at[len(c.at)-1] }

func clusterPart(set *datasets.Set, name string, clusters [][]int, from int) *Part {
	// The order of the set, by first document, makes the part easy to read.
	slices.SortFunc(clusters, func(a, b []int) int { return a[0] - b[0] })
	p := &Part{Name: name, Units: len(clusters)}
	c := &clustered{from: from, skip: map[int32][]int32{}}
	number := map[int]int32{}
	positives := 0
	for k, m := range clusters {
		end := len(p.Docs) + len(m)
		for _, d := range m {
			i := len(p.Docs)
			number[d] = int32(i)
			p.Docs = append(p.Docs, d)
			if set.Sources != nil {
				c.source = append(c.source, set.Sources[d])
			}
			c.cluster = append(c.cluster, k)
			c.end = append(c.end, int32(end))
			c.at = append(c.at, positives)
			positives += end - i - 1
		}
	}
	c.at = append(c.at, positives)
	c.keep = keepLimit(positives)
	for _, q := range set.Ignore {
		a, okA := number[q.A]
		b, okB := number[q.B]
		if okA && okB && a != b {
			c.skip[min(a, b)] = append(c.skip[min(a, b)], max(a, b))
		}
	}
	c.equal = equalTexts(set, p.Docs, c.cluster)
	p.Unit = c.cluster
	p.clusters = c
	return p
}

// equalTexts returns, for each document, the documents with the same text,
// including itself, if they belong to several clusters; nil otherwise.
func equalTexts(set *datasets.Set, docs, cluster []int) [][]int32 {
	same := map[string][]int32{}
	for i, d := range docs {
		same[set.Docs[d].Text] = append(same[set.Docs[d].Text], int32(i))
	}
	out := make([][]int32, len(docs))
	for i, d := range docs {
		if s := same[set.Docs[d].Text]; cluster[s[0]] != cluster[s[len(s)-1]] {
			out[i] = s
		}
	}
	return out
}

// skipped returns the documents behind i, ascending, whose pairs with i do not
// count: the set ignores them, both are of one source, or their texts are equal in
// different clusters, which no comparison of texts can tell apart. It appends to buf.
func (c *clustered) skipped(i int, buf []int32) []int32 {
	buf = append(buf, c.skip[int32(i)]...)
	for _, j := range c.equal[i] {
		if j >= c.end[i] {
			buf = append(buf, j)
		}
	}
	if c.source != nil {
		for j := i + 1; j < len(c.source); j++ {
			if c.source[i] == c.source[j] {
				buf = append(buf, int32(j))
			}
		}
	}
	if len(buf) > 1 {
		slices.Sort(buf)
		buf = slices.Compact(buf)
	}
	return buf
}

// skips reports whether the pair of i and a document j behind it does not count.
func (c *clustered) skips(i, j int) bool {
	if c.source != nil && c.source[i] == c.source[j] {
		return true
	}
	if len(c.skip) > 0 && slices.Contains(c.skip[int32(i)], int32(j)) {
		return true
	}
	if c.equal[i] == nil || j < int(c.end[i]) {
		return false
	}
	_, found := slices.BinarySearch(c.equal[i], int32(j))
	return found
}

// closure returns the confusion, without TN, of the transitive closure of
// predicted pairs: a pair is predicted alike where its documents lie in one component.
func (c *clustered) closure(components []int) Confusion {
	both, gold, pred := meet(c.cluster, components).pairs()
	out := Confusion{TP: both, FP: pred - both, FN: gold - both}
	var buf []int32
	for i := range c.cluster {
		buf = c.skipped(i, buf[:0])
		for _, j := range buf {
			switch alike, found := j < c.end[i], components[i] == components[j]; {
			case alike && found:
				out.TP--
			case alike:
				out.FN--
			case found:
				out.FP--
			}
		}
	}
	return out
}

// closure returns the confusion of the transitive closure of predicted pairs,
// without TN if truth is clusters.
func (p *Part) closure(components []int) Confusion {
	if p.clusters != nil {
		return p.clusters.closure(components)
	}
	var c Confusion
	for _, q := range p.Pairs {
		c.add(q.Alike(), components[q.A] == components[q.B])
	}
	return c
}
