package hbase

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/tsuna/gohbase/pb"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
)

// SetPageSize makes pages smaller, and returns what makes them as they were.
func SetPageSize(n uint64) (restore func()) {
	old := pageSize
	pageSize = n
	return func() { pageSize = old }
}

// SetLonger sets how long HBase keeps expired postings and documents, and returns
// what makes it as it was.
func SetLonger(postings, documents time.Duration) (restore func()) {
	p, d := postingsLonger, documentsLonger
	postingsLonger, documentsLonger = postings, documents
	return func() { postingsLonger, documentsLonger = p, d }
}

// States returns how many of the numbers have a row, expired or not.
func States(t *testing.T, s *Store, numbers []uint64) (n int) {
	l, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	states, err := s.states(t.Context(), l, numbers)
	if err != nil {
		t.Fatal(err)
	}
	for _, st := range states {
		if st.written {
			n++
		}
	}
	return n
}

// Damage damages a document, as indextest.Backend wants it.
func Damage(t *testing.T, store index.Store, kind indextest.Damage, e index.Entry) {
	s := store.(*Store)
	l, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	do := func(ops ...*op) {
		t.Helper()
		if err := s.do(t.Context(), ops); err != nil {
			t.Fatal(err)
		}
	}
	row, number := l.documentRow(e.Number), string(numberBytes(e.Number))
	switch kind {
	case indextest.LoseRow:
		do(changeOp(s.documents, dropRow(row)))
	case indextest.LoseID:
		do(changeOp(s.documents, dropRow(row)), changeOp(s.documents, dropRow(l.idRow(e.ID))))
	case indextest.LosePostings:
		for _, p := range e.Postings {
			do(changeOp(s.postings, drop(l.postingRow(p), number)))
		}
	case indextest.MisleadID:
		do(changeOp(s.documents, drop(l.idRow(e.ID), number)), changeOp(s.documents, put(l.idRow(e.ID), string(numberBytes(e.Number+1)), nil)))
	case indextest.LoseCounter:
		do(changeOp(s.documents, put(metaRow, counterColumn, numberBytes(1))))
	case indextest.StrayPosting:
		p := e.Postings[0]
		p.Bucket ^= 1 << 31
		do(changeOp(s.postings, put(l.postingRow(p), number, nil)))
	case indextest.InterruptedAdd:
		a := &adding{Entry: e, out: &index.Outcome{}}
		if err := s.number(t.Context(), []*adding{a}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.claim(t.Context(), l, []*adding{a}, l.beginning([]*adding{a})); err != nil {
			t.Fatal(err)
		}
		for _, p := range e.Postings {
			do(changeOp(s.postings, put(l.postingRow(p), string(numberBytes(a.Number)), nil)))
		}
	default:
		o := getOp(s.documents, row, rowColumn)
		do(o)
		do(changeOp(s.documents, put(row, rowColumn, indextest.Flip(t, bytes.Clone(o.cell(rowColumn).Value), kind, e.Document))))
	}
}

// CompactFrom compacts the regions of an index as if a server had them that is
// gone.
func CompactFrom(t *testing.T, s *Store, addr string) error {
	all, err := s.regions(t.Context(), s.postings)
	if err != nil || len(all) == 0 {
		t.Fatalf("regions %v, %v", all, err)
	}
	for _, r := range all {
		r.addr = addr
		if err := s.compactRegion(t.Context(), s.postings, r); err != nil {
			return err
		}
	}
	return nil
}

// CreateMortal creates an index with a time to live as versions of alike did whose
// headers did not stay. If half is true, only the layout was written again so that it stays.
func CreateMortal(t *testing.T, s *Store, header string, half bool) {
	l := newLayout(s.o)
	for _, table := range [][]byte{s.documents, s.postings} {
		if err := s.createTable(t.Context(), table, l, documentsLonger); err != nil {
			t.Fatal(err)
		}
	}
	var ops []*op
	for column, value := range map[string][]byte{headerColumn: []byte(header), layoutColumn: l.encode(), counterColumn: numberBytes(64)} {
		m := put(metaRow, column, value)
		if half && column == layoutColumn {
			m = l.stays(m)
		}
		ops = append(ops, changeOp(s.documents, m))
	}
	if err := s.do(t.Context(), ops); err != nil {
		t.Fatal(err)
	}
}

// Restore makes the tables of an index of one region as they stand in a file.
func Restore(t *testing.T, s *Store, file string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var tables map[string][][3]string // of row, column and value
	if err := json.Unmarshal(b, &tables); err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string][]byte{"documents": s.documents, "postings": s.postings} {
		if err := s.createTable(t.Context(), table, layout{Salts: 1}, documentsLonger); err != nil {
			t.Fatal(err)
		}
		var ops []*op
		for _, cell := range tables[name] {
			var raw [3][]byte
			for i := range raw {
				if raw[i], err = hex.DecodeString(cell[i]); err != nil {
					t.Fatal(err)
				}
			}
			ops = append(ops, changeOp(table, mutation(pb.MutationProto_PUT, raw[0], raw[1], raw[2])))
		}
		if err := s.do(t.Context(), ops); err != nil {
			t.Fatal(err)
		}
	}
}
