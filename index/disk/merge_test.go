package disk_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
)

// A segment that holds only deletions may stand first among those that are
// merged. What it deletes lies in segments before them and stays deleted, also
// for a reader that knows only the files.
func TestMergeKeepsDeletions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := open(t, dir, disk.Options{LogBytes: 1}) // each batch becomes a segment when the next one comes
	defer s.Close()
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	next := 0
	add := func(n int) {
		t.Helper()
		var entries []index.Entry
		for range n {
			entries = append(entries, crashEntry(next, 1))
			next++
		}
		if _, err := s.Add(t.Context(), entries, false); err != nil {
			t.Fatal(err)
		}
	}
	add(1000)
	gone := map[string]bool{"doc-7": true, "doc-500": true, "doc-999": true}
	var entries []index.Entry
	for id := range gone {
		numbers, err := s.Find(t.Context(), []string{id})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, index.Entry{Document: index.Document{Number: numbers[0], ID: id}})
	}
	if n, err := s.Delete(t.Context(), entries); err != nil || n != len(gone) {
		t.Fatalf("%d deleted, %v", n, err)
	}
	for range 4 { // the last of which stays in the log
		add(10)
	}
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		st, err := s.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if d := st.Details[0]; d.Name == "segments" && d.Value == "2" {
			break // the large one and one of the four after it
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%v, want two segments", st.Details)
		}
	}
	r := open(t, dir, disk.Options{ReadOnly: true})
	defer r.Close()
	docs := 0
	err := r.EachDocument(t.Context(), func(d index.Document) error {
		docs++
		if gone[d.ID] {
			t.Errorf("%s was deleted and is back", d.ID)
		}
		return nil
	})
	if err != nil || docs != next-len(gone) {
		t.Errorf("%d documents, %v, want %d", docs, err, next-len(gone))
	}
}
