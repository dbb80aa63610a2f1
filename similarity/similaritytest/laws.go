// Package similaritytest checks that a method keeps the laws of package
// similarity.
//
//	func TestLaws(t *testing.T) { similaritytest.Run(t, m) }
//
// One call runs every law over every generator as sub-tests named
// generator/law, so that a failure says which text breaks which promise.
//
// Tests of methods use it. Cases of one method belong in the tests of that
// method.
package similaritytest

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"sync"
	"testing"

	"github.com/alike-go/alike/similarity"
)

// Run checks every law for the method on texts of every kind in Texts. Laws of
// optional abilities are checked where the method has them.
func Run[S any, M similarity.Sketcher[S]](t *testing.T, m M) {
	t.Helper()
	texts := Texts()
	sketches := make([]S, len(texts))
	for i, tx := range texts {
		sketches[i] = m.Sketch(tx.Text)
	}
	t.Run("empty", func(t *testing.T) {
		if !m.Empty(m.Sketch("")) {
			t.Errorf("%s: the empty text has features", m)
		}
	})
	for i, tx := range texts {
		t.Run(tx.Name, func(t *testing.T) {
			t.Run("deterministic", func(t *testing.T) {
				if again := m.Sketch(tx.Text); !reflect.DeepEqual(again, sketches[i]) {
					t.Errorf("%s: second sketch differs: %v, first %v", m, again, sketches[i])
				}
			})
			t.Run("self", func(t *testing.T) {
				want := 1.0
				if m.Empty(sketches[i]) {
					want = 0
				}
				if got := m.Score(sketches[i], sketches[i]); got != want {
					t.Errorf("%s: score with itself %v, want %v", m, got, want)
				}
				if again := m.Sketch(string([]byte(tx.Text))); m.Score(sketches[i], again) != want {
					t.Errorf("%s: score with a copy %v, want %v", m, m.Score(sketches[i], again), want)
				}
			})
			t.Run("pairs", func(t *testing.T) { pairs(t, m, sketches, i) })
			t.Run("marshal", func(t *testing.T) { marshal(t, m, sketches[i]) })
			features(t, m, tx.Text, sketches[i])
			container(t, m, sketches, i)
			kernel(t, m, sketches, i)
			explain(t, m, tx.Text, texts[(i+1)%len(texts)].Text)
		})
	}
	t.Run("concurrent", func(t *testing.T) { concurrent(t, m, texts, sketches) })
	t.Run("settings", func(t *testing.T) { settings(t, m, sketches) })
	t.Run("collection", func(t *testing.T) { collections(t, m, texts) })
	t.Run("join", func(t *testing.T) { joins(t, m, sketches) })
	t.Run("buckets", func(t *testing.T) { buckets(t, m, sketches) })
	t.Run("groups", func(t *testing.T) { groups(t, m, sketches) })
}

func pairs[S any, M similarity.Sketcher[S]](t *testing.T, m M, s []S, i int) {
	for j := range s {
		ab, ba := m.Score(s[i], s[j]), m.Score(s[j], s[i])
		if math.IsNaN(ab) || ab < 0 || ab > 1 {
			t.Errorf("%s: score with text %d is %v, want [0, 1]", m, j, ab)
		}
		if ab != ba {
			t.Errorf("%s: score with text %d is %v one way, %v the other", m, j, ab, ba)
		}
		if (m.Empty(s[i]) || m.Empty(s[j])) && ab != 0 {
			t.Errorf("%s: score with text %d is %v, want 0 where one has no features", m, j, ab)
		}
		if b, ok := any(m).(similarity.Blanker[S]); ok && (b.Blank(s[i]) || b.Blank(s[j])) && ab != 0 && ab != 1 {
			t.Errorf("%s: score with text %d is %v, want 0 or 1 where one sketch is blank", m, j, ab)
		}
	}
}

func marshal[S any, M similarity.Sketcher[S]](t *testing.T, m M, s S) {
	data := similarity.Marshal(m, s)
	got, err := similarity.Unmarshal[S](m, data)
	if err != nil {
		t.Fatalf("%s: unmarshal: %v", m, err)
	}
	if again := similarity.Marshal(m, got); !bytes.Equal(again, data) {
		t.Errorf("%s: marshal after unmarshal gives other bytes", m)
	}
	if m.Empty(got) != m.Empty(s) || m.Bytes(got) != m.Bytes(s) || m.Score(got, s) != m.Score(s, s) {
		t.Errorf("%s: sketch differs after marshal and unmarshal", m)
	}
	if m.Bytes(s) < 0 {
		t.Errorf("%s: %d bytes", m, m.Bytes(s))
	}
	// Cut and lengthened data is refused and never panics. Long sketches are
	// cut at a sample of places.
	step := max(1, len(data)/200)
	for cut := 0; cut < len(data); cut += step {
		if _, err := similarity.Unmarshal[S](m, data[:cut]); err == nil {
			t.Errorf("%s: no error for a sketch cut to %d of %d bytes", m, cut, len(data))
		}
	}
	if _, err := similarity.Unmarshal[S](m, append(data[:len(data):len(data)], 0)); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("%s: error for a byte too many is %v, want ErrFormat", m, err)
	}
}

