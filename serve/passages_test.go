package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/passages"
)

// The passages of a request are where a naive search finds them, and the same
// texts in a file give the same passages.
func TestPassagesOfTexts(t *testing.T) {
	var words [3]string
	for i := range words {
		for k := range 20 {
			words[i] += fmt.Sprintf("word%d-%d 中é𝒳 ", i, k)
		}
	}
	texts := []string{"one. " + words[0] + "and " + words[1], "two. " + words[1] + "\nthen " + words[0] + "end", "three: " + words[2], "four, " + words[2] + words[0]}
	wanted := map[string]int{words[0]: 3, words[1]: 2, words[2]: 2}
	var in passagesRequest
	var lines strings.Builder
	for i, text := range texts {
		in.Texts = append(in.Texts, Text{ID: fmt.Sprint("id", i), Text: text})
		line, err := json.Marshal(in.Texts[i])
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	if err := os.WriteFile(path, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	_, h := start(t, Options{Data: []string{path}, Limits: Limits{Rate: 1e6, Time: 5 * time.Minute}})
	var plain, whole, data passages.View
	in.MinLength = 60
	ask(t, "POST", h.URL+"/v1/passages", in, 200, &plain)
	if plain.Texts != 0 || len(plain.List) != len(wanted) {
		t.Fatalf("%d passages and %d texts, want %d and none", len(plain.List), plain.Texts, len(wanted))
	}
	for _, p := range plain.List {
		text := p.Text + " "
		if p.Docs != wanted[text] || len(p.Places) != wanted[text] {
			t.Errorf("%q is in %d documents, %d places, want %d", text, p.Docs, len(p.Places), wanted[text])
		}
		for _, q := range p.Places {
			d := plain.Documents[q.Document]
			if at := strings.Index(texts[d.Number], p.Text); d.ID != fmt.Sprint("id", d.Number) || q.Start != at || q.End != at+len(p.Text) {
				t.Errorf("%q is at %d to %d of %s, want %d", p.Text, q.Start, q.End, d.ID, at)
			}
		}
	}
	in.Parts = true
	ask(t, "POST", h.URL+"/v1/passages", in, 200, &whole)
	ask(t, "GET", h.URL+"/v1/data/texts.jsonl/passages?min_length=60", nil, 200, &data)
	if whole.Texts != len(texts) {
		t.Errorf("%d texts come back, want %d", whole.Texts, len(texts))
	}
	for _, d := range whole.Documents {
		if len(d.Parts) != 1 || d.Parts[0].Text != texts[d.Number] {
			t.Errorf("text %d comes back as %+v", d.Number, d.Parts)
		}
	}
	a, _ := json.Marshal(whole)
	b, _ := json.Marshal(data)
	if string(a) != string(b) {
		t.Errorf("texts of a request give\n%s\nand in a file\n%s", a, b)
	}
}

// More passages than an answer may have are an error that says what to do.
func TestTooManyPassages(t *testing.T) {
	line := "the same line again and again, with a number 4711 in it\n"
	var in passagesRequest
	for i := range 500 {
		text := ""
		for k := range 210 {
			text += line + fmt.Sprintf("%d-%d\n", i, k)
		}
		in.Texts = append(in.Texts, Text{Text: text})
	}
	in.MinLength = 30
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	_, h := start(t, Options{Limits: Limits{Rate: 1e6, Time: 5 * time.Minute}})
	if b := ask(t, "POST", h.URL+"/v1/passages", in, http.StatusRequestEntityTooLarge, nil); !strings.Contains(string(b), "want a larger min_length or words") {
		t.Errorf("the error is %.300s", b)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// The number of texts has one limit, that of the server. The answer does not
// repeat them.
func TestBatchLimit(t *testing.T) {
	_, h := start(t, Options{Index: newIndex(t, "shingle", .5), Limits: Limits{Rate: 1e6, Batch: 1200}})
	texts := func(n int) (out []Text) {
		for range n {
			out = append(out, Text{Text: "these are all the same words"})
		}
		return out
	}
	ask(t, "POST", h.URL+"/v1/passages", passagesRequest{Texts: texts(1200)}, 200, nil)
	for path, in := range map[string]any{
		"passages":       passagesRequest{Texts: texts(1201)},
		"sketch":         sketchRequest{Texts: texts(1201)},
		"compare/matrix": matrixRequest{Texts: texts(1201)},
		"index/add":      addRequest{Documents: make([]addDocument, 1201)},
	} {
		if b := ask(t, "POST", h.URL+"/v1/"+path, in, http.StatusRequestEntityTooLarge, nil); strings.Contains(string(b), "same words") || !strings.Contains(string(b), "want at most 1200") {
			t.Errorf("%s: %s", path, b)
		}
	}
}

// Documents are enough to find passages in. What cannot be shown is refused at
// the start.
func TestPassagesOfFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	same := strings.Repeat("a passage of some words ", 10)
	write("docs.jsonl", fmt.Sprintf("{\"id\":\"a\",\"text\":%q}\n{\"id\":\"b\",\"text\":%q}\n", "one "+same, "two "+same))
	_, h := start(t, Options{Data: []string{dir}})
	var view passages.View
	ask(t, "GET", h.URL+"/v1/data/"+filepath.Base(dir)+"/passages", nil, 200, &view)
	if len(view.List) != 1 || view.List[0].Docs != 2 {
		t.Errorf("%+v, want one passage of two documents", view.List)
	}
	write("report.json", `{"below":{}}`)
	for _, c := range []struct{ data, want string }{{dir, "made below the document"}, {"nosuchset", "nosuchset"}} {
		if _, err := New(Options{Data: []string{c.data}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.data, err, c.want)
		}
	}
}

// Errors name the keys of the request.
func TestPassageErrors(t *testing.T) {
	_, h := start(t, Options{})
	for keys, want := range map[string]string{
		`"min_length":20,"words":9`:     `"detail":"both min_length and words, want one of them"`,
		`"min_length":3`:                `"detail":"min_length is 3, want 8 to 4096 characters"`,
		`"words":3`:                     `"detail":"words is 3, want 4 to 1024 words"`,
		`"words":9,"fold":"space=drop"`: `"detail":"words, but fold drops what is between words: want min_length"`,
	} {
		if b := ask(t, "POST", h.URL+"/v1/passages", `{"texts":[{"text":"a"}],`+keys+`}`, http.StatusUnprocessableEntity, nil); !strings.Contains(string(b), want) {
			t.Errorf("%s: %s, want %s", keys, b, want)
		}
	}
}
