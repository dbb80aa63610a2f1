package verdict

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
)

// words returns "w1 w2 ... wn" with the words from the first to the last given replaced.
func words(n, first, last int) string {
	var w []string
	for i := 1; i <= n; i++ {
		if first <= i && i <= last {
			w = append(w, fmt.Sprint("x", i))
		} else {
			w = append(w, fmt.Sprint("w", i))
		}
	}
	return strings.Join(w, " ")
}

// 静夜思 and 春晓: 20 characters each, and 登鹳雀楼 with 20. Together 60 words.
const poems = "床前明月光，疑是地上霜。举头望明月，低头思故乡。" +
	"春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。" +
	"白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"

// All words are counted by hand.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       dedup.Want
		differ     float64
		alike      string
		sentence   string
	}{
		{"same", "the cat", "the cat", dedup.Copies, 0, "yes", "The same text"},
		{"same, for all wants", "the cat", "the cat", dedup.Versions, 0, "yes", "The same text"},
		{"empty", "", "", dedup.Copies, 0, "yes", "The same text, without a word"},
		{"one empty", "", "the cat sat", dedup.Copies, 0, "no", "Not alike: 100 % of the words differ: 3 of 3"},
		{"no words", "...", "!!", dedup.Copies, 0, "unclear", "Too short to tell: neither text has a word"},

		{"code", "if (a == b) return x - y;", "if (a != b) return x + y;", dedup.Copies, 0, "yes", "The same words: they differ only in punctuation or symbols"},
		{"case", "The Cat", "the cat", dedup.Copies, 0, "yes", "The same words: they differ only in case"},
		{"spacing", "the cat\n", "the  cat", dedup.Copies, 0, "yes", "The same words: they differ only in spacing"},
		{"line end", "the\ncat", "the cat", dedup.Copies, 0, "yes", "The same words: they differ only in spacing or characters of no word"},
		{"both", "The cat.", "the cat", dedup.Copies, 0, "yes", "The same words: they differ only in punctuation or symbols and case"},
		{"full width", "你好，世界", "你好,世界", dedup.Copies, 0, "yes", "The same words: they differ only in the form of characters, such as full width"},
		{"Chinese comma", "你好，世界", "你好世界", dedup.Copies, 0, "yes", "The same words: they differ only in punctuation or symbols"},

		{"flags", "we won 🇩🇪", "we won 🇫🇷", dedup.Copies, 0, "unclear", "Too short to tell: 33 % of the words differ: 1 of 3"},
		{"emoji", "nice 👍", "nice 👎", dedup.Copies, 0, "unclear", "Too short to tell: 50 % of the words differ: 1 of 2"},
		{"short", "the cat sat on the mat", "the cat sat on a mat", dedup.Copies, 0, "unclear", "Too short to tell: 17 % of the words differ: 1 of 6"},
		{"short, unlike", "the cat", "two dogs", dedup.Copies, 0, "no", "Not alike: 100 % of the words differ: 2 of 2"},
		{"short, two of six", "the cat sat on the mat", "the dog sat on a mat", dedup.Copies, 0, "no", "Not alike: 33 % of the words differ: 2 of 6"},
		{"39 words", words(39, 0, 0), words(39, 5, 5), dedup.Copies, 0, "unclear", "Too short to tell: 2.6 % of the words differ: 1 of 39"},
		{"40 words", words(40, 0, 0), words(40, 5, 5), dedup.Copies, 0, "yes", "Near-duplicates: 2.5 % of the words differ: 1 of 40"},
		{"Chinese", poems, strings.Replace(poems, "举头望明月", "举头望山月", 1), dedup.Copies, 0, "yes", "Near-duplicates: 1.7 % of the words differ: 1 of 60"},

		{"at the border", words(100, 0, 0), words(100, 1, 10), dedup.Copies, 0, "yes", "Near-duplicates: 10 % of the words differ: 10 of 100"},
		{"over it", words(100, 0, 0), words(100, 1, 11), dedup.Copies, 0, "no", "Not alike: 11 % of the words differ: 11 of 100"},
		{"stricter", words(100, 0, 0), words(100, 1, 6), dedup.Copies, .05, "no", "Not alike: 6 % of the words differ: 6 of 100"},
		// B has the 60 words of A, and 90 others behind them.
		{"contained", words(60, 0, 0), words(60, 0, 0) + strings.Repeat(" other words here", 30), dedup.Copies, 0, "no", "One contains 100 % of the other (A in B): 60 % of the words differ: 90 of 150"},

		// Each half has 98 runs of three, and each text two more across its middle.
		{"halves swapped", words(100, 1, 100) + " " + words(100, 0, 0), words(100, 0, 0) + " " + words(100, 1, 100), dedup.Copies, 0, "no", "One contains 99 % of the other (A in B), in another order: 100 % of the words differ: 200 of 200"},

		{"version", words(100, 0, 0), words(100, 1, 50), dedup.Versions, 0, "unclear", "Cannot tell without a collection, whose unrelated documents resemble each other too: resemblance 0.32 of runs of 3 words; 50 % of the words differ: 50 of 100"},
		{"no version", "the cat sat on the mat", "we all scream for ice cream", dedup.Versions, 0, "no", "Not versions: no run of 3 words in common"},
		{"version that is a copy", words(100, 0, 0), words(100, 7, 7), dedup.Versions, 0, "yes", "Near-duplicates: 1 % of the words differ: 1 of 100"},

		// 10 words have 8 runs of three, and 7 of them stay when the last word changes.
		{"excerpt", words(10, 10, 10), words(100, 0, 0), dedup.Excerpts, 0, "yes", "One contains 88 % of the other (A in B)"},
		{"excerpt, other way", words(100, 0, 0), words(10, 10, 10), dedup.Excerpts, 0, "yes", "One contains 88 % of the other (B in A)"},
		// Of 10 runs of three the first stays.
		{"no excerpt", words(12, 4, 12), words(100, 0, 0), dedup.Excerpts, 0, "no", "Not alike: one contains 10 % of the other (A in B)"},
		{"too short an excerpt", "w1 w2", words(100, 0, 0), dedup.Excerpts, 0, "unclear", "Too short to tell: an excerpt has 3 words or more"},
		{"much contained", words(50, 0, 0), words(50, 31, 50) + strings.Repeat(" more", 100), dedup.Copies, 0, "no", "One contains 58 % of the other (A in B): 80 % of the words differ: 120 of 150"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := Of(c.a, c.b, c.want, cmp.Or(c.differ, dedup.DefaultDiffer))
			if err != nil {
				t.Fatal(err)
			}
			if v.Alike != c.alike || v.Sentence != c.sentence {
				t.Errorf("%s: %q, want %s: %q", v.Alike, v.Sentence, c.alike, c.sentence)
			}
			back, err := Of(c.b, c.a, c.want, cmp.Or(c.differ, dedup.DefaultDiffer))
			if err != nil {
				t.Fatal(err)
			}
			if back.Alike != v.Alike || back.WordsA != v.WordsB {
				t.Errorf("the other way round %+v, want as %+v", back, v)
			}
		})
	}
}

