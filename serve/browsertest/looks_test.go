package browsertest

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/alike-go/alike/serve"
)

// axe looks for what keeps people from using a page (Deque, WCAG 2.2).
//
//go:embed axe.min.js
var axe string

// look is a page, with what tells that it is drawn.
type look struct{ name, fragment, drawn string }

// whole are all pages, but for the one of a search.
var whole = []look{
	{"compare", "#/compare", `CSS.highlights.size > 2 && document.querySelector(".pieces li")`},
	{"simhash", "#/compare?z=" + shared("simhash"), `CSS.highlights.size > 2 && document.querySelector(".bitgrid")`},
	{"bloom", "#/compare?z=" + shared("bloom"), `CSS.highlights.size > 2 && document.querySelector(".filter")`},
	{"dedup", "#/data?dedup=poems-dedup", `document.querySelector(".side mark") && document.querySelector(".histogram rect")`},
	{"clusters", "#/data?dedup=poems-dedup&view=clusters", `document.querySelector(".side mark") && document.querySelector(".histogram rect")`},
	{"pairs", "#/data?set=zh", `document.querySelector(".side mark") && document.querySelector(".histogram rect")`},
	{"documents", "#/data?set=en&view=documents", `document.querySelector(".documents li") && document.querySelector(".histogram rect")`},
	{"passages", "#/passages", `document.querySelector(".document mark") && document.querySelector(".places article")`},
	{"passages of data", "#/passages?set=zh&length=20", `document.querySelector(".document mark") && document.querySelector(".places article")`},
	{"results", "#/results?file=words.jsonl&with=words.jsonl", `document.querySelector(".plot svg .point") && document.querySelectorAll("table").length === 2`},
	{"plan", "#/plan", `document.querySelectorAll(".plot svg").length === 2 && document.querySelector("tr.chosen")`},
}

// shared is a comparison that shows the evidence of a method, as an address has it.
func shared(method string) string {
	return packed(map[string]any{"a": "one fish two fish red fish blue fish", "b": "one fish two fish black fish old fish", "s": method})
}

