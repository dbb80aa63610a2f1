package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/similarity"
)

// newIndex returns an empty index in memory.
func newIndex(t testing.TB, spec string, threshold float64) *index.Index {
	t.Helper()
	m, err := catalog.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Create(t.Context(), memory.New(), m, index.Options{Threshold: threshold})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// corpus writes documents of which some are near-duplicates.
func corpus(t testing.TB, dir string) (path string, texts map[string]string) {
	t.Helper()
	texts = map[string]string{}
	var b strings.Builder
	add := func(id, text string) {
		texts[id] = text
		fmt.Fprintf(&b, "{\"id\":%q,\"text\":%q}\n", id, text)
	}
	for i := range 12 {
		words := make([]string, 60)
		for k := range words {
			words[k] = fmt.Sprintf("w%dx%d", i, k)
		}
		text := strings.Join(words, " ")
		add(fmt.Sprintf("first-%d", i), text)
		if i%3 == 0 {
			add(fmt.Sprintf("equal-%d", i), text)
		}
		if i%4 == 0 {
			add(fmt.Sprintf("alike-%d", i), text+" changed")
		}
	}
	path = filepath.Join(dir, "docs.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path, texts
}

// dedupFolder removes the duplicates of the corpus.
func dedupFolder(t testing.TB, dir string) (out string, texts map[string]string) {
	t.Helper()
	path, texts := corpus(t, dir)
	verify, err := catalog.Parse("shingle:width=3")
	if err != nil {
		t.Fatal(err)
	}
	find, err := catalog.Parse("minhash:width=3")
	if err != nil {
		t.Fatal(err)
	}
	out = filepath.Join(dir, "deduped")
	_, err = local.Run(t.Context(), local.Options{
		Sources: []datasets.Source{{Path: path}}, Out: out, Method: find, Candidates: .8, Verify: verify, Threshold: .8, MaxDrop: 1, Workers: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, texts
}

// everything returns the options of a server that offers all there is.
func everything(t testing.TB) (Options, map[string]string) {
	t.Helper()
	dir := t.TempDir()
	out, texts := dedupFolder(t, dir)
	records := filepath.Join(dir, "records")
	if err := os.Mkdir(records, 0o777); err != nil {
		t.Fatal(err)
	}
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	methods, err := catalog.ParseAll([]string{"shingle", "simhash"}, "")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := eval.Run(t.Context(), set, methods, eval.Config{Repeat: -1, Resamples: 50})
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(records, "run.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := eval.WriteRecords(f, rows...); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return Options{
		Index: newIndex(t, "shingle:width=2,seed=7", .5), Data: []string{"en", "zh", out}, Records: records, Labels: filepath.Join(dir, "labels"),
		Limits: Limits{Rate: 1e6, Time: 5 * time.Minute},
	}, texts
}

// call is a request and the status it is answered with.
type call struct {
	id     string // of the operation
	method string
	path   string
	body   string
	status int
}

// calls are requests for every operation, good ones and bad ones.
func calls(job string) []call {
	return []call{
		{"health", "GET", "/health", "", 200},
		{"ready", "GET", "/ready", "", 503},
		{"about", "GET", "/v1/about", "", 200},
		{"methods", "GET", "/v1/methods", "", 200},
		{"compare", "POST", "/v1/compare", `{"a":"the cat sat on the mat","b":"the dog sat on the mat","explain":true,"sketches":true}`, 200},
		{"compare", "POST", "/v1/compare", `{"a":"","b":"","explain":true,"sketches":true}`, 200},
		{"compare", "POST", "/v1/compare", `{"a":"猫坐在垫子上","b":"狗坐在垫子上 𠀀","methods":["simhash:bits=128","bloom:bits=auto"],"explain":true,"sketches":true}`, 200},
		{"compare", "POST", "/v1/compare", `{"a":"the cat sat on the mat","b":"the cat sat","want":"excerpts","features":"tokens=single,width=3"}`, 200},
		{"compare", "POST", "/v1/compare", `{"a":"the cat sat on the mat","b":"the cat sat","want":"versions","differ":0.05}`, 200},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","want":"beauty"}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","differ":1}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","methods":["nothing"]}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","methods":["exec:touch /tmp/no"]}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","methods":[" exec:true"]}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","methods":["bloom:bits=268435456"]}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x"}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":1}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y","c":"z"}`, 422},
		{"compare", "POST", "/v1/compare", `{"a":`, 400},
		{"compare", "POST", "/v1/compare", `{"a":"x","b":"y"} {}`, 400},
		{"compare", "POST", "/v1/compare", ``, 400},
		{"compare-matrix", "POST", "/v1/compare/matrix", `{"texts":[{"text":"a b c"},{"text":"a b d"},{"text":""}]}`, 200},
		{"compare-matrix", "POST", "/v1/compare/matrix", `{"texts":[{"text":"a"}]}`, 422},
		{"features", "POST", "/v1/features", `{"text":"a b a 中文字","places":true}`, 200},
		{"features", "POST", "/v1/features", `{"text":"我来到北京清华大学","features":"tokens=jieba,weights=jieba,top=5"}`, 200},
		{"features", "POST", "/v1/features", `{"text":"a","method":"winnow"}`, 422},
		{"features", "POST", "/v1/features", `{"text":"a","method":"shingle","features":"width=2"}`, 422},
		{"sketch", "POST", "/v1/sketch", `{"texts":[{"text":"a b c","id":"x"},{"text":""}]}`, 200},
		{"sketch", "POST", "/v1/sketch", `{"texts":[]}`, 422},
		{"passages", "POST", "/v1/passages", `{"texts":[{"text":"the cat sat on the mat","id":"x"},{"text":"a cat sat on the mat"}],"min_length":10,"parts":true}`, 200},
		{"passages", "POST", "/v1/passages", `{"texts":[{"text":"the cat sat on the mat"},{"text":""}],"words":4,"fold":"punct=drop"}`, 200},
		{"passages", "POST", "/v1/passages", `{"texts":[]}`, 422},
		{"passages", "POST", "/v1/passages", `{"texts":[{"text":"a"}],"min_length":5}`, 422},
		{"passages", "POST", "/v1/passages", `{"texts":[{"text":"a"}],"min_length":10,"words":5}`, 422},
		{"passages", "POST", "/v1/passages", `{"texts":[{"text":"a"}],"fold":"case=loud"}`, 422},
		{"data-passages", "GET", "/v1/data/en/passages?min_length=30&docs=3&most=5", "", 200},
		{"data-passages", "GET", "/v1/data/en/passages?words=2", "", 422},
		{"data-passages", "GET", "/v1/data/absent/passages", "", 404},
		{"index-add", "POST", "/v1/index/add", `{"documents":[{"id":"a","text":"the cat sat on the mat"},{"id":"b","text":""},{"id":"q\"uo\nte 中","text":"nothing like it at all"}]}`, 200},
		{"index-add", "POST", "/v1/index/add", `{"documents":[]}`, 422},
		{"index-add", "POST", "/v1/index/add", `{"documents":[{"id":"","text":"a"}]}`, 422},
		{"index-add", "POST", "/v1/index/add", `{"documents":[{"id":"a","text":"a","sketch":"AAAA"}]}`, 422},
		{"index-add", "POST", "/v1/index/add", `{"documents":[{"id":"a","sketch":"/w=="}]}`, 422},
		{"index-add", "POST", "/v1/index/add", `{"documents":[{"id":"a","other":1}]}`, 422},
		{"index-add-if-new", "POST", "/v1/index/add-if-new", `{"documents":[{"id":"c","text":"the cat sat on the mat"},{"id":"d","text":"we all scream for ice cream"}]}`, 200},
		{"index-query", "POST", "/v1/index/query", `{"text":"the cat sat on the mat"}`, 200},
		{"index-query", "POST", "/v1/index/query", `{"text":"nothing like it at all","limit":1,"threshold":0.9}`, 200},
		{"index-query", "POST", "/v1/index/query", `{}`, 200},
		{"index-query", "POST", "/v1/index/query", `{"text":"a"} {"text":"b"}`, 400},
		{"index-query", "POST", "/v1/index/query", `{"text":"a","threshold":2}`, 422},
		{"index-query", "POST", "/v1/index/query", `{"text":"a","limit":-1}`, 422},
		{"index-query", "POST", "/v1/index/query", `[]`, 422},
		{"index-query", "POST", "/v1/index/query", ``, 400},
		{"index-query", "POST", "/v1/index/query", `{"text":`, 400},
		{"index-query", "POST", "/v1/index/query", `{"text":1}`, 422},
		{"index-delete", "POST", "/v1/index/delete", `{"ids":["b","absent"]}`, 200},
		{"index-delete", "POST", "/v1/index/delete", `{"ids":[]}`, 422},
		{"index", "GET", "/v1/index", "", 200},
		{"data", "GET", "/v1/data", "", 200},
		{"data-set", "GET", "/v1/data/en", "", 200},
		{"data-set", "GET", "/v1/data/deduped", "", 404},
		{"data-documents", "GET", "/v1/data/en/documents?limit=3&q=LORD&cut=10", "", 200},
		{"data-documents", "GET", "/v1/data/en/documents?limit=-3", "", 422},
		{"data-document", "GET", "/v1/data/en/document?id=kjv:Luke.3.25", "", 200},
		{"data-document", "GET", "/v1/data/en/document?id=absent", "", 404},
		{"data-document", "GET", "/v1/data/en/document", "", 422},
		{"data-clusters", "GET", "/v1/data/en/clusters", "", 200},
		{"data-cluster", "GET", "/v1/data/en/clusters/1", "", 404},
		{"data-pairs", "GET", "/v1/data/en/pairs?limit=2&method=shingle&sort=doubt&label=unlike&least=0.1&most=0.9", "", 200},
		{"data-pairs", "GET", "/v1/data/zh/pairs?limit=2&q=%E5%A4%A9", "", 200},
		{"data-pairs", "GET", "/v1/data/zh/pairs?sort=score", "", 422},
		{"data-pairs", "GET", "/v1/data/zh/pairs?sort=other", "", 422},
		{"data-histogram", "GET", "/v1/data/zh/histogram?method=simhash&bins=10", "", 200},
		{"data-histogram", "GET", "/v1/data/zh/histogram?method=exec:true", "", 422},
		{"dedup", "GET", "/v1/dedup/deduped", "", 200},
		{"dedup", "GET", "/v1/dedup/en", "", 404},
		{"dedup-removals", "GET", "/v1/dedup/deduped/removals?sort=score", "", 200},
		{"dedup-removals", "GET", "/v1/dedup/deduped/removals?reason=alike&q=changed&least=0.5&cut=0", "", 200},
		{"dedup-clusters", "GET", "/v1/dedup/deduped/clusters?q=w0x0", "", 200},
		{"dedup-cluster", "GET", "/v1/dedup/deduped/clusters/1", "", 200},
		{"dedup-cluster", "GET", "/v1/dedup/deduped/clusters/1000", "", 404},
		{"label", "POST", "/v1/labels/deduped", `{"a":"first-0","b":"alike-0","alike":true}`, 200},
		{"label", "POST", "/v1/labels/deduped", `{"a":"x","b":"x","alike":true}`, 422},
		{"label", "POST", "/v1/labels/deduped", `{"a":"x\ty","b":"x","alike":true}`, 422},
		{"label", "POST", "/v1/labels/absent", `{"a":"x","b":"y","alike":true}`, 404},
		{"labels", "GET", "/v1/labels/deduped", "", 200},
		{"labels", "GET", "/v1/labels/absent", "", 404},
		{"records", "GET", "/v1/records", "", 200},
		{"records-of", "GET", "/v1/records/run.jsonl", "", 200},
		{"records-of", "GET", "/v1/records/absent.jsonl", "", 404},
		{"records-diff", "GET", "/v1/records/run.jsonl/diff", "", 200},
		{"records-diff", "GET", "/v1/records/run.jsonl/diff?with=run.jsonl", "", 200},
		{"plan", "GET", "/v1/plan?docs=1000000&distance=3", "", 200},
		{"plan", "GET", "/v1/plan?docs=0", "", 422},
		{"plan", "GET", "/v1/plan?docs=100&bits=65", "", 422},
		{"plan-bands", "GET", "/v1/plan/bands?bands=20&rows=5", "", 200},
		{"plan-bands", "GET", "/v1/plan/bands?bands=20", "", 422},
		{"plan-backends", "GET", "/v1/plan/backends?docs=100000000", "", 200},
		{"plan-backends", "GET", "/v1/plan/backends?docs=100&bits=65", "", 422},
		{"job-choose", "POST", "/v1/jobs/choose", `{"documents":[{"text":"a"}]}`, 422},
		{"job-choose", "POST", "/v1/jobs/choose", `{"data":"absent"}`, 404},
		{"job-choose", "POST", "/v1/jobs/choose", `{"data":"en","goal":"speed"}`, 422},
		{"job-choose", "POST", "/v1/jobs/choose", `{"data":"en","methods":["exec:true"]}`, 422},
		{"jobs", "GET", "/v1/jobs", "", 200},
		{"job", "GET", "/v1/jobs/" + job, "", 200},
		{"job", "GET", "/v1/jobs/absent", "", 404},
		{"job-events", "GET", "/v1/jobs/absent/events", "", 404},
		{"job-cancel", "DELETE", "/v1/jobs/" + job, "", 200},
		{"job-cancel", "DELETE", "/v1/jobs/absent", "", 404},
	}
}

