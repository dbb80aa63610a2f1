package plant

import (
	"iter"

	"github.com/alike-go/alike/datasets"
)

// collect reads a whole stream into a data set: documents, clusters and the pairs
// that Write writes. Its documents have the order of the stream.
func collect(name string, docs iter.Seq2[Document, error]) (*datasets.Set, error) {
	s := &datasets.Set{Name: name}
	var t truth
	number := map[string]int{}   // by id
	clusters := map[string]int{} // by original
	var pairs []pair
	for d, err := range docs {
		if err != nil {
			return nil, err
		}
		number[d.ID] = len(s.Docs)
		s.Docs = append(s.Docs, d.Doc)
		c, ok := clusters[d.Original]
		if !ok {
			c = len(clusters)
			clusters[d.Original] = c
		}
		s.Clusters = append(s.Clusters, c)
		pairs = append(pairs, t.add(d)...)
	}
	for _, p := range pairs {
		s.Pairs = append(s.Pairs, datasets.Pair{
			A: number[p.a], B: number[p.b], Label: float64(p.label), Grade: float64(p.label), Kind: p.kind,
		})
	}
	return s, nil
}
