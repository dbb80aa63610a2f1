package rabinkarp

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/intersect"
	"github.com/alike-go/alike/similarity"
)

type explainer interface {
	similarity.Sketcher[Sketch]
	similarity.Explainer
	Fingerprints(string) []feature.Located
}

func methods(t testing.TB) []explainer {
	return []explainer{
		newManber(t, ManberOptions{}),
		newManber(t, ManberOptions{Window: 10, Keep: 2, Overlap: true}),
		newManber(t, ManberOptions{Window: 10, Hash: Sif, Keep: 2}),
		newManber(t, ManberOptions{Window: 12, Anchors: []string{"ba", "你"}}),
		newWinnow(t, WinnowOptions{}),
		newWinnow(t, WinnowOptions{K: 6, Window: 3, Fold: feature.Fold{DropPunct: true, Space: feature.DropSpace}}),
	}
}

// A passage copied into another text is found, whole and at its place in both.
func TestExplainPassage(t *testing.T) {
	passage := "It is a truth universally acknowledged, that a single man in possession"
	a := "Preface. ÀÉ  " + passage + " of a good fortune"
	b := "0123456789 — " + strings.ToUpper(passage) + "!"
	m := newWinnow(t, WinnowOptions{})
	e := m.Explain(a, b)
	if len(e.Evidence) != 1 {
		t.Fatalf("%d passages, want 1: %+v", len(e.Evidence), e.Evidence)
	}
	ev := e.Evidence[0]
	// The blank in front of the passage stands in both texts, twice in the first; the
	// blank behind it stands in one only.
	if got, want := ev.Text, "  "+passage; got != want {
		t.Errorf("passage %q, want %q", got, want)
	}
	if got, want := b[ev.B[0].Start:ev.B[0].End], " "+strings.ToUpper(passage); got != want {
		t.Errorf("in the second text %q, want %q", got, want)
	}
	if got, want := ev.Weight, float64(intersect.Count(m.Sketch(a).Prints, m.Sketch(b).Prints)); got != want || got < 2 {
		t.Errorf("weight %v, want all %v shared fingerprints, at least 2", got, want)
	}
}

// What is listed is true: folded alike in both texts, weights in descending order,
// their sum the number of shared fingerprints.
func TestExplainAgainstSketches(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	pieces := []string{"banana ", "你好世界，", "The Cat sat. ", "ﬁne ", "a\u0301b ", "\x00\xff", "xyzzy "}
	random := func() string {
		var b strings.Builder
		for range rng.IntN(120) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		return b.String()
	}
	for _, m := range methods(t) {
		for range 25 {
			a, b := random(), random()
			sa, sb := m.Sketch(a), m.Sketch(b)
			e := m.Explain(a, b)
			if want := m.Score(sa, sb); e.Score != want {
				t.Fatalf("%s: score %v, want %v", m, e.Score, want)
			}
			sum := 0.0
			for i, ev := range e.Evidence {
				sum += ev.Weight
				if i > 0 && ev.Weight > e.Evidence[i-1].Weight {
					t.Fatalf("%s: passage %d weighs more than the one before", m, i)
				}
				if len(ev.A) != 1 || len(ev.B) != 1 || a[ev.A[0].Start:ev.A[0].End] != ev.Text {
					t.Fatalf("%s: places %v and %v of %q", m, ev.A, ev.B, ev.Text)
				}
			}
			if want := float64(intersect.Count(sa.Prints, sb.Prints)); sum != want {
				t.Fatalf("%s: weights sum to %v, want the %v shared fingerprints of %q and %q", m, sum, want, a, b)
			}
		}
	}
}

// Fingerprints are those of the sketch, in order of place, within the text; a window
// that ends inside a character takes all of it.
func TestFingerprints(t *testing.T) {
	texts := []string{"", "a", "你妈妈喊你回家吃饭哦，回家罗回家罗", "Straße und Maße\u00a0\u2003\xff Ende",
		strings.Repeat("ba你好", 50), string(prose(3000))}
	for _, m := range methods(t) {
		for _, text := range texts {
			in := map[uint64]bool{}
			last := -1
			for _, f := range m.Fingerprints(text) {
				in[f.Hash] = true
				if f.Start < last || f.End <= f.Start || f.End > len(text) {
					t.Fatalf("%s: fingerprint at %v of %d bytes after one at %d", m, f.Span, len(text), last)
				}
				last = f.Start
				if s := text[f.Start:f.End]; strings.HasPrefix(text, "你") && strings.ToValidUTF8(s, "") != s {
					t.Errorf("%s: %q cuts a character", m, s)
				}
			}
			s := m.Sketch(text)
			if len(in) != len(s.Prints) {
				t.Errorf("%s: %d distinct fingerprints of %.20q, sketch has %d", m, len(in), text, len(s.Prints))
			}
			for _, h := range s.Prints {
				if !in[h] {
					t.Errorf("%s: fingerprint %#x of the sketch has no place", m, h)
				}
			}
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add("the cat sat on the mat", "The cat sat on a mat.")
	f.Add("a\u0301\u0302 ﬁ \xff\x00 你好", "你好 fi")
	ms := methods(f)
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, m := range ms {
			e := m.Explain(a, b)
			sa, sb := m.Sketch(a), m.Sketch(b)
			if want := m.Score(sa, sb); e.Score != want {
				t.Fatalf("%s: explains a score of %v, want %v", m, e.Score, want)
			}
			sum := 0.0
			for _, ev := range e.Evidence {
				sum += ev.Weight
				for _, p := range []struct {
					sp   feature.Span
					text string
				}{{ev.A[0], a}, {ev.B[0], b}} {
					if p.sp.Start < 0 || p.sp.End <= p.sp.Start || p.sp.End > len(p.text) {
						t.Fatalf("%s: span %v of %d bytes", m, p.sp, len(p.text))
					}
				}
			}
			if want := float64(intersect.Count(sa.Prints, sb.Prints)); sum != want {
				t.Fatalf("%s: weights sum to %v, want %v", m, sum, want)
			}
		}
	})
}
