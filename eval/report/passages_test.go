package report_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/passages"
)

// The script gets the view as it is, whatever its texts say, and where the script does
// not run there is a table.
func TestPassages(t *testing.T) {
	const evil = `</script></noscript><script>alert(1)</script><img src=x onerror=alert(2)>"'&{{.}}<!--` + "\u2028\u202e"
	view := &passages.View{
		Docs: 1234, Passages: 2, Occurrences: 3, MinLength: 100, Texts: 1,
		List:      []passages.ViewPassage{{ID: evil, Length: 4567, Docs: 2, Occurrences: 3, Text: evil, Places: []passages.ViewPlace{{Document: 0, End: 5, EndUTF16: 5, Line: 1, LastLine: 1}}}},
		Documents: []passages.ViewDocument{{ID: evil, UTF16: len(evil), Parts: []passages.ViewPart{{Line: 1, Text: evil}}}},
	}
	page := write(t, report.Input{Passages: view}, report.Options{Language: "zh"})
	all := elements(t, page)
	if len(all["script"]) != 2 || len(all["img"]) != 0 || len(all["noscript"]) != 1 {
		t.Errorf("%d scripts, %d images, %d for no script, want 2, 0, 1", len(all["script"]), len(all["img"]), len(all["noscript"]))
	}
	if title := textOf(all["title"][0]); title != "出现于多篇文档的片段" {
		t.Errorf("the title is %q", title)
	}
	var data struct{ Passages *passages.View }
	if err := json.Unmarshal([]byte(textOf(all["script"][0])), &data); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(data.Passages, view) {
		t.Errorf("the script gets %+v, want %+v", data.Passages, view)
	}
	table := textOf(all["noscript"][0])
	for _, want := range []string{"4,567", "&lt;script&gt;alert(1)"} {
		if !strings.Contains(table, want) {
			t.Errorf("without the script the page says %q, want %q in it", table, want)
		}
	}
	if again := write(t, report.Input{Passages: view}, report.Options{Language: "zh"}); again != page {
		t.Error("two pages of the same view differ")
	}
}

// One is one passage, not "1 passages".
func TestPassagesSubtitle(t *testing.T) {
	for want, view := range map[string]*passages.View{
		"1 passage in 8 documents":     {Docs: 8, Passages: 1},
		"1,200 passages in 1 document": {Docs: 1, Passages: 1200},
	} {
		if page := string(write(t, report.Input{Passages: view}, report.Options{})); !strings.Contains(page, ">"+want+"<") {
			t.Errorf("the page does not say %q", want)
		}
	}
}
