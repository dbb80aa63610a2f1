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
	var probes []index.Posting
	for _, e := range entries {
		numbers = append(numbers, e.Number)
		probes = append(probes, e.Postings...)
	}
	docs, err := s.Documents(t.Context(), numbers)
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	found := make([][]uint64, len(probes))
	err = s.Scan(t.Context(), probes, 0, func(i int, number uint64) { found[i] = append(found[i], number) })
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

// Scan returns the numbers of the documents that a scan leads to.
func Scan(ctx context.Context, s index.Store, probes []index.Posting, within int) (numbers []uint64, err error) {
	err = s.Scan(ctx, probes, within, func(_ int, number uint64) { numbers = append(numbers, number) })
	return numbers, err
}
