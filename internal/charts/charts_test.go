package charts

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// The cases are worked out by hand from the rule: methods have their number in
// the table, and each further variant has 8 more.
func TestLooks(t *testing.T) {
	data, err := os.ReadFile("testdata/looks.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		What   string
		Labels []string
		Looks  []int
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		got := Looks(c.Labels)
		for i, label := range c.Labels {
			if got[label] != c.Looks[i] {
				t.Errorf("%s: %q has look %d, want %d", c.What, label, got[label], c.Looks[i])
			}
		}
	}
}

// The first 32 differ in colour or dashes, and in colour or symbol. Then looks
// come again.
func TestLooksDiffer(t *testing.T) {
	var labels []string
	for i := range 40 {
		labels = append(labels, fmt.Sprintf("simhash:seed=%d", i))
	}
	all := Looks(labels)
	lines, marks := map[string]bool{}, map[string]bool{}
	for _, label := range labels[:32] {
		look := all[label]
		lines[fmt.Sprint(Light(look), Dashes(look))] = true
		marks[fmt.Sprint(Light(look), Symbol(look))] = true
	}
	if len(lines) != 32 || len(marks) != 32 {
		t.Errorf("%d lines and %d marks differ, want 32", len(lines), len(marks))
	}
	for i, label := range labels[32:] {
		if all[label] != all[labels[i]] {
			t.Errorf("%s has look %d, want %d as %s has", label, all[label], all[labels[i]], labels[i])
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{
		{0, "0.00"}, {1.234, "1.23"}, {9.995, "10.0"}, {45.67, "45.7"}, {99.95, "100"}, {999.4, "999"}, {999.5, "1.00k"},
		{1234, "1.23k"}, {45.6e6, "45.6M"}, {2e9, "2.00G"}, {3e12, "3000G"}, {math.NaN(), ""}, {math.Inf(1), ""},
	} {
		if got := Short(c.v); got != c.want {
			t.Errorf("Short(%v) is %q, want %q", c.v, got, c.want)
		}
	}
}
