package cosine

import (
	"math"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// byHand is a model given by hand.
type byHand map[uint64]int

func (b byHand) DF(term uint64) int { return b[term] }

// counted returns the method fitted on rows of counts of terms 1, 2, 3, ..., and
// the vectors of the rows with a weight for each term.
func counted(t *testing.T, scheme string, fit bool, rows [][]float64) (m *Method, vs []Vector, dense [][]float64) {
	t.Helper()
	m = mustNew(t, Options{Scheme: scheme})
	if fit {
		df := byHand{}
		for _, row := range rows {
			for i, n := range row {
				if n > 0 {
					df[uint64(i+1)]++
				}
			}
		}
		m.idf = newIDF(m.scheme, df, len(rows))
	}
	for _, row := range rows {
		var fs []feature.Feature
		for i, n := range row {
			fs = append(fs, feature.Feature{Hash: uint64(i + 1), Weight: n})
		}
		v := m.SketchFeatures(fs)
		d := make([]float64, len(row))
		for i, term := range v.Terms {
			d[term-1] = float64(v.Weights[i])
		}
		vs, dense = append(vs, v), append(dense, d)
	}
	return m, vs, dense
}

func wantRow(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 2e-7*max(1, want[i]) {
			t.Errorf("%s: %v, want %v", name, got, want)
			return
		}
	}
}

// The counts and the vectors of the unsmoothed idf are those of the scikit-learn
// user guide, section "Tf–idf term weighting". The smoothed row is computed there
// from the same counts with idf 1, 2.25276297, 1.84729786.
func TestScikitLearn(t *testing.T) {
	counts := [][]float64{{3, 0, 1}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {3, 2, 0}, {3, 0, 2}}
	_, _, got := counted(t, "sklearn-unsmoothed", true, counts)
	wantRow(t, "unsmoothed row 0", got[0], []float64{.81940995, 0, .57320793})
	for i := 1; i <= 3; i++ {
		wantRow(t, "unsmoothed rows 1 to 3", got[i], []float64{1, 0, 0})
	}
	wantRow(t, "unsmoothed row 4", got[4], []float64{.47330339, .88089948, 0})
	wantRow(t, "unsmoothed row 5", got[5], []float64{.58149261, 0, .81355169})

	m, _, got := counted(t, "sklearn", true, counts)
	wantRow(t, "smoothed idf", m.idf.memo[:7], []float64{
		math.Log(7) + 1, 2.25276297, 1.84729786, math.Log(7./4) + 1, math.Log(7./5) + 1, math.Log(7./6) + 1, 1})
	wantRow(t, "smoothed row 0", got[0], []float64{.85151335, 0, .52433293})
}

// TestLetters checks each letter on one document of counts 4, 1, 0 and 3 in a
// corpus of 8 in which the terms are in 8, 4, 1 and 2 documents, by hand.
func TestLetters(t *testing.T) {
	rows := [][]float64{
		{4, 1, 0, 3}, {1, 1, 1, 1}, {1, 1, 0, 0}, {1, 1, 0, 0},
		{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0},
	}
	ln := math.Log
	average := 8. / 3
	for scheme, want := range map[string][]float64{
		"nnn": {4, 1, 0, 3},
		"lnn": {1 + ln(4), 1, 0, 1 + ln(3)},
		"ann": {1, .625, 0, .875},
		"bnn": {1, 1, 0, 1},
		"Lnn": {(1 + ln(4)) / (1 + ln(average)), 1 / (1 + ln(average)), 0, (1 + ln(3)) / (1 + ln(average))},
		"ntn": {0, ln(2), 0, 3 * ln(4)},
		"npn": {0, 0, 0, 3 * ln(3)},
		"bpn": {0, 0, 0, ln(3)},
		"nnc": {4 / math.Sqrt(26), 1 / math.Sqrt(26), 0, 3 / math.Sqrt(26)},
		"ltn": {0, ln(2), 0, (1 + ln(3)) * ln(4)},
	} {
		_, _, got := counted(t, scheme, true, rows)
		wantRow(t, scheme, got[0], want)
	}
	// Named schemes are their formulas brought to unit length.
	for scheme, raw := range map[string][]float64{
		"":       {(1 + ln(4)) * 1, ln(9./5) + 1, 0, (1 + ln(3)) * (ln(9./3) + 1)},
		"tf":     {4, 1, 0, 3},
		"dotnet": {0, .25 * ln(2), 0, .75 * ln(4)},
		"ltc":    {0, ln(2), 0, (1 + ln(3)) * ln(4)},
	} {
		length := math.Sqrt(raw[0]*raw[0] + raw[1]*raw[1] + raw[3]*raw[3])
		for i := range raw {
			raw[i] /= length
		}
		_, _, got := counted(t, scheme, true, rows)
		wantRow(t, scheme, got[0], raw)
	}
}

