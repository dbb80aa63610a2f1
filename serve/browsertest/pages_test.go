package browsertest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/serve"
)

// Sides shows both documents as they are, what only one has is marked, and a judgement is kept.
func TestDataOfDedup(t *testing.T) {
	b := open(t, "#/data?dedup=poems-dedup")
	b.until(`document.querySelector(".side mark")`)
	removals := ask[serve.RemovalsResponse](t, "dedup/poems-dedup/removals?limit=25&cut=8000", nil)
	about := ask[serve.DedupResponse](t, "dedup/poems-dedup", nil)
	facts := get[string](b, `document.querySelector(".facts").innerText`)
	for _, n := range []int{about.Report.Documents, about.Report.Kept, about.Report.Alike} {
		if !strings.Contains(strings.ReplaceAll(facts, ",", ""), fmt.Sprint(n)) {
			t.Errorf("the facts are %q, want %d among them", facts, n)
		}
	}
	if n := get[int](b, `document.querySelectorAll(".list li").length`); n != len(removals.Removals) {
		t.Errorf("%d removals are listed, want %d", n, len(removals.Removals))
	}
	bars := 0
	for _, n := range about.Scores.Alike {
		if n > 0 {
			bars++
		}
	}
	if n := get[int](b, `document.querySelectorAll(".histogram rect").length`); n != bars {
		t.Errorf("%d bars, want %d", n, bars)
	}
	for i := range 3 {
		r := removals.Removals[i]
		get[any](b, fmt.Sprintf(`document.querySelectorAll(".list button")[%d].click()`, i))
		b.until(fmt.Sprintf(`document.querySelector(".why")?.innerText.includes(%s)`, quote(r.KeptID)))
		texts := get[[]string](b, `[...document.querySelectorAll(".side .text")].map((p) => p.textContent)`)
		if len(texts) != 2 || texts[0] != r.Kept.Text || texts[1] != r.Removed.Text {
			t.Errorf("removal %d shows %q, want %q and %q", i, texts, r.Kept.Text, r.Removed.Text)
		}
		// Without what is marked the texts are the same.
		plain := get[[]string](b, `[...document.querySelectorAll(".side .text")].map((p) => { const c = p.cloneNode(true); c.querySelectorAll("mark").forEach((m) => m.remove()); return c.textContent; })`)
		if plain[0] != plain[1] {
			t.Errorf("removal %d: beside the marks stand %q and %q", i, plain[0], plain[1])
		}
	}
	// By the keyboard: the first is alike, the second is not.
	get[any](b, `document.querySelectorAll(".list button")[0].click()`)
	get[any](b, `document.querySelector(".detail").focus()`)
	b.key("y")
	b.until(`document.querySelectorAll(".list li")[0].innerText.includes("✓")`)
	b.until(`document.querySelectorAll(".list button")[1].getAttribute("aria-current") === "true"`)
	b.key("n")
	b.until(`document.querySelectorAll(".list li")[1].innerText.includes("✗")`)
	labels := ask[serve.LabelsResponse](t, "labels/poems-dedup", nil)
	has := func(i int, alike bool) bool {
		r := removals.Removals[i]
		for _, l := range labels.Labels {
			if l.Alike == alike && (l.A == r.KeptID && l.B == r.ID || l.A == r.ID && l.B == r.KeptID) {
				return true
			}
		}
		return false
	}
	if !has(0, true) || !has(1, false) || len(labels.Labels) != 2 {
		t.Errorf("labels are %+v, want the first alike and the second not", labels.Labels)
	}
	// They are there when one comes back.
	again := open(t, "#/data?dedup=poems-dedup")
	again.until(`document.querySelectorAll(".list li")[0]?.innerText.includes("✓") && document.querySelectorAll(".list li")[1].innerText.includes("✗")`)
}

