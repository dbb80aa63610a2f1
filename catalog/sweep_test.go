package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
)

func TestSweep(t *testing.T) {
	got, err := catalog.Sweep([]string{"simhash:bits=128", "manber"}, []string{"width=1,2", "bits=32,64"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"simhash:width=1,bits=32", "simhash:width=1,bits=64", "simhash:width=2,bits=32", "simhash:width=2,bits=64", "manber"}
	if !slices.Equal(got, want) {
		t.Errorf("sweep gives %v, want %v", got, want)
	}
	for sweep, part := range map[string]string{"width": "key=value", "size=3": "no method takes", "=1": "key=value"} {
		if _, err := catalog.Sweep([]string{"simhash"}, []string{sweep}); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("sweep %q: error %v, want it to contain %q", sweep, err, part)
		}
	}
}

func TestValue(t *testing.T) {
	for _, c := range []struct {
		spec, key, value string
		ok               bool
	}{
		{"minhash:size=64", "size", "64", true},
		{"minhash", "size", "128", true},
		{"minhash:width=2", "width", "2", true},
		{"simhash", "size", "", false},
		{"minhsh", "size", "", false},
	} {
		if value, ok := catalog.Value(c.spec, c.key); value != c.value || ok != c.ok {
			t.Errorf("%s of %s is %q, %v; want %q, %v", c.key, c.spec, value, ok, c.value, c.ok)
		}
	}
}

func TestReference(t *testing.T) {
	for spec, want := range map[string]string{
		"minhash:size=64,width=3":                 "shingle:width=3",
		"minhash:scheme=icws,tokens=rune,width=2": "shingle:bag=true,tokens=rune,width=2",
		"bloom:bits=8192":                         "shingle",
		"simhash:bits=128,hash=fnv1a":             "cosine:scheme=nnc,hash=fnv1a",
		"bloom:score=raw":                         "",
		"simhash:score=linear":                    "",
		"simhash:weights=idf":                     "",
		"shingle":                                 "",
		"cosine":                                  "",
		"winnow":                                  "",
	} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if ref := catalog.Reference(m); ref != nil {
			got = ref.String()
		}
		if got != want {
			t.Errorf("%s estimates %q, want %q", spec, got, want)
		}
	}
}
