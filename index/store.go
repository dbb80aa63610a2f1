package index

import (
	"context"
	"errors"
)

// The sentinels of a Store. Backends wrap them.
var (
	// ErrExists is wrapped if a new index is created in a place that has one.
	ErrExists = errors.New("there is an index already")

	// ErrNone is wrapped if an index is opened in a place that has none.
	ErrNone = errors.New("there is no index")

	// ErrReadOnly is wrapped by writing operations of a store that was opened
	// for reading.
	ErrReadOnly = errors.New("the index is open for reading alone")

	// ErrLocked is wrapped if a store allows one writer and there is another.
	ErrLocked = errors.New("another writer has the index")

	// ErrLost is wrapped if documents are missing that were neither deleted nor
	// replaced: a server has lost them, or someone has removed them.
	ErrLost = errors.New("documents are lost")

	// ErrClosed is wrapped by operations on a closed store.
	ErrClosed = errors.New("the index is closed")
)

// Hash is the hash of a document's content.
type Hash [16]byte

// Document is a row of the space of documents.
type Document struct {
	Number uint64 // given by the store, from 1 on, never given twice; 0 is no document
	ID     string // the caller's, 1 to MaxID bytes
	Sketch []byte // encoded by the method; in a Store behind the values of Fields; at most 4 MiB
	Hash   Hash   // of the content
	Time   int64  // when it was added, in seconds since 1970; 0 is not known and never expires

	// Fields are the values of the fields that an Index keeps. They are empty in a
	// Store, which has them in Sketch.
	Fields []string
}

// An Index keeps to these limits, so that every backend can store its documents.
const (
	MaxID     = 1 << 10 // bytes of an id
	maxSketch = 1 << 22 // bytes of a sketch
)

// Entry is a document with its postings.
type Entry struct {
	Document
	Postings []Posting // in ascending order, none twice; at least one
}

// State says what became of a document that was to be added.
type State uint8

const (
	// Added: the document is new.
	Added State = iota + 1

	// Same: a document with this id, hash and sketch was there and stays as it
	// is, its time included. So a batch that is added again does no harm.
	Same

	// Replaced: a document with this id and another hash or sketch was there
	// and is gone.
	Replaced

	// Known: not added, because a document alike to it is there.
	Known

	// Empty: not added, because the text has no features. A store never says so.
	Empty
)

// String returns the state in lower case.
func (s State) String() string {
	if s >= Added && s <= Empty {
		return [...]string{"added", "same", "replaced", "known", "empty"}[s-1]
	}
	return "unknown"
}

// Outcome is what a store did with an entry.
type Outcome struct {
	State  State  // Added, Same, Replaced or Known
	Number uint64 // of the document that is there now: the entry's, or if Known the earlier one
}

// Stats says how large an index is. A number that a backend cannot tell is -1.
type Stats struct {
	Documents     int64 // that are there
	Postings      int64 // that are stored, stale ones included
	Stale         int64 // of those, the ones whose document is gone, which Merge removes
	PostingBytes  int64 // of the space of postings, in the backend's own storage
	DocumentBytes int64 // of the space of documents
	Details       []Detail
}

// Detail is a figure of a backend's own.
type Detail struct{ Name, Value string }

