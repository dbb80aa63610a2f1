package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func simhashMethod(t *testing.T) (similarity.Method, *simhash.Method) {
	t.Helper()
	m, err := simhash.New(simhash.Options{Score: simhash.Linear})
	if err != nil {
		t.Fatal(err)
	}
	return similarity.Hide(m), m
}

const withinThree = 1 - 3./64

// An index for many documents opens again as it is, and one for another number is refused.
func TestDocuments(t *testing.T) {
	ctx := t.Context()
	m, _ := simhashMethod(t)
	s := memory.New()
	o := index.Options{Threshold: withinThree, Documents: 8e9}
	if _, err := index.Create(ctx, s, m, o); err != nil {
		t.Fatal(err)
	}
	for _, again := range []func() (*index.Index, error){
		func() (*index.Index, error) { return index.Open(ctx, s, m) },
		func() (*index.Index, error) { return index.Create(ctx, s, m, o) },
	} {
		x, err := again()
		if err != nil {
			t.Fatal(err)
		}
		if h := x.Header(); h.Documents != 8e9 || h.Tables != 20 || h.Buckets != "20 tables of 31 to 33 bits" {
			t.Errorf("header %+v", h)
		}
	}
	for _, documents := range []int64{0, 1e6, 1e9} {
		o.Documents = documents
		_, err := index.Create(ctx, s, m, o)
		if want := fmt.Sprintf("made with documents 8000000000, want %d", documents); !errors.Is(err, index.ErrExists) || !strings.Contains(err.Error(), want) {
			t.Errorf("create for %d documents: %v, want %q", documents, err, want)
		}
	}
	o.Documents = -1
	if _, err := index.Create(ctx, memory.New(), m, o); err == nil {
		t.Error("an index for -1 documents")
	}
}

// headerOf is the header that an index without a number of documents has had since version 1.
const headerOf = `{"version":1,"method":%q,"settings":%q,"threshold":0.953125,"recall":0.95,"buckets":"4 tables of 16 bits","tables":4,"word":"fingerprint","within":3}`

// Headers from before layouts for a number of documents are written and read as they were; one
// that names a layout which the number does not give is refused.
func TestHeaderBeforeDocuments(t *testing.T) {
	ctx := t.Context()
	m, _ := simhashMethod(t)
	before := fmt.Sprintf(headerOf, m.String(), m.Settings())
	s := memory.New()
	if _, err := index.Create(ctx, s, m, index.Options{Threshold: withinThree}); err != nil {
		t.Fatal(err)
	}
	if h, err := s.Header(ctx); err != nil || string(h) != before {
		t.Errorf("header %s, %v, want %s", h, err, before)
	}
	for _, c := range []struct {
		header string
		want   error
	}{
		{before, nil},
		{strings.Replace(before, `"buckets"`, `"documents":1000000,"buckets"`, 1), nil},
		{strings.Replace(before, `"buckets"`, `"documents":1000000000,"buckets"`, 1), similarity.ErrSettings},
	} {
		s := memory.New()
		if err := s.Create(ctx, []byte(c.header)); err != nil {
			t.Fatal(err)
		}
		if _, err := index.Open(ctx, s, m); !errors.Is(err, c.want) {
			t.Errorf("open %s: %v, want %v", c.header, err, c.want)
		}
	}
}

// Under every layout a query finds what scoring all fingerprints finds.
func TestDocumentsLayoutsFindTheSame(t *testing.T) {
	for _, documents := range []int64{0, 1e6, 1e9, 8e9, 1e14} {
		ctx := context.Background()
		m, fingerprints := simhashMethod(t)
		x, err := index.Create(ctx, memory.New(), m, index.Options{Threshold: withinThree, Documents: documents})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(11, 0))
		var all []simhash.Fingerprint
		var docs []index.Doc
		for i := range 300 {
			f := simhash.Fingerprint{Lo: rng.Uint64()}
			if i > 0 && i%2 == 0 {
				f = all[rng.IntN(i)]
				for range rng.IntN(6) {
					f.Lo ^= 1 << rng.IntN(64)
				}
			}
			all = append(all, f)
			docs = append(docs, index.Doc{ID: fmt.Sprint(i), Sketch: fingerprints.AppendSketch(nil, f)})
		}
		if _, err := x.Add(ctx, docs); err != nil {
			t.Fatal(err)
		}
		for i, f := range all {
			want := map[string]int{}
			for j, g := range all {
				if d := simhash.Distance(f, g); d <= 3 {
					want[fmt.Sprint(j)] = d
				}
			}
			got, err := x.Query(ctx, docs[i], index.QueryOptions{})
			if err != nil || len(got) != len(want) {
				t.Fatalf("%d documents: query %d: %d matches, %v, want %d", documents, i, len(got), err, len(want))
			}
			for _, match := range got {
				if d, ok := want[match.ID]; !ok || d != match.Distance {
					t.Fatalf("%d documents: query %d: %s at %d, want %v", documents, i, match.ID, match.Distance, want)
				}
			}
		}
	}
}
