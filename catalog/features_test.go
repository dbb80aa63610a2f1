package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
)

// A spec with words of jieba prints as it was given, and reads back the same.
func TestJieba(t *testing.T) {
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

// The settings are from headers that alike wrote with gojieba, the library,
// before package segment made its words. A header of before must fit the spec
// of before, and tokens=jieba must not.
func TestGojiebaStaysItself(t *testing.T) {
	for tokens, id := range map[string]string{
		"gojieba":        "gojieba@1.4.7/092de86731d10aa9",
		"gojieba-nohmm":  "gojieba-nohmm@1.4.7/092de86731d10aa9",
		"gojieba-search": "gojieba-search@1.4.7/092de86731d10aa9",
	} {
		spec := "simhash:tokens=" + tokens
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		want := "simhash:bits=64,tie=salt,tokens=" + tokens + "[" + id + "],width=1,hash=xxh3,seed=0,stop=none,stem=none,phrases=0,norm=nfkc,case=fold,marks=keep,punct=keep,space=collapse,han=keep,weights=tf,levels=0,top=0"
		if m.String() != spec || m.Settings() != want {
			t.Errorf("%s prints %s, with the settings\n%s, want\n%s", spec, m, m.Settings(), want)
		}
		now, err := catalog.Parse("simhash:tokens=" + strings.TrimPrefix(tokens, "go"))
		if err != nil {
			t.Fatal(err)
		}
		if now.Settings() == m.Settings() {
			t.Errorf("%s passes for %s", now, m)
		}
		const text = "小明硕士毕业于中国科学院计算所，后在日本京都大学深造"
		a, b := m.Features().Append(nil, text), now.Features().Append(nil, text)
		if len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("%s has features %v, %s %v", m, a, now, b)
		}
	}
}

func TestTokensListed(t *testing.T) {
	for _, k := range catalog.FeatureKeys() {
		if k.Name == "tokens" {
			want := "word, rune, byte, dotnet, single, jieba, jieba-nohmm or jieba-search"
			if k.Allowed != want {
				t.Errorf("tokens may be %q, want %q", k.Allowed, want)
			}
		}
	}
}
