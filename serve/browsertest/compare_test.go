package browsertest

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/alike-go/alike/serve"
)

// painted is what stands marked in both texts, each passage in the first with the look that it has in the second.
const painted = `(() => {
  const sheets = [...document.querySelectorAll(".under")].map((u) => u.firstChild);
  const out = [[], []];
  for (const [look, ranges] of CSS.highlights) {
    for (const r of ranges) out[sheets.indexOf(r.startContainer)].push([r.startOffset, r.endOffset, look]);
  }
  return out.map((list) => list.sort((x, y) => x[0] - y[0]));
})()`

type paint [3]any

func (p paint) span() (from, to int) { return int(p[0].(float64)), int(p[1].(float64)) }

// compare makes both texts what they are to be, and waits until the scores are theirs.
func (b *tab) compare(x, y string) serve.CompareResponse {
	b.t.Helper()
	b.fill("#text-a", x)
	b.fill("#text-b", y)
	want := ask[serve.CompareResponse](b.t, "compare", serve.CompareRequest{A: x, B: y})
	var shown []string
	for _, m := range want.Methods {
		shown = append(shown, shownScore(m.Score))
	}
	b.until(fmt.Sprintf(`[...document.querySelectorAll(".scores .value")].map((v) => v.innerText).join() === %s`, quote(strings.Join(shown, ","))))
	return want
}

