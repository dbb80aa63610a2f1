package datasets

import "testing"

func TestRepeats(t *testing.T) {
	var r Repeats
	for _, c := range []struct {
		id   string
		want bool
	}{{"a", false}, {"b", false}, {"A", false}, {"b", true}, {"a", true}, {"b", true}, {"", false}} {
		if got := r.Add(c.id); got != c.want {
			t.Errorf("%q: %v, want %v", c.id, got, c.want)
		}
	}
	if r.N != 3 || r.First != "b" {
		t.Errorf("%d repeats, the first %q, want 3 and b", r.N, r.First)
	}
}
