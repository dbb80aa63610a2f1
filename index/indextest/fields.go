package indextest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/similarity"
)

// fielded is a document with what its fields say.
type fielded struct {
	index.Doc
	source string // empty for none
	day    int    // negative for none
}

// fieldedTexts returns documents of three sources and forty days. Some lack a field.
func fieldedTexts(n int) []fielded {
	rng := rand.New(rand.NewPCG(19, 1))
	var docs []fielded
	for _, d := range texts(19, n) {
		f := fielded{Doc: d, source: []string{"", "x", "y", "z"}[min(3, rng.IntN(10))], day: rng.IntN(42) - 2}
		date := ""
		if f.day >= 0 {
			date = time.Unix(int64(f.day)*24*3600, 0).UTC().Format(time.DateOnly)
		}
		f.Fields = []string{date, f.source}
		docs = append(docs, f)
	}
	return docs
}

// limitsOf are limits with the rule that they state.
var limitsOf = []struct {
	name   string
	limits dedup.Limits
	counts func(a, b fielded) bool
}{
	{"across", dedup.Limits{Across: "source"}, func(a, b fielded) bool {
		return a.source != "" && b.source != "" && a.source != b.source
	}},
	{"within-window", dedup.Limits{Within: "source", Window: "date", Span: 5 * 24 * time.Hour}, func(a, b fielded) bool {
		return a.source != "" && a.source == b.source && a.day >= 0 && b.day >= 0 && max(a.day-b.day, b.day-a.day) <= 5
	}},
}

