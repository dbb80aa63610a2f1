package jiebadict

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

func TestUnpackTo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := unpackTo(dir); err != nil {
		t.Fatal(err)
	}
	check(t, dir)

	// Damage of every kind is repaired, and good files are left alone.
	before, err := os.Stat(filepath.Join(dir, Words.Name))
	if err != nil {
		t.Fatal(err)
	}
	flipped, err := os.ReadFile(filepath.Join(dir, HMM.Name))
	if err != nil {
		t.Fatal(err)
	}
	flipped[len(flipped)/2] ^= 1
	for name, content := range map[string][]byte{
		HMM.Name:       flipped,
		StopWords.Name: []byte("cut"),
		UserWords.Name: nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, IDFTable.Name)); err != nil {
		t.Fatal(err)
	}
	if err := unpackTo(dir); err != nil {
		t.Fatal(err)
	}
	check(t, dir)
	after, err := os.Stat(filepath.Join(dir, Words.Name))
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the good %s was written again (%v)", Words.Name, err)
	}
}

// check wants exactly the files, with their checksums.
func check(t *testing.T, dir string) {
	t.Helper()
	for _, f := range files() {
		if !good(filepath.Join(dir, f.Name), f) {
			t.Errorf("%s is missing or damaged", f.Name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(files()) {
		t.Errorf("%d files (%v), want %d", len(entries), err, len(files()))
	}
}

func TestUnpackConcurrently(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := unpackTo(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	check(t, dir)
}

func TestUnpackRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unpackTo(filepath.Join(file, "dir")); err == nil || !strings.HasPrefix(err.Error(), "jiebadict: unpack: ") {
		t.Errorf("error for a directory in a file is %v", err)
	}
	// A directory in the place of a file cannot be replaced.
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, UserWords.Name, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unpackTo(dir); err == nil || !strings.Contains(err.Error(), UserWords.Name) {
		t.Errorf("error for a directory in the place of a file is %v", err)
	}
}

func TestUnpack(t *testing.T) {
	// Unpack runs once in a process, and no other test of this one calls it.
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("LocalAppData", home)
	dir, err := Unpack()
	if err != nil {
		t.Fatal(err)
	}
	check(t, dir)
	if !strings.HasPrefix(dir, home) {
		t.Errorf("unpacked to %s, want under %s", dir, home)
	}
	if again, err := Unpack(); again != dir || err != nil {
		t.Errorf("second call gives %q, %v, first %q", again, err, dir)
	}
}

func TestUnpackUnder(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one", "two"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	_, err := unpackUnder(files)
	if err == nil || !strings.Contains(err.Error(), files[0]) || !strings.Contains(err.Error(), files[1]) {
		t.Errorf("error %v, want one that names %q", err, files)
	}
	got, err := unpackUnder(append(files, dir))
	if err != nil || filepath.Dir(got) != dir {
		t.Fatalf("unpacked to %q (%v), want under %s", got, err, dir)
	}
	check(t, got)
}

func TestBases(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("LocalAppData", "")
	b := bases()
	if len(b) != 1 || !strings.HasPrefix(b[0], os.TempDir()) {
		t.Errorf("without a home directory: %q, want one in %s", b, os.TempDir())
	}
}

func TestReadChecksum(t *testing.T) {
	f := UserWords
	f.SHA256 = HMM.SHA256
	if _, err := Read(f); err == nil || !strings.Contains(err.Error(), "checksum differs") {
		t.Errorf("error for a false checksum is %v", err)
	}
	if _, err := Read(File{Name: "no such"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error for an unknown file is %v, want ErrNotExist", err)
	}
}

// The facts are those that jieba publishes of its dictionary and its median, and
// the mean that cppjieba's keyword tests show as 11.7392.
func TestIDF(t *testing.T) {
	median, err := IDF(Median)
	if err != nil {
		t.Fatal(err)
	}
	mean, err := IDF(Mean)
	if err != nil {
		t.Fatal(err)
	}
	w := median.(*table).words
	count := 0
	for _, h := range w.hashes {
		if h != 0 {
			count++
		}
	}
	if count != 258826 {
		t.Errorf("%d words, want 258826", count)
	}
	low, high := math.Inf(1), 0.0
	for _, v := range w.values {
		low, high = min(low, v), max(high, v)
	}
	if math.Abs(low-2.81755) > 5e-6 || high != 13.900677652 {
		t.Errorf("values from %v to %v, want 2.81755 to 13.900677652", low, high)
	}
	// The greatest value is that of one document in N.
	if n := math.Exp(high); math.Abs(n-1088899) > 1 {
		t.Errorf("N is %v, want 1088899", n)
	}
	for word, want := range map[string]float64{
		"世界": 4.36752940557, "你好": 7.95787827685, "一部": 6.47591589015, "劳动防护": 13.900677652,
	} {
		for _, idf := range []float64{median.Value([]byte(word)), mean.Value([]byte(word))} {
			if idf != want {
				t.Errorf("%s: %v, want %v", word, idf, want)
			}
		}
	}
	for _, word := range []string{"", "iphone6", "没有这个词"} {
		if got := median.Value([]byte(word)); math.Abs(got-11.9547675029) > 1e-10 {
			t.Errorf("%q: %v, want the median 11.9547675029", word, got)
		}
		if got := mean.Value([]byte(word)); math.Abs(got-11.739204307) > 1e-9 {
			t.Errorf("%q: %v, want the mean 11.739204307", word, got)
		}
	}
	if median.ID() == mean.ID() || median.Name() == mean.Name() {
		t.Errorf("the two tables have the same identity %q, %q", median.ID(), median.Name())
	}
	if _, err := IDF(2); err == nil {
		t.Error("no error for Unknown = 2")
	}
}

// TestIDFAgainstMap looks every word up, against a map.
func TestIDFAgainstMap(t *testing.T) {
	idf, err := IDF(Median)
	if err != nil {
		t.Fatal(err)
	}
	content, err := Read(IDFTable)
	if err != nil {
		t.Fatal(err)
	}
	fold, odd := cases.Fold(), 0
	want := make(map[string]float64)
	for line := range bytes.Lines(content) {
		word, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		want[word] = v
		if fold.String(norm.NFKC.String(word)) != word {
			odd++
			t.Logf("%q is not folded", word)
		}
	}
	for word, v := range want {
		if got := idf.Value([]byte(word)); got != v {
			t.Errorf("%q: %v, want %v", word, got, v)
		}
	}
	if odd > 0 {
		t.Errorf("%d words are not as folding leaves them", odd)
	}
}

func TestParse(t *testing.T) {
	w, err := parse("own", []byte("b 1\na 0.5\nc 4\nd 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	for unknown, want := range map[Unknown]float64{Median: 1, Mean: 6.5 / 4} {
		idf := &table{words: w, unknown: []float64{w.median, w.mean}[unknown]}
		for word, want := range map[string]float64{"a": 0.5, "b": 1, "c": 4, "": want, "e": want} {
			if got := idf.Value([]byte(word)); got != want {
				t.Errorf("Unknown %d: %q is %v, want %v", unknown, word, got, want)
			}
		}
	}
	for _, bad := range []string{"", "word\n", "word x\n", "a 1\na 2\n", "a 1\n\nb 2\n", "a -1\n", "a NaN\n", "a Inf\n"} {
		if _, err := parse("own", []byte(bad)); err == nil || !strings.HasPrefix(err.Error(), "jiebadict: own:") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
	if _, err := IDF(2); err == nil {
		t.Error("no error for Unknown = 2")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("b 1\na 0.5\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		w, err := parse("own", content)
		if err != nil {
			return
		}
		for line := range bytes.Lines(content) {
			word, value, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
			want, err := strconv.ParseFloat(string(value), 64)
			if got, ok := w.find(word); err != nil || !ok || got != want {
				t.Fatalf("%q: %q is %v, want %v", content, word, got, value)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	content, err := Read(IDFTable)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("step=read", func(b *testing.B) {
		for b.Loop() {
			if _, err := Read(IDFTable); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("step=parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := parse(IDFTable.Name, content); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkValue(b *testing.B) {
	idf, err := IDF(Median)
	if err != nil {
		b.Fatal(err)
	}
	for _, word := range []string{"世界", "没有这个词"} {
		b.Run("word="+word, func(b *testing.B) {
			term := []byte(word)
			b.ReportAllocs()
			for b.Loop() {
				idf.Value(term)
			}
		})
	}
}
