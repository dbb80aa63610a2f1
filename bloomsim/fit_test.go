package bloomsim

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		o    feature.Options
		want similarity.FitState
	}{
		{feature.Options{}, similarity.FitUseless},
		{feature.Options{Weights: feature.FitIDF}, similarity.FitUseless},
		{feature.Options{Weights: feature.FitIDF, Top: 1}, similarity.FitNone},
		{feature.Options{Phrases: 3}, similarity.FitNone},
	} {
		m := mustNew(t, Options{Features: c.o})
		if got := m.FitState(); got != c.want {
			t.Errorf("%+v: fit state is %v, want %v", c.o, got, c.want)
		}
		if got := strings.Contains(m.String(), "bloom:fit=none"); got != (c.want == similarity.FitNone) {
			t.Errorf("%+v: spec is %s", c.o, m)
		}
	}

	// The rarest word of each text is all that is kept of it: without a fit all are
	// as rare, with one "the" is not.
	m := mustNew(t, Options{Features: feature.Options{Weights: feature.FitIDF, Top: 1}})
	var file bytes.Buffer
	if err := m.WriteFit(&file); err == nil {
		t.Error("no error for saving no fit")
	}
	fitted, err := m.Fit(slices.Values([]string{"the cat", "the dog", "the mat"}))
	if err != nil {
		t.Fatal(err)
	}
	if fitted.FitState() != similarity.Fitted || m.FitState() != similarity.FitNone {
		t.Error("the fit is not in the copy, or is in the method too")
	}
	if spec := fitted.String(); strings.Contains(spec, "fit=none") || similarity.WithoutFit(spec) != similarity.WithoutFit(m.String()) || spec == similarity.WithoutFit(spec) {
		t.Errorf("spec under a fit is %s, without %s", spec, m)
	}
	word := mustNew(t, Options{}).Sketch("cat")
	if got := fitted.Score(fitted.Sketch("the cat"), word); got != 1 {
		t.Errorf("under a fit the rarest word of \"the cat\" is not \"cat\": score %v", got)
	}
	if err := fitted.WriteFit(&file); err != nil {
		t.Fatal(err)
	}
	read, err := m.ReadFit(&file)
	if err != nil {
		t.Fatal(err)
	}
	if read.Settings() != fitted.Settings() || fitted.Settings() == m.Settings() {
		t.Errorf("settings are %q under the saved fit, %q under the fit, %q without", read.Settings(), fitted.Settings(), m.Settings())
	}
	if _, err := m.ReadFit(bytes.NewReader([]byte("no fit"))); err == nil {
		t.Error("no error for a damaged fit")
	}
	other := mustNew(t, Options{Features: feature.Options{Weights: feature.FitIDF, Top: 1, Stem: "en"}})
	file.Reset()
	if err := fitted.WriteFit(&file); err != nil {
		t.Fatal(err)
	}
	if _, err := other.ReadFit(&file); err == nil {
		t.Error("no error for a fit of other features")
	}
}