// fields: with limits, a query names only documents that make a pair which counts, and
// adding what is new goes by them. The fields are exported, replaced and opened again.
func fields(t *testing.T, b Backend) {
	u := setups(t)[slices.IndexFunc(setups(t), func(u setup) bool { return u.exact })]
	made := func(s index.Store, names ...string) *index.Index {
		t.Helper()
		x, err := index.Create(t.Context(), s, u.method, index.Options{Threshold: u.threshold, Fields: names})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, l := range limitsOf {
		t.Run(l.name, func(t *testing.T) {
			docs := fieldedTexts(size(300))
			s := b.open(t, "fields-"+l.name)
			x := made(s, "date", "source")
			there := map[string]fielded{}
			all := newScorer(u)
			// alike returns the documents that are alike to d, and those that count.
			alike := func(d fielded) (near int, want []answer) {
				for _, a := range all.ask(d.Text) {
					near++
					if l.counts(d, there[a.id]) {
						want = append(want, a)
					}
				}
				return near, want
			}
			known := 0
			for part := range slices.Chunk(docs, 16) {
				var batch []index.Doc
				for _, d := range part {
					batch = append(batch, d.Doc)
				}
				got, err := x.AddIfNew(t.Context(), batch, l.limits)
				if err != nil {
					t.Fatal(err)
				}
				for i, d := range part {
					if _, want := alike(d); len(want) > 0 {
						known++
						if got[i].State != index.Known || got[i].Match.ID != want[0].id || !slices.Equal(got[i].Match.Fields, there[want[0].id].Fields) {
							t.Fatalf("%s: %+v, want known by %v", d.ID, got[i], want[0])
						}
						continue
					}
					there[d.ID], all.docs[d.ID] = d, d.Text
					if got[i].State != index.Added {
						t.Fatalf("%s: %v, want added", d.ID, got[i].State)
					}
				}
			}
			if len(there) < len(docs) { // what was kept out comes in
				for _, d := range docs {
					put(t, x, []index.Doc{d.Doc}, 1)
					there[d.ID], all.docs[d.ID] = d, d.Text
				}
			}
			check := func(x *index.Index) {
				t.Helper()
				found, left := 0, 0
				for _, d := range docs {
					near, want := alike(d)
					found, left = found+len(want), left+near-len(want)
					matches, err := x.Query(t.Context(), d.Doc, index.QueryOptions{Limits: l.limits})
					if err != nil {
						t.Fatal(err)
					}
					var got []answer
					for _, m := range matches {
						got = append(got, answer{m.ID, m.Score})
						if !slices.Equal(m.Fields, there[m.ID].Fields) {
							t.Fatalf("%s has the fields %q, want %q", m.ID, m.Fields, there[m.ID].Fields)
						}
					}
					if !slices.Equal(got, want) {
						t.Fatalf("the query of %s gives %v, want %v", d.ID, got, want)
					}
				}
				if found == 0 || left == 0 || known == 0 {
					t.Fatalf("%d found, %d outside of the limits, %d known test nothing", found, left, known)
				}
				if v, err := x.Verify(t.Context()); err != nil || len(v.Problems) > 0 || v.Documents != int64(len(docs)) {
					t.Fatalf("verify: %+v, %v", v, err)
				}
			}
			check(x)

			var out bytes.Buffer
			if err := x.Export(t.Context(), &out); err != nil {
				t.Fatal(err)
			}
			copied := made(memory.New(), "date", "source")
			if _, err := copied.Import(t.Context(), bytes.NewReader(out.Bytes())); err != nil {
				t.Fatal(err)
			}
			check(copied)
			if _, err := made(memory.New()).Import(t.Context(), &out); !errors.Is(err, similarity.ErrSettings) {
				t.Errorf("import into an index without fields: %v, want one that wraps ErrSettings", err)
			}

			// Other fields replace a document, if it is not only added if new.
			d := docs[0]
			d.source, d.Fields = "moved", []string{d.Fields[0], "moved"}
			if r, err := x.AddIfNew(t.Context(), []index.Doc{d.Doc}, l.limits); err != nil || r[0].State != index.Same {
				t.Errorf("the same text with other fields, if new: %v, %v, want same", r, err)
			}
			if r := put(t, x, []index.Doc{d.Doc, d.Doc}, 1); r[0].State != index.Replaced || r[1].State != index.Same {
				t.Errorf("the same text with other fields: %v and %v, want replaced and same", r[0].State, r[1].State)
			}
			if b.Volatile {
				return
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			there[d.ID] = d
			docs[0] = d
			x, err := index.Open(t.Context(), b.open(t, "fields-"+l.name), u.method)
			if err != nil {
				t.Fatal(err)
			}
			check(x)
		})
	}
	t.Run("refused", func(t *testing.T) {
		s := b.open(t, "fields-refused")
		x := made(s)
		d := index.Doc{ID: "a", Text: "some words"}
		across := index.QueryOptions{Limits: dedup.Limits{Across: "source"}}
		if _, err := x.Query(t.Context(), d, across); !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("limits by a field that is not kept: %v, want one that wraps ErrSettings", err)
		}
		if _, err := x.AddIfNew(t.Context(), []index.Doc{d}, across.Limits); !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("limits by a field that is not kept: %v, want one that wraps ErrSettings", err)
		}
		d.Fields = []string{"x"}
		if _, err := x.Add(t.Context(), []index.Doc{d}); err == nil {
			t.Error("a value without a field was added")
		}
		for _, names := range [][]string{{"a", "a"}, {""}} {
			if _, err := index.Create(t.Context(), s, u.method, index.Options{Threshold: u.threshold, Fields: names}); err == nil {
				t.Errorf("an index of the fields %q was created", names)
			}
		}
		if _, err := index.Create(t.Context(), s, u.method, index.Options{Threshold: u.threshold, Fields: []string{"source"}}); !errors.Is(err, index.ErrExists) {
			t.Errorf("an index of other fields: %v, want one that wraps ErrExists", err)
		}
		y := made(memory.New(), "source")
		d.Fields[0] = fmt.Sprint(make([]byte, index.MaxField))
		if _, err := y.Add(t.Context(), []index.Doc{d}); err == nil {
			t.Error("a value that is too long was added")
		}
	})
}
