package serve

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"encoding/json"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/index"
)

// tenKilobytes returns two texts of ten kilobytes of which one is an edited copy of the other.
func tenKilobytes(b testing.TB, name string) (string, string) {
	b.Helper()
	set, err := datasets.Load(name)
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, d := range set.Docs {
		if text.Len() < 10_000 {
			text.WriteString(d.Text + "\n")
		}
	}
	a := cutText(text.String(), 10_000)
	lines := strings.Split(a, " ")
	for i := range lines {
		if i%25 == 24 {
			lines[i] = "changed"
		}
	}
	return a, cutText(strings.Join(lines, " "), 10_000)
}

// BenchmarkCompare is what the server takes for a comparison of two texts of ten kilobytes by all methods
// that run by default, with the reading of the request and the writing of the answer; scores alone are
// reported apart, as the answer states them.
func BenchmarkCompare(b *testing.B) {
	for _, name := range []string{"en", "zh"} {
		x, y := tenKilobytes(b, name)
		for _, explain := range []bool{false, true} {
			b.Run(fmt.Sprintf("data=%s/explain=%v", name, explain), func(b *testing.B) {
				s, err := New(Options{Limits: Limits{Rate: 1e9, Time: time.Minute}})
				if err != nil {
					b.Fatal(err)
				}
				body, err := json.Marshal(CompareRequest{A: x, B: y, Explain: explain})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				scores := 0.
				for b.Loop() {
					r := httptest.NewRequest("POST", "http://localhost/v1/compare", strings.NewReader(string(body)))
					r.Header.Set("Content-Type", "application/json")
					w := httptest.NewRecorder()
					s.Handler().ServeHTTP(w, r)
					var got CompareResponse
					if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || len(got.Methods) != 7 {
						b.Fatalf("status %d, %v: %.200s", w.Code, err, w.Body)
					}
					scores += got.Seconds
				}
				b.ReportMetric(scores/float64(b.N)*1e3, "ms/scores")
			})
		}
	}
}

// BenchmarkQuery is what the server takes for a query of the index and for
// adding a document that is there, with the reading of the request and the
// writing of the answer. A query finds ten documents.
func BenchmarkQuery(b *testing.B) {
	x := newIndex(b, "simhash", 1)
	var docs []index.Doc
	for i := range 10 {
		docs = append(docs, index.Doc{ID: fmt.Sprint("doc-", i), Text: "the cat sat on the mat", Time: 1})
	}
	if _, err := x.Add(b.Context(), docs); err != nil {
		b.Fatal(err)
	}
	s, err := New(Options{Index: x, Limits: Limits{Rate: 1e9, Time: time.Minute}})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, body, want string }{
		{"query", `{"text":"the cat sat on the mat"}`, `{"matches":[{"id":"doc-0","score":1,"distance":0,"time":1},`},
		{"add", `{"documents":[{"id":"doc-1","text":"the cat sat on the mat","time":1}]}`, `{"results":[{"state":"same"}]}`},
	} {
		b.Run("do="+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest("POST", "http://localhost/v1/index/"+c.name, strings.NewReader(c.body))
				r.Header.Set("Content-Type", "application/json")
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				if w.Code != 200 || !strings.HasPrefix(w.Body.String(), c.want) {
					b.Fatalf("status %d: %.200s", w.Code, w.Body)
				}
			}
		})
	}
}
