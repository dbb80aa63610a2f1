package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	keys "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/passages"
)

// hostile is what would run, load or break out of something on a page that took
// texts for HTML.
const hostile = `</script><script>document.title="broken"</script><img src=x onerror="document.title='broken'"><!-- "'` + "\u2028\u202e" + `]]> {{.}} ${1} &lt;b&gt; `

// shared returns documents: the second and the fourth have a passage of the
// first within a longer one, the third one that overlaps with both, and others
// are Arabic, Chinese and hostile.
func shared() (ids, texts []string) {
	part := func(word string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%d ", word, i)
		}
		return b.String()
	}
	a, b, c := part("alpha", 30), part("beta", 30), part("gamma", 30)
	arabic := strings.Repeat("هذا نص عربي طويل يتكرر في وثيقتين ", 1) + "مع بعض الكلمات الأخرى التي تجعله طويلا بما يكفي ليكون مقطعا مشتركا بين النصوص جميعا"
	chinese := "人民法院审理行政案件，对行政行为是否合法进行审查。当事人在行政诉讼中的法律地位平等，有权进行辩论。人民检察院有权对行政诉讼实行法律监督，任何组织和个人不得干预、阻碍人民法院受理行政案件，违者依法追究责任，并向社会公布结果。"
	add := func(id, text string) { ids, texts = append(ids, id), append(texts, text) }
	add("first.txt", "Begin 1.\n"+a+b+"\nEnd 1.")
	add("second.txt", part("own", 800)+"\n"+a+b+c+part("more", 800))
	add("third.txt", "Third begins.\n"+b+c+"\nand ends.")
	add("fourth.txt", "Fourth: "+b+"that was it.")
	add("ar-1", "أول\n"+arabic+"\nنهاية")
	add("ar-2", "ثان "+arabic+" وداعا")
	add("zh-1", "第一篇。\n"+chinese+"完。")
	add("zh-2", "😀第二篇："+chinese)
	add(`<img src=x onerror=alert(1)>"'&`, part("evil", 3)+hostile+part("deed", 30))
	add(strings.Repeat("long-id/", 100), part("other", 3)+hostile+part("deed", 30))
	return ids, texts
}

