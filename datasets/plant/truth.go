package plant

import (
	"iter"
	"strconv"

	"github.com/alike-go/alike/datasets"
)

// The kinds of pairs that are no pair of an original and its copy; the kind of
// those is the edit.
const (
	// KindCopies are two copies of one original.
	KindCopies = "copies"
	// KindEqual are an original and a copy that no edit had an effect on.
	KindEqual = "equal"
	// KindRandom are two documents that are not alike.
	KindRandom = "random"
)

// truth turns the documents of a stream into labelled pairs: every copy with its
// original and with the copies of lower number, and for each pair of a copy and
// its original two pairs that are not alike, either of the two with a random one
// of the documents before.
type truth struct {
	recent []member // a ring
	seen   int
	r      Rand
}

type member struct{ id, original string }

// recentDocs is how many documents negatives are drawn from.
const recentDocs = 4096

// pair is a pair by ids.
type pair struct {
	a, b  string
	label int
	kind  string
}

// add calls yield with the pairs that the document brings.
func (t *truth) add(d Document, yield func(pair)) {
	if d.Copy > 0 {
		kind := d.Edit.String()
		if d.Record.Touched == 0 {
			kind = KindEqual
		}
		yield(pair{d.Original, d.ID, 1, kind})
		for i := 1; i < d.Copy; i++ {
			yield(pair{d.Original + "~" + strconv.Itoa(i), d.ID, 1, KindCopies})
		}
		for _, id := range []string{d.Original, d.ID} {
			if other, ok := t.other(d.Original); ok {
				yield(pair{other, id, 0, KindRandom})
			}
		}
	}
	m := member{d.ID, d.Original}
	if len(t.recent) < recentDocs {
		t.recent = append(t.recent, m)
	} else {
		t.recent[t.seen%recentDocs] = m
	}
	t.seen++
}

// other returns a recent document of another cluster; ok is false if some tries
// found none.
func (t *truth) other(original string) (id string, ok bool) {
	if t.seen == 0 {
		return "", false
	}
	for range 32 {
		if m := t.recent[t.r.Below(len(t.recent))]; m.original != original {
			return m.id, true
		}
	}
	return "", false
}

// Collect reads a whole stream into a data set: documents, clusters and the pairs
// that Write writes. Its documents are those of the stream in their order.
func Collect(name string, docs iter.Seq2[Document, error]) (*datasets.Set, error) {
	s := &datasets.Set{Name: name}
	var t truth
	var pairs []pair
	number := map[string]int{}   // by id
	clusters := map[string]int{} // by original
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
		t.add(d, func(p pair) { pairs = append(pairs, p) })
	}
	for _, p := range pairs {
		s.Pairs = append(s.Pairs, datasets.Pair{
			A: number[p.a], B: number[p.b], Label: float64(p.label), Grade: float64(p.label), Kind: p.kind,
		})
	}
	return s, nil
}
