package datasets

import (
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	const story = "The harbour was closed on Monday after the storm had moved the breakwater, and nobody, said the master of the port, could tell for how long."
	paragraph := "<p>" + story + "</p>"
	page := `<html><head><title>Port closed</title><script>var x = "no";</script><style>p{}</style></head><body>
		<nav><ul><li><a href="/">Home</a></li><li><a href="/a">About us</a></li></ul></nav>
		<div class="article"><h1>Port closed</h1>` + strings.Repeat(paragraph, 6) + `</div>
		<footer>Copyright notice</footer></body></html>`
	got := mainText(page)
	if n := strings.Count(got, story); n != 6 {
		t.Errorf("the story is there %d times in %q", n, got)
	}
	for _, no := range []string{"About us", "Copyright", "var x", "p{}", "<p>"} {
		if strings.Contains(got, no) {
			t.Errorf("%q is in %q", no, got)
		}
	}
	tests := []struct{ page, want string }{
		{"", ""},
		{"no tags &amp; all", "no tags & all"},
		{"<p>a<b>b</b>  c<br>d</p><div>e</div>", "ab c\nd\ne"},
		{"<script>x</script>a<style>y</style>", "a"},
		{"<b <i", ""},
		{"一<span>二</span>", "一二"},
	}
	for _, test := range tests {
		if got := allText(test.page); got != test.want {
			t.Errorf("%q is %q, want %q", test.page, got, test.want)
		}
		if got := mainText(test.page); got != test.want {
			t.Errorf("main text of %q is %q, want %q", test.page, got, test.want)
		}
	}
	if got := mainText(strings.Repeat("<div>", 100_000) + "deep"); got != "deep" {
		t.Errorf("deep nesting: %.40q", got)
	}
	rows, err := readAll(Source{Path: "-", HTML: true, Input: strings.NewReader(`{"text":"<p>one</p><p>two</p>"}`)})
	if err != nil || rows[0].Doc.Text != "one\ntwo" || rows[0].Fields[0].Value != "<p>one</p><p>two</p>" {
		t.Errorf("%v, %v", rows, err)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add("<p>a<b>b</b><br>c</p><script>d</script>")
	f.Add("<table><tr><td>x<article><p>" + strings.Repeat("word, ", 200))
	f.Add("<svg><title><p><template><!--")
	f.Fuzz(func(t *testing.T, page string) {
		mainText(page)
	})
}
