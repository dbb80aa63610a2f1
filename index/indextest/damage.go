package indextest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
)

// Damage is what happens to a document in a store without the store's doing.
type Damage string

// The kinds of damage.
const (
	LoseRow        Damage = "row"        // the row of the document is removed
	LoseID         Damage = "row-and-id" // and what leads from its id to it
	LosePostings   Damage = "postings"   // all its postings are removed
	ChangeID       Damage = "id"         // one bit of a field of its row is flipped
	ChangeSketch   Damage = "sketch"
	ChangeHash     Damage = "hash"
	ChangeTime     Damage = "time"
	MisleadID      Damage = "misled-id"       // its id leads to another number
	LoseCounter    Damage = "counter"         // the next number is one that was given
	StrayPosting   Damage = "stray-posting"   // it gets a posting that is not its own
	InterruptedAdd Damage = "interrupted-add" // no damage: an Add wrote its postings and ended
)

// damage: Verify finds whatever happens to a document, and a query that the
// document would have answered fails. Merge removes what is left of the document
// and says so.
func damage(t *testing.T, b Backend) {
	if b.Damage == nil {
		t.Skip("the backend has no way to damage its data")
	}
	for _, d := range []struct {
		kind    Damage
		lost    bool // the document
		refused bool // or its row is
	}{
		{LoseRow, true, false}, {LoseID, true, false},
		{ChangeID, false, true}, {ChangeSketch, false, true}, {ChangeHash, false, true}, {ChangeTime, false, true},
		{LosePostings, false, false}, {MisleadID, false, false}, {LoseCounter, false, false}, {StrayPosting, false, false},
		{InterruptedAdd, false, false},
	} {
		t.Run(string(d.kind), func(t *testing.T) {
			u := setups(t)[0]
			s := b.open(t, "damage-"+string(d.kind))
			x := create(t, s.Store, u) // without what wraps it
			docs := texts(18, 60)
			results := put(t, x, docs, 60)
			victim := index.Entry{Document: index.Document{Number: results[7].Number}}
			for _, p := range each(t, s) {
				if p.number == victim.Number {
					victim.Postings = append(victim.Postings, p.Posting)
				}
			}
			found, err := s.Documents(t.Context(), []uint64{victim.Number})
			if err != nil || found[0].ID != docs[7].ID {
				t.Fatalf("document %d: %v, %v", victim.Number, found, err)
			}
			victim.Document = found[0]
			if v, err := x.Verify(t.Context()); err != nil || v.Documents != 60 || v.Stale > 0 || len(v.Problems) > 0 {
				t.Fatalf("verify before: %+v, %v, want nothing wrong", v, err)
			}
			if d.kind == InterruptedAdd {
				victim.ID += " next" // another document of the same buckets
			}
			b.Damage(t, s.Store, d.kind, victim)

			v, err := x.Verify(t.Context())
			if err != nil {
				t.Fatalf("verify: %v", err)
			}
			t.Logf("verify: %+v", v)
			query := func(want error) {
				t.Helper()
				_, err := x.Query(t.Context(), docs[7], index.QueryOptions{})
				_, err2 := x.QueryBatch(t.Context(), docs[6:9], index.QueryOptions{})
				for _, err := range []error{err, err2} {
					if (err == nil) != (want == nil) || !errors.Is(err, want) {
						t.Errorf("query: %v, want %v", err, want)
					}
				}
			}
			if d.kind == InterruptedAdd {
				if len(v.Problems) > 0 || v.Stale != int64(len(victim.Postings)) {
					t.Errorf("verify: %+v, want no problem and %d stale postings", v, len(victim.Postings))
				}
				query(nil)
				if err := x.Merge(t.Context()); err != nil {
					t.Errorf("merge: %v", err)
				}
				return
			}
			if len(v.Problems) == 0 {
				t.Error("verify finds nothing")
			}
			if d.refused {
				if _, err := x.Query(t.Context(), docs[7], index.QueryOptions{}); err == nil {
					t.Error("a query takes the row as it is")
				}
			}
			if d.kind == MisleadID {
				if n, err := x.Delete(t.Context(), docs[7].ID); n != 0 || err != nil {
					t.Errorf("deleted %d by an id that leads to another document, %v, want 0", n, err)
				}
			}
			if !d.lost && !d.refused {
				var out bytes.Buffer
				if err := x.Export(t.Context(), &out); err != nil {
					t.Fatal(err)
				}
				fresh := create(t, b.open(t, "mended-"+string(d.kind)), u)
				if n, err := fresh.Import(t.Context(), &out); n != 60 || err != nil {
					t.Fatalf("imported %d, %v, want 60", n, err)
				}
				if v, err := fresh.Verify(t.Context()); err != nil || v.Documents != 60 || v.Stale > 0 || len(v.Problems) > 0 {
					t.Errorf("verify of the import: %+v, %v, want 60 documents and nothing wrong", v, err)
				}
				if got := ask(t, fresh, docs[7].Text); !slices.ContainsFunc(got, func(a answer) bool { return a.id == docs[7].ID && a.score == 1 }) {
					t.Errorf("the import answers %v, want %s", got, docs[7].ID)
				}
			}
			if d.kind == LoseCounter {
				if err := x.Merge(t.Context()); !errors.Is(err, index.ErrLost) {
					t.Errorf("merge: %v, want %v", err, index.ErrLost)
				}
				if v, err := x.Verify(t.Context()); err != nil || v.Documents != 60 || len(v.Problems) > 0 {
					t.Errorf("verify after the merge: %+v, %v, want 60 documents and nothing wrong", v, err)
				}
			}
			if d.kind == MisleadID {
				other := docs[7]
				other.Text = "other words"
				put(t, x, []index.Doc{other}, 1)
				left := documents(t, s)
				for _, d := range docs {
					if !slices.ContainsFunc(left, func(o index.Document) bool { return o.ID == d.ID }) {
						t.Errorf("%s went when another document was replaced", d.ID)
					}
				}
			}
			if !d.lost {
				return
			}
			if s := strings.Join(v.Problems, "\n"); !strings.Contains(s, "lost") {
				t.Errorf("verify says %q, want that a document is lost", s)
			}
			query(index.ErrLost)
			if err := x.Merge(t.Context()); !errors.Is(err, index.ErrLost) {
				t.Errorf("merge: %v, want %v", err, index.ErrLost)
			}
			if v, err := x.Verify(t.Context()); err != nil || v.Documents != 59 || v.Stale > 0 || len(v.Problems) > 0 {
				t.Errorf("verify after the merge: %+v, %v, want 59 documents and nothing wrong", v, err)
			}
			if r := put(t, x, docs, 60); r[7].State != index.Added || slices.ContainsFunc(results[:7], func(o index.Result) bool { return o.Number == r[7].Number }) {
				t.Errorf("added again: %+v", r[7])
			}
			query(nil)
			if v, err := x.Verify(t.Context()); err != nil || v.Documents != 60 || len(v.Problems) > 0 {
				t.Errorf("verify at the end: %+v, %v, want 60 documents and nothing wrong", v, err)
			}
			if err := x.Merge(t.Context()); err != nil {
				t.Errorf("merge at the end: %v", err)
			}
		})
	}
}

