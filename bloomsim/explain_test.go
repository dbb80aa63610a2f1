package bloomsim

import (
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
)

func TestExplain(t *testing.T) {
	m := mustNew(t, Options{})
	e := m.Explain("The cat sat on the mat.", "On the mat sat a cat")
	type found struct {
		text string
		a, b []feature.Span
	}
	var got []found
	for _, ev := range e.Evidence {
		if ev.Kind != "shingle" || ev.Weight != 1 || ev.Hash == 0 {
			t.Errorf("evidence %+v, want a shingle of weight 1", ev)
		}
		got = append(got, found{ev.Text, ev.A, ev.B})
	}
	want := []found{
		{"The", []feature.Span{{Start: 0, End: 3}, {Start: 15, End: 18}}, []feature.Span{{Start: 3, End: 6}}},
		{"cat", []feature.Span{{Start: 4, End: 7}}, []feature.Span{{Start: 17, End: 20}}},
		{"sat", []feature.Span{{Start: 8, End: 11}}, []feature.Span{{Start: 11, End: 14}}},
		{"on", []feature.Span{{Start: 12, End: 14}}, []feature.Span{{Start: 0, End: 2}}},
		{"mat", []feature.Span{{Start: 19, End: 22}}, []feature.Span{{Start: 7, End: 10}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("evidence is %v, want %v", got, want)
	}
	// Five words in the first text, and they and "a" in the second.
	if w := "5 and 6 of 4096 bits set (0.1% and 0.1%), 5 in both, raw ratio 0.8333; about 5.0 and 6.0 features, 5.0 shared (in truth 5)"; e.Note != w {
		t.Errorf("note is %q, want %q", e.Note, w)
	}

	small := mustNew(t, Options{Bits: 64, Hashes: 32})
	if e := small.Explain("one two three four five six", "one two three four five seven"); !strings.Contains(e.Note, "saturated") || !strings.Contains(e.Note, "in truth 5") {
		t.Errorf("note on full filters is %q", e.Note)
	}
	if e := m.Explain("", "cat"); e.Score != 0 || e.Note != "a text without features is like no other" {
		t.Errorf("explanation of no text is %+v", e)
	}
	top := mustNew(t, Options{Features: feature.Options{Top: 1}})
	if e := top.Explain("cat cat dog", "cat cat dog"); len(e.Evidence) != 1 || e.Evidence[0].Text != "cat" {
		t.Errorf("evidence of the greatest feature is %+v", e.Evidence)
	}
}

func TestKeys(t *testing.T) {
	m := mustNew(t, Options{Features: feature.Options{MinWidth: 2}})
	var got []string
	for key := range m.Keys("The  Cat, sat") {
		got = append(got, string(key))
	}
	if want := []string{"the cat", "cat, sat"}; !reflect.DeepEqual(got, want) {
		t.Errorf("keys are %q, want %q", got, want)
	}
	for range m.Keys("one two three") {
		break
	}
}
