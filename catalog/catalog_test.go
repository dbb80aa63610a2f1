package catalog_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/align"
	"github.com/alike-go/alike/bloomsim"
	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/cosine"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/similaritytest"
)

// specs are canonical: they parse to a method that prints them.
var specs = []string{
	"shingle",
	"shingle:tokens=rune,width=2",
	"shingle:width=1-2",
	"shingle:measure=overlap,bag=true,width=3",
	"shingle:weights=logtf,levels=5",
	"minhash",
	"minhash:size=64,width=3",
	"minhash:scheme=kperm",
	"minhash:scheme=bottom",
	"minhash:scheme=icws,size=32",
	"minhash:size=512,bits=1",
	"cosine:fit=none",
	"cosine:scheme=ltc,fit=none,tokens=rune,width=2",
	"cosine:scheme=tf",
	"bloom",
	"bloom:bits=8192",
	"bloom:bits=auto,score=raw",
	"bloom:places=compat",
	"manber",
	"manber:window=50",
	"manber:anchors=a%2Cb%7Cc|d",
	"winnow",
	"winnow:k=5,window=4",
	"simhash",
	"simhash:bits=128,width=3",
	"simhash:bits=32,tie=zero,score=linear",
	"simhash:hash=fnv1a,seed=7",
	"simhash:weights=logtf,top=20",
	"simhash:tokens=dotnet",
	"simhash:tokens=byte,width=4",
	"simhash:stop=en,stem=en",
	"simhash:norm=none,case=keep,space=keep",
	"edit:most=100",
	"lcs:most=200,space=drop",
	"substring:most=150,case=keep",
	"words",
	"words:most=0.2,marks=drop",
	"rule80",
	"rule80:tokens=rune,width=2",
}

func TestSpecsRoundTrip(t *testing.T) {
	for _, spec := range specs {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		again, err := catalog.Parse(m.String())
		if err != nil {
			t.Errorf("%s prints %s: %v", spec, m, err)
			continue
		}
		if again.String() != m.String() || again.Settings() != m.Settings() {
			t.Errorf("%s prints %s, which prints %s", spec, m, again)
		}
	}
}

// What a canonical spec leaves out, and the order that it puts keys in.
func TestCanonical(t *testing.T) {
	for spec, want := range map[string]string{
		"manber:window=50,keep=4":       "manber:window=50",
		"simhash:bits=64,tokens=word":   "simhash",
		"shingle:width=2,tokens=rune":   "shingle:tokens=rune,width=2",
		"shingle:width=1-2":             "shingle:width=1-2",
		"shingle:width=2-2":             "shingle:width=2",
		"cosine":                        "cosine:fit=none",
		"minhash:size=128":              "minhash",
		"simhash:seed=0x10":             "simhash:seed=16",
		" simhash ":                     "simhash",
		"winnow:window=4,k=5":           "winnow:k=5,window=4",
		"bloom:bits=4096,score=jaccard": "bloom",
	} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if m.String() != want {
			t.Errorf("%s prints %s, want %s", spec, m, want)
		}
	}
}

func TestBadSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"":                         "want shingle, minhash, cosine, bloom, manber, winnow, simhash, edit, lcs, substring, words, rule80 or exec:COMMAND",
		"simhsh":                   "want shingle",
		"simhash:bits=65":          "want 32, 64 or 128",
		"simhash:bit=64":           "want bits, tie",
		"simhash:bits":             "want key=value",
		"simhash:bits=64,":         "want key=value",
		"simhash:bits=64,bits=32":  "twice",
		"simhash:width=0":          "width",
		"simhash:width=3-2":        "width",
		"simhash:tokens=letters":   "jieba-search",
		"manber:tokens=rune":       "want window",
		"cosine:weights=binary":    "scheme tf",
		"manber:weights=binary":    "no key",
		"cosine:scheme=xyz":        "scheme",
		"cosine:fit=1234":          "--fit",
		"bloom:bits=12,expect=100": "64 to",
		"minhash:size=0":           "1 to",
		"edit:tokens=rune":         "want most",
		"lcs:most=0":               "1 to",
		"rule80:weights=logtf":     "no key",
	} {
		_, err := catalog.Parse(spec)
		if err == nil {
			t.Errorf("%q: no error", spec)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %q, want it to contain %q", spec, err, want)
		}
	}
}

// Features given for a whole run go to the methods that read features and do not
// say otherwise.
func TestSharedFeatures(t *testing.T) {
	methods, err := catalog.ParseAll([]string{"shingle", "simhash:width=3", "manber", "cosine"}, "tokens=rune,width=2,weights=logtf")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"shingle:tokens=rune,width=2,weights=logtf", "simhash:tokens=rune,width=3,weights=logtf", "manber", "cosine:fit=none,tokens=rune,width=2"}
	for i, m := range methods {
		if m.String() != want[i] {
			t.Errorf("method %d is %s, want %s", i, m, want[i])
		}
	}
	if _, err := catalog.ParseAll(nil, "widht=2"); err == nil || !strings.Contains(err.Error(), "width") {
		t.Errorf("error for an unknown feature key is %v", err)
	}
}

