package extsort

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The strings come as slices.SortFunc has them, however little memory there is and each time.
func TestBytesEqualsSort(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		dir := t.TempDir()
		s := NewBytes(dir, 1<<(14+seed%4))
		var want [][]byte
		for range r.IntN(5000) {
			b := make([]byte, r.IntN(20)*r.IntN(20))
			for i := range b {
				b[i] = byte(r.IntN(3))
			}
			want = append(want, b)
			if err := s.Add(slices.Clone(b)); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(want, bytes.Compare)
		for range 2 {
			var got [][]byte
			if err := s.Each(func(b []byte) error { got = append(got, bytes.Clone(b)); return nil }); err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("seed %d: %d strings in another order, or not the %d added", seed, len(got), len(want))
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%d files left, %v", len(left), err)
		}
	}
}

func TestBytesPassesErrorsOn(t *testing.T) {
	s := NewBytes(t.TempDir(), 0)
	defer s.Close()
	bad := errors.New("bad")
	if err := s.Add([]byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := s.Each(func([]byte) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("error %v, want that of the callee", err)
	}
	lost := NewBytes(t.TempDir()+"/none", 0)
	defer lost.Close()
	var err error
	for range 1 << 12 {
		err = errors.Join(err, lost.Add(make([]byte, 64)))
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v of a folder that there is not", err)
	}
}
