package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/serve"
)

// begin starts a search past the browser.
func begin(t *testing.T, request serve.ChooseRequest) serve.Job {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(site.start(t)+"v1/jobs/choose", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var job serve.Job
	if err := json.NewDecoder(response.Body).Decode(&job); err != nil || response.StatusCode != http.StatusAccepted {
		t.Fatal(response.Status, err)
	}
	return job
}

// searched returns a job of its own that looks through a data set inside. It has more time than it takes,
// since what is found when the time is over depends on the machine.
func searched(t *testing.T) string {
	t.Helper()
	chromium(t) // before a server is started in vain
	return begin(t, serve.ChooseRequest{Data: "en", Budget: 600, Methods: []string{"shingle", "minhash", "minhash:size=512,bits=1", "bloom:bits=1024", "simhash:bits=128"}}).ID
}

// upload gives a field files as one who picks them.
func (b *tab) upload(field string, files map[string]string) {
	b.t.Helper()
	list, err := json.Marshal(files)
	if err != nil {
		b.t.Fatal(err)
	}
	get[any](b, fmt.Sprintf(`(() => {
	  const e = document.querySelector(%s), d = new DataTransfer();
	  for (const [name, text] of Object.entries(%s)) d.items.add(new File([text], name));
	  e.files = d.files;
	})()`, quote(field), list))
}

// A sample that one uploads is searched, and what was found is shown.
func TestChoose(t *testing.T) {
	b := open(t, "#/choose")
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	var lines, pairs strings.Builder
	for _, d := range set.Docs {
		line, err := json.Marshal(map[string]string{"id": d.ID, "text": d.Text})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	pairs.WriteString("id1\tid2\tlabel\n")
	for _, p := range set.Pairs {
		label := 0
		if p.Alike() {
			label = 1
		}
		fmt.Fprintf(&pairs, "%s\t%s\t%d\n", set.Docs[p.A].ID, set.Docs[p.B].ID, label)
	}
	b.upload(`input[name="files"]`, map[string]string{"documents.jsonl": lines.String()})
	b.upload(`input[name="pairs"]`, map[string]string{"pairs.tsv": "id1\tid2\n"})
	b.fill(`input[name="methods"]`, "shingle simhash:bits=128")
	b.fill(`input[name="budget"]`, "600")
	b.press(`.sample button[type="submit"]`)
	b.until(`document.querySelector("[role=alert]").innerText.includes("pairs.tsv") && document.querySelector("[role=alert]").innerText.includes("label")`)
	b.upload(`input[name="pairs"]`, map[string]string{"pairs.tsv": pairs.String()})
	b.press(`.sample button[type="submit"]`)
	b.until(`document.querySelector(".state").innerText === "done" && document.querySelector(".answer") && !document.querySelector("[role=alert]")`)

	id := get[string](b, `new URLSearchParams(location.hash.split("?")[1]).get("job")`)
	choice := ask[serve.Job](t, "jobs/"+id, nil).Choice
	in := map[int]bool{} // documents of which something is known
	for _, p := range set.Pairs {
		in[p.A], in[p.B] = true, true
	}
	if choice.Result.Docs != len(in) || choice.Result.Dataset != "documents.jsonl" {
		t.Errorf("searched on %d documents of %q, want %d of documents.jsonl", choice.Result.Docs, choice.Result.Dataset, len(in))
	}
	if got := get[string](b, `document.querySelector(".answer").innerText`); !strings.Contains(got, choice.Result.Best.Spec) || !strings.Contains(got, fmt.Sprintf("%.3f", float64(choice.Result.Best.Threshold))) {
		t.Errorf("the answer is %q, want %s from %.3f on", got, choice.Result.Best.Spec, float64(choice.Result.Best.Threshold))
	}
	if got := get[string](b, `document.querySelector(".commands").innerText`); got != strings.Join(choice.Commands, "\n") {
		t.Errorf("the commands are %q, want %q", got, choice.Commands)
	}
	rows := get[[][]string](b, `[...document.querySelectorAll(".choices tbody tr")].map((r) => [...r.cells].map((c) => c.innerText))`)
	if len(rows) != len(choice.Result.Front) {
		t.Fatalf("%d rows, want %d", len(rows), len(choice.Result.Front))
	}
	for i, f := range choice.Result.Front {
		if rows[i][0] != f.Spec || f.Test != nil && rows[i][2] != fmt.Sprintf("%.3f", float64(f.Test.F1)) {
			t.Errorf("row %d is %q, want %s with F1 %v", i, rows[i], f.Spec, f.Test)
		}
	}
	// What the server refuses is told.
	b.expect(http.StatusUnprocessableEntity)
	b.fill(`input[name="methods"]`, "nonsense")
	b.press(`.sample button[type="submit"]`)
	b.until(`document.querySelector(".sample ~ [role=alert]").innerText.includes("nonsense")`)
}

// One sees what waits and runs, and can end it.
func TestCancelSearch(t *testing.T) {
	b := open(t, "#/data?set=en")
	b.until(`document.querySelector('a[href="#/choose?data=en"]')`)
	get[any](b, `document.querySelector('a[href="#/choose?data=en"]').click()`)
	b.until(`document.querySelector("#from").value === "en"`)

	// A search that takes long holds up the next.
	long := serve.ChooseRequest{Budget: 600, Name: "long"}
	set, err := datasets.Load("en")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6000 {
		d := set.Docs[i%len(set.Docs)]
		long.Documents = append(long.Documents, serve.Text{Text: fmt.Sprintf("%d %s %d", i, d.Text, i*i)})
	}
	first := begin(t, long)
	b.press(`.sample button[type="submit"]`)
	b.until(`document.querySelector(".state").innerText === "waiting" && document.querySelector("progress")`)
	b.press(`.cancel`)
	b.until(`document.querySelector(".state").innerText === "cancelled" && !document.querySelector("progress") && !document.querySelector(".cancel")`)

	// The one that runs tells how far it is.
	b.until(fmt.Sprintf(`document.querySelector('[data-job="%s"]')`, first.ID))
	b.press(fmt.Sprintf(`[data-job="%s"]`, first.ID))
	b.until(`document.querySelector(".state").innerText === "running" && document.querySelector("progress").value > 0`)
	b.press(`.cancel`)
	b.until(`document.querySelector(".state").innerText === "cancelled"`)
	if st := ask[serve.Job](t, "jobs/"+first.ID, nil).State; st != "cancelled" {
		t.Errorf("the server says %s, want cancelled", st)
	}
}

// What methods note is in the language of the page.
func TestNotesInChinese(t *testing.T) {
	b := open(t, "#/compare")
	get[any](b, `document.querySelector('.switches button[lang=zh]').click()`)
	methods := []string{"shingle", "shingle:measure=overlap", "minhash", "cosine", "bloom", "bloom:bits=64", "manber", "winnow", "simhash", "edit", "lcs", "substring", "rule80"}
	for _, pair := range [][2]string{
		{"the cat sat on the mat and the dog lay down beside it today", "the cat sat on a mat, and the dog lay there beside it today"},
		{"the cat", ""},
	} {
		noted := ask[serve.CompareResponse](t, "compare", serve.CompareRequest{A: pair[0], B: pair[1], Methods: methods, Explain: true}).Methods
		get[any](b, fmt.Sprintf(`location.hash = "#/compare?z=%s"`, packed(map[string]any{"a": pair[0], "b": pair[1], "m": methods})))
		b.until(fmt.Sprintf(`document.querySelector("#text-a").value === %s && document.querySelectorAll(".scores tbody tr").length === %d`, quote(pair[0]), len(methods)))
		for _, m := range noted {
			if m.Explanation == nil {
				continue
			}
			get[any](b, fmt.Sprintf(`document.querySelector('tr[data-method=%s] th button').click()`, quote(m.Method)))
			// It is the note on these texts once it has the numbers that the server says.
			b.until(fmt.Sprintf(`(() => {
			  const numbers = (s) => String(s.match(/\d[\d.]*/g)?.map(Number).sort());
			  return document.querySelector("#evidence code").innerText === %s && numbers(document.querySelector(".note").innerText) === numbers(%s);
			})()`, quote(m.Method), quote(m.Explanation.Note)))
			if get[bool](b, `document.querySelector(".note [lang=en]") !== null`) {
				t.Errorf("%s notes %q, which reads %q", m.Method, m.Explanation.Note, get[string](b, `document.querySelector(".note").innerText`))
			}
		}
	}
}
