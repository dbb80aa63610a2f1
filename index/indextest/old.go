package indextest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// Text returns text i. No other text has any of its words.
func Text(i int) string {
	var b strings.Builder
	for w := range 30 {
		fmt.Fprintf(&b, "t%dw%d ", i, w*w)
	}
	return b.String()
}

// SimHash makes or opens the index that tests use for documents with such texts.
func SimHash(ctx context.Context, s index.Store) (*index.Index, error) {
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		return nil, err
	}
	return index.Create(ctx, s, similarity.Hide(m), index.Options{Threshold: 0.989})
}

// OldIndex tests that an index of an earlier layout is read and written as
// before. An earlier version of alike made it by SimHash and added doc-0 to doc-5 of the
// texts of these numbers. Then it deleted doc-3.
func OldIndex(t *testing.T, s index.Store) {
	t.Helper()
	ctx := t.Context()
	x, err := SimHash(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, there ...int) {
		t.Helper()
		for i := range 7 {
			m, err := x.Query(ctx, index.Doc{Text: Text(i)}, index.QueryOptions{})
			if slices.Contains(there, i) != (len(m) == 1 && m[0].ID == fmt.Sprint("doc-", i)) || err != nil {
				t.Errorf("%s: the query of text %d gives %v, %v", when, i, m, err)
			}
		}
		if v, err := x.Verify(ctx); err != nil || v.Documents != int64(len(there)) || v.Stale > 0 || len(v.Problems) > 0 {
			t.Errorf("%s: verify: %+v, %v, want %d documents and nothing wrong", when, v, err, len(there))
		}
		if st, err := x.Stats(ctx); err != nil || st.Documents != int64(len(there)) {
			t.Errorf("%s: %+v, %v, want %d documents", when, st, err, len(there))
		}
	}
	check("as it was", 0, 1, 2, 4, 5)
	var docs []index.Doc
	for _, i := range []int{0, 3, 6} {
		docs = append(docs, index.Doc{ID: fmt.Sprint("doc-", i), Text: Text(i), Time: 9})
	}
	for round, want := range [][]index.State{{index.Same, index.Added, index.Added}, {index.Same, index.Same, index.Same}} {
		for k, r := range put(t, x, docs, len(docs)) {
			if r.State != want[k] {
				t.Errorf("round %d: %s is %v, want %v", round, docs[k].ID, r.State, want[k])
			}
		}
	}
	check("added", 0, 1, 2, 3, 4, 5, 6)
	if n, err := x.Delete(ctx, "doc-1", "doc-6"); n != 2 || err != nil {
		t.Errorf("deleted %d, %v, want 2", n, err)
	}
	if err := x.Merge(ctx); err != nil {
		t.Error(err)
	}
	check("deleted and merged", 0, 2, 3, 4, 5)
}