// Store is what a backend implements: the two spaces, bytes and numbers,
// nothing of methods or scores. Package indextest checks every clause.
//
//	postings   bucket (4 bytes) ‖ table (1 byte) ‖ word (8 bytes)  → document numbers
//	documents  number ↔ id, sketch, hash, time
//
// The space of documents decides. A document is there as soon as Documents
// returns it, and its postings are then there too. The space of postings may
// have stale postings: their document is gone or was replaced. An Index ignores
// them, and Merge removes them. A store that cannot write several rows at once
// therefore adds in the order id → number, postings, document, and deletes in
// the reverse order. An interrupted operation shows nowhere. A second attempt
// finds the number by the id and does the same again.
//
// Acknowledged means kept: where Add, Delete or Create returned nil, the change
// survives whatever the backend's documentation says it survives. After an
// error any part of a batch may have been carried out, and to repeat it does no
// harm.
//
// All methods check the context between rows or round trips and return its
// error, wrapped. They are safe for concurrent use, except Close. A store does
// not keep or change slices that are passed in. Returned slices belong to the
// caller.
type Store interface {
	// Create makes an index under the header, which is opaque to the store.
	// If there is one with the same header it does nothing. If the header differs,
	// the error wraps ErrExists.
	Create(ctx context.Context, header []byte) error

	// Header returns the header. The error wraps ErrNone if no index has been
	// created.
	Header(ctx context.Context) ([]byte, error)

	// Add adds the entries and returns as many outcomes. Their ids must differ; it
	// does not read their numbers. State says what a document with the same id
	// means. If ifNew is true, an entry is Known if a document with the same hash
	// and another id is there or stands before it in the batch. If several callers
	// add the same hash at the same time under different ids, it is Known for all
	// but one.
	Add(ctx context.Context, entries []Entry, ifNew bool) ([]Outcome, error)

	// Delete deletes documents with their postings. An entry counts only if the
	// document with its number is there and has its id. It returns how many
	// were there.
	Delete(ctx context.Context, entries []Entry) (int, error)

	// Scan calls found for each document that has a posting in the bucket and
	// table of a probe, if their words differ in at most within bits, 0 to 64. It
	// passes the position of the probe and the number of the document. The calls
	// come one at a time, in any order, and may repeat. The document may be gone.
	// found must not call the store. A store on servers takes a round trip for
	// all probes, or for some thousand.
	Scan(ctx context.Context, probes []Posting, within int, found func(probe int, number uint64)) error

	// Documents returns the documents with the given numbers, in that order;
	// those that are not there have the number 0.
	Documents(ctx context.Context, numbers []uint64) ([]Document, error)

	// Find returns the numbers of the documents with the given ids, or 0.
	Find(ctx context.Context, ids []string) ([]uint64, error)

	// EachDocument calls do with every document that is there, in any order,
	// each once. A document that is added or deleted meanwhile may come or not.
	// do may call the store, and delete what it was called with. It stops at
	// the first error of do and returns it.
	EachDocument(ctx context.Context, do func(Document) error) error

	// EachPosting calls do with every posting, in any order, and with each pair of
	// posting and number once. Stale postings may be among them. Otherwise it
	// is as EachDocument.
	EachPosting(ctx context.Context, do func(p Posting, number uint64) error) error

	// Stats says how large the index is. It may take as long as reading all of it.
	Stats(ctx context.Context) (Stats, error)

	// Verify reads everything that has a checksum or a structure of its own and
	// returns what is wrong with it, a line each. The error says why it could
	// not read on.
	Verify(ctx context.Context) (problems []string, err error)

	// Merge removes stale postings and makes the storage compact. If there is nothing
	// to do it returns nil. It also removes what is left of lost documents. It still
	// goes on to the end then, and its error wraps ErrLost.
	Merge(ctx context.Context) error

	// Serial reports whether all who add do so through this very Store, because
	// the store is in memory or has one writer. An Index then adds new
	// documents one after the other, and of two near-duplicates exactly one
	// wins.
	Serial() bool

	// Close ends the use of the store. What was acknowledged stays.
	Close() error
}

// LossFinder is implemented by stores on servers, which can lose a document and
// keep its postings.
type LossFinder interface {
	// FindLost says which documents were lost. A posting has led to each number,
	// and Documents has not found it. The result has the evidence for each
	// number. The evidence is empty if the document was deleted or replaced, if
	// its Add is under way or was interrupted, or if it is there by now.
	FindLost(ctx context.Context, numbers []uint64) ([]string, error)
}

// Warner is implemented by stores on servers that may have settings that lose
// documents.
type Warner interface {
	// Warnings returns a line for each setting that loses documents, and nothing
	// if there is none or the servers do not tell.
	Warnings(ctx context.Context) []string
}

// Loader is implemented by stores that fill an empty index faster than by batches.
type Loader interface {
	// Load adds the entries of next until it returns false, into an index that
	// is empty. It is an error if two ids are equal. After an error, or if the
	// process ends before, the index is empty. next is called from one goroutine,
	// and what it returns is used until the next call.
	Load(ctx context.Context, next func() (Entry, bool, error)) error
}
