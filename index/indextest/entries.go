package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/alike-go/alike/index"
)

// RandomEntry returns an entry of four random postings.
func RandomEntry(rng *rand.Rand, id string) index.Entry {
	e := index.Entry{Document: index.Document{ID: id, Sketch: []byte(fmt.Sprintf("%016x", rng.Uint64()))}}
	e.Hash = index.ContentHash(string(e.Sketch))
	for table := range uint8(4) {
		e.Postings = append(e.Postings, index.Posting{Bucket: rng.Uint32(), Table: table, Word: rng.Uint64()})
	}
	slices.SortFunc(e.Postings, index.Posting.Compare)
	return e
}

// Check fails unless entries are there under their numbers, with all their postings.
func Check(t testing.TB, s index.Store, entries ...index.Entry) {
	t.Helper()
	var numbers []uint64
	var probes [][]index.Posting
	for _, e := range entries {
		numbers = append(numbers, e.Number)
		for _, p := range e.Postings {
			probes = append(probes, []index.Posting{p})
		}
	}
	docs, err := s.Documents(t.Context(), numbers)
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	found, err := scanEach(t.Context(), s, probes)
	if err != nil {
		t.Errorf("scan: %v", err)
		return
	}
	for i, e := range entries {
		if docs[i].ID != e.ID || string(docs[i].Sketch) != string(e.Sketch) {
			t.Errorf("document %d is %+v, want %s", e.Number, docs[i], e.ID)
		}
		for k, p := range e.Postings {
			if !slices.Contains(found[k], e.Number) {
				t.Errorf("%s is missing from %+v", e.ID, p)
			}
		}
		found = found[len(e.Postings):]
	}
}

// scanEach returns what each element of probes leads to, at once where the store can.
func scanEach(ctx context.Context, s index.Store, probes [][]index.Posting) ([][]uint64, error) {
	if b, ok := s.(index.BatchScanner); ok {
		return b.ScanBatch(ctx, probes, 0)
	}
	found := make([][]uint64, len(probes))
	for i, p := range probes {
		var err error
		if found[i], err = s.Scan(ctx, nil, p, 0); err != nil {
			return nil, err
		}
	}
	return found, nil
}
