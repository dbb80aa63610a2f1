// Package index answers whether a document, or one like it, has been seen
// before. It keeps the sketches of documents in buckets, on disk, in Redis, in
// HBase or in memory, so a query reads only the few buckets of its own sketch.
//
// An [Index] joins a method that has buckets (see similarity.Bucketer) to a
// [Store]. There are two spaces, the same on every backend:
//
//	postings   bucket (4 bytes) ‖ table (1 byte) ‖ word (8 bytes)  → document numbers
//	documents  number ↔ the caller's id, sketch, content hash, time
//
// Papers on SimHash in HBase use row keys of this form. The bucket and the table
// are a key of the method's layout: blocks of a
// fingerprint, bands of a MinHash signature, fingerprints of a winnowed text.
// Buckets longer than 32 bits are cut to their top 32, which makes buckets
// larger and loses nothing. The word lets a scan skip most of a bucket without
// reading documents. It is the method's own (similarity.Word; for SimHash the
// fingerprint) or else the whole bucket key, which is the same for alike
// documents. The rest is scored by the sketches in the space of documents.
//
// So a query finds what the layout promises: if the layout is exact, every
// document that scores at least the threshold. It names no other document.
// Results do not depend on the backend or on what was added, deleted or merged
// in between.
//
// The backends are packages of their own, and a program imports the one it
// uses; package memory is the plainest. If many processes add at the same time,
// a store recognizes equal contents but not near ones: see Index.AddIfNew.
//
// The commands alike index, dedup and serve use it, and packages serve and
// dedup/local. How a backend stores rows belongs to the backend, which buckets
// a sketch has to its method.
package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/similarity"
)

// Options says which documents an index finds.
type Options struct {
	// Threshold is the minimum score of two documents that must find each other,
	// in (0, 1].
	Threshold float64

	// Recall is the minimum probability of finding a document at the threshold, if
	// the method's buckets are not exact. Zero means similarity.DefaultRecall.
	Recall float64

	// Documents is the expected number of documents, for methods with buckets that
	// depend on it (see similarity.JoinOptions). Zero means the layout for few. An
	// index that grows further stays correct and becomes slow.
	Documents int64

	// Fields are the names of the fields that the index keeps of each document, in
	// order, for QueryOptions.Limits. Names differ and have 1 to MaxField bytes of UTF-8.
	Fields []string
}

// Doc is a document of the caller.
type Doc struct {
	ID   string // 1 to MaxID bytes of UTF-8
	Text string

	// Sketch is the encoded sketch. If it is not nil, Text is not read.
	Sketch []byte

	// Hash is the hash of the content, by which equal documents are recognised. Zero
	// means ContentHash of the sketch if there is one, or else of the text.
	Hash Hash

	// Time is when the document came, in seconds since 1970. Zero never expires.
	Time int64

	// Fields are the values of Options.Fields in their order, each of at most MaxField
	// bytes. Nil means that all are empty.
	Fields []string
}

// ContentHash returns the hash of a content: xxh3 of 128 bits. Different contents do
// not collide by accident, but an adversary can make them collide.
func ContentHash(content string) Hash { return xxh3.HashString128(content).Bytes() }

// Index finds documents that are alike. It is safe for concurrent use if its store
// is.
type Index struct {
	store  Store
	method similarity.Method
	header Header
	join   similarity.JoinOptions
	sets   sync.Pool  // of *set
	serial sync.Mutex // of AddIfNew, if the store is Serial
}

