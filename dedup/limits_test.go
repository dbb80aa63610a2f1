package dedup

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func fields(pairs ...string) func(string) (string, bool) {
	return func(field string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == field {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestLimits(t *testing.T) {
	all := Limits{Across: "source", Within: "lang", Window: "date", Span: 72 * time.Hour}
	a := fields("source", "dpa", "lang", "de", "date", "2024-03-01")
	for _, c := range []struct {
		what   string
		l      Limits
		b      func(string) (string, bool)
		counts bool
	}{
		{"no limits", Limits{}, a, true},
		{"of one source", Limits{Across: "source"}, a, false},
		{"of another source", Limits{Across: "source"}, fields("source", "afp"), true},
		{"of no source", Limits{Across: "source"}, fields(), false},
		{"of an empty source", Limits{Across: "source"}, fields("source", ""), false},
		{"of one language", Limits{Within: "lang"}, a, true},
		{"of another language", Limits{Within: "lang"}, fields("lang", "en"), false},
		{"three days later", Limits{Window: "date", Span: 72 * time.Hour}, fields("date", "2024-03-04T00:00:00Z"), true},
		{"a second more", Limits{Window: "date", Span: 72 * time.Hour}, fields("date", "2024-03-04T00:00:01Z"), false},
		{"earlier", Limits{Window: "date", Span: 72 * time.Hour}, fields("date", "2024-02-28"), true},
		{"of no readable date", Limits{Window: "date", Span: 72 * time.Hour}, fields("date", "Friday"), false},
		{"all limits hold", all, fields("source", "afp", "lang", "de", "date", "2024-03-02"), true},
		{"all but the source", all, fields("source", "dpa", "lang", "de", "date", "2024-03-02"), false},
	} {
		x, y := c.l.Values(a), c.l.Values(c.b)
		if c.l.Counts(x, y) != c.counts || c.l.Counts(y, x) != c.counts {
			t.Errorf("%s: want %t both ways round", c.what, c.counts)
		}
	}
	if got, want := all.String(), "across source, within lang, window date=72h0m0s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Documents of a unit have the same text and make the same pairs.
func TestUnits(t *testing.T) {
	h := HashText("text")
	number := uint64(0)
	unit := func(l Limits, old bool, f ...string) Hash {
		number++
		return l.Unit(h, l.Values(fields(f...)), number, old)
	}
	across, within := Limits{Across: "source"}, Limits{Within: "lang"}
	if unit(Limits{}, true) != h {
		t.Error("without limits a unit is not the text")
	}
	if unit(across, false, "source", "a") == unit(across, false, "source", "b") {
		t.Error("two sources are one unit")
	}
	if unit(across, false, "source", "a") == unit(across, true, "source", "a") {
		t.Error("an old and a new document of one source are one unit")
	}
	if unit(within, false, "lang", "en") != unit(within, true, "lang", "en") {
		t.Error("an old and a new document of one group are two units")
	}
	if one, other := unit(within, false), unit(within, false); one == other {
		t.Error("two documents that are in no pair are one unit")
	}
	if one, other := unit(across, false, "source", "a"), unit(across, false, "source", "a"); one != other || !across.Apart() || within.Apart() {
		t.Error("equal texts of one source are no unit, or not apart")
	}
}

func TestSetWindow(t *testing.T) {
	var l Limits
	if err := l.SetWindow("a=b=72h"); err != nil || l.Window != "a=b" || l.Span != 72*time.Hour {
		t.Errorf("%+v, %v", l, err)
	}
	for _, bad := range []string{"", "date", "date=", "=72h", "date=3 days", "date=-1h"} {
		if err := l.SetWindow(bad); err == nil || !strings.Contains(err.Error(), "72h") {
			t.Errorf("%q: error %v, want an example", bad, err)
		}
	}
	if err := (Limits{Across: "x", Within: "x"}).Check(); err == nil {
		t.Error("across and within the same field is no error")
	}
}

// With Rule.Counts, Cluster does what it does where the other pairs are not near,
// whatever chains there are.
func TestClusterCounts(t *testing.T) {
	tab := table{{0, .9, .9, 0}, {.9, 0, 0, .9}, {.9, 0, 0, 0}, {0, .9, 0, 0}}
	r := Rule{Threshold: .8, Score: tab.score, Counts: func(a, b uint32) bool { return a+b != 2 && a+b != 3 }}
	c, err := Cluster(t.Context(), tab.graph(0), r)
	if err != nil {
		t.Fatal(err)
	}
	// 0 and 2 do not count; 3 is alike to 1 only, which is removed for 0.
	if want := []uint32{0, 0, 2, 3}; !slices.Equal(c.Leader, want) {
		t.Errorf("leaders %v, want %v", c.Leader, want)
	}
	r.Cohesion = -1 // any chain will do, but 3 does not count with 0
	if c, err = Cluster(t.Context(), tab.graph(0), r); err != nil || !slices.Equal(c.Leader, []uint32{0, 0, 2, 3}) {
		t.Errorf("with chains: leaders %v, %v", c.Leader, err)
	}
}
