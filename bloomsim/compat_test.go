package bloomsim

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/alike-go/alike/similarity"
)

// library makes a filter with bits-and-blooms alone.
func library(bits, hashes uint, keys [][]byte) *bloom.BloomFilter {
	f := bloom.New(bits, hashes)
	for _, key := range keys {
		f.Add(key)
	}
	return f
}

func words(text string) [][]byte {
	var out [][]byte
	for _, w := range strings.Fields(text) {
		out = append(out, []byte(w))
	}
	return out
}

// hashKeys returns the keys that Sketch adds.
func hashKeys(m *Method, text string) [][]byte {
	var out [][]byte
	for _, h := range m.Features().AppendHashes(nil, text) {
		out = append(out, binary.BigEndian.AppendUint64(nil, h))
	}
	return out
}

const catText = "the cat sat on the mat"

func TestCompatPlaces(t *testing.T) {
	for _, o := range []Options{
		{Bits: 4096, Hashes: 4},
		{Bits: 1000, Hashes: 7},
		{Bits: 65, Hashes: 1},
		{Expect: 100, FP: 0.001},
	} {
		o.Places = Compat
		m := mustNew(t, o)
		theirs := library(uint(m.o.Bits), uint(m.o.Hashes), hashKeys(m, catText))
		got, err := m.FromBloom(theirs)
		if err != nil {
			t.Fatal(err)
		}
		ours := m.Sketch(catText)
		if !reflect.DeepEqual(got, ours) {
			t.Errorf("%s: the library's filter differs from ours", m)
		}
		back, err := m.ToBloom(ours)
		if err != nil {
			t.Fatal(err)
		}
		if !back.Equal(theirs) {
			t.Errorf("%s: our filter differs from the library's", m)
		}
		for _, key := range hashKeys(m, catText) {
			if !back.Test(key) {
				t.Errorf("%s: the library does not find %x in our filter", m, key)
			}
		}
	}
}

