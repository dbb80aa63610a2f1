package indextest

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/alike-go/alike/index"
)

// batch: QueryBatch gives what Query does, one document after the other.
func batch(t *testing.T, b Backend) {
	for _, u := range setups(t) {
		t.Run(u.name, func(t *testing.T) {
			s := b.open(t, "batch-"+u.name)
			x := create(t, s.Store, u) // without what wraps it
			docs := texts(17, size(300))
			put(t, x, docs, 100)
			other := docs[3]
			other.ID = docs[9].ID
			put(t, x, []index.Doc{other}, 1)
			if _, err := x.Delete(t.Context(), docs[1].ID, docs[2].ID); err != nil {
				t.Fatal(err)
			}
			asked := append(slices.Clone(docs), index.Doc{ID: "void"}, docs[5], docs[5], index.Doc{ID: "far", Text: "nothing like it"})
			for len(asked) < 300 { // a batch and a part of one
				asked = append(asked, asked...)
			}
			asked = asked[:300]
			testBatch(t, x, asked, index.QueryOptions{})
			if u.name != "simhash" {
				return
			}
			testBatch(t, x, asked, index.QueryOptions{Limit: 2})
			testBatch(t, x, asked, index.QueryOptions{Threshold: (1 + u.threshold) / 2})
			if all, err := x.QueryBatch(t.Context(), nil, index.QueryOptions{}); err != nil || len(all) != 0 {
				t.Errorf("no documents: %v, %v", all, err)
			}
			bad := append(slices.Clone(docs[:3]), index.Doc{ID: "bad", Sketch: []byte("x")})
			if _, err := x.QueryBatch(t.Context(), bad, index.QueryOptions{}); err == nil {
				t.Error("a sketch that is none was asked")
			}
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if _, err := x.QueryBatch(ctx, asked, index.QueryOptions{}); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
}

// testBatch compares the answers to all of asked.
func testBatch(t *testing.T, x *index.Index, asked []index.Doc, o index.QueryOptions) {
	t.Helper()
	want := make([][]index.Match, len(asked))
	found := 0
	for i, d := range asked {
		var err error
		if want[i], err = x.Query(t.Context(), d, o); err != nil {
			t.Fatal(err)
		}
		found += len(want[i])
	}
	if found < len(asked)/4 {
		t.Fatalf("%+v: %d answers to %d documents test nothing", o, found, len(asked))
	}
	got, err := x.QueryBatch(t.Context(), asked, o)
	if err != nil || len(got) != len(asked) {
		t.Fatalf("%+v: %d answers, %v, want %d", o, len(got), err, len(asked))
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("%+v: the batch gives %v for %s, want %v", o, got[i], asked[i].ID, want[i])
		}
	}
}

// of returns documents one by one.
func of(docs []index.Doc) func() (index.Doc, bool, error) {
	return func() (index.Doc, bool, error) {
		if len(docs) == 0 {
			return index.Doc{}, false, nil
		}
		d := docs[0]
		docs = docs[1:]
		return d, true, nil
	}
}
