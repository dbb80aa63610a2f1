package shingle

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// A fit changes the weights of a bag, is named in the spec, survives saving, and
// is refused where the features differ. All methods of the package do it alike.
func TestFit(t *testing.T) {
	idf := feature.Options{Weights: feature.FitIDF}
	docs := []string{catThe, catA, scream, "the mat", "the cream"}
	testFit(t, mustNew(t, Options{Bag: true, Features: idf}), docs)
	testFit(t, mustMinHash(t, MinHashOptions{Size: 64, Scheme: ICWS, Features: idf}), docs)
	top := idf
	top.Top = 10
	testFit(t, mustBottom(t, MinHashOptions{Features: top}), docs)
	testFit(t, mustNew(t, Options{Features: top}), docs)

	// A set holds no weights, so frequencies tell it nothing.
	for _, m := range []interface {
		FitState() similarity.FitState
		String() string
	}{
		mustNew(t, Options{}), mustNew(t, Options{Bag: true}), mustNew(t, Options{Features: idf}),
		mustMinHash(t, MinHashOptions{Features: idf}), mustBottom(t, MinHashOptions{Features: idf}),
	} {
		if got := m.FitState(); got != similarity.FitUseless || strings.Contains(m.String(), "fit=") {
			t.Errorf("%s: state %v, want FitUseless", m, got)
		}
	}
	m := mustNew(t, Options{Bag: true, Features: idf})
	fitted, err := m.Fit(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	// "the" is in four documents of five, so it weighs less beside the rare "on".
	weights := func(m *Method) (the, on float64) {
		s := m.Sketch("the on")
		at := func(word string) float64 {
			i, _ := slices.BinarySearch(s.Hashes, m.Features().AppendHashes(nil, word)[0])
			return s.Weights[i]
		}
		return at("the"), at("on")
	}
	if the, on := weights(m); the != on {
		t.Errorf("unfitted, the weighs %v and on %v, want the same", the, on)
	}
	if the, on := weights(fitted); the >= on {
		t.Errorf("fitted, the weighs %v and on %v, want less", the, on)
	}
}

func testFit[S any, M interface {
	similarity.Sketcher[S]
	similarity.Fitter[M]
}](t *testing.T, m M, docs []string) {
	t.Helper()
	if m.FitState() != similarity.FitNone || !strings.Contains(m.String(), "fit=none") {
		t.Errorf("%s: state %v before a fit", m, m.FitState())
	}
	var buf bytes.Buffer
	if err := m.WriteFit(&buf); err == nil {
		t.Errorf("%s: no error from saving no fit", m)
	}
	fitted, err := m.Fit(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	if fitted.FitState() != similarity.Fitted || strings.Contains(fitted.String(), "fit=none") || fitted.Settings() == m.Settings() {
		t.Errorf("%s: state %v after a fit, settings %s", fitted, fitted.FitState(), fitted.Settings())
	}
	buf.Reset()
	if err := fitted.WriteFit(&buf); err != nil {
		t.Fatal(err)
	}
	again, err := m.ReadFit(bytes.NewReader(buf.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if again.Settings() != fitted.Settings() {
		t.Errorf("settings after loading %s, want %s", again.Settings(), fitted.Settings())
	}
	// The fitted method sketches with scratch space of its own.
	data := similarity.Marshal(fitted, fitted.Sketch(catThe))
	if !bytes.Equal(similarity.Marshal(again, again.Sketch(catThe)), data) {
		t.Errorf("%s: sketches differ after loading the fit", fitted)
	}
	if _, err := similarity.Unmarshal[S](m, data); err == nil {
		t.Errorf("%s: no error for a sketch under a fit", m)
	}
	if _, err := m.ReadFit(bytes.NewReader(buf.Bytes()[:buf.Len()/2])); err == nil {
		t.Errorf("%s: no error for half a fit", m)
	}
}