// numbered is a posting with its document.
type numbered struct {
	index.Posting
	number uint64
}

// each returns all postings, in the order of their keys.
func each(t *testing.T, s index.Store) []numbered {
	t.Helper()
	var all []numbered
	err := s.EachPosting(t.Context(), func(p index.Posting, number uint64) error {
		all = append(all, numbered{p, number})
		return nil
	})
	if err != nil {
		t.Fatalf("each posting: %v", err)
	}
	slices.SortFunc(all, func(a, b numbered) int { return a.Compare(b.Posting) })
	return all
}

// Flip returns a row with one bit of a document's field flipped. The row must have
// the fields as they are, and the time as eight bytes, big endian.
func Flip(t *testing.T, row []byte, kind Damage, d index.Document) []byte {
	t.Helper()
	var field []byte
	switch kind {
	case ChangeID:
		field = []byte(d.ID)
	case ChangeSketch:
		field = d.Sketch
	case ChangeHash:
		field = d.Hash[:]
	case ChangeTime:
		field = binary.BigEndian.AppendUint64(nil, uint64(d.Time))
	default:
		t.Fatalf("%s is no change of a field", kind)
	}
	at := bytes.Index(row, field)
	if at < 0 {
		t.Fatalf("%s %x is not in row %x", kind, field, row)
	}
	row = bytes.Clone(row)
	row[at+len(field)-1] ^= 1
	return row
}