func view(t *testing.T, ids, texts []string, o passages.ViewOptions) *passages.View {
	t.Helper()
	f, err := passages.New(passages.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, text := range texts {
		p, err := f.Prepare(text)
		if err == nil {
			err = f.Add(p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Each(t.Context(), func(passages.Passage) error { return nil }); err != nil {
		t.Fatal(err)
	}
	o.ID = func(i int) string { return ids[i] }
	v, err := f.View(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// enter presses the key where the focus is.
func (b *tab) enter() {
	b.t.Helper()
	down := keys.DispatchKeyEventParams{Type: "keyDown", Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13}
	up := down
	up.Type, up.Text = "keyUp", ""
	b.do(command(keys.DispatchKeyEvent, down), command(keys.DispatchKeyEvent, up))
}

// pickDocument shows a document by its number in the collection.
func (b *tab) pickDocument(v *passages.View, number int) {
	b.t.Helper()
	at := slices.IndexFunc(v.Documents, func(d passages.ViewDocument) bool { return d.Number == number })
	get[any](b, fmt.Sprintf(`(() => { const s = document.querySelector(".passages select"); s.value = %d; s.dispatchEvent(new Event("change")); })()`, at))
}

// The page shows what the view has: every text as it is, every place where it is.
func TestPassages(t *testing.T) {
	ids, texts := shared()
	v := view(t, ids, texts, passages.PageView)
	b := open(t, report.Input{Passages: v}, report.Options{})
	if title := get[string](b, "document.title"); title != "Passages that stand in several documents" {
		t.Errorf("the title is %q", title)
	}
	if n := get[int](b, `document.querySelectorAll(".passage-list .passage").length`); n != len(v.List) || n < 6 {
		t.Fatalf("%d passages are listed, want %d", n, len(v.List))
	}
	for i, p := range v.List {
		get[any](b, fmt.Sprintf(`document.querySelector('[data-passage="%d"]').click()`, i))
		cards := get[[][3]string](b, `[...document.querySelectorAll(".places article")].map((a) => [a.querySelector(".id").textContent, a.querySelector("header span").textContent, a.querySelector("mark").textContent])`)
		if len(cards) != len(p.Places) || len(cards) < 2 {
			t.Fatalf("passage %d has %d places, want %d", i, len(cards), len(p.Places))
		}
		for k, q := range p.Places {
			d := v.Documents[q.Document]
			id := ids[d.Number]
			if len(id) > 200 {
				id = id[:200] + "…"
			}
			lines := fmt.Sprintf("line %d", q.Line)
			if q.Line != q.LastLine {
				lines = fmt.Sprintf("lines %d–%d", q.Line, q.LastLine)
			}
			inside := texts[d.Number][q.Start:q.End]
			if cards[k][0] != id || cards[k][1] != lines || cards[k][2] != inside && !(len(inside) > 700 && strings.HasPrefix(inside, cards[k][2][:300])) {
				t.Errorf("place %d of passage %d is %q, want %q, %s, %q", k, i, cards[k], id, lines, inside)
			}
		}
		// What is marked in the document is the passage, where lines are put together.
		chosen := get[string](b, `[...document.querySelectorAll(".document mark.on")].map((m) => m.textContent).join("")`)
		first := p.Places[0]
		shown := get[int](b, `+document.querySelector(".passages select").value`)
		if want := texts[v.Documents[first.Document].Number][first.Start:first.End]; shown != first.Document || chosen != strings.ReplaceAll(want, "\n", "") {
			t.Errorf("passage %d: document %d has %q marked, want %d with %q", i, shown, chosen, first.Document, want)
		}
	}
	for number, text := range texts {
		if number == 1 {
			continue // is not shown whole
		}
		b.pickDocument(v, number)
		if got := get[string](b, `[...document.querySelectorAll(".of-line")].map((l) => l.textContent).join("\n")`); got != text {
			t.Errorf("document %d is %q, want %q", number, got, text)
		}
	}
	if n := get[int](b, `document.images.length + document.querySelectorAll("script").length`); n != 2 {
		t.Errorf("%d images and scripts, want the two scripts of the page", n)
	}
	// The second text is long: what is far from passages is left out, and said so.
	b.pickDocument(v, 1)
	gaps := get[[]int](b, `[...document.querySelectorAll(".gap")].map((g) => +g.textContent.replace(/\D/g, ""))`)
	left := get[int](b, `[...document.querySelectorAll(".of-line")].reduce((n, l) => n + l.textContent.length, 0)`)
	if len(gaps) != 2 || gaps[0]+gaps[1]+left+1 != len(texts[1]) {
		t.Errorf("gaps of %v beside %d characters, want %d in all", gaps, left, len(texts[1]))
	}
	// Text that three passages share has three lines, and clicks go from the
	// shortest to the longest.
	deep := `document.querySelector(".document mark.depth3")`
	if got := get[string](b, deep+`.className`); !strings.Contains(got, "lane0") || !strings.Contains(got, "lane1") || !strings.Contains(got, "lane2") {
		t.Errorf("the classes are %q", got)
	}
	var seen []string
	for range 4 {
		get[any](b, deep+`.click()`)
		seen = append(seen, get[string](b, `[2, 3].map((i) => document.querySelector(".passage-list tr.on").cells[i].textContent).join(" ")`))
	}
	if !strings.HasPrefix(seen[0], "199 beta") || seen[0] == seen[1] || seen[1] == seen[2] || seen[3] != seen[0] {
		t.Errorf("clicks choose passages of %v characters", seen)
	}
	if n := get[int](b, `document.querySelectorAll(".here button").length`); n != 3 {
		t.Errorf("%d passages lie over one another, want 3", n)
	}
	// Right to left.
	b.pickDocument(v, 4)
	if dir := get[[]string](b, `[...document.querySelectorAll(".of-line")].map((l) => getComputedStyle(l).direction)`); fmt.Sprint(dir) != "[rtl rtl rtl]" {
		t.Errorf("Arabic runs %v", dir)
	}
	if got := get[string](b, "document.title"); strings.Contains(got, "broken") {
		t.Error("a text ran")
	}
	b.press(`button[data-language=zh]`)
	b.until(`document.querySelector(".facts-of-passages").innerText.includes("在 10 篇文档中共有 6 个")`)
}

// All that a mouse does the keyboard does.
func TestPassagesByKeyboard(t *testing.T) {
	ids, texts := shared()
	b := open(t, report.Input{Passages: view(t, ids, texts, passages.PageView)}, report.Options{})
	get[any](b, `document.querySelectorAll(".passage-list .passage")[1].focus()`)
	b.enter()
	b.until(`document.querySelector(".passage-list tr.on [data-passage='1']")`)
	const chosen = `document.querySelector(".passage-list tr.on [data-passage]").dataset.passage`
	b.until(chosen + ` === "1"`)
	get[any](b, `document.querySelectorAll(".document mark[tabindex]")[1].focus()`)
	b.enter() // where two passages lie over one another, the shorter one is chosen
	b.until(chosen + ` === "0" && document.activeElement.matches(".document mark.on")`)
	b.enter()
	b.until(chosen + ` === "1" && document.querySelectorAll(".here button").length === 2`)
	b.do(chromedp.SendKeys(chromedp.CSS(".filter input"), "zh-2"))
	b.until(`document.querySelectorAll(".passage-list .passage").length === 1 && document.querySelector(".passage-list .passage").textContent.includes("人民法院")`)
	get[any](b, `(() => { const i = document.querySelector(".filter input"); i.value = ""; i.dispatchEvent(new Event("input")); })()`)
	get[any](b, `document.querySelector("[data-sort=length]").focus()`)
	b.enter()
	lengths := get[[]int](b, `[...document.querySelectorAll(".passage-list tbody tr")].map((r) => +r.cells[2].textContent.replaceAll(",", ""))`)
	if !slices.IsSortedFunc(lengths, func(a, b int) int { return b - a }) || len(lengths) < 6 {
		t.Errorf("sorted by length they are %v", lengths)
	}
	b.until(`document.activeElement.dataset.sort === "length"`)
}

// A page that leaves out says what.
func TestPassagesLeftOut(t *testing.T) {
	ids, texts := shared()
	b := open(t, report.Input{Passages: view(t, ids, texts, passages.ViewOptions{Passages: 3, Places: 1, Text: 700})}, report.Options{})
	facts := get[string](b, `document.querySelector(".facts-of-passages").innerText`)
	for _, want := range []string{"Listed are the 3 passages", "of their occurrences are left out", "1 document is here with text"} {
		if !strings.Contains(facts, want) {
			t.Errorf("the page says %q, want %q in it", facts, want)
		}
	}
	b.until(`document.querySelector(".places").innerText.includes("not listed here")`)
}

// It fits every screen, light and dark.
func TestPassagesFit(t *testing.T) {
	ids, texts := shared()
	v := view(t, ids, texts, passages.PageView)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{375, 820, 1280} {
			b := open(t, report.Input{Passages: v}, report.Options{}, size(width, 900, false), media("screen", theme))
			b.pickDocument(v, 1)
			get[any](b, `document.querySelector(".document mark.depth3").click()`)
			b.until(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width))
			b.shoot(fmt.Sprintf("passages-%d-%s.png", width, theme), "body > header", "#passages")
		}
	}
}