// Texts that are too long to compare exactly get an interval, which holds the truth.
func TestOfEstimates(t *testing.T) {
	const n = 600_000
	random, other := rand.New(rand.NewPCG(1, 2)), 0
	var a, b strings.Builder
	for i := range n {
		fmt.Fprintf(&a, "w%d ", i)
		if random.IntN(4) == 0 {
			other++
			b.WriteString("other ")
		} else {
			fmt.Fprintf(&b, "w%d ", i)
		}
	}
	v, err := Of(a.String(), b.String(), dedup.Copies, dedup.DefaultDiffer)
	if err != nil {
		t.Fatal(err)
	}
	if truth := float64(other) / n; v.Low == nil || *v.Low > truth || *v.High < truth || v.Alike != "no" || v.Sentence != fmt.Sprintf("Not alike: about %.0f %% of the words differ (%.0f-%.0f %%)", *v.Differ*100, *v.Low*100, *v.High*100) {
		t.Errorf("%+v, want an interval that holds %v", v, truth)
	}
}

// Runs of words do not show a move, and the words that differ are too many to count: the
// estimate is far below what was counted, so that nothing is known above that.
func TestOfMovedHalves(t *testing.T) {
	const n = 200_000
	a, b := words(n, 0, 0), words(n, 1, n) // no word in common
	v, err := Of(a+" "+b, b+" "+a, dedup.Copies, dedup.DefaultDiffer)
	if err != nil {
		t.Fatal(err)
	}
	if v.Alike != "unclear" || v.High == nil || *v.High != 1 {
		t.Errorf("%+v, want an interval up to 1, since all words differ", v)
	}
}