// packed is a comparison as the pages put it into an address.
func packed(comparison map[string]any) string {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is one
	json.NewEncoder(w).Encode(comparison)              // texts do not fail, and neither does a buffer
	w.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// Every page, light and dark, wide and on a phone, in English and in Chinese: nothing runs out of
// the window, nothing is in the other language, and axe finds nothing serious.
func TestEveryPageInEveryLook(t *testing.T) {
	for _, p := range append(slices.Clip(whole), look{"choose", "#/choose?job=" + searched(t), `document.querySelector(".choices tbody tr") && document.querySelector(".plot svg")`}) {
		t.Run(p.name, func(t *testing.T) {
			b := open(t, p.fragment, size(1280, 900, false), theme("light"))
			b.until(p.drawn)
			get[any](b, axe+"\n;0")
			for k, look := range []struct {
				theme    string
				width    int64
				phone    bool
				language string
			}{{"light", 1280, false, "en"}, {"dark", 390, true, "zh"}, {"dark", 900, false, "zh"}, {"light", 320, true, "en"}} {
				b.do(size(look.width, 900, look.phone), theme(look.theme))
				get[any](b, fmt.Sprintf(`document.querySelector('.switches button[lang=%s]').click()`, look.language))
				b.until(fmt.Sprintf(`document.documentElement.lang === %q && document.documentElement.clientWidth === %d && matchMedia("(prefers-color-scheme: %s)").matches && (%s)`, look.language, look.width, look.theme, p.drawn))
				// Charts are drawn anew once they have seen their width.
				if err := b.comes(`Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) <= document.documentElement.clientWidth`); err != nil {
					wide := get[[]string](b, `[...document.querySelectorAll("main *, header *, footer *")].filter((e) => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".wide, .chips, svg, .sheet")).slice(0, 5).map((e) => e.tagName + "." + e.className)`)
					t.Fatalf("%+v: wider than the window are %v", look, wide)
				}
				if k >= 2 { // axe looks at both themes, both widths and both languages, once each
					continue
				}
				said := run(b, chromedp.Evaluate[[]string](`axe.run(document, { resultTypes: ["violations"], preload: false }).then((r) => r.violations
				  .filter((v) => ["serious", "critical"].includes(v.impact))
				  .map((v) => v.id + " (" + v.impact + "): " + v.help + ": " + v.nodes.slice(0, 4).map((n) => n.html.slice(0, 160) + " " + n.any.map((a) => a.message).join("; ")).join(" | ")))`, chromedp.EvalAwaitPromise))
				for _, s := range said {
					t.Errorf("%+v: %s", look, s)
				}
				if look.language == "zh" { // nothing but names is in English
					english := get[[]string](b, `[...document.querySelectorAll("main label, main h1, main h2, main h3, main button.main, nav a, .facts dt")].map((e) => (e.firstChild?.nodeType === 3 ? e.firstChild.data : "").trim()).filter((s) => /[a-z]{4}/i.test(s) && !/[\u4e00-\u9fff]/.test(s) && !/simhash|minhash|fineweb|poems|alike|spearman/i.test(s))`)
					if p.name == "documents" || p.name == "pairs" || p.name == "clusters" || p.name == "dedup" {
						english = only(english, func(s string) bool { return s != "en" && s != "zh" })
					}
					if len(english) > 0 {
						t.Errorf("%+v: in English stands %q", look, english)
					}
				}
			}
		})
	}
}

func only(list []string, keep func(string) bool) (out []string) {
	for _, s := range list {
		if keep(s) {
			out = append(out, s)
		}
	}
	return out
}

// Language and theme are kept, and the theme that one chooses goes before that of the system.
func TestSwitches(t *testing.T) {
	b := open(t, "#/plan", theme("light"))
	ground := `getComputedStyle(document.body).backgroundColor`
	light := get[string](b, ground)
	get[any](b, `document.querySelectorAll(".switch")[1].querySelectorAll("button")[2].click()`)
	b.until(ground + " !== " + quote(light))
	get[any](b, `document.querySelector('.switches button[lang=zh]').click()`)
	b.until(`document.querySelector("h1").innerText === "规划" && document.title.includes("规划")`)
	get[any](b, `location.hash = "#/compare"`)
	b.do(chromedp.Reload())
	b.until(`document.querySelector("h1").innerText === "比较" && document.documentElement.lang === "zh"`)
	if got := get[string](b, ground); got == light {
		t.Errorf("the ground is %s again, want the dark one that was chosen", got)
	}
	dark := open(t, "#/compare", theme("dark"))
	if got := get[string](dark, ground); got == light {
		t.Errorf("the ground is %s where the system is dark", got)
	}
}

// All that can be pressed or filled in is reached by the keyboard, and one sees where one is.
func TestKeyboardReachesAll(t *testing.T) {
	for _, p := range append(slices.Clip(whole), look{"choose", "#/choose?job=" + searched(t), `document.querySelector(".choices tbody tr")`}) {
		if slices.Contains([]string{"simhash", "bloom", "clusters", "pairs", "passages of data"}, p.name) {
			continue // made of what the others are made of
		}
		t.Run(p.name, func(t *testing.T) {
			b := open(t, p.fragment, size(1280, 900, false))
			b.until(p.drawn)
			const all = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter((e) => !e.disabled && e.checkVisibility())`
			get[any](b, `window.reached = new Set()`)
			unseen := map[string]bool{}
			for range get[int](b, all+`.length`) + 5 {
				b.key("Tab")
				state := get[string](b, `(() => {
				  const e = document.activeElement;
				  if (e === document.body) return "end";
				  reached.add(e);
				  const s = getComputedStyle(e), sheet = e.closest(".sheet");
				  const seen = (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2) || (sheet && getComputedStyle(sheet).boxShadow !== "none");
				  return seen ? "" : e.outerHTML.slice(0, 120);
				})()`)
				if state == "end" {
					break
				}
				if state != "" {
					unseen[state] = true
				}
			}
			for e := range unseen {
				t.Errorf("one cannot see that the focus is on %s", e)
			}
			if missed := get[[]string](b, all+`.filter((e) => !reached.has(e)).map((e) => e.outerHTML.slice(0, 120))`); len(missed) > 0 {
				t.Errorf("the keyboard does not reach %q", missed)
			}
		})
	}
}

// One can type, choose a method and go to another page by the keyboard alone.
func TestKeyboardOnly(t *testing.T) {
	b := open(t, "#/compare", size(1280, 900, false))
	b.until(`document.querySelectorAll(".scores tbody tr").length === 7`)
	// From the top: past the links into the text, and on to a method.
	get[any](b, `document.querySelector(".skip").focus()`)
	b.key("Enter")
	b.until(`document.activeElement.id === "main"`)
	get[any](b, `document.querySelector("#text-a").focus()`)
	get[any](b, `document.activeElement.select()`)
	b.write("typed by the keyboard alone")
	b.key("Tab")
	get[any](b, `document.activeElement.select()`)
	b.write("typed by a keyboard alone")
	b.until(`document.querySelector("#text-b").value === "typed by a keyboard alone"`)
	for range 100 { // more than there is to stop at
		if get[bool](b, `document.activeElement.closest("tr")?.dataset.method === "simhash"`) {
			break
		}
		b.key("Tab")
	}
	b.key("Enter")
	b.until(`document.querySelector("#evidence code")?.innerText === "simhash"`)
	// To another page, where the focus goes with one.
	get[any](b, `document.querySelector('nav a[href="#/plan"]').focus()`)
	b.key("Enter")
	b.until(`document.querySelector("h1").innerText === "Plan" && document.activeElement.id === "main"`)
	get[any](b, `document.querySelector("#k")?.focus()`)
	b.until(`document.querySelector("#k") && (document.querySelector("#k").focus(), document.activeElement.id === "k")`)
}

// What the first page takes to load, and what all of them take together.
func TestFirstLoad(t *testing.T) {
	const budget = 300 * 1024
	b := open(t, "", command(network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}))
	b.until(`document.querySelectorAll(".scores tbody tr").length === 7`)
	drawn := get[float64](b, `performance.now()`)
	usable := get[float64](b, `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`)
	received := func() float64 {
		return get[float64](b, `["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).reduce((sum, e) => sum + e.transferSize, 0)`)
	}
	first := received()
	for _, p := range []struct{ page, drawn string }{
		{"data", `document.querySelector(".side mark")`}, {"choose", `document.querySelector(".sample")`}, {"results", `document.querySelector(".plot svg")`}, {"plan", `document.querySelectorAll(".plot svg").length === 2`},
	} {
		get[any](b, fmt.Sprintf(`location.hash = "#/%s"`, p.page))
		b.until(p.drawn)
	}
	var parts float64
	for _, r := range get[[]string](b, `performance.getEntriesByType("resource").filter((e) => /\.(js|css|svg)$/.test(e.name)).map((e) => e.name + " " + e.encodedBodySize)`) {
		var name string
		var bytes float64
		fmt.Sscan(r, &name, &bytes)
		parts += bytes
	}
	painted := get[float64](b, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`) // 0 where nothing was painted
	t.Logf("first page: %.1f kB as sent, with what it asks of the API; first paint after %.0f ms, scripts run after %.0f ms, scores of seven methods seen after at most %.0f ms", first/1000, painted, usable, drawn)
	t.Logf("all pages: %.1f kB of scripts, styles and pictures as sent; %.1f kB with what they ask of the API", parts/1000, received()/1000)
	if first > budget || parts > budget {
		t.Errorf("the first page takes %.0f bytes and all scripts and styles %.0f, want at most %d", first, parts, budget)
	}
	if first < 5000 || parts < first/10 {
		t.Errorf("%.0f and %.0f bytes are too few to be true", first, parts)
	}
	for _, encoding := range get[[]string](b, `performance.getEntriesByType("resource").filter((e) => /\.(js|css)$/.test(e.name) && e.encodedBodySize >= e.decodedBodySize).map((e) => e.name)`) {
		if !strings.HasSuffix(encoding, ".css") {
			t.Errorf("%s is not compressed", encoding)
		}
	}
}

// A server that goes away is told, and what was there stays.
func TestFailureIsTold(t *testing.T) {
	b := open(t, "#/compare")
	b.until(`document.querySelectorAll(".scores tbody tr").length === 7`)
	get[any](b, `window.real = window.fetch; window.fetch = () => Promise.reject(new TypeError("Failed to fetch")); 0`)
	b.fill("#text-a", "nobody hears this")
	b.until(`document.querySelector("[role=alert]")?.innerText.includes("does not answer")`)
	get[any](b, `window.fetch = window.real; 0`)
	b.fill("#text-a", "somebody hears this")
	b.until(`!document.querySelector("[role=alert]")`)
	for status, want := range map[int]string{413: "longer", 429: "Too many", 504: "longer than this server allows"} {
		get[any](b, fmt.Sprintf(`window.fetch = async () => new Response(JSON.stringify({ status: %d, detail: "so it is" }), { status: %d }); 0`, status, status))
		b.fill("#text-a", fmt.Sprintf("text for %d", status))
		b.until(fmt.Sprintf(`document.querySelector("[role=alert]")?.innerText.includes(%q) && document.querySelector("[role=alert]").innerText.includes("so it is")`, want))
	}
	get[any](b, `window.fetch = window.real; 0`)
}

// A server with a token asks for it, and remembers it while the tab is open.
func TestToken(t *testing.T) {
	chromium(t)
	url := another(t, serve.Options{Token: "open sesame"})
	b := openAt(t, url, "#/compare", http.StatusUnauthorized)
	b.until(`document.querySelector("dialog[open] input") === document.activeElement`)
	b.write("open sesame")
	b.key("Enter")
	b.until(`document.querySelectorAll(".scores tbody tr").length === 7 && !document.querySelector("dialog")`)
	get[any](b, `document.querySelector('nav a[href="#/data"]').click()`)
	b.until(`document.querySelector(".facts")`)
}

// Without data and records the pages say how to get some.
func TestNothingToShow(t *testing.T) {
	chromium(t)
	url := another(t, serve.Options{Data: []string{}})
	b := openAt(t, url, "#/data", 0)
	b.until(`document.querySelector("main").innerText.includes("--data")`)
	get[any](b, `location.hash = "#/results"`)
	b.until(`document.querySelector("main").innerText.includes("--records")`)
}
