package dedup

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPolicies(t *testing.T) {
	docs := []Doc{
		{Ref: Ref{0, 0}, Length: 5, Values: []float64{1, 7}},
		{Ref: Ref{0, 1}, Length: 9, Values: []float64{3, Missing}},
		{Ref: Ref{1, 0}, Length: 9, Values: []float64{3, 8}},
		{Ref: Ref{1, 1}, Length: 2, Values: []float64{Missing, 9}},
	}
	for _, c := range []struct {
		policy string
		want   string // the numbers above in the order in which they are wanted
	}{
		{"first", "0 1 2 3"},
		{"source", "0 1 2 3"},
		{"none", "0 1 2 3"},
		{"longest", "1 2 0 3"},
		{"source,longest", "1 0 2 3"},
		{"newest:date", "1 2 0 3"},
		{"newest:date,highest:stars", "2 1 0 3"},
		{"first,longest", "0 1 2 3"},
	} {
		p, err := ParsePolicy(c.policy)
		if err != nil {
			t.Fatal(err)
		}
		order := []int{3, 2, 1, 0}
		slices.SortFunc(order, func(a, b int) int { return p.Compare(&docs[a], &docs[b]) })
		var got []string
		for _, i := range order {
			got = append(got, string(rune('0'+i)))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.policy, s, c.want)
		}
		if p.InputOrder() && c.want != "0 1 2 3" {
			t.Errorf("%s is said to be the input order", c.policy)
		}
		if p.String() != c.policy {
			t.Errorf("%s prints as %s", c.policy, p)
		}
	}
	for _, bad := range []string{"", "newest", "newest:", "longest:x", "oldest", "first,,longest", "none,longest", "longest,none", "none:x"} {
		if _, err := ParsePolicy(bad); err == nil {
			t.Errorf("policy %q is accepted", bad)
		}
	}
}

func TestParseTime(t *testing.T) {
	at := time.Date(2021, 3, 4, 5, 6, 7, 0, time.UTC).Unix()
	day := time.Date(2021, 3, 4, 0, 0, 0, 0, time.UTC).Unix()
	for text, want := range map[string]float64{
		"2021-03-04T05:06:07Z":          float64(at),
		"2021-03-04T05:06:07.5Z":        float64(at) + .5,
		"2021-03-04T06:06:07+01:00":     float64(at),
		" 2021-03-04 05:06:07 ":         float64(at),
		"2021-03-04 05:06:07+00:00":     float64(at),
		"2021-03-04":                    float64(day),
		"20210304":                      float64(day),
		"2021/03/04":                    float64(day),
		"2021年3月4日":                     float64(day),
		"4 March 2021":                  float64(day),
		"March 4, 2021":                 float64(day),
		"Thu, 04 Mar 2021 05:06:07 GMT": float64(at),
		"1614834367":                    1614834367,
		"1614834367000":                 1614834367,
		"1614834367.25":                 1614834367.25,
	} {
		if got, ok := parseTime(text); !ok || got != want {
			t.Errorf("%q is %f, %t, want %f", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "yesterday", "NaN", "Inf", "03/04/2021 5pm"} {
		if v, ok := parseTime(text); ok || v != Missing {
			t.Errorf("%q is read as %f", text, v)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add("source,newest:date,longest")
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePolicy(s)
		if err != nil {
			return
		}
		q, err := ParsePolicy(p.String())
		if err != nil || q.String() != p.String() {
			t.Fatalf("%q reads as %s, and that as %s, %v", s, p, q, err)
		}
	})
}
