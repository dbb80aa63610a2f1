package ensemble_test

import (
	"bytes"
	"testing"

	"github.com/alike-go/alike/eval/ensemble"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// What is loaded or read is what was saved, or an error.
func FuzzLoad(f *testing.F) {
	m := newEnsemble(f, ensemble.Options{Members: []similarity.Method{newShingle(f, feature.Options{}), newEdit(f)}})
	c := m.NewCollection()
	for _, text := range []string{"the cat sat on the mat", "", "日本語"} {
		var buf bytes.Buffer
		if err := c.Save(&buf); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
		c.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := m.NewCollection()
		if err := c.Load(bytes.NewReader(data)); err != nil {
			if c.Len() != 0 {
				t.Fatalf("%d documents after %v", c.Len(), err)
			}
			return
		}
		for i := range c.Len() {
			if s := c.Score(0, i); !(s >= 0 && s <= 1) {
				t.Fatalf("score %v", s)
			}
		}
	})
}

func FuzzReadFit(f *testing.F) {
	m := newEnsemble(f, ensemble.Options{Members: []similarity.Method{newShingle(f, feature.Options{}), newCosineFit(f)}})
	fitted, err := m.Fit(func(yield func(string) bool) { _ = yield("a cat sat") && yield("a dog") })
	if err != nil {
		f.Fatal(err)
	}
	var buf bytes.Buffer
	if err := fitted.WriteFit(&buf); err != nil {
		f.Fatal(err)
	}
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := m.ReadFit(bytes.NewReader(data))
		if err == nil && got.FitState() == similarity.FitNone {
			if _, err := got.Fit(func(func(string) bool) {}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
