// Package indextest has the suite that every backend of package index passes. A
// backend needs one line in its tests.
//
//	indextest.Run(t, indextest.Backend{Open: func(t *testing.T, name string) index.Store { ... }})
//
// The suite compares answers with the plainest implementations: those of an
// index with the scores of all documents, one by one; those of a store with
// package memory.
//
// It also has what the tests of backends share beside the suite: documents that
// expire, indexes of earlier layouts, and entries to add and to check. Attacks
// and measurements are in docs/reliability/load.
package indextest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// Backend is how the suite reaches a backend.
type Backend struct {
	// Open opens the store of the given name for reading and writing. Under a
	// name that was not used before in this run there is no index; after Close
	// the same name gives what the store kept. The suite closes what it opens.
	// Names are letters and hyphens.
	Open func(t *testing.T, name string) index.Store

	// Volatile says that nothing outlives Close, so that nothing is opened again.
	Volatile bool

	// Damage damages a document of an open store. The entry has its number, its
	// fields and its postings. Nil means that the backend cannot; its data is
	// then under checksums that its own tests damage.
	Damage func(t *testing.T, s index.Store, kind Damage, e index.Entry)

	// Shared says that a name can be opened twice at a time and that both may write.
	Shared bool
}

// Run runs the suite. With -short it takes a few thousand operations of the
// store, otherwise some ten times as many.
func Run(t *testing.T, b Backend) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, b Backend)
	}{
		{"none", none},
		{"empty", empty},
		{"rows", rows},
		{"states", states},
		{"keys", keys},
		{"bucket", bucket},
		{"model", model},
		{"oracle", oracle},
		{"batch", batch},
		{"retry", retry},
		{"if-new", ifNew},
		{"race-equal", raceEqual},
		{"race-near", raceNear},
		{"concurrent", concurrent},
		{"merge", merge},
		{"header", header},
		{"cancel", cancel},
		{"expire", expire},
		{"export", export},
		{"fields", fields},
		{"load", load},
		{"reopen", reopen},
		{"closed", closed},
		{"damage", damage},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, b) })
	}
}

