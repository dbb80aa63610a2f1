package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/serve"
	"github.com/alike-go/alike/serve/web"
)

// hostile is what a document may hold.
const hostile = `<script>window.broken = 1</script><img src=x onerror="window.broken = 2"><b>bold</b> &amp; "quoted" </textarea></mark>`

// served is the server that all tests look at, with data, a result of dedup and records.
type served struct {
	once sync.Once
	err  error
	url  string
	dir  string
	stop context.CancelFunc
	done chan error
}

var site served

// start starts the server unless it runs, and returns its address.
func (s *served) start(t *testing.T) string {
	t.Helper()
	s.once.Do(func() { s.err = s.begin(t) })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.url
}

func (s *served) begin(t *testing.T) error {
	var err error
	if s.dir, err = os.MkdirTemp("", "alike-pages-"); err != nil {
		return err
	}
	records := filepath.Join(s.dir, "records")
	if err := writeRecords(records); err != nil {
		return err
	}
	result := filepath.Join(s.dir, "poems-dedup")
	if err := deduplicate(filepath.Join(s.dir, "corpus.jsonl"), result); err != nil {
		return err
	}
	server, err := serve.New(serve.Options{
		Pages: web.Files, Data: append(datasets.Inside(), result), Records: records, Labels: filepath.Join(s.dir, "labels"),
		Limits: serve.Limits{Rate: 1e6}, // the tests are one client
	})
	if err != nil {
		return err
	}
	l := listen(t)
	s.url = "http://" + l.Addr().String() + "/"
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.done = stop, make(chan error, 1)
	go func() { s.done <- server.Serve(ctx, l) }()
	return nil
}

// end stops the server and takes away its files.
func (s *served) end() {
	if s.stop != nil {
		s.stop()
		<-s.done
	}
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// writeRecords writes two runs of all methods on the data inside: words, and pairs of words.
func writeRecords(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, features := range map[string]string{"words.jsonl": "", "pairs-of-words.jsonl": "width=2"} {
		methods, err := catalog.ParseAll(nil, features)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		for _, data := range datasets.Inside() {
			set, err := datasets.Load(data)
			if err != nil {
				return err
			}
			made, err := eval.Run(context.Background(), set, methods, eval.Config{Seed: 1, Resamples: 1000, Repeat: 1, Details: true, Commit: "test"})
			if err != nil {
				return err
			}
			if err := eval.WriteRecords(&b, made...); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// deduplicate removes what is alike among the texts inside, many of which stand there in several
// editions, and two that are hostile.
func deduplicate(corpus, out string) error {
	var b bytes.Buffer
	line := func(id, text string) error {
		j, err := json.Marshal(map[string]string{"id": id, "text": text})
		b.Write(append(j, '\n'))
		return err
	}
	seen := map[string]bool{}
	for _, name := range datasets.Inside() {
		set, err := datasets.Load(name)
		if err != nil {
			return err
		}
		for _, d := range set.Docs {
			if seen[d.ID] {
				continue
			}
			seen[d.ID] = true
			if err := line(d.ID, d.Text); err != nil {
				return err
			}
		}
	}
	many := "words that nobody else has, in a row and in a page: "
	if err := line("hostile<1>", many+hostile+" here stands one more word"); err != nil {
		return err
	}
	if err := line("hostile<2>", many+hostile+" here stands another word"); err != nil {
		return err
	}
	if err := os.WriteFile(corpus, b.Bytes(), 0o666); err != nil {
		return err
	}
	m, err := catalog.Parse("shingle:width=2")
	if err != nil {
		return err
	}
	_, err = local.Run(context.Background(), local.Options{
		Sources: []datasets.Source{{Path: corpus, Name: "corpus.jsonl"}}, Out: out, Method: m, Threshold: 0.4, Candidates: 0.4,
	})
	return err
}

// another starts a server with other options until the test ends, and returns its address.
func another(t *testing.T, o serve.Options) string {
	t.Helper()
	o.Pages = web.Files
	server, err := serve.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l := listen(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String() + "/"
}

// ask asks the server itself, past the browser.
func ask[T any](t *testing.T, path string, request any) T {
	t.Helper()
	var response *http.Response
	var err error
	if request == nil {
		response, err = http.Get(site.start(t) + "v1/" + path)
	} else {
		var body []byte
		if body, err = json.Marshal(request); err != nil {
			t.Fatal(err)
		}
		response, err = http.Post(site.start(t)+"v1/"+path, "application/json", bytes.NewReader(body))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var out T
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}