// Every configuration keeps the laws.
func TestLaws(t *testing.T) {
	for _, spec := range specs {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) { laws(t, m) })
	}
}

func laws(t *testing.T, m similarity.Method) {
	typed, _ := similarity.As[any](m)
	switch m := typed.(type) {
	case *shingle.Method:
		similaritytest.Run[shingle.Set](t, m)
	case *shingle.MinHash:
		similaritytest.Run[shingle.Signature](t, m)
	case *shingle.Bottom:
		similaritytest.Run[shingle.BottomSketch](t, m)
	case *cosine.Method:
		similaritytest.Run[cosine.Vector](t, m)
	case *bloomsim.Method:
		similaritytest.Run[bloomsim.Filter](t, m)
	case *rabinkarp.Manber:
		similaritytest.Run[rabinkarp.Sketch](t, m)
	case *rabinkarp.Winnow:
		similaritytest.Run[rabinkarp.Sketch](t, m)
	case *align.Method:
		similaritytest.Run[align.Text](t, m)
	case *align.Words:
		similaritytest.Run[align.WordList](t, m)
	case *align.Rule:
		similaritytest.Run[align.Terms](t, m)
	case *simhash.Method:
		similaritytest.Run[simhash.Fingerprint](t, m)
	default:
		t.Fatalf("no laws for %T", m)
	}
}

// A collection saved by one method is refused by every other configuration.
func TestCollectionsRefuseOtherSettings(t *testing.T) {
	for i, spec := range specs {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		c := m.NewCollection()
		c.Add("the cat sat on the mat")
		var saved bytes.Buffer
		if err := c.Save(&saved); err != nil {
			t.Fatal(err)
		}
		other, err := catalog.Parse(specs[(i+1)%len(specs)])
		if err != nil {
			t.Fatal(err)
		}
		if other.Settings() == m.Settings() {
			continue
		}
		if err := other.NewCollection().Load(&saved); err == nil {
			t.Errorf("%s loads a collection of %s", other, m)
		}
	}
}

// Baselines cost the product of two lengths: nobody gets them who did not name them.
func TestDefaultsAreWithoutBaselines(t *testing.T) {
	byDefault, err := catalog.ParseAll(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range byDefault {
		name, _, _ := strings.Cut(m.String(), ":")
		typed, _ := similarity.As[any](m)
		switch path := reflect.TypeOf(typed).Elem().PkgPath(); path {
		case "github.com/alike-go/alike/align", "github.com/alike-go/alike/external":
			t.Errorf("%s is a default", m)
		}
		if e, err := catalog.Lookup(name); err != nil || e.OnDemand {
			t.Errorf("%s is a default: %+v, %v", m, e, err)
		}
	}
	swept, err := catalog.Sweep(nil, []string{"norm=nfc"})
	if err != nil || len(swept) != len(byDefault) {
		t.Errorf("a sweep without methods has %d specs, %v, want one for each of the %d defaults", len(swept), err, len(byDefault))
	}
	for _, name := range []string{"edit", "lcs", "substring", "words", "rule80"} {
		if e, err := catalog.Lookup(name); err != nil || !e.OnDemand {
			t.Errorf("%s is not on demand: %v", name, err)
		}
	}
}

func TestEveryEntryIsDocumented(t *testing.T) {
	for _, name := range catalog.Names() {
		e, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Summary == "" || e.When == "" || e.Reads == "" || len(e.Keys) == 0 {
			t.Errorf("%s: entry lacks words", name)
		}
		for _, k := range e.Keys {
			if k.Doc == "" || k.Allowed == "" || k.Default == "" {
				t.Errorf("%s: key %s lacks words: %+v", name, k.Name, k)
			}
			// The documented default is the default: setting it changes nothing.
			if k.Default == "-" || k.Default == "none" && k.Name != "fit" {
				continue
			}
			plain, err := catalog.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			same, err := catalog.Parse(name + ":" + k.Name + "=" + k.Default)
			if err != nil {
				t.Errorf("%s: default of %s: %v", name, k.Name, err)
			} else if same.Settings() != plain.Settings() || same.String() != plain.String() {
				t.Errorf("%s: %s=%s gives %s, not the default", name, k.Name, k.Default, same)
			}
		}
	}
}

func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"sim":                  "simhash",
		"simhash:b":            "simhash:bits=",
		"simhash:bits=1":       "simhash:bits=128",
		"simhash:bits=128,tok": "simhash:bits=128,tokens=",
	} {
		if got := catalog.Complete(typed); len(got) != 1 || got[0] != want {
			t.Errorf("%q completes to %v, want %s", typed, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range specs {
		f.Add(s)
	}
	f.Add(`manber:anchors="a,b|c"`)
	f.Add(`simhash:weights="tf"`)
	f.Fuzz(func(t *testing.T, spec string) {
		if strings.Contains(spec, "jieba") {
			t.Skip("opens dictionaries")
		}
		m, err := catalog.Parse(spec)
		if err != nil {
			return
		}
		again, err := catalog.Parse(m.String())
		if err != nil || again.String() != m.String() {
			t.Fatalf("%q prints %q, which gives %v, %v", spec, m, again, err)
		}
	})
}
