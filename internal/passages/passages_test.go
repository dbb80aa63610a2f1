package passages

import (
	"strings"
	"testing"
)

func TestSharedPassages(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"the cat sat on the mat", "the cat lay on the mat", "[the cat] sat [on the mat]"},
		{"nothing at all", "quite another text", "nothing at all"},
		{"白日依山尽，黄河入海流", "白日依山尽，长江入海流", "[白日依山尽]，黄河[入海流]"},
		{"our food", "its food", "our [food]"},
		{"begin one", "begin two", "[begin] one"},
		{"same", "same", "[same]"},
		{"", "x", ""},
	} {
		parts, _ := Of(c.a, c.b, false)
		got := ""
		for _, p := range parts {
			if p.Mark {
				got += "[" + p.Text + "]"
			} else {
				got += p.Text
			}
		}
		if got != c.want {
			t.Errorf("%q beside %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// Marking loses nothing of a text but what is not UTF-8.
func FuzzOf(f *testing.F) {
	f.Add("the cat sat on the mat", "the cat lay\xff on the mat", true)
	f.Add("白日依山尽", "白日", false)
	f.Fuzz(func(t *testing.T, a, b string, differ bool) {
		partsA, partsB := Of(a, b, differ)
		for text, parts := range map[string][]Part{a: partsA, b: partsB} {
			got := ""
			for _, p := range parts {
				got += p.Text
			}
			clean := func(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\uFFFD", "") }
			if clean(got) != clean(text) {
				t.Fatalf("%q became %q", text, got)
			}
		}
	})
}