// open opens the store of a test, and closes it at the end unless the test did.
func (b Backend) open(t *testing.T, name string) *opened {
	t.Helper()
	s := &opened{Store: b.Open(t, name)}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// opened is a store that can be closed twice.
type opened struct {
	index.Store
	done bool
}

func (s *opened) Close() error {
	if s.done {
		return nil
	}
	s.done = true
	return s.Store.Close()
}

// loader returns the store as a Loader, where it is one.
func (s *opened) loader() (index.Loader, bool) {
	l, ok := s.Store.(index.Loader)
	return l, ok
}

// size returns n, or a tenth of it with -short.
func size(n int) int {
	if testing.Short() {
		return max(1, n/10)
	}
	return n
}

// testHeader is the header of stores that are tested without an index over them.
var testHeader = []byte(`{"version":1,"test":true}`)

// created opens a store and creates an index in it.
func (b Backend) created(t *testing.T, name string) *opened {
	t.Helper()
	s := b.open(t, name)
	if err := s.Create(t.Context(), testHeader); err != nil {
		t.Fatalf("create: %v", err)
	}
	return s
}

// entry returns an entry whose sketch and hash are made of content.
func entry(id, content string, postings ...index.Posting) index.Entry {
	slices.SortFunc(postings, index.Posting.Compare)
	return index.Entry{
		Document: index.Document{ID: id, Sketch: []byte(content), Hash: index.ContentHash(content), Time: 1_700_000_000},
		Postings: slices.Compact(postings),
	}
}

// add adds entries and fails the test on an error.
func add(t *testing.T, s index.Store, ifNew bool, entries ...index.Entry) []index.Outcome {
	t.Helper()
	out, err := s.Add(t.Context(), entries, ifNew)
	if err != nil {
		t.Fatalf("add: %v", err)
	}
	if len(out) != len(entries) {
		t.Fatalf("add returned %d outcomes of %d entries", len(out), len(entries))
	}
	return out
}

// live returns the documents that a scan leads to, in ascending order of their
// ids.
func live(t *testing.T, s index.Store, probes []index.Posting, within int) []string {
	t.Helper()
	numbers, err := Scan(t.Context(), s, probes, within)
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	docs, err := s.Documents(t.Context(), numbers)
	if err != nil {
		t.Fatalf("documents: %v", err)
	}
	var ids []string
	for _, d := range docs {
		if d.Number != 0 {
			ids = append(ids, d.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// postings returns all postings of documents that are there, sorted, and fails
// if one comes twice.
func postings(t *testing.T, s index.Store) []string {
	t.Helper()
	ids := map[uint64]string{}
	for _, d := range documents(t, s) {
		ids[d.Number] = d.ID
	}
	seen := map[string]bool{}
	var all []string
	err := s.EachPosting(t.Context(), func(p index.Posting, number uint64) error {
		key := fmt.Sprintf("%x %d", p.AppendKey(nil), number)
		if seen[key] {
			t.Errorf("posting %s comes twice", key)
		}
		seen[key] = true
		if id, ok := ids[number]; ok {
			all = append(all, fmt.Sprintf("%x %q", p.AppendKey(nil), id))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("each posting: %v", err)
	}
	slices.Sort(all)
	return all
}

// documents returns all documents in ascending order of their ids.
func documents(t *testing.T, s index.Store) []index.Document {
	t.Helper()
	var all []index.Document
	err := s.EachDocument(t.Context(), func(d index.Document) error {
		all = append(all, d)
		return nil
	})
	if err != nil {
		t.Fatalf("each document: %v", err)
	}
	slices.SortFunc(all, func(a, b index.Document) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// setup is a method and a threshold that indexes are tested with.
type setup struct {
	name      string
	method    similarity.Method
	threshold float64
	exact     bool // every document at the threshold is found
}

// setups are one for each kind of buckets and words.
func setups(t *testing.T) []setup {
	t.Helper()
	sim, err := simhash.New(simhash.Options{})
	wide, err2 := simhash.New(simhash.Options{Bits: 128})
	min, err3 := shingle.NewMinHash(shingle.MinHashOptions{})
	win, err4 := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{})
	for _, err := range []error{err, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return []setup{
		{"simhash", similarity.Hide(sim), 0.97, true},
		{"simhash-wide", similarity.Hide(wide), 0.985, true},
		{"minhash", similarity.Hide(min), 0.7, false},
		{"winnow", similarity.Hide(win), 0.6, true},
	}
}

// create makes an index in a store.
func create(t *testing.T, s index.Store, u setup) *index.Index {
	t.Helper()
	x, err := index.Create(t.Context(), s, u.method, index.Options{Threshold: u.threshold})
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	return x
}

// texts returns n documents of which many are near-duplicates of an earlier
// one: some words are others, or none are.
func texts(seed uint64, n int) []index.Doc {
	rng := rand.New(rand.NewPCG(seed, 1))
	word := func() string { return fmt.Sprintf("w%d", rng.IntN(2000)) }
	var docs []index.Doc
	var all [][]string
	for i := range n {
		var words []string
		if i > 0 && rng.IntN(3) > 0 {
			words = slices.Clone(all[rng.IntN(len(all))])
			for range rng.IntN(6) {
				words[rng.IntN(len(words))] = word()
			}
		} else {
			for range 60 {
				words = append(words, word())
			}
		}
		all = append(all, words)
		docs = append(docs, index.Doc{ID: fmt.Sprintf("doc-%d", i), Text: strings.Join(words, " "), Time: int64(1 + i)})
	}
	return docs
}

// cancelled returns the context of a test, cancelled.
func cancelled(t *testing.T) context.Context {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	return ctx
}