func features[S any, M similarity.Sketcher[S]](t *testing.T, m M, text string, s S) {
	f, ok := any(m).(similarity.Featured[S])
	if !ok {
		return
	}
	t.Run("features", func(t *testing.T) {
		fs := f.Features().Append(nil, text)
		if got := f.SketchFeatures(fs); !reflect.DeepEqual(got, s) {
			t.Errorf("%s: sketch of the features is %v, of the text %v", m, got, s)
		}
		if !f.Features().Unit() {
			return
		}
		// Order does not matter: the same features backwards.
		for i, j := 0, len(fs)-1; i < j; i, j = i+1, j-1 {
			fs[i], fs[j] = fs[j], fs[i]
		}
		if got := f.SketchFeatures(fs); !reflect.DeepEqual(got, s) {
			t.Errorf("%s: sketch of the features backwards differs", m)
		}
	})
}

func container[S any, M similarity.Sketcher[S]](t *testing.T, m M, s []S, i int) {
	c, ok := any(m).(similarity.Container[S])
	if !ok {
		return
	}
	t.Run("containment", func(t *testing.T) {
		for j := range s {
			got := c.Containment(s[i], s[j])
			if math.IsNaN(got) || got < 0 || got > 1 {
				t.Errorf("%s: containment in text %d is %v, want [0, 1]", m, j, got)
			}
			if (m.Empty(s[i]) || m.Empty(s[j])) && got != 0 {
				t.Errorf("%s: containment in text %d is %v, want 0 where one has no features", m, j, got)
			}
		}
		if got := c.Containment(s[i], s[i]); !m.Empty(s[i]) && got != 1 {
			t.Errorf("%s: containment in itself is %v, want 1", m, got)
		}
	})
}

func kernel[S any, M similarity.Sketcher[S]](t *testing.T, m M, s []S, i int) {
	k, ok := any(m).(similarity.RowKernel[S])
	if !ok {
		return
	}
	t.Run("row", func(t *testing.T) {
		row := make([]float32, len(s))
		k.ScoreRow(s[i], s, row)
		for j, got := range row {
			if want := float32(m.Score(s[i], s[j])); got != want {
				t.Errorf("%s: row kernel gives %v for text %d, Score %v", m, got, j, want)
			}
		}
	})
}

func explain[S any, M similarity.Sketcher[S]](t *testing.T, m M, a, b string) {
	e, ok := any(m).(similarity.Explainer)
	if !ok || len(a) > 1<<16 || len(b) > 1<<16 {
		return
	}
	t.Run("explain", func(t *testing.T) {
		for _, p := range [][2]string{{a, a}, {a, b}, {a, ""}} {
			got := e.Explain(p[0], p[1])
			if want := m.Score(m.Sketch(p[0]), m.Sketch(p[1])); got.Score != want {
				t.Errorf("%s: explanation has score %v, want %v", m, got.Score, want)
			}
			for _, ev := range got.Evidence {
				if ev.Weight < 0 || math.IsNaN(ev.Weight) {
					t.Errorf("%s: evidence %q weighs %v", m, ev.Text, ev.Weight)
				}
				for _, sp := range ev.A {
					if sp.Start < 0 || sp.End < sp.Start || sp.End > len(p[0]) {
						t.Fatalf("%s: span %v outside the first text of %d bytes", m, sp, len(p[0]))
					}
				}
				for _, sp := range ev.B {
					if sp.Start < 0 || sp.End < sp.Start || sp.End > len(p[1]) {
						t.Fatalf("%s: span %v outside the second text of %d bytes", m, sp, len(p[1]))
					}
				}
			}
		}
	})
}

func concurrent[S any, M similarity.Sketcher[S]](t *testing.T, m M, texts []Text, s []S) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range texts {
				j := (i*7 + g) % len(texts)
				if got := m.Sketch(texts[j].Text); !reflect.DeepEqual(got, s[j]) {
					t.Errorf("%s: sketch of %s differs between goroutines", m, texts[j].Name)
				}
			}
		})
	}
	wg.Wait()
}

func settings[S any, M similarity.Sketcher[S]](t *testing.T, m M, s []S) {
	if m.String() == "" || m.Settings() == "" {
		t.Fatalf("empty spec %q or settings %q", m.String(), m.Settings())
	}
	other := similarity.AppendHeader(nil, "sketch", m.Settings()+",other=1")
	if _, err := similarity.Unmarshal[S](m, m.AppendSketch(other, s[0])); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("%s: error for a sketch under other settings is %v, want ErrSettings", m, err)
	}
}

func collections[S any, M similarity.Sketcher[S]](t *testing.T, m M, texts []Text) {
	h := similarity.Hide(m)
	c := h.NewCollection()
	for _, tx := range texts {
		c.Add(tx.Text)
	}
	var buf bytes.Buffer
	if err := c.Save(&buf); err != nil {
		t.Fatal(err)
	}
	d := h.NewCollection()
	if err := d.Load(bytes.NewReader(buf.Bytes())); err != nil {
		t.Fatalf("%s: load: %v", m, err)
	}
	if d.Len() != c.Len() {
		t.Fatalf("%s: %d documents after load, want %d", m, d.Len(), c.Len())
	}
	row := make([]float32, c.Len())
	for i := range c.Len() {
		d.Scores(i, 0, row)
		for j, got := range row {
			if want := float32(c.Score(i, j)); got != want {
				t.Errorf("%s: documents %d and %d score %v after load, want %v", m, i, j, got, want)
			}
		}
	}
	if err := h.NewCollection().Load(bytes.NewReader(buf.Bytes()[:buf.Len()/2])); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("%s: error for half a collection is %v, want ErrFormat", m, err)
	}
}