// Every operation of the description is asked, and every answer is what the description says of its status.
func TestAnswersAreAsDescribed(t *testing.T) {
	o, _ := everything(t)
	s, h := start(t, o)
	k, err := s.start("choose", func(context.Context, *job) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	operations := map[string]*huma.Operation{}
	for _, item := range s.api.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op != nil {
				operations[op.OperationID] = op
			}
		}
	}
	asked := map[string]bool{}
	for _, c := range calls(k.state.ID) {
		t.Run(fmt.Sprintf("%s/%d", c.id, c.status), func(t *testing.T) {
			asked[c.id] = true
			op := operations[c.id]
			if op == nil {
				t.Fatal("no such operation")
			}
			r, err := http.NewRequestWithContext(t.Context(), c.method, h.URL+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			if c.method == "POST" {
				r.Header.Set("Content-Type", "application/json")
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != c.status {
				t.Fatalf("%s %s %s: status %d, want %d: %.500s", c.method, c.path, c.body, resp.StatusCode, c.status, b)
			}
			if resp.Header.Get("X-Request-Id") == "" {
				t.Error("no request id")
			}
			described := op.Responses[fmt.Sprint(c.status)]
			if described == nil {
				t.Fatalf("status %d is not described", c.status)
			}
			kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
			media := described.Content[kind]
			if media == nil {
				t.Fatalf("an answer of type %q is not described for %d", kind, c.status)
			}
			var v any
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatalf("%v: %.300s", err, b)
			}
			var res huma.ValidateResult
			huma.Validate(s.api.OpenAPI().Components.Schemas, media.Schema, huma.NewPathBuffer([]byte{}, 0), huma.ModeReadFromServer, v, &res)
			for _, err := range res.Errors {
				t.Errorf("%s %s: %v", c.method, c.path, err)
			}
			if c.status >= 400 {
				p := v.(map[string]any)
				if p["status"] != float64(c.status) || p["title"] != http.StatusText(c.status) || p["detail"] == "" {
					t.Errorf("no problem details: %s", b)
				}
			}
			for status := range op.Responses {
				if status == "default" {
					t.Errorf("%s is described for any status", c.id)
				}
			}
		})
	}
	for id := range operations {
		if !asked[id] {
			t.Errorf("nobody asks %s", id)
		}
	}
}