// TestNormLetter: the third letter changes the weights, not the score.
func TestNormLetter(t *testing.T) {
	rows := [][]float64{{4, 1, 0, 3}, {1, 1, 1, 1}, {0, 2, 5, 0}}
	for _, letters := range []string{"nn", "lt", "ap", "bn", "Lt"} {
		n, vn, _ := counted(t, letters+"n", true, rows)
		c, vc, _ := counted(t, letters+"c", true, rows)
		for i := range rows {
			for j := range rows {
				if a, b := n.Score(vn[i], vn[j]), c.Score(vc[i], vc[j]); math.Abs(a-b) > 1e-6 {
					t.Errorf("%s: documents %d and %d score %v with n, %v with c", letters, i, j, a, b)
				}
			}
		}
	}
}

// TestTwoDocuments is the trap of ln(N/df): fitted on the two documents that are
// compared, it leaves nothing of what they share.
func TestTwoDocuments(t *testing.T) {
	for _, scheme := range []string{"dotnet", "ltc", "npn"} {
		m, vs, _ := counted(t, scheme, true, [][]float64{{1, 2, 1, 0}, {1, 2, 0, 1}})
		if s := m.Score(vs[0], vs[1]); s != 0 {
			t.Errorf("%s: two similar documents score %v, want 0", scheme, s)
		}
		m, vs, _ = counted(t, scheme, true, [][]float64{{1, 2}, {1, 2}})
		if !m.Empty(vs[0]) || m.Score(vs[0], vs[1]) != 0 {
			t.Errorf("%s: two equal documents have vector %v and score %v, want none and 0", scheme, vs[0], m.Score(vs[0], vs[1]))
		}
		// Unfitted, every idf is 1.
		m, vs, _ = counted(t, scheme, false, [][]float64{{1, 2}, {1, 2}})
		if s := m.Score(vs[0], vs[1]); s != 1 {
			t.Errorf("%s: unfitted, two equal documents score %v, want 1", scheme, s)
		}
	}
	for _, scheme := range []string{"", "sklearn", "sklearn-unsmoothed", "lnc"} {
		m, vs, _ := counted(t, scheme, true, [][]float64{{1, 2, 1, 0}, {1, 2, 0, 1}})
		if s := m.Score(vs[0], vs[1]); s < 0.3 || s >= 1 {
			t.Errorf("%q: two similar documents score %v", scheme, s)
		}
	}
}

// TestUnknownTerm: a term that no fitted document has is as rare as can be.
func TestUnknownTerm(t *testing.T) {
	for _, scheme := range []string{"ntn", "npn", "smooth", "sklearn", "sklearn-unsmoothed", "nnn"} {
		m := mustNew(t, Options{Scheme: scheme})
		m.idf = newIDF(m.scheme, byHand{1: 1, 2: 3}, 10)
		w := []float64{1, 1, 1}
		m.idf.weigh([]uint64{1, 2, 3}, w)
		if math.IsInf(w[2], 0) || math.IsNaN(w[2]) || w[2] < w[0] || w[0] < w[1] {
			t.Errorf("%s: idf of df = 1, 3 and 0 is %v, want it to rise and be finite", scheme, w)
		}
	}
}

// TestBeyondMemo looks up document frequencies that are computed on demand.
func TestBeyondMemo(t *testing.T) {
	s, err := parseScheme("ntn")
	if err != nil {
		t.Fatal(err)
	}
	d := newIDF(s, byHand{1: 1 << 19, 2: 5}, 1<<20)
	w := []float64{1, 1}
	d.weigh([]uint64{1, 2}, w)
	wantRow(t, "idf", w, []float64{math.Log(2), math.Log((1 << 20) / 5.)})
}

func TestSmallCorpora(t *testing.T) {
	for _, sch := range append([]scheme{{"npn", 'n', 'p', 'n'}}, schemes...) {
		for n := range 4 {
			for df := range n + 1 {
				if x := sch.idf(df, n); math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
					t.Errorf("%s: idf of df = %d in %d documents is %v", sch.name, df, n, x)
				}
			}
		}
	}
}

func TestParseScheme(t *testing.T) {
	for _, tf := range "nlabL" {
		for _, df := range "ntp" {
			for _, norm := range "nc" {
				name := string([]rune{tf, df, norm})
				m := mustNew(t, Options{Scheme: name})
				if got := m.scheme.name; got != name {
					t.Errorf("scheme %s calls itself %s", name, got)
				}
				if useless := m.FitState() == similarity.FitUseless; useless != (df == 'n') {
					t.Errorf("scheme %s: fit state %v", name, m.FitState())
				}
			}
		}
	}
	for _, bad := range []string{"ltu", "LTC", "lt", "ltcx", "xnn", "nxn", "nnx", "Sklearn", " ", "\x00nn"} {
		if _, err := New(Options{Scheme: bad}); err == nil {
			t.Errorf("no error for scheme %q", bad)
		}
	}
}