// What documents contain is text, whatever it looks like.
func TestDocumentsAreText(t *testing.T) {
	b := open(t, "#/data?dedup=poems-dedup&q=window.broken")
	b.until(`document.querySelectorAll(".list li").length === 1 && document.querySelectorAll(".side").length === 2`)
	for i, text := range get[[]string](b, `[...document.querySelectorAll(".side .text")].map((p) => p.textContent)`) {
		if !strings.Contains(text, hostile) {
			t.Errorf("side %d shows %q, want %q in it", i, text, hostile)
		}
	}
	get[any](b, `document.querySelectorAll("#look-title ~ .chips button")[1].click()`)
	b.until(`document.querySelector(".detail[aria-label*=luster] .side")`)
	if get[bool](b, `"broken" in window || document.querySelector("main script, main img, main .text b") !== null`) {
		t.Error("a document has become part of the page")
	}
	// The policy would forbid it besides.
	policy := run(b, chromedp.Evaluate[string](`fetch("").then((r) => r.headers.get("content-security-policy"))`, chromedp.EvalAwaitPromise))
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy is %q, want %s in it", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// The pairs of a set, as they are filtered and ordered, are those of the server.
func TestDataSet(t *testing.T) {
	b := open(t, "#/data?set=zh")
	b.until(`document.querySelector(".histogram rect") && document.querySelector(".side")`)
	titles := `[...document.querySelectorAll(".list .piece")].map((p) => p.innerText).join("\n")`
	want := func(query string) string {
		var list []string
		for _, p := range ask[serve.PairsResponse](t, "data/zh/pairs?limit=25&method=simhash"+query, nil).Pairs {
			list = append(list, p.A.ID+" · "+p.B.ID)
		}
		if len(list) == 0 {
			t.Fatalf("no pairs for %s", query)
		}
		return strings.Join(list, "\n")
	}
	b.until(fmt.Sprintf(`%s === %s`, titles, quote(want(""))))
	set := func(n int, value string) {
		get[any](b, fmt.Sprintf(`(() => { const e = document.querySelectorAll(".filterrow select")[%d]; e.value = %s; e.dispatchEvent(new Event("change", { bubbles: true })); })()`, n, quote(value)))
	}
	set(1, "doubt")
	b.until(fmt.Sprintf(`%s === %s`, titles, quote(want("&sort=doubt"))))
	set(0, "unlike")
	b.until(fmt.Sprintf(`%s === %s`, titles, quote(want("&sort=doubt&label=unlike"))))
	// A bar of the histogram lets through only its scores.
	get[any](b, `document.querySelector(".histogram rect.unlike:last-of-type").dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	b.until(`document.querySelectorAll(".filterrow input[type=number]")[0].value !== ""`)
	bounds := get[[]string](b, `[...document.querySelectorAll(".filterrow input[type=number]")].map((e) => e.value)`)
	b.until(fmt.Sprintf(`%s === %s`, titles, quote(want("&sort=doubt&label=unlike&least="+bounds[0]+"&most="+bounds[1]))))
	get[any](b, `[...document.querySelectorAll("#look-title ~ .chips button")].at(-1).click()`)
	b.until(`document.querySelectorAll(".documents li").length === 25`)
}

// The leaderboard has the records, sorted and filtered as one wishes, and the front those that none beats.
func TestResults(t *testing.T) {
	b := open(t, "#/results?file=words.jsonl")
	b.until(`document.querySelectorAll(".board tbody tr").length > 0 && document.querySelector(".plot svg .point")`)
	all := ask[serve.RecordsOf](t, "records/words.jsonl", nil).Records
	var records []serve.RecordItem
	for _, r := range all {
		if r.Dataset == all[0].Dataset && r.Split == all[0].Split {
			records = append(records, r)
		}
	}
	rows := func() [][]string {
		return get[[][]string](b, `[...document.querySelectorAll(".board tbody tr")].map((r) => [...r.cells].map((c) => c.innerText))`)
	}
	if got := rows(); len(got) != len(records) {
		t.Fatalf("%d rows, want %d", len(got), len(records))
	}
	for _, r := range records {
		found := false
		for _, row := range rows() {
			if strings.Fields(row[0])[0] != r.Method {
				continue
			}
			found = true
			line := strings.Join(row, " ")
			for what, v := range map[string]float64{"F1": float64(r.F1), "precision": float64(r.Precision), "recall": float64(r.Recall), "AP": float64(r.AP), "low": float64(r.F1Low)} {
				if want := fmt.Sprintf("%.3f", v); !strings.Contains(line, want) {
					t.Errorf("the row of %s is %q, want %s %s in it", r.Method, line, what, want)
				}
			}
			if strings.Contains(row[0], "◆") != r.Front {
				t.Errorf("%s is on the front: %v, want %v", r.Method, !r.Front, r.Front)
			}
		}
		if !found {
			t.Errorf("no row of %s", r.Method)
		}
	}
	// Sorted by precision, up and down.
	for _, ascending := range []bool{false, true} {
		get[any](b, `document.querySelectorAll(".board thead button")[2].click()`)
		want := map[bool]string{false: "descending", true: "ascending"}[ascending]
		b.until(fmt.Sprintf(`document.querySelectorAll(".board thead th")[2].getAttribute("aria-sort") === %q`, want))
		last := math.Inf(map[bool]int{false: 1, true: -1}[ascending])
		for _, row := range rows() {
			var v float64
			fmt.Sscan(row[2], &v)
			if ascending && v < last || !ascending && v > last {
				t.Errorf("sorted %s, %v stands behind %v", want, v, last)
			}
			last = v
		}
	}
	if n := get[int](b, `document.querySelectorAll(".plot .point path").length`); n != len(records) {
		t.Errorf("%d points, want %d", n, len(records))
	}
	onFront := 0
	for i, r := range records {
		beaten := false
		for k, o := range records {
			beaten = beaten || k != i && o.BytesPerDoc <= r.BytesPerDoc && o.F1 >= r.F1 && (o.BytesPerDoc < r.BytesPerDoc || o.F1 > r.F1)
		}
		if !beaten {
			onFront++
		}
	}
	if n := get[int](b, `[...document.querySelectorAll(".legend li")].filter((l) => l.innerText.includes("◆")).length`); n != onFront {
		t.Errorf("%d on the front by F1 and bytes, want %d", n, onFront)
	}
	get[any](b, `document.querySelector("#board").focus?.()`)
	b.fill(`input[type=search]`, "hash min")
	b.until(`document.querySelectorAll(".board tbody tr").length === 1 && document.querySelector(".board tbody th").innerText.startsWith("minhash")`)
	b.fill(`input[type=search]`, "")
	// Methods with each other.
	get[any](b, `(() => { const e = document.querySelector("#difference ~ .row select"); e.value = "words.jsonl"; e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	differences := ask[serve.DiffResponse](t, "records/words.jsonl/diff", nil).Differences
	want := 0
	for _, d := range differences {
		if (d.State == eval.Better || d.State == eval.Worse) && d.Dataset == all[0].Dataset && d.Split == all[0].Split {
			want++
		}
	}
	b.until(fmt.Sprintf(`document.querySelectorAll("#difference ~ .wide tbody tr").length === %d`, want))
}

// The plan is the server's, and changes as sliders are moved.
func TestPlan(t *testing.T) {
	b := open(t, "#/plan")
	check := func(query string) serve.PlanResponse {
		t.Helper()
		p := ask[serve.PlanResponse](t, "plan?"+query, nil)
		var want []string
		for _, d := range p.Designs {
			name := d.Design
			if d.Taken {
				name += " ★"
			}
			want = append(want, name)
		}
		b.until(fmt.Sprintf(`[...document.querySelectorAll(".halves tbody th")].map((h) => h.innerText.trim()).join("\n") === %s && !document.querySelector("[aria-busy=true]")`, quote(strings.Join(want, "\n"))))
		return p
	}
	p := check("docs=10000000&distance=3")
	if p.Distance != 3 || p.Bits != 64 {
		t.Fatalf("asked for 3 of 64 bits, got %d of %d", p.Distance, p.Bits)
	}
	// The curve that the page computes goes through the points that the server does.
	b.until(`document.querySelectorAll(".plot svg .dots circle").length >= 10`)
	curve := get[[]float64](b, `(() => {
	  const svg = document.querySelector(".plot svg");
	  const [path] = svg.querySelectorAll(".series path"), dots = [...svg.querySelectorAll(".dots circle")];
	  const n = path.getTotalLength(), points = Array.from({ length: 4001 }, (_, i) => path.getPointAtLength((n * i) / 4000));
	  return dots.map((d) => Math.min(...points.map((p) => Math.hypot(p.x - d.cx.baseVal.value, p.y - d.cy.baseVal.value))));
	})()`)
	if len(curve) < 10 {
		t.Errorf("%d points of the server are drawn, want at least 10", len(curve))
	}
	for i, far := range curve {
		if far > 1 {
			t.Errorf("point %d lies %.1f pixels from the curve", i, far)
		}
	}
	move := func(id string, to string) {
		get[any](b, fmt.Sprintf(`(() => { const e = document.querySelector(%q); e.value = %q; e.dispatchEvent(new Event("input", { bubbles: true })); })()`, "#"+id, to))
	}
	move("k", "5")
	move("docs", "9")
	check("docs=1000000000&distance=5")
	move("memory", "33")
	check("docs=1000000000&distance=5&memory=8589934592")
	b.until(`location.hash.includes("k=5") && location.hash.includes("memory=33")`)
	// Another design than the one that is taken, by its name and by its blocks.
	get[any](b, `[...document.querySelectorAll(".halves tbody th button")].find((e) => e.innerText === "blocks:7").click()`)
	b.until(`document.querySelector(".facts dd").innerText === "blocks:7" && document.querySelectorAll(".facts dd")[1].innerText === document.querySelector("tr.chosen").cells[3].innerText`)
	blocks := get[int](b, `+document.querySelector("#blocks").max`)
	move("blocks", fmt.Sprint(blocks))
	b.until(`(() => { const n = + document.querySelector('output[for="blocks"]').innerText; return n > 1 && document.querySelectorAll(".halves tbody th button").length > 0 && [...document.querySelectorAll(".halves tbody th button")].every((e) => e.innerText.includes(":" + n)); })()`)
	move("blocks", "0")
	check("docs=1000000000&distance=5&memory=8589934592")

	// Backends are asked for when one wants them.
	response, err := http.Get(b.url + "v1/plan/backends?docs=1000000000&distance=5")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	b.expect(http.StatusUnprocessableEntity) // of a backend that has not been measured
	get[any](b, `document.querySelector(".backends summary").click()`)
	if response.StatusCode != http.StatusOK {
		b.until(`document.querySelector(".backends [role=alert]")`)
	} else {
		var backends serve.BackendsResponse
		if err := json.NewDecoder(response.Body).Decode(&backends); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range backends.Backends {
			names = append(names, r.Backend)
		}
		b.until(fmt.Sprintf(`[...document.querySelectorAll(".backends tbody th")].map((h) => h.innerText).join() === %s`, quote(strings.Join(names, ","))))
	}
	// What is moved is found again by its address.
	again := open(t, get[string](b, `location.hash`))
	again.until(`document.querySelector("#k").value === "5" && document.querySelector("#memory").value === "33"`)

	move("bands", "14")
	move("rows", "8")
	b.until(`document.querySelector("#bands-title ~ .halves figcaption").innerText.includes("14 bands of 8 rows")`)
	bands := ask[serve.BandsResponse](t, "plan/bands?bands=14&rows=8", nil)
	shown := get[[]string](b, `[...document.querySelectorAll("#bands-title ~ .halves .facts dd")].map((d) => d.innerText)`)
	for i, at := range []int{50, 70, 80, 90} {
		var v float64
		fmt.Sscan(shown[2+i], &v)
		if want := bands.Curve[at].Found; math.Abs(v-want) > .005*want {
			t.Errorf("found at %v is shown as %s, want %v", bands.Curve[at].Score, shown[2+i], want)
		}
	}
}
