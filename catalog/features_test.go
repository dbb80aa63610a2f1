package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/gojieba"
	"github.com/alike-go/alike/feature/segment"
)

func init() {
	catalog.UseGojieba(func(m segment.Mode) (feature.Segmenter, error) { return gojieba.New(m) })
}

// The words of jieba are there in every build, and under their own name.
func TestJiebaWithoutCgo(t *testing.T) {
	for _, spec := range []string{
		"simhash:tokens=jieba", "simhash:tokens=jieba-nohmm", "shingle:tokens=jieba-search",
		"simhash:tokens=jieba,weights=jieba-mean,top=20",
	} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		if m.String() != spec {
			t.Errorf("%s prints %s", spec, m)
		}
		again, err := catalog.Parse(m.String())
		if err != nil || again.Settings() != m.Settings() {
			t.Errorf("%s read again has settings %v (%v), want %s", spec, again, err, m.Settings())
		}
	}
}

// A spec or a header that names gojieba means the library, which makes the same
// words but does not pass for jieba.
func TestGojiebaStaysItself(t *testing.T) {
	for _, tokens := range []string{"gojieba", "gojieba-nohmm", "gojieba-search"} {
		m, err := catalog.Parse("simhash:tokens=" + tokens)
		if errors.Is(err, gojieba.ErrNoCgo) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.String() != "simhash:tokens="+tokens || !strings.Contains(m.Settings(), tokens+"@1.4.7/") {
			t.Errorf("%s prints %s, with the settings %s", tokens, m, m.Settings())
		}
	}
}

func TestTokensListed(t *testing.T) {
	for _, k := range catalog.FeatureKeys() {
		if k.Name == "tokens" {
			want := "word, rune, byte, dotnet, single, jieba, jieba-nohmm, jieba-search, gojieba, gojieba-nohmm or gojieba-search"
			if k.Allowed != want {
				t.Errorf("tokens may be %q, want %q", k.Allowed, want)
			}
		}
	}
}
