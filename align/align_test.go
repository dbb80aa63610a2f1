package align_test

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	for _, o := range []align.Options{
		{},
		{Measure: align.Subsequence},
		{Measure: align.Substring},
		{Most: 100},
		{Measure: align.Subsequence, Most: 65, Fold: feature.Fold{KeepCase: true, Space: feature.DropSpace}},
		{Measure: align.Substring, Most: 300, Fold: feature.Fold{DropPunct: true}},
	} {
		m, err := align.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && m.Options().Most > 300 {
			o.Most = 300
			if m, err = align.New(o); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run[align.Text](t, m) })
	}
}

func TestBadOptions(t *testing.T) {
	for want, o := range map[string]align.Options{
		"Measure is 3, want Edit, Subsequence or Substring": {Measure: 3},
		"Most is -1, want 1 to 1048576":                     {Most: -1},
		"Fold.Space is 9":                                   {Fold: feature.Fold{Space: 9}},
	} {
		if _, err := align.New(o); err == nil || !strings.HasPrefix(err.Error(), "align: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("error for %+v is %v, want %s", o, err, want)
		}
	}
}

func TestScores(t *testing.T) {
	for _, c := range []struct {
		measure align.Measure
		a, b    string
		want    float64
	}{
		{align.Edit, "kitten", "sitting", 1 - 3./7},
		{align.Edit, "KITTEN ", "kitten", 1},
		{align.Edit, "abc", "xyz", 0},
		{align.Subsequence, "kitten", "sitting", 8. / 13},
		{align.Substring, "kitten", "sitting", 6. / 13},
		{align.Substring, "ａｂｃ", "abc", 1},
		{align.Edit, "", "", 0},
		{align.Edit, "a", "", 0},
	} {
		m, err := align.New(align.Options{Measure: c.measure})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Score(m.Sketch(c.a), m.Sketch(c.b)); got != c.want {
			t.Errorf("%s of %q and %q is %v, want %v", m, c.a, c.b, got, c.want)
		}
	}
}

// What stands behind the limit does not count, whatever the width of its characters.
func TestMost(t *testing.T) {
	m, err := align.New(align.Options{Most: 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][2]string{{"abcd", "abcé"}, {"日本語字", "日本語x"}, {"abc", "abc日"}} {
		if got := m.Score(m.Sketch(p[0]), m.Sketch(p[1])); got != 1 {
			t.Errorf("score of %q and %q is %v, want 1", p[0], p[1], got)
		}
	}
	if a, b := m.Sketch("abc日"), m.Sketch("abc"); m.Bytes(a) != 3 || m.Bytes(b) != 3 {
		t.Errorf("%d and %d bytes, want 3", m.Bytes(a), m.Bytes(b))
	}
	if got := m.Bytes(m.Sketch("日本")); got != 8 {
		t.Errorf("two wide characters take %d bytes, want 8", got)
	}
}
