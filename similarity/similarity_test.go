package similarity_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// length is the least method that keeps the laws: it sketches a text by its
// length and calls texts of one length equal.
type length struct{ unit string }

var _ similarity.Sketcher[int] = length{}

func (length) Sketch(text string) int { return len(strings.Trim(text, " \t\r\n\x00")) }
func (length) Score(a, b int) float64 {
	if a == b && a > 0 {
		return 1
	}
	return 0
}
func (m length) String() string                      { return similarity.Spec("length", "unit="+m.unit) }
func (m length) Settings() string                    { return m.String() }
func (length) Empty(s int) bool                      { return s == 0 }
func (length) Bytes(int) int                         { return 4 }
func (length) AppendSketch(dst []byte, s int) []byte { return fmt.Appendf(dst, "%08x", s) }
func (length) DecodeSketch(src []byte) (int, int, error) {
	var s int
	if len(src) < 8 {
		return 0, 0, fmt.Errorf("length: %d bytes, want 8: %w", len(src), similarity.ErrFormat)
	}
	if _, err := fmt.Sscanf(string(src[:8]), "%08x", &s); err != nil {
		return 0, 0, fmt.Errorf("length: %w", similarity.ErrFormat)
	}
	return s, 8, nil
}

func TestLaws(t *testing.T) { similaritytest.Run[int](t, length{"byte"}) }

func TestUnmarshalRefuses(t *testing.T) {
	m := length{"byte"}
	data := similarity.Marshal(m, 7)
	if s, err := similarity.Unmarshal(m, data); s != 7 || err != nil {
		t.Errorf("sketch %d, %v", s, err)
	}
	later := bytes.Clone(data)
	later[5]++
	for name, c := range map[string]struct {
		m    length
		data []byte
		want error
	}{
		"other settings": {length{"rune"}, data, similarity.ErrSettings},
		"later version":  {m, later, similarity.ErrSettings},
		"no header":      {m, []byte("something else"), similarity.ErrFormat},
		"a fit":          {m, similarity.AppendHeader(nil, "fit", m.Settings()), similarity.ErrFormat},
		"a byte more":    {m, append(bytes.Clone(data), 0), similarity.ErrFormat},
		"a byte less":    {m, data[:len(data)-1], similarity.ErrFormat},
	} {
		if _, err := similarity.Unmarshal(c.m, c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// After an error a collection is as it was.
func TestLoadIsAllOrNothing(t *testing.T) {
	m := similarity.Hide(length{"byte"})
	c := m.NewCollection()
	for _, text := range []string{"a", "bb", "ccc"} {
		c.Add(text)
	}
	var saved bytes.Buffer
	if err := c.Save(&saved); err != nil {
		t.Fatal(err)
	}
	for cut := range saved.Len() {
		d := m.NewCollection()
		d.Add("kept")
		if err := d.Load(bytes.NewReader(saved.Bytes()[:cut])); !errors.Is(err, similarity.ErrFormat) {
			t.Errorf("cut to %d bytes: error %v, want ErrFormat", cut, err)
		}
		if d.Len() != 1 {
			t.Errorf("cut to %d bytes: %d documents after the error, want the one before", cut, d.Len())
		}
	}
	if err := similarity.Hide(length{"rune"}).NewCollection().Load(&saved); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("error for another method's collection is %v, want ErrSettings", err)
	}
}

func TestSpec(t *testing.T) {
	for want, got := range map[string]string{
		"name":               similarity.Spec("name", "", ""),
		"name:a=1,b=2":       similarity.Spec("name", "a=1", "", "b=2"),
		"cosine":             similarity.WithoutFit("cosine:fit=none"),
		"cosine:scheme=ltc":  similarity.WithoutFit("cosine:scheme=ltc,fit=0123"),
		"shingle:benefit=no": similarity.WithoutFit("shingle:benefit=no"),
	} {
		if got != want {
			t.Errorf("spec %q, want %q", got, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	m := similarity.Hide(length{"byte"})
	c := m.NewCollection()
	c.Add("abc")
	var saved bytes.Buffer
	if err := c.Save(&saved); err != nil {
		f.Fatal(err)
	}
	f.Add(saved.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		c := m.NewCollection()
		err := c.Load(bytes.NewReader(data))
		if err != nil && c.Len() != 0 {
			t.Fatalf("%d documents after %v", c.Len(), err)
		}
	})
}