// A filter made elsewhere from words is read here, and the other way round.
func TestCompatExchange(t *testing.T) {
	m := mustNew(t, Options{Bits: 2000, Hashes: 3, Places: Compat})
	theirs := library(2000, 3, words(catText))
	var file bytes.Buffer
	if _, err := theirs.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	got, err := m.ReadFilter(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := m.SketchKeys(slices.Values(words("the cat sat on a mat")))
	if err != nil {
		t.Fatal(err)
	}
	// Five words of six are shared; at 2000 bits a collision would show.
	if s := m.Score(got, ours); s < 0.82 || s > 0.85 {
		t.Errorf("score of a filter made elsewhere is %v, want 5/6", s)
	}

	file.Reset()
	if err := m.WriteFilter(&file, ours); err != nil {
		t.Fatal(err)
	}
	var read bloom.BloomFilter
	if _, err := read.ReadFrom(&file); err != nil {
		t.Fatal(err)
	}
	if want := library(2000, 3, words("the cat sat on a mat")); !read.Equal(want) {
		t.Error("the library reads our filter as another than its own")
	}
	if !read.TestString("mat") || read.TestString("dog") {
		t.Error("the library does not find the words of our filter, or finds others")
	}

	// A filter over given words has a bit set as long as the words.
	got, err = m.FromBloom(bloom.FromWithM(make([]uint64, 40), 2000, 3))
	if err != nil || !m.Empty(got) {
		t.Errorf("empty filter over 40 words: %v, error %v", got, err)
	}
}

func TestCompatErrors(t *testing.T) {
	m := mustNew(t, Options{Bits: 100, Hashes: 3, Places: Compat})
	var file bytes.Buffer
	if err := m.WriteFilter(&file, m.Sketch(catText)); err != nil {
		t.Fatal(err)
	}
	good := file.Bytes()
	for i := range good {
		if _, err := m.ReadFilter(bytes.NewReader(good[:i])); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("error for a filter cut to %d of %d bytes is %v, want ErrFormat", i, len(good), err)
		}
	}
	patch := func(at int, v uint64) []byte {
		return append(binary.BigEndian.AppendUint64(slices.Clone(good[:at]), v), good[at+8:]...)
	}
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"size":       {patch(0, 101), similarity.ErrSettings},
		"huge":       {patch(0, 1<<63), similarity.ErrSettings},
		"hashes":     {patch(8, 4), similarity.ErrSettings},
		"short set":  {patch(16, 64), similarity.ErrFormat},
		"long set":   {patch(16, 1<<40), similarity.ErrFormat},
		"extra bits": {append(patch(16, 128)[:len(good)-8], 0xff, 0, 0, 0, 0, 0, 0, 0), similarity.ErrFormat},
	} {
		if _, err := m.ReadFilter(bytes.NewReader(c.data)); !errors.Is(err, c.want) {
			t.Errorf("%s: error is %v, want %v", name, err, c.want)
		}
	}
	if _, err := m.FromBloom(bloom.New(100, 2)); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("error for another number of hashes is %v", err)
	}
	if _, err := m.FromBloom(bloom.New(64, 3)); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("error for another size is %v", err)
	}
	beyond := bloom.New(100, 3)
	beyond.BitSet().Set(200)
	if _, err := m.FromBloom(beyond); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("error for bits beyond the size is %v", err)
	}
	var none bloom.BloomFilter
	if err := none.UnmarshalJSON([]byte(`{"m":100,"k":3}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.FromBloom(&none); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("error for a filter without bits is %v", err)
	}

	alike := mustNew(t, Options{Bits: 100, Hashes: 3})
	f := alike.Sketch(catText)
	if _, err := alike.FromBloom(bloom.New(100, 3)); err == nil {
		t.Error("no error for FromBloom with other places")
	}
	if _, err := alike.ToBloom(f); err == nil {
		t.Error("no error for ToBloom with other places")
	}
	if err := alike.WriteFilter(&file, f); err == nil {
		t.Error("no error for WriteFilter with other places")
	}
	if _, err := alike.ReadFilter(bytes.NewReader(good)); err == nil {
		t.Error("no error for ReadFilter with other places")
	}
	if _, err := alike.SketchKeys(slices.Values(words(catText))); err == nil {
		t.Error("no error for SketchKeys with other places")
	}
}

func FuzzCompat(f *testing.F) {
	f.Add([]byte("the cat sat on the mat"), uint16(2000), uint8(3))
	f.Add([]byte{0, 32, 0xff, 32, 32}, uint16(0), uint8(31))
	f.Fuzz(func(t *testing.T, data []byte, bits uint16, hashes uint8) {
		m := mustNew(t, Options{Bits: minBits + int(bits), Hashes: 1 + int(hashes)%maxHashes, Places: Compat})
		keys := bytes.Split(data, []byte{' '})
		got, err := m.SketchKeys(slices.Values(keys))
		if err != nil {
			t.Fatal(err)
		}
		want, err := m.FromBloom(library(uint(m.o.Bits), uint(m.o.Hashes), keys))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: filter of %q differs from the library's: %v", m, keys, err)
		}
	})
}

func FuzzReadFilter(f *testing.F) {
	m := mustNew(f, Options{Bits: 100, Hashes: 3, Places: Compat})
	var file bytes.Buffer
	if err := m.WriteFilter(&file, m.Sketch(catText)); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := m.ReadFilter(bytes.NewReader(data))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := m.WriteFilter(&again, s); err != nil {
			t.Fatal(err)
		}
		if got, err := m.ReadFilter(&again); err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("filter changes when written again: %v", err)
		}
	})
}

func TestCompatAuto(t *testing.T) {
	m := mustNew(t, Options{Bits: Auto, Places: Compat})
	f := m.SketchFeatures(someFeatures(rand.New(rand.NewPCG(25, 26)), 3000))
	var file bytes.Buffer
	if err := m.WriteFilter(&file, f); err != nil {
		t.Fatal(err)
	}
	got, err := m.ReadFilter(&file)
	if err != nil || !reflect.DeepEqual(got, f) {
		t.Errorf("filter of %d bits changes when written and read: %v", f.Bits(), err)
	}
	if _, err := m.FromBloom(bloom.FromWithM(nil, 1500, 1)); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("error for a size that is no class is %v", err)
	}
}
