package extsort

import (
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

func TestSortsAnyNumber(t *testing.T) {
	for _, n := range []int{0, 1, 100, 1 << 10, 5000, 20_000} {
		dir := t.TempDir()
		s := New(dir, 1)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		var want []Record
		for len(want) < n {
			batch := make([]Record, 1+r.IntN(3000))
			for i := range batch {
				batch[i] = Record{r.Uint64N(50), r.Uint64N(1 << 40)}
			}
			want = append(want, batch...)
			if err := s.Add(batch...); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(want, Record.Compare)
		for range 2 {
			var got []Record
			if err := s.Each(func(r Record) error { got = append(got, r); return nil }); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%d records are not those added, sorted", n)
			}
		}
		if s.Len() != int64(len(want)) {
			t.Errorf("%d records, want %d", s.Len(), len(want))
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d files left behind, %v", len(left), err)
		}
	}
}

// Runs that are long enough to be sorted by their bytes, one spilled while another is being sorted.
func TestLongRuns(t *testing.T) {
	s := New(t.TempDir(), 3*recordSize*20_000)
	defer s.Close()
	r := rand.New(rand.NewPCG(8, 8))
	var want []Record
	for range 25 {
		batch := make([]Record, 10_000)
		for i := range batch {
			batch[i] = Record{r.Uint64N(1 << 30), r.Uint64()}
		}
		want = append(want, batch...)
		if err := s.Add(batch...); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(want, Record.Compare)
	var got []Record
	if err := s.Each(func(r Record) error { got = append(got, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Fatal("records of long runs are not those added, sorted")
	}
}

func TestErrors(t *testing.T) {
	s := New("/nonexistent/folder", 1)
	var err error
	for range 100 {
		if err = s.Add(make([]Record, 1000)...); err != nil {
			break
		}
	}
	if err == nil {
		t.Error("no error where runs cannot be written")
	}
	s = New(t.TempDir(), 1)
	defer s.Close()
	s.Add(Record{1, 1}, Record{2, 2})
	stop := errors.New("stop")
	n := 0
	if err := s.Each(func(Record) error { n++; return stop }); err != stop || n != 1 {
		t.Errorf("error %v after %d records, want that of the first call", err, n)
	}
}
