package remote

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
)

// options has a field of each kind.
type options struct {
	name     string
	n        int
	strict   bool
	patience time.Duration
	half     string
}

func (o *options) take(query url.Values) error {
	return Take(query, map[string]any{
		"name": &o.name, "n": &o.n, "strict": &o.strict, "patience": &o.patience,
		"half": func(v string) error {
			if len(v)%2 != 0 {
				return errors.New("cannot be halved")
			}
			o.half = v[:len(v)/2]
			return nil
		},
	})
}

func TestTake(t *testing.T) {
	for _, c := range []struct {
		query string
		want  options
		left  string
	}{
		{"", options{n: 7}, ""},
		{"name=a", options{name: "a", n: 7}, ""},
		{"name=", options{n: 7}, ""},
		{"n=-3&strict=true&patience=1m30s&half=abab&name=a%26b", options{"a&b", -3, true, 90 * time.Second, "ab"}, ""},
		{"n=1&n=2", options{n: 1}, ""},
		{"n=1&N=2&addr=x&addr=y", options{n: 1}, "N=2&addr=x&addr=y"},
	} {
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		got := options{n: 7}
		if err := got.take(query); err != nil || got != c.want || query.Encode() != c.left {
			t.Errorf("%q: %+v and %q are left, %v, want %+v and %q", c.query, got, query.Encode(), err, c.want, c.left)
		}
	}
}

func TestTakeRefuses(t *testing.T) {
	for query, want := range map[string]string{
		"n=many":                     `parameter n is "many": `,
		"n=":                         `parameter n is "": `,
		"strict=perhaps":             `parameter strict is "perhaps": `,
		"patience=5":                 `parameter patience is "5": `,
		"half=abc":                   `parameter half is "abc": cannot be halved`,
		"strict=2&patience=3&name=a": `parameter patience is "3": `,
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if err := new(options).take(values); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", query, err, want)
		}
	}
}
