package hamming

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/alike-go/alike/similarity"
)

// saved returns an index with all that an index can hold, its bytes, and its codes and numbers.
func saved(t testing.TB, bits int) (*Index, []byte, []Code, []uint32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, uint64(bits)))
	codes := workloads[1].make(rng, bits, 3, 20_000)
	codes = append(codes, codes[:3000]...)
	x, err := New(bits, 3, Options{Settings: "some"})
	if err != nil {
		t.Fatal(err)
	}
	numbers := identity(len(codes))
	for i, c := range codes {
		if err := x.Add(numbers[i], c); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(codes); i += 3 {
		if !x.Delete(numbers[i], codes[i]) {
			t.Fatalf("%d is not there to be deleted", i)
		}
	}
	var keep []Code
	var kept []uint32
	for i, c := range codes {
		if i%3 != 0 {
			keep, kept = append(keep, c), append(kept, numbers[i])
		}
	}
	var b bytes.Buffer
	if err := x.Save(&b); err != nil {
		t.Fatal(err)
	}
	return x, b.Bytes(), keep, kept
}

func TestSaveAndLoad(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		x, data, codes, numbers := saved(t, bits)
		if x.Len() != len(codes) {
			t.Fatalf("%d codes, want %d", x.Len(), len(codes))
		}
		if want := len(codes) * (bits/8 + 4); len(data) < want || len(data) > want+100 {
			t.Errorf("%d bytes for %d codes of %d bits", len(data), len(codes), bits)
		}
		// What follows is left to the reader's owner.
		r := bytes.NewReader(append(slices.Clone(data), "more"...))
		y, err := Load(iotest.OneByteReader(r), bits, 2, Options{Settings: "some", Design: "nested"})
		if err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(r); err != nil || string(rest) != "more" {
			t.Errorf("left of the input: %q, %v", rest, err)
		}
		rng := rand.New(rand.NewPCG(5, 5))
		for range 50 {
			q := flip(rng, codes[rng.IntN(len(codes))], run(bits-1, 0), rng.IntN(3))
			want := near(codes, numbers, q, 2)
			for _, z := range []*Index{x, y} {
				if got := z.Search(nil, q, 2); !slices.Equal(got, want) {
					t.Fatalf("%d bits: %v, want %v", bits, got, want)
				}
			}
		}
		var again bytes.Buffer
		if err := y.Save(&again); err != nil || again.Len() != len(data) {
			t.Errorf("saved again: %d bytes, want %d, error %v", again.Len(), len(data), err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	_, data, _, _ := saved(t, 64)
	load := func(b []byte, bits int, settings string) error {
		_, err := Load(bytes.NewReader(b), bits, 3, Options{Settings: settings})
		return err
	}
	if err := load(data, 64, "other"); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("other settings: %v", err)
	}
	if err := load(data, 128, "some"); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("other width: %v", err)
	}
	for _, n := range []int{0, 3, 4, 30, 60, len(data) / 2, len(data) - 1} {
		if err := load(data[:n], 64, "some"); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("first %d bytes: %v", n, err)
		}
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		b := slices.Clone(data)
		at := rng.IntN(len(b))
		b[at] ^= 1 << rng.IntN(8)
		if err := load(b, 64, "some"); !errors.Is(err, similarity.ErrFormat) && !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("bit flipped in byte %d: %v", at, err)
		}
	}
	broken := errors.New("broken")
	if _, err := Load(iotest.ErrReader(broken), 64, 3, Options{}); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
}

func TestSaveFails(t *testing.T) {
	x, data, _, _ := saved(t, 64)
	for _, n := range []int{0, 50, 100_000, len(data) - 1} {
		if err := x.Save(&shortWriter{n}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("error %v where %d bytes can be written", err, n)
		}
	}
}

// A shortWriter takes some bytes and fails.
type shortWriter struct{ left int }

func (w *shortWriter) Write(b []byte) (int, error) {
	if len(b) > w.left {
		return 0, io.ErrShortWrite
	}
	w.left -= len(b)
	return len(b), nil
}

func FuzzLoad(f *testing.F) {
	x, err := New(64, 3, Options{})
	if err != nil {
		f.Fatal(err)
	}
	for i := range uint32(3) {
		if err := x.Add(i, Code{Lo: uint64(i) * 77}); err != nil {
			f.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := x.Save(&b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := Load(bytes.NewReader(data), 64, 3, Options{})
		if err != nil {
			if !errors.Is(err, similarity.ErrFormat) && !errors.Is(err, similarity.ErrSettings) {
				t.Fatalf("error %v is neither of format nor of settings", err)
			}
			return
		}
		var again bytes.Buffer
		if err := x.Save(&again); err != nil {
			t.Fatal(err)
		}
		if again.Len() > len(data) {
			t.Fatalf("%d bytes come out of %d", again.Len(), len(data))
		}
	})
}
