package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alike-go/alike/passages"
)

// The page shows what the API finds in a data set, and keeps in its address
// what was asked.
func TestPassagesOfData(t *testing.T) {
	b := open(t, "#/passages?set=en&length=40&docs=3")
	b.until(`document.querySelector(".document mark")`)
	v := ask[passages.View](t, "data/en/passages?min_length=40&docs=3", nil)
	if n := get[int](b, `document.querySelectorAll(".passage-list tbody tr").length`); n != min(25, len(v.List)) || n == 0 {
		t.Errorf("%d passages are listed, want %d", n, len(v.List))
	}
	b.until(fmt.Sprintf(`document.querySelectorAll(".places article").length === %d`, min(12, len(v.List[0].Places))))
	get[any](b, `document.querySelector(".more")?.click()`)
	b.until(fmt.Sprintf(`document.querySelectorAll(".passage-list tbody tr").length === %d`, min(125, len(v.List))))
	get[any](b, `(() => { const l = document.querySelector("input[name=length]"); l.value = 60; l.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	b.until(`document.querySelector("input[name=length]").value === "60"`)
	get[any](b, `document.querySelector("form.sample button.main").click()`)
	longer := ask[passages.View](t, "data/en/passages?min_length=60&docs=3", nil)
	b.until(fmt.Sprintf(`document.querySelector(".facts-of-passages").innerText.replaceAll(",", "").startsWith("%d passage")`, longer.Passages))
	if at := get[string](b, "location.hash"); at != "#/passages?set=en&length=60&docs=3" {
		t.Errorf("the address is %q", at)
	}
}

// Texts that one gives are compared, as they are: nothing in them runs.
func TestPassagesOfTexts(t *testing.T) {
	b := open(t, "#/passages")
	b.until(`document.querySelector(".document mark")`)
	hostile := `<img src=x onerror="document.title='broken'"></textarea><script>document.title='broken'</script> & so on, which is long enough`
	for i := range 2 {
		get[any](b, fmt.Sprintf(`document.querySelector("#text-%d").focus()`, i))
		get[any](b, `document.execCommand("selectAll")`)
		b.write(fmt.Sprintf("text %d: %s.", i, hostile))
	}
	get[any](b, `document.querySelector("form.sample button.main").click()`)
	b.until(`document.querySelectorAll(".passage-list tbody tr").length === 1 && document.querySelector(".passage").innerText.includes("onerror")`)
	marks := get[[]string](b, `[...document.querySelectorAll(".places mark")].map((m) => m.textContent)`)
	if len(marks) != 2 || marks[0] != marks[1] || !strings.Contains(marks[0], hostile) {
		t.Errorf("marked are %q, want %q twice", marks, hostile)
	}
	if title := get[string](b, "document.title"); strings.Contains(title, "broken") {
		t.Error("a text ran")
	}
	// Nothing in common is said, and a bad setting is an error of the server.
	get[any](b, `document.querySelector("#text-0").focus()`)
	get[any](b, `document.execCommand("selectAll")`)
	b.write("something else")
	get[any](b, `document.querySelector("form.sample button.main").click()`)
	b.until(`document.querySelector("#found").parentElement.innerText.includes("None of 2 documents")`)
	// Files are added to the texts: eight are too many to show, and are counted.
	get[any](b, `(() => {
	  const files = new DataTransfer();
	  for (const n of [1, 2]) files.items.add(new File(["the same sentence stands in both of the files, number " + n], "file-" + n + ".txt"));
	  files.items.add(new File([[1, 2, 3, 4].map((n) => JSON.stringify({ id: "row " + n, text: "row " + n + ": all rows of the file have this in common" })).join("\n")], "rows.jsonl"));
	  const input = document.querySelector("input[name=files]");
	  input.files = files.files;
	  input.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	b.until(`document.querySelector("div.sample").innerText.includes("8 texts") && !document.querySelector("#text-0")`)
	get[any](b, `document.querySelector("form.sample button.main").click()`)
	b.until(`document.querySelectorAll(".passage-list tbody tr").length === 2 && document.querySelector(".facts-of-passages").innerText.includes("in 8 documents")`)
	if ids := get[[]string](b, `[...document.querySelectorAll(".places .id")].map((e) => e.textContent)`); strings.Join(ids, ", ") != "row 1, row 2, row 3, row 4" {
		t.Errorf("the passage in the most documents stands in %q", ids)
	}
	b.expect(422)
	get[any](b, `document.querySelector("input[name=fold]").focus()`)
	b.write("case=loud")
	get[any](b, `document.querySelector("form.sample button.main").click()`)
	b.until(`document.querySelector(".failed")?.innerText.includes('case is "loud"')`)
}
