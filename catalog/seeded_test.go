package catalog_test

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
)

func TestSeeded(t *testing.T) {
	for spec, keys := range map[string][]string{
		"simhash":                 {"seed"},
		"shingle:width=2":         {"seed"},
		"minhash":                 {"permseed", "seed"},
		"minhash:permseed=5":      {"seed"},
		"simhash:seed=1":          nil,
		"winnow":                  nil,
		"manber:window=20":        nil,
		"shingle:stop=en,stem=en": {"seed"},
	} {
		got, err := catalog.Seeded(spec)
		if err != nil {
			t.Fatal(err)
		}
		again, err := catalog.Seeded(spec)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(got, spec) || (got == again) != (keys == nil) {
			t.Errorf("%s becomes %s and %s", spec, got, again)
		}
		for _, k := range keys {
			if strings.Count(got, k+"=") < 1 || len(got) < len(spec)+len(k)+5 {
				t.Errorf("%s becomes %s, without a random %s", spec, got, k)
			}
		}
	}
}
