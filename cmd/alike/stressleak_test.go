package main

import (
	"strings"
	"testing"
)

// Without items of the user's own, --lang says which are generated.
func TestStressLeakLang(t *testing.T) {
	out := must(t, "stress", "leak", "-n", "2", "--lang", "en", "-f", "csv")
	if strings.Contains(out, "generated zh") || !strings.Contains(out, "generated en") {
		t.Errorf("--lang en:\n%s", out)
	}
	if code, _, stderr := alike(t, "", "stress", "leak", "-n", "2", "--lang", "xx"); code != 2 || !strings.Contains(stderr, `--lang is "xx", want en or zh`) {
		t.Errorf("--lang xx: %d, %s", code, stderr)
	}
}

// What does not change the words of an item does not lower the recall of leak, in
// either language and by either rule: re-wrapping, embedding, punctuation.
func TestStressLeak(t *testing.T) {
	for _, flags := range [][]string{nil, {"--threshold", "1"}, {"--passage", "13", "--workers", "1"}} {
		out := must(t, append([]string{"stress", "leak", "-n", "60", "-f", "csv"}, flags...)...)
		rows := 0
		for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			f := strings.Split(line, ",")
			name, items, found := strings.Join(f[1:len(f)-5], ","), f[len(f)-5], f[len(f)-4]
			switch {
			case strings.HasPrefix(name, "not"):
				if found != "0" {
					t.Errorf("%v: a false alarm: %s", flags, line)
				}
			case strings.Contains(name, "as is"), strings.Contains(name, "wrapped"), strings.Contains(name, "embedded"), strings.Contains(name, "punctuation"):
				if rows++; found != items {
					t.Errorf("%v: %s, want all items", flags, line)
				}
			}
		}
		if rows != 2*6 {
			t.Errorf("%v: %d rows:\n%s", flags, rows, out)
		}
	}
}
