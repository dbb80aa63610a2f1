package jiebadict

import (
	"bytes"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// TestFiles reads every file of the folder, the ones that are not embedded too.
func TestFiles(t *testing.T) {
	for _, f := range []File{Words, HMM, UserWords, IDFTable, StopWords} {
		packed, err := os.ReadFile("data/" + f.Name + ".zst")
		if err != nil {
			t.Fatal(err)
		}
		content, err := unpack(f, packed)
		if err != nil || len(content) != f.Size {
			t.Errorf("%s: %d bytes (%v), want %d", f.Name, len(content), err, f.Size)
		}
		f.SHA256 = strings.Repeat("0", 64)
		if _, err := unpack(f, packed); err == nil || !strings.Contains(err.Error(), "checksum differs") {
			t.Errorf("error for a false checksum is %v", err)
		}
		if _, err := unpack(f, packed[:len(packed)/2]); err == nil || !strings.Contains(err.Error(), "decompress "+f.Name) {
			t.Errorf("error for half a file is %v", err)
		}
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
	content, err := unpack(IDFTable, packedIDF)
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
	content, err := unpack(IDFTable, packedIDF)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("step=read", func(b *testing.B) {
		for b.Loop() {
			if _, err := unpack(IDFTable, packedIDF); err != nil {
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