func TestJudge(t *testing.T) {
	far, near := words(100, 11, 40), words(100, 50, 51)
	for _, c := range []struct {
		spec, a, b string
		want       dedup.Want
		threshold  float64 // 0 for none
		agrees     string
		note       string
	}{
		// At 10 % of the words, .9^3 of each text's runs are the other's: .729 / (2 - .729).
		{"shingle:tokens=single,width=3", words(100, 0, 0), near, dedup.Copies, .729 / 1.271, "yes", ""},
		{"shingle:tokens=single,width=3", words(100, 0, 0), far, dedup.Copies, .729 / 1.271, "yes", ""},
		// Of 98 runs the 22 differ that touch words 11 to 30: 76 / 98 is above .729.
		{"shingle:measure=overlap,tokens=single,width=3", words(100, 0, 0), words(100, 11, 30), dedup.Copies, .729, "no", ""},
		{"words", words(100, 0, 0), far, dedup.Copies, .9, "yes", ""},
		{"words", "the cat sat on the mat", "the cat sat on a mat", dedup.Copies, .9, "", ""},
		{"shingle", words(100, 0, 0), near, dedup.Copies, 0, "", ""},
		{"simhash", words(100, 0, 0), near, dedup.Copies, 0, "", ""},
		{"simhash", words(10, 0, 0), words(10, 3, 3), dedup.Copies, 0, "", "a text of 10 words is short"},
		{"manber", "the cat sat on the mat", "the cat sat on a mat", dedup.Copies, 0, "", "no sample"},
		{"minhash:size=16,tokens=single,width=3", words(100, 0, 0), words(100, 11, 35), dedup.Copies, .729 / 1.271, "*", "its own error"},
		{"shingle:tokens=single,width=3", words(100, 0, 0), far, dedup.Versions, 0, "", ""},
		{"shingle:tokens=single,width=3", words(100, 0, 0), far, dedup.Excerpts, .5, "yes", ""},
		{"minhash:tokens=single,width=3", words(100, 0, 0), far, dedup.Excerpts, 0, "", ""},
		{"shingle:tokens=single,width=3", "", far, dedup.Copies, 0, "", ""},
	} {
		t.Run(c.spec, func(t *testing.T) {
			m, err := catalog.Parse(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Of(c.a, c.b, c.want, dedup.DefaultDiffer)
			if err != nil {
				t.Fatal(err)
			}
			s := m.NewCollection()
			s.Add(c.a)
			s.Add(c.b)
			got := v.Judge(m, s, s.Score(0, 1))
			if (got.Threshold != nil) != (c.threshold > 0) || got.Threshold != nil && math.Abs(*got.Threshold-c.threshold) > 1e-12 {
				t.Errorf("threshold %v, want %v", got.Threshold, c.threshold)
			}
			if got.Agrees != c.agrees && c.agrees != "*" || !strings.Contains(got.Note, c.note) || (got.Note == "") != (c.note == "") {
				t.Errorf("agrees %q, note %q, want %q, %q (score %v, %s)", got.Agrees, got.Note, c.agrees, c.note, s.Score(0, 1), v.Sentence)
			}
		})
	}
}
