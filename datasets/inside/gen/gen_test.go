package main

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// TestEdits applies every planted edit to a text of either language and checks
// that it changes the text, the same way each time, and by about what it says.
func TestEdits(t *testing.T) {
	texts := map[string][2]string{
		"en": {
			strings.Repeat("The old clerk, who came in the morning, left the small house: nothing else. ", 8),
			strings.Repeat("alpha beta gamma delta epsilon zeta eta theta ", 40),
		},
		"zh": {
			strings.Repeat("第三條，人未到田中；日入而息。大木在其右，", 8),
			strings.Repeat("甲乙丙丁戊己庚辛壬癸", 60),
		},
	}
	for _, l := range []language{english, chinese} {
		text, other := strings.TrimSpace(texts[l.name][0]), texts[l.name][1]
		if got := strings.Join(l.units(text), ""); got != text {
			t.Errorf("%s: the units join to %q", l.name, got)
		}
		n := len(l.units(text))
		for _, e := range edits() {
			got := e.apply(l, source("test"), text, other)
			if got == text || got == "" {
				t.Errorf("%s %s changes nothing, or leaves nothing", l.name, e.name)
			}
			if again := e.apply(l, source("test"), text, other); again != got {
				t.Errorf("%s %s is not the same twice", l.name, e.name)
			}
			change := float64(len(l.units(got))-n) / float64(n)
			low, high := -0.1, 0.1
			switch {
			case strings.HasPrefix(e.name, "delete20"):
				low, high = -0.22, -0.18
			case strings.HasPrefix(e.name, "insert20"):
				low, high = 0.18, 0.22
			case e.name == "truncate":
				low, high = -0.72, -0.23
			case e.name == "quote":
				low, high = 0.45, 2.05
			case e.name == "style", e.name == "ocr":
				low, high = -0.3, 0.3
			case strings.HasPrefix(e.name, "delete"), strings.HasPrefix(e.name, "insert"):
				low, high = -0.14, 0.14
			}
			if change < low || change > high {
				t.Errorf("%s %s changes the length by %.2f, want %.2f to %.2f", l.name, e.name, change, low, high)
			}
		}
	}
}

func TestOverlap(t *testing.T) {
	tests := []struct {
		x, y                 string
		jaccard, containment float64
	}{
		{"", "", 0, 0}, {"a", "", 0, 0}, {"a b", "c d", 0, 0},
		{"a b", "a b", 1, 1},
		{"a b", "a b c", 3.0 / 5, 1},         // a, b, ab of a, b, c, ab, bc
		{"a b c", "a b d", 3.0 / 7, 3.0 / 5}, // a, b, ab of a, b, c, d, ab, bc, bd
	}
	for _, test := range tests {
		jaccard, containment := overlap(wordFeatures(test.x), wordFeatures(test.y))
		if jaccard != test.jaccard || containment != test.containment {
			t.Errorf("%q and %q: %g and %g, want %g and %g", test.x, test.y, jaccard, containment, test.jaccard, test.containment)
		}
	}
}

// TestLocate finds a passage between other commentary and other text.
func TestLocate(t *testing.T) {
	var main []rune
	for i := range 400 {
		main = append(main, rune('一'+i*7))
	}
	passage := string(main[100:300])
	x := newReading("序(甲乙)文" + string(main[:200]) + "(評/語)" + string(main[200:]))
	start, end, ok := x.locate([]rune(passage))
	if !ok || start != 102 || end != 302 {
		t.Fatalf("the passage is at %d to %d, %t, want 102 to 302", start, end, ok)
	}
	if got, want := x.cut(start, end), string(main[100:200])+"(評/語)"+string(main[200:300]); got != want {
		t.Errorf("the passage is %q, want %q", got, want)
	}
	if _, _, ok := x.locate([]rune(strings.Repeat("無", 200))); ok {
		t.Error("a passage that is not there is found")
	}
}

func TestStatute(t *testing.T) {
	s := newStatute(datasets.Doc{ID: "某法@1", Text: "# 某法\n\n2020年\n\n<!-- INFO END -->\n\n## 第一章 总则\n\n第一条 甲。\n\n乙。\n\n第二条 丙，依照第一条。\n\n## 第二章 末\n\n第十三条　丁。\n"})
	want := []article{{"第一条", "第一条 甲。\n\n乙。"}, {"第二条", "第二条 丙，依照第一条。"}, {"第十三条", "第十三条　丁。"}}
	if len(s.articles) != len(want) {
		t.Fatalf("articles %q", s.articles)
	}
	for i, a := range s.articles {
		if a != want[i] {
			t.Errorf("article %d is %q, want %q", i, a, want[i])
		}
	}
	if got := s.articles[2].words(); got != "丁。" {
		t.Errorf("the words of the last article are %q", got)
	}
	if strings.Contains(s.body, "#") || strings.Contains(s.body, "2020") {
		t.Errorf("the body is %q", s.body)
	}
}
