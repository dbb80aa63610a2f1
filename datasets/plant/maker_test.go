package plant

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func newMaker(t testing.TB, o MakeOptions) *Maker {
	t.Helper()
	m, err := NewMaker(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wordsOf returns the words of an English-like text as the vocabulary has them.
func wordsOf(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.ToLower(strings.TrimRight(w, ".,"))
	}
	return words
}

// The workload is that of the yardsticks: 400 words on average, 2.7 kB, and 288
// different words in 400, as they state it.
func TestYardstickIsTheWorkload(t *testing.T) {
	text, _ := Yardstick(1)
	m := newMaker(t, text)
	const n = 2000
	words, size := 0, 0
	for d := range m.Docs(0, n) {
		words += len(strings.Fields(d.Text))
		size += len(d.Text)
	}
	if got := float64(words) / n; math.Abs(got-400) > 15 {
		t.Errorf("%v words a document, want 400", got)
	}
	if got := float64(size) / n; math.Abs(got-2700) > 150 {
		t.Errorf("%v bytes a document, want 2700", got)
	}
	text.OneLength = true
	m = newMaker(t, text)
	different := 0
	for d := range m.Docs(0, 500) {
		set := map[string]bool{}
		for _, w := range wordsOf(d.Text) {
			set[w] = true
		}
		different += len(set)
	}
	if got := float64(different) / 500; math.Abs(got-288) > 6 {
		t.Errorf("%v different words in 400, want 288", got)
	}
}

// Words have the frequencies of Zipf's law: a chi-square test over the ranks, in
// classes of at least 50 expected words.
func TestWordsFollowZipf(t *testing.T) {
	o := MakeOptions{Words: 2000, Exponent: 1.1, Mean: 1000, OneLength: true, Seed: 3}
	m := newMaker(t, o)
	rank := map[string]int{}
	for i := range o.Words {
		rank[m.text[m.at[i]:m.at[i+1]]] = i
	}
	if len(rank) != o.Words {
		t.Fatalf("%d different words, want %d", len(rank), o.Words)
	}
	count := make([]float64, o.Words)
	total := 0.0
	for d := range m.Docs(0, 300) {
		for _, w := range wordsOf(d.Text) {
			i, ok := rank[w]
			if !ok {
				t.Fatalf("%q is no word", w)
			}
			count[i]++
			total++
		}
	}
	if total != 300_000 {
		t.Fatalf("%v words, want 300000", total)
	}
	var norm float64
	for i := range o.Words {
		norm += math.Pow(float64(i+1), -o.Exponent)
	}
	var chi, seen, want float64
	classes := 0
	for i := range o.Words {
		seen += count[i]
		want += total * math.Pow(float64(i+1), -o.Exponent) / norm
		if want >= 50 || i == o.Words-1 {
			chi += (seen - want) * (seen - want) / want
			seen, want = 0, 0
			classes++
		}
	}
	free := float64(classes - 1)
	if z := (chi - free) / math.Sqrt(2*free); math.Abs(z) > 5 {
		t.Errorf("chi-square %v with %v degrees of freedom", chi, free)
	}
}

// A document depends on its number and the options, not on which documents were
// made before, in which goroutine, or into which memory.
func TestADocumentIsAFunctionOfItsNumber(t *testing.T) {
	for _, lang := range []Lang{English, Chinese} {
		o := MakeOptions{Lang: lang, Mean: 50, Topics: 5, Seed: 9}
		m := newMaker(t, o)
		var want []string
		for d, err := range m.Docs(0, 200) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, d.Text)
			if d.Lang != string(lang) || !utf8.ValidString(d.Text) {
				t.Fatalf("%+v", d)
			}
		}
		other := newMaker(t, o)
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				for i := w; i < len(want); i += 4 {
					if got := string(other.AppendText([]byte("x"), uint64(i))); got != "x"+want[i] {
						t.Errorf("%s: document %d is another one", lang, i)
					}
				}
			})
		}
		wg.Wait()
		for d := range m.Docs(150, 1) {
			if d.Text != want[150] || d.ID != "d150" {
				t.Errorf("%s: the stream from 150 begins with another document", lang)
			}
		}
		o.Seed++
		if newMaker(t, o).Doc(0).Text == want[0] {
			t.Errorf("%s: another seed gives the same document", lang)
		}
	}
}