// Create makes an index in an empty store. If the store has an index with the same
// header, Create opens it. If the header differs, the error wraps ErrExists. The
// error wraps similarity.ErrNoBuckets for a method without buckets.
func Create(ctx context.Context, s Store, m similarity.Method, o Options) (*Index, error) {
	x, err := newIndex(s, m, o)
	if err != nil {
		return nil, err
	}
	err = s.Create(ctx, x.header.encode())
	if errors.Is(err, ErrExists) {
		if h, e := ReadHeader(ctx, s); e == nil && h.check(x.header) != nil {
			err = fmt.Errorf("%w, %w", err, h.check(x.header))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("index: create: %w", err)
	}
	return x, nil
}

// Open opens the index in a store. The error wraps ErrNone if there is none, and
// similarity.ErrSettings if a method with other settings made it.
func Open(ctx context.Context, s Store, m similarity.Method) (*Index, error) {
	h, err := ReadHeader(ctx, s)
	if err != nil {
		return nil, err
	}
	x, err := newIndex(s, m, Options{Threshold: h.Threshold, Recall: h.Recall, Documents: h.Documents, Fields: h.Fields})
	if err != nil {
		return nil, err
	}
	if err := h.check(x.header); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return x, nil
}

func newIndex(s Store, m similarity.Method, o Options) (*Index, error) {
	join, err := similarity.JoinOptions{Threshold: o.Threshold, Recall: o.Recall, Documents: o.Documents}.Check()
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if err := checkFields(o.Fields); err != nil {
		return nil, err
	}
	x := &Index{store: s, method: m, join: join}
	first, err := x.newSet()
	if err != nil {
		return nil, err
	}
	x.sets.Put(first)
	x.header = Header{
		Version: formatVersion, Method: m.String(), Settings: m.Settings(),
		Threshold: join.Threshold, Recall: join.Recall, Documents: join.Documents,
		Buckets: first.buckets.Design, Tables: first.buckets.Tables,
		Word: first.word.Design, Within: first.word.Within,
	}
	if len(o.Fields) > 0 {
		x.header.Version, x.header.Fields = fieldsVersion, slices.Clone(o.Fields)
	}
	return x, nil
}

// Header returns what the index was created with.
func (x *Index) Header() Header { return x.header }

// Store returns the store.
func (x *Index) Store() Store { return x.store }

// Method returns the method.
func (x *Index) Method() similarity.Method { return x.method }

// Close closes the store.
func (x *Index) Close() error { return x.store.Close() }

// set is a collection with its layout, reused by one call after the other.
type set struct {
	docs     similarity.Coder
	buckets  similarity.Buckets[int]
	word     similarity.Word[int] // without functions if the bucket key is the word
	keys     []similarity.Key
	postings []Posting
	probes   []Posting
	askers   []int // the documents of the probes
	found    []found
	numbers  []uint64
}

func (x *Index) newSet() (*set, error) {
	c, err := similarity.NewCoder(x.method)
	if err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	s := &set{docs: c, word: similarity.Word[int]{Design: "bucket key"}}
	if s.buckets, err = c.Buckets(x.join); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if s.buckets.Word != nil {
		s.word = *s.buckets.Word
	}
	return s, nil
}

// take returns an empty set; give puts it back.
func (x *Index) take() *set {
	if s, ok := x.sets.Get().(*set); ok {
		return s
	}
	s, err := x.newSet()
	if err != nil {
		panic("index: " + err.Error()) // the first of these settings was made without
	}
	return s
}

func (x *Index) give(s *set) {
	s.docs.Truncate(0)
	x.sets.Put(s)
}

// add appends the sketch of a document to the set.
func (s *set) add(d Doc) error {
	if err := s.put(d); err != nil {
		return err
	}
	return s.docs.Err()
}

// put is add without a check. Callers check the set after the last document.
func (s *set) put(d Doc) error {
	if d.Sketch != nil {
		return s.docs.AddSketch(d.Sketch)
	}
	s.docs.AddNamed(d.ID, d.Text)
	return nil
}

// keysOf returns the postings of a document of the set, in ascending order without
// repeats. They are valid until the next call.
func (s *set) keysOf(doc int) []Posting {
	s.keys = s.buckets.Append(s.keys[:0], doc)
	s.postings = s.postings[:0]
	for _, k := range s.keys {
		p := Posting{Bucket: uint32(k.Bucket >> 32), Table: k.Table, Word: k.Bucket}
		if s.word.Of != nil {
			p.Word = s.word.Of(doc)
		}
		s.postings = append(s.postings, p)
	}
	slices.SortFunc(s.postings, Posting.Compare)
	s.postings = slices.Compact(s.postings)
	return s.postings
}