// The description is JSON that another reader takes, and the page for people names every operation.
func TestReferencePage(t *testing.T) {
	s, h := start(t, Options{})
	page := string(ask(t, "GET", h.URL+"/docs", nil, 200, nil))
	var description struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct{ OperationID string }
	}
	ask(t, "GET", h.URL+"/openapi.json", nil, 200, &description)
	if description.OpenAPI != "3.1.0" || len(description.Paths) != len(s.api.OpenAPI().Paths) {
		t.Errorf("version %q and %d paths", description.OpenAPI, len(description.Paths))
	}
	for path, item := range description.Paths {
		for method, op := range item {
			if !strings.Contains(page, fmt.Sprintf("<section id=%q>", op.OperationID)) || !strings.Contains(page, strings.ToUpper(method)+" "+path+"<") {
				t.Errorf("the page lacks %s %s", method, path)
			}
		}
	}
	for _, elsewhere := range []string{"http://", "https://", "<script", "style="} {
		if strings.Contains(page, elsewhere) {
			t.Errorf("the page has %q", elsewhere)
		}
	}
	ask(t, "GET", h.URL+"/docs.css", nil, 200, nil)
	ask(t, "GET", h.URL+"/v1/absent", nil, 404, nil)
	ask(t, "GET", h.URL+"/v1/compare", nil, 405, nil)
	ask(t, "DELETE", h.URL+"/v1/index/query", nil, 405, nil)
}

