package kit

import "github.com/alike-go/alike/datasets"

// Part returns the documents of a set of clusters for which keep is true, with what is
// known of them, and their new numbers.
func Part(set *datasets.Set, keep func(document int) bool) (part *datasets.Set, number map[int]int) {
	part, number = &datasets.Set{Name: set.Name}, map[int]int{}
	for i, d := range set.Docs {
		if keep(i) {
			number[i] = len(part.Docs)
			part.Docs = append(part.Docs, d)
			part.Clusters = append(part.Clusters, set.Clusters[i])
		}
	}
	for _, q := range set.Ignore {
		a, okA := number[q.A]
		b, okB := number[q.B]
		if okA && okB {
			q.A, q.B = a, b
			part.Ignore = append(part.Ignore, q)
		}
	}
	return part, number
}