// shownScore is a score as the page prints it, by its own account.
func shownScore(v float64) string {
	switch v {
	case 0, 1:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%.4f", min(.9999, max(.0001, v)))
}

// choose shows the evidence of a method and waits until it stands there.
func (b *tab) choose(method string) {
	b.t.Helper()
	b.press(fmt.Sprintf(`tr[data-method=%s] th button`, quote(method)))
	b.until(fmt.Sprintf(`document.querySelector("#evidence code")?.innerText === %s`, quote(method)))
}

// While one types the scores are those of the server, and what is marked is its evidence.
func TestCompareAsOneTypes(t *testing.T) {
	b := open(t, "#/compare")
	texts := [][2]string{
		{"the cat sat on the mat and the dog lay down beside it", "the cat sat on a mat, and the dog lay there"},
		{"床前看月光，疑是地上霜。举头望山月，低头思故乡。", "床前明月光，疑是地上霜。举头望明月，低头思故乡。😀"},
		{hostile + " one word of many", hostile + " one word of few"},
		{"nothing in common", "wholly other words"},
	}
	for _, pair := range texts {
		got := b.compare(pair[0], pair[1])
		for _, m := range got.Methods {
			b.choose(m.Method)
			asked := ask[serve.CompareResponse](t, "compare", serve.CompareRequest{A: pair[0], B: pair[1], Methods: []string{m.Method}, Explain: true, Most: 2000})
			evidence := asked.Methods[0].Explanation
			var a, z [][2]int
			for _, e := range evidence.Evidence {
				a, z = append(a, e.A16...), append(z, e.B16...)
			}
			marked := func(side int) []bool {
				over := make([]bool, len(utf16.Encode([]rune(pair[side]))))
				for _, p := range get[[2][]paint](b, painted)[side] {
					from, to := p.span()
					for i := from; i < to; i++ {
						over[i] = true
					}
				}
				return over
			}
			// The first text is marked wherever there is evidence, so this waits until it is.
			b.until(fmt.Sprintf(`%s[0].length > 0 === %v`, painted, len(a) > 0))
			for side, spans := range [][][2]int{a, z} {
				units := utf16.Encode([]rune(pair[side]))
				want := make([]bool, len(units))
				for _, s := range spans {
					for i := s[0]; i < s[1]; i++ {
						want[i] = true
					}
				}
				for i, is := range marked(side) {
					r := rune(units[i])
					switch {
					case want[i] && !is && side == 0:
						t.Errorf("%s: %q: unit %d has evidence and is not marked", m.Method, pair[side], i)
					case is && !want[i] && (unicode.IsLetter(r) || unicode.IsDigit(r)):
						t.Errorf("%s: %q: unit %d is marked without evidence", m.Method, pair[side], i)
					}
				}
			}
		}
	}
	if get[bool](b, `"broken" in window || document.querySelector("main b[onerror], main img[src=x], main script") !== null`) {
		t.Error("a text has become part of the page")
	}
}

// A passage has the same look in both texts, which differs from those of its neighbours.
func TestColoursMatch(t *testing.T) {
	b := open(t, "#/compare")
	b.compare("first some words, and then the others", "then the others and some words")
	b.choose("shingle")
	b.until(painted + `[0].length > 1`)
	looks := func(side int, text string) map[string]string {
		units := utf16.Encode([]rune(text))
		out := map[string]string{}
		for _, p := range get[[2][]paint](b, painted)[side] {
			from, to := p.span()
			out[string(utf16.Decode(units[from:to]))] = p[2].(string)
		}
		return out
	}
	a, z := looks(0, "first some words, and then the others"), looks(1, "then the others and some words")
	for _, passage := range []string{"some words", "then the others"} {
		if a[passage] == "" || a[passage] != z[passage] {
			t.Errorf("%q looks %q in the first text and %q in the second; these have %v and %v", passage, a[passage], z[passage], a, z)
		}
	}
	if a["some words"] == a["then the others"] {
		t.Errorf("two passages both look %q", a["some words"])
	}
	// Pointing at evidence leaves only its passage marked, by the keyboard and by the mouse.
	const one, all = `CSS.highlights.size === 1 && CSS.highlights.has("lit")`, `CSS.highlights.size > 1 && !CSS.highlights.has("lit")`
	place := get[[2]float64](b, `(() => {
	  const e = document.querySelector(".pieces li:last-child button");
	  e.scrollIntoView({ block: "center", behavior: "instant" });
	  const r = e.getBoundingClientRect();
	  return [r.left + r.width / 2, r.top + r.height / 2];
	})()`)
	get[any](b, `document.querySelector(".pieces button").focus({ preventScroll: true })`)
	b.until(one)
	const marks = `JSON.stringify(` + painted + `)`
	focused := quote(get[string](b, marks))
	b.mouse("mouseMoved", place)
	b.until(one + ` && ` + marks + ` !== ` + focused)
	b.leave()
	b.until(one + ` && ` + marks + ` === ` + focused)
	get[any](b, `document.activeElement.blur()`)
	b.until(all)
	// A piece that goes while one points at it leaves nothing behind.
	b.mouse("mouseMoved", place)
	b.until(one)
	get[any](b, `document.querySelector('tr[data-method="winnow"] th button').click()`)
	b.until(`document.querySelector("#evidence code").innerText === "winnow" && !CSS.highlights.has("lit")`)
	b.leave()
	b.choose("shingle")
	b.until(all)
}

// What is painted below the editor lies where the editor has its text: both break lines alike.
func TestPaintLiesUnderTheText(t *testing.T) {
	b := open(t, "#/compare")
	b.until(`CSS.highlights.size > 2`)
	for _, width := range []int64{1280, 1111, 987, 800, 640, 500, 390} {
		b.do(size(width, 900, false))
		b.until(fmt.Sprintf(`document.documentElement.clientWidth === %d`, width))
		for _, example := range []int{0, 2} {
			get[any](b, fmt.Sprintf(`document.querySelectorAll(".chips button")[%d].click()`, example))
			b.until(fmt.Sprintf(`document.querySelectorAll(".chips button")[%d].getAttribute("aria-pressed") === "true"`, example))
			// Beside the text as a whole it is measured with each of its first words alone, as lines may be
			// as many and break elsewhere.
			if bad := get[string](b, `(() => {
			  for (const sheet of document.querySelectorAll(".sheet")) {
			    const [under, area] = sheet.children;
			    const copy = area.cloneNode(); copy.id = "copy"; copy.setAttribute("aria-label", "copy"); copy.style.height = "1px"; copy.style.gridArea = "2 / 1";
			    sheet.append(copy);
			    const range = document.createRange(); range.selectNodeContents(under);
			    let said = "";
			    const words = [...area.value.matchAll(/\S+\s*/g)];
			    for (let i = 0; i < words.length && !said; i += 7) {
			      const end = words[i].index + words[i][0].trimEnd().length;
			      copy.value = area.value.slice(0, end);
			      range.setEnd(under.firstChild, end);
			      const lines = Math.round((range.getBoundingClientRect().height) / parseFloat(getComputedStyle(under).lineHeight) + .2);
			      const want = Math.round((copy.scrollHeight - 2 * parseFloat(getComputedStyle(copy).paddingTop)) / parseFloat(getComputedStyle(copy).lineHeight));
			      if (Math.abs(lines - want) > 0) said = area.id + " has " + want + " lines before character " + end + ", below it are " + lines;
			    }
			    copy.remove();
			    if (said) return said;
			  }
			  return "";
			})()`); bad != "" {
				t.Errorf("%d wide, example %d: %s", width, example, bad)
			}
		}
	}
}

// The grids have the bits that the server says.
func TestBits(t *testing.T) {
	b := open(t, "#/compare")
	x, y := "one fish two fish red fish blue fish", "one fish two fish black fish old fish"
	b.compare(x, y)
	asked := ask[serve.CompareResponse](t, "compare", serve.CompareRequest{A: x, B: y, Methods: []string{"simhash", "bloom"}, Sketches: true})
	f, filter := asked.Methods[0].Fingerprint, asked.Methods[1].Filter
	b.choose("simhash")
	b.until(`document.querySelector(".bitgrid")`)
	cells := get[[]string](b, `[...document.querySelectorAll(".bitgrid span")].map((s) => s.className === "apart" ? "apart" : s.innerText)`)
	if len(cells) != f.BitsA {
		t.Fatalf("%d cells, want %d", len(cells), f.BitsA)
	}
	for i, cell := range cells {
		bit := f.BitsA - 1 - i
		p, q := f.A[bit/8]>>(bit%8)&1, f.B[bit/8]>>(bit%8)&1
		want := fmt.Sprint(p)
		if p != q {
			want = "apart"
		}
		if cell != want {
			t.Errorf("bit %d is shown as %q, want %q", bit, cell, want)
		}
	}
	b.choose("bloom")
	b.until(`document.querySelector(".filter svg")`)
	count := func(class string) int {
		return get[int](b, fmt.Sprintf(`(document.querySelector(".filter path.%s").getAttribute("d").match(/M/g) ?? []).length`, class))
	}
	if both, first, second := count("both"), count("first"), count("second"); both != filter.Both || both+first != filter.OnesA || both+second != filter.OnesB {
		t.Errorf("%d bits in both, %d and %d in one, want %d in both of %d and %d", both, first, second, filter.Both, filter.OnesA, filter.OnesB)
	}
}

// An address that one shares brings another to the same texts, features and method.
func TestShare(t *testing.T) {
	b := open(t, "#/compare")
	x, y := "shared 床前明月光 text\nof two lines "+hostile, "shared text 疑是地上霜"
	b.compare(x, y)
	const features = "tokens=rune,width=2"
	b.fill(`input[list="features"]`, features)
	var shown []string
	for _, m := range ask[serve.CompareResponse](t, "compare", serve.CompareRequest{A: x, B: y, Features: features}).Methods {
		shown = append(shown, shownScore(m.Score))
	}
	scores := fmt.Sprintf(`[...document.querySelectorAll(".scores .value")].map((v) => v.innerText).join() === %s`, quote(strings.Join(shown, ",")))
	b.until(scores)
	b.choose("winnow")
	// What it says of sharing goes after a while.
	get[any](b, `window.said = "", new MutationObserver(([m]) => { window.said ||= m.target.textContent; }).observe(document.querySelector(".tools [role=status]"), { childList: true, characterData: true, subtree: true })`)
	// Sharing writes the whole address.
	get[any](b, `[...document.querySelectorAll("button.main")].at(-1).click()`)
	b.until(`window.said`)
	fragment := get[string](b, `location.hash`)
	again := open(t, fragment)
	again.until(fmt.Sprintf(`document.querySelector("#text-a").value === %s && document.querySelector("#text-b").value === %s`, quote(x), quote(y)))
	again.until(scores + ` && document.querySelector("#evidence code").innerText === "winnow"`)
	for _, r := range append(b.asked(), again.asked()...) {
		if strings.Contains(r, "z=") {
			// The fragment is part of what the browser calls the document's address, and is not sent.
			if !strings.Contains(r, "#") {
				t.Errorf("the texts were sent in an address: %s", r)
			}
		}
	}
	bad := open(t, "#/compare?z=nothing")
	bad.until(`document.querySelector("[role=alert]")`)
}

// Methods and features are chosen, and what makes no sense is told.
func TestSettings(t *testing.T) {
	b := open(t, "#/compare")
	b.compare("a few words to compare", "a few other words to compare")
	b.press(".tools summary")
	b.until(`document.querySelectorAll(".methods input[type=checkbox]").length > 7`)
	b.fill(`.methods form input`, "simhash:bits=128")
	b.press(`.methods form button[type=submit]`)
	b.until(`document.querySelector('tr[data-method="simhash:bits=128"]')`)
	want := ask[serve.CompareResponse](t, "compare", serve.CompareRequest{A: "a few words to compare", B: "a few other words to compare", Methods: []string{"simhash:bits=128"}})
	got := get[string](b, `document.querySelector('tr[data-method="simhash:bits=128"] .value').innerText`)
	if got != shownScore(want.Methods[0].Score) || math.IsNaN(want.Methods[0].Score) {
		t.Errorf("simhash:bits=128 is shown as %s, want %s", got, shownScore(want.Methods[0].Score))
	}
	b.expect(422) // the page tells what the server says of it, and so does the console
	b.fill(`input[list="features"]`, "width=nonsense")
	b.until(`document.querySelector("[role=alert]")?.innerText.includes("width")`)
	b.fill(`input[list="features"]`, "")
	b.until(`!document.querySelector("[role=alert]")`)
}