// Documents of one topic share more words than those of two.
func TestTopics(t *testing.T) {
	shared := func(topics int) float64 {
		m := newMaker(t, MakeOptions{Topics: topics, OneLength: true, Mean: 300})
		var sets []map[string]bool
		for d := range m.Docs(0, 60) {
			set := map[string]bool{}
			for _, w := range wordsOf(d.Text) {
				set[w] = true
			}
			sets = append(sets, set)
		}
		n := 0
		for i := range sets {
			for j := range i {
				for w := range sets[i] {
					if sets[j][w] {
						n++
					}
				}
			}
		}
		return float64(n)
	}
	none, one, many := shared(0), shared(1), shared(50)
	if many > 0.95*one || math.Abs(none-one) > 0.05*none {
		t.Errorf("words shared: without topics %v, with one %v, with fifty %v", none, one, many)
	}
}

// The bytes are the same on every platform and under every version: this is a
// change of what documents are if it fails, and results are not comparable.
func TestTheTextsAreForEver(t *testing.T) {
	for lang, want := range map[Lang]string{English: textsEnglish, Chinese: textsChinese} {
		m := newMaker(t, MakeOptions{Lang: lang, Topics: 7, Seed: 1})
		p, err := New(Options{Seed: 1, Share: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		for d, err := range p.Plant(m.Docs(0, 300)) {
			if err != nil {
				t.Fatal(err)
			}
			h.Write([]byte(d.ID + "\t" + d.Text + "\t" + d.Edit.String() + "\n"))
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != want {
			t.Errorf("%s: the checksum is %s, want %s", lang, got, want)
		}
	}
}

// Checksums of collections, by SHA-256, as amd64 and 386 make them.
const (
	textsEnglish = "71a03e36e1114166b92094d67c6b25e5452758aa4e30472997c6fff12f2e37bc"
	textsChinese = "2ebc9f372e63c0ed6d7a02f3c151f000541b312e5e10ba7c4d0f6d30c3444396"
)

func TestMakeOptions(t *testing.T) {
	if got, want := newMaker(t, MakeOptions{}).options, (MakeOptions{Lang: English, Words: 50_000, Exponent: 0.96, Mean: 400, Sigma: 0.5}); got != want {
		t.Errorf("the defaults are %+v, want %+v", got, want)
	}
	if got, want := newMaker(t, MakeOptions{Topics: 3}).String(), "lang=en words=50000 exponent=0.96 mean=400 sigma=0.5 onelength=false topics=3 seed=0"; got != want {
		t.Errorf("the settings are %s, want %s", got, want)
	}
	for want, o := range map[string]MakeOptions{
		`plant: Lang is "de", want en or zh`:                  {Lang: "de"},
		"plant: Words is 99, want 100 to 1048576":             {Words: 99},
		"plant: Exponent is -1, want above 0 and at most 4":   {Exponent: -1},
		"plant: Exponent is NaN, want above 0 and at most 4":  {Exponent: math.NaN()},
		"plant: Mean is -1, want 1 to 1048576":                {Mean: -1},
		"plant: Sigma is 3, want 0 to 2":                      {Sigma: 3},
		"plant: Topics is -1, want 0 to 10000":                {Topics: -1},
		"plant: Words is 1048577, want 100 to 1048576":        {Words: 1<<20 + 1},
		"plant: Exponent is +Inf, want above 0 and at most 4": {Exponent: math.Inf(1)},
	} {
		if _, err := NewMaker(o); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", o, err, want)
		}
	}
	// The ends of the ranges work.
	for _, o := range []MakeOptions{
		{Words: 100, Exponent: 4, Mean: 1, Sigma: 2, Topics: 10_000}, {Words: 200_000, Exponent: 1e-6, Lang: Chinese}, {Words: 200_000, Topics: 3},
	} {
		m := newMaker(t, o)
		for i := range uint64(20) {
			if text := m.Doc(i).Text; text == "" || !utf8.ValidString(text) {
				t.Errorf("%+v: document %d is %q", o, i, text)
			}
		}
	}
}

// No memory is taken for a word.
func TestMakingAllocatesNothing(t *testing.T) {
	m := newMaker(t, MakeOptions{Topics: 3})
	buf := make([]byte, 0, 1<<20)
	if n := testing.AllocsPerRun(100, func() { buf = m.AppendText(buf[:0], 5) }); n != 0 {
		t.Errorf("%v allocations for a document", n)
	}
}