// Whatever the body, there is an answer that is no fault of the server, on every route that takes one.
func FuzzBodies(f *testing.F) {
	x := newIndex(f, "shingle:width=2", .5)
	s, err := New(Options{Index: x, Labels: f.TempDir(), Limits: Limits{Rate: 1e9, Time: time.Minute, Text: 4096}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(s.close)
	var paths []string
	for path, item := range s.api.OpenAPI().Paths {
		if item.Post != nil {
			paths = append(paths, strings.ReplaceAll(path, "{name}", "en"))
		}
	}
	slices.Sort(paths)
	for i, p := range paths {
		for _, c := range calls("") {
			if strings.ReplaceAll(c.path, "deduped", "en") == p {
				f.Add(uint8(i), []byte(c.body))
			}
		}
		f.Add(uint8(i), []byte("\x00\xff{"))
		f.Add(uint8(i), []byte(`{"text":"\ud800","texts":[{"text":"\udc00 x"},{"text":""}],"a":"\ud800","b":"é"}`))
	}
	f.Add(uint8(slices.Index(paths, "/v1/jobs/choose")), []byte(`{"documents":[{"text":"a b"},{"text":"b a"}],"pairs":[{"a":0,"b":1,"alike":true}],"methods":["shingle"],"budget_seconds":1}`))
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		if len(body) > 1<<14 {
			t.Skip()
		}
		path := paths[int(which)%len(paths)]
		w := answered(s, "POST", "http://localhost"+path, string(body), nil)
		if w.Code == http.StatusAccepted { // a job, which is not what is tried here
			var j Job
			if err := json.Unmarshal(w.Body.Bytes(), &j); err != nil {
				t.Fatal(err)
			}
			if w := answered(s, "DELETE", "http://localhost/v1/jobs/"+j.ID, "", nil); w.Code != 200 {
				t.Fatalf("job %s cannot be cancelled: %s", j.ID, w.Body)
			}
		}
		if w.Code >= 500 || w.Code < 200 {
			t.Fatalf("%s %q: status %d: %s", path, body, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %q: no JSON: %q", path, body, w.Body)
		}
		if w.Code >= 400 {
			var p huma.ErrorModel
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code {
				t.Fatalf("%s %q: no problem details: %s", path, body, w.Body)
			}
		}
	})
}

// Requests state fields and limits, as flags of alike index do.
func TestIndexLimits(t *testing.T) {
	m, err := catalog.Parse("shingle:width=2")
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Create(t.Context(), memory.New(), m, index.Options{Threshold: .5, Fields: []string{"date", "agency"}})
	if err != nil {
		t.Fatal(err)
	}
	_, h := start(t, Options{Index: x})
	const text = "the river rose by two metres in the night"
	add := func(id, agency, date string) addDocument {
		return addDocument{ID: id, Text: text, Fields: map[string]string{"agency": agency, "date": date}}
	}
	var got addResponse
	ask(t, "POST", h.URL+"/v1/index/add-if-new", addIfNewRequest{
		Documents:  []addDocument{add("a", "dpa", "2024-06-03"), add("b", "dpa", "2024-06-03"), add("c", "epd", "2024-06-04"), add("d", "epd", "2024-07-04")},
		pairLimits: pairLimits{Across: "agency", Window: "date=72h"},
	}, 200, &got)
	for i, want := range []string{"added", "added", "known", "added"} { // one agency; two; a month later
		if got.Results[i].State != want {
			t.Errorf("document %d: %+v, want %s", i, got.Results[i], want)
		}
	}
	for _, c := range []struct {
		q    queryRequest
		want int
	}{
		{queryRequest{Text: text}, 3},
		{queryRequest{Text: text, Fields: map[string]string{"agency": "dpa"}, pairLimits: pairLimits{Across: "agency"}}, 1},
		{queryRequest{Text: text, Fields: map[string]string{"agency": "dpa"}, pairLimits: pairLimits{Within: "agency"}}, 2},
		{queryRequest{Text: text, pairLimits: pairLimits{Across: "agency"}}, 0}, // it has no agency
	} {
		var got queryResponse
		if ask(t, "POST", h.URL+"/v1/index/query", c.q, 200, &got); len(got.Matches) != c.want {
			t.Errorf("%+v: %d matches, want %d", c.q, len(got.Matches), c.want)
		}
	}
	for _, q := range []queryRequest{
		{Text: text, pairLimits: pairLimits{Across: "source"}},
		{Text: text, pairLimits: pairLimits{Window: "date=3days"}},
		{Text: text, Fields: map[string]string{"source": "dpa"}},
		{Text: text, Fields: map[string]string{"agency": strings.Repeat("x", index.MaxField+1)}},
	} {
		ask(t, "POST", h.URL+"/v1/index/query", q, 422, nil)
	}
}

// The index over HTTP says what the same index says in the process.
func TestIndexIsThatOfTheProcess(t *testing.T) {
	x, y := newIndex(t, "simhash:seed=12345", .9), newIndex(t, "simhash:seed=12345", .9)
	_, h := start(t, Options{Index: x})
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	docs := set.Docs[:200]
	addIfNew := func(ctx context.Context, docs []index.Doc) ([]index.Result, error) {
		return y.AddIfNew(ctx, docs, dedup.Limits{})
	}
	for i, d := range docs {
		path, add := "/v1/index/add", y.Add
		if i%2 == 1 {
			path, add = "/v1/index/add-if-new", addIfNew
		}
		want, err := add(t.Context(), []index.Doc{{ID: d.ID, Text: d.Text, Time: 100}})
		if err != nil {
			t.Fatal(err)
		}
		var got addResponse
		ask(t, "POST", h.URL+path, addRequest{Documents: []addDocument{{ID: d.ID, Text: d.Text, Time: 100}}}, 200, &got)
		if len(got.Results) != 1 || got.Results[0].State != want[0].State.String() {
			t.Fatalf("%s: %+v, want %+v", d.ID, got, want)
		}
		if (got.Results[0].Match == nil) != (want[0].Match == nil) || want[0].Match != nil && got.Results[0].Match.ID != want[0].Match.ID {
			t.Fatalf("%s: match %+v, want %+v", d.ID, got.Results[0].Match, want[0].Match)
		}
	}
	c := x.Method().NewCollection()
	for i, d := range set.Docs[:300] {
		want, err := y.Query(t.Context(), index.Doc{Text: d.Text}, index.QueryOptions{Threshold: .95})
		if err != nil {
			t.Fatal(err)
		}
		q := queryRequest{Text: d.Text, Threshold: .95}
		if c.Add(d.Text); i%2 == 0 {
			q = queryRequest{Sketch: c.(similarity.Coder).AppendSketch(nil, i), Threshold: .95}
		}
		var got queryResponse
		ask(t, "POST", h.URL+"/v1/index/query", q, 200, &got)
		if len(got.Matches) != len(want) {
			t.Fatalf("%s: %d matches, want %d", d.ID, len(got.Matches), len(want))
		}
		for k, m := range got.Matches {
			if m.ID != want[k].ID || m.Score != want[k].Score || m.Distance == nil || *m.Distance != want[k].Distance || m.Time != want[k].Time {
				t.Errorf("%s: match %d is %+v, want %+v", d.ID, k, m, want[k])
			}
		}
	}
	var deleted deleteResponse
	ask(t, "POST", h.URL+"/v1/index/delete", deleteRequest{IDs: []string{docs[0].ID, "absent"}}, 200, &deleted)
	if deleted.Deleted != 1 {
		t.Errorf("deleted %d, want 1", deleted.Deleted)
	}
	var about indexResponse
	if b := ask(t, "GET", h.URL+"/v1/index", nil, 200, &about); strings.Contains(string(b), "12345") {
		t.Errorf("the seed is shown: %s", b)
	}
	if metrics := string(ask(t, "GET", h.URL+"/metrics", nil, 200, nil)); !strings.Contains(metrics, fmt.Sprintf("alike_index_documents %d\n", about.Stats.Documents)) || strings.Contains(metrics, "12345") {
		t.Errorf("no size of the index among the metrics")
	}
}

func TestReadOnly(t *testing.T) {
	_, h := start(t, Options{Index: newIndex(t, "shingle", .5), ReadOnly: true})
	ask(t, "POST", h.URL+"/v1/index/add", addRequest{Documents: []addDocument{{ID: "a", Text: "a"}}}, 403, nil)
	ask(t, "POST", h.URL+"/v1/index/delete", deleteRequest{IDs: []string{"a"}}, 403, nil)
	ask(t, "POST", h.URL+"/v1/index/query", queryRequest{Text: "a"}, 200, nil)
	_, h = start(t, Options{})
	ask(t, "POST", h.URL+"/v1/index/query", queryRequest{Text: "a"}, 404, nil)
	ask(t, "GET", h.URL+"/v1/index", nil, 404, nil)
}

// A file of documents is a set without pairs, whose documents can be looked at and judged; one that is neither says so.
func TestDocumentsAreData(t *testing.T) {
	dir := t.TempDir()
	path, texts := corpus(t, dir)
	bad := filepath.Join(dir, "bad.jsonl")
	if err := os.WriteFile(bad, []byte("no JSON\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, h := start(t, Options{Data: []string{path, bad}, Labels: filepath.Join(dir, "labels")})
	var set DataSet
	ask(t, "GET", h.URL+"/v1/data/docs.jsonl", nil, 200, &set)
	if set.Documents != len(texts) || set.Pairs != 0 || set.Clusters != 0 {
		t.Errorf("got %+v, want %d documents alone", set, len(texts))
	}
	var list documentsResponse
	ask(t, "GET", h.URL+"/v1/data/docs.jsonl/documents?cut=1000000", nil, 200, &list)
	if list.Total != len(texts) || len(list.Documents) != len(texts) {
		t.Fatalf("%d documents, want %d", list.Total, len(texts))
	}
	for _, d := range list.Documents {
		if d.Text != texts[d.ID] {
			t.Errorf("%s is %.40q, want %.40q", d.ID, d.Text, texts[d.ID])
		}
	}
	for _, empty := range []string{"pairs", "clusters", "histogram"} {
		ask(t, "GET", h.URL+"/v1/data/docs.jsonl/"+empty, nil, 200, nil)
	}
	ask(t, "POST", h.URL+"/v1/labels/docs.jsonl", Label{"first-0", "alike-0", true}, 200, nil)
	b := ask(t, "GET", h.URL+"/v1/data/bad.jsonl", nil, 500, nil)
	if !strings.Contains(string(b), "cannot be read") || strings.Contains(string(b), dir) {
		t.Errorf("of a file that is no data: %s", b)
	}
}

// The folders kept and removed list texts in another order than the sources.
func TestDedupShowsItsFiles(t *testing.T) {
	dir := t.TempDir()
	var sources []datasets.Source
	for _, name := range []string{"z", "a"} { // a has copies of z
		source := filepath.Join(dir, name)
		if err := os.Mkdir(source, 0o777); err != nil {
			t.Fatal(err)
		}
		sources = append(sources, datasets.Source{Path: source, PathIDs: true})
		for i := range 4 {
			text := fmt.Sprintf("one%d two%d three%d four%d five%d six%d seven%d", i, i, i, i, i, i, i)
			if name == "a" {
				text += " more"
			}
			if err := os.WriteFile(filepath.Join(source, fmt.Sprintf("%d.txt", i)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		// A text of one source only.
		if err := os.WriteFile(filepath.Join(source, "3a.txt"), []byte(strings.Repeat(name+" ", 9)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	m, err := catalog.Parse("shingle:width=2")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "deduped")
	if _, err := local.Run(t.Context(), local.Options{Sources: sources, Out: out, Method: m, Candidates: .6, Threshold: .6, MaxDrop: 1}); err != nil {
		t.Fatal(err)
	}
	_, h := start(t, Options{Index: newIndex(t, "shingle:width=2,seed=7", .5), Data: []string{out}})
	var list RemovalsResponse
	ask(t, "GET", h.URL+"/v1/dedup/deduped/removals?cut=100000", nil, 200, &list)
	if list.Total != 4 {
		t.Fatalf("%d removals, want 4", list.Total)
	}
	for _, r := range list.Removals {
		if r.Removed == nil || r.Kept == nil || r.Removed.Text != r.Kept.Text+" more" {
			t.Errorf("%s is shown as %+v and kept as %+v", r.ID, r.Removed, r.Kept)
		}
	}
}

// The texts beside a removal are those of the documents that it names.
func TestDedupShowsItsDocuments(t *testing.T) {
	o, texts := everything(t)
	_, h := start(t, o)
	var list RemovalsResponse
	ask(t, "GET", h.URL+"/v1/dedup/deduped/removals?cut=100000", nil, 200, &list)
	if list.Total != 7 { // four equal, three alike
		t.Fatalf("%d removals, want 7", list.Total)
	}
	for _, r := range list.Removals {
		if r.Removed == nil || r.Kept == nil || r.Removed.Text != texts[r.ID] || r.Kept.Text != texts[r.KeptID] {
			t.Errorf("%+v: other texts than those of %s and %s", r, r.ID, r.KeptID)
		}
		if want := strings.SplitN(r.ID, "-", 2)[0]; r.Reason != want || !strings.HasPrefix(r.KeptID, "first-") {
			t.Errorf("%s is removed as %s for %s", r.ID, r.Reason, r.KeptID)
		}
	}
	var clusters clustersResponse
	ask(t, "GET", h.URL+"/v1/dedup/deduped/clusters", nil, 200, &clusters)
	if clusters.Total != 6 { // documents 0, 3, 4, 6, 8 and 9
		t.Errorf("%d clusters, want 6", clusters.Total)
	}
	if c := clusters.Clusters[0]; c.Size != 3 || c.IDs[0] != "first-0" {
		t.Errorf("the largest cluster is %+v", c)
	}
	ask(t, "POST", h.URL+"/v1/labels/deduped", Label{"alike-0", "first-0", false}, 200, nil)
	ask(t, "GET", h.URL+"/v1/dedup/deduped/removals?q=w0x0&reason=alike", nil, 200, &list)
	if list.Total != 1 || list.Removals[0].Judged != "no" {
		t.Errorf("after a judgement: %+v", list)
	}
	var report DedupResponse
	ask(t, "GET", h.URL+"/v1/dedup/deduped", nil, 200, &report)
	sum := int64(0)
	for _, n := range report.Scores.Alike {
		sum += n
	}
	if sum != 3 || report.Report.Alike != 3 || report.Report.Equal != 4 {
		t.Errorf("%d scores, report %+v", sum, report.Report)
	}
}

// Names in paths open nothing: a file beside those that are offered stays unseen.
func TestNamesStayOffTheFileSystem(t *testing.T) {
	o, _ := everything(t)
	const canary = "canary-of-a-file-that-nobody-offered"
	outside := filepath.Join(filepath.Dir(o.Records), "secret.jsonl")
	for _, name := range []string{outside, filepath.Join(filepath.Dir(o.Records), "secret.tsv")} {
		if err := os.WriteFile(name, []byte(`{"id":"`+canary+`","text":"`+canary+`"}`), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, h := start(t, o)
	names := []string{"../secret.jsonl", "..\\secret.jsonl", outside, "./run.jsonl/../../secret.jsonl", "secret", "../secret", "%00", "run.jsonl\x00", ".", "..", "file://" + outside, "../../../../etc/passwd"}
	for _, name := range names {
		for _, route := range []string{"/v1/records/%s", "/v1/records/%s/diff", "/v1/records/run.jsonl/diff?with=%s", "/v1/data/%s", "/v1/data/%s/documents", "/v1/dedup/%s", "/v1/labels/%s", "/v1/jobs/%s", "/%s", "/v1/data/en/document?id=%s"} {
			for _, escape := range []func(string) string{url.PathEscape, url.QueryEscape} {
				at := fmt.Sprintf(route, escape(name))
				r := httptest.NewRequest("GET", "http://localhost/", nil)
				u, err := url.Parse("http://localhost" + at)
				if err != nil {
					continue
				}
				r.URL = u
				w := httptest.NewRecorder()
				h.Config.Handler.ServeHTTP(w, r)
				if w.Code == 200 || strings.Contains(w.Body.String(), canary) || strings.Contains(w.Body.String(), "root:") {
					t.Errorf("%s: status %d: %.200s", at, w.Code, w.Body)
				}
			}
		}
	}
	entries, err := os.ReadDir(filepath.Dir(o.Records))
	if err != nil {
		t.Fatal(err)
	}
	before := len(entries)
	for _, name := range names {
		r := httptest.NewRequest("POST", "http://localhost/", strings.NewReader(`{"a":"x","b":"y","alike":true}`))
		r.URL.Path = "/v1/labels/" + name
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.Config.Handler.ServeHTTP(w, r)
		if w.Code < 300 && w.Code >= 200 {
			t.Errorf("a label about %q is taken", name)
		}
	}
	if entries, err = os.ReadDir(filepath.Dir(o.Records)); err != nil || len(entries) != before {
		t.Errorf("%d files where there were %d, %v", len(entries), before, err)
	}
}

// events reads the events of a job, each handed to f, until the stream ends.
func events(t *testing.T, url string, f func(jobProgress)) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("events of type %q", kind)
	}
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var p jobProgress
			if err := json.Unmarshal([]byte(data), &p); err != nil {
				t.Fatalf("%v: %s", err, data)
			}
			f(p)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestChooseJob(t *testing.T) {
	_, h := start(t, Options{Limits: Limits{Time: 5 * time.Minute}})
	var job Job
	ask(t, "POST", h.URL+"/v1/jobs/choose", ChooseRequest{Data: "zh", Budget: 1, Methods: []string{"shingle:tokens=rune,width=2", "simhash"}}, 202, &job)
	last := jobProgress{}
	events(t, h.URL+"/v1/jobs/"+job.ID+"/events", func(p jobProgress) {
		if p.Share < last.Share {
			t.Errorf("progress goes from %v back to %v", last.Share, p.Share)
		}
		last = p
	})
	ask(t, "GET", h.URL+"/v1/jobs/"+job.ID, nil, 200, &job)
	if last.State != done || job.State != done || job.Choice == nil || job.Choice.Result.Best.Spec == "" || job.Finished == nil {
		t.Errorf("ended as %+v, %+v", last, job)
	}
}

// A job that is cancelled ends, and so do the streams of those who watch it; the next one has its turn.
func TestCancelJob(t *testing.T) {
	s, h := start(t, Options{})
	begun := make(chan struct{})
	first, err := s.start("choose", func(ctx context.Context, k *job) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.start("choose", func(context.Context, *job) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	states := []string{}
	events(t, h.URL+"/v1/jobs/"+first.state.ID+"/events", func(p jobProgress) {
		if states = append(states, p.State); len(states) == 1 {
			ask(t, "DELETE", h.URL+"/v1/jobs/"+first.state.ID, nil, 200, nil)
		}
	})
	if !slices.Equal(states, []string{running, cancelled}) {
		t.Errorf("states %v", states)
	}
	last := ""
	events(t, h.URL+"/v1/jobs/"+second.state.ID+"/events", func(p jobProgress) { last = p.State })
	if last != done {
		t.Errorf("the second job is %s", last)
	}
	// One who leaves a stream does not stop the job.
	release := make(chan struct{})
	third, err := s.start("choose", func(ctx context.Context, k *job) error { <-release; return ctx.Err() })
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", h.URL+"/v1/jobs/"+third.state.ID+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	resp.Body.Close()
	close(release)
	events(t, h.URL+"/v1/jobs/"+third.state.ID+"/events", func(p jobProgress) { last = p.State })
	if last != done {
		t.Errorf("the job that was left alone is %s", last)
	}
}
