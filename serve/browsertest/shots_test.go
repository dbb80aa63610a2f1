package browsertest

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// Screenshots are taken with -run Screenshots -screenshots DIR.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no -screenshots DIR")
	}
	wide := func(height int64) []action { return []action{size(1280, height, false), theme("light")} }
	phone := func(height int64) []action { // at two pixels for one, so that the picture stays small
		return []action{command(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 390, Height: height, DeviceScaleFactor: 2, Mobile: true}), theme("light")}
	}
	choose := func(method string) string {
		return `document.querySelector('tr[data-method^="` + method + `"] button').click()`
	}
	chinese := `document.querySelector('button[lang="zh"]').click()`
	const painted = `CSS.highlights.size > 2 && document.querySelector(".pieces li")`
	shots := []struct {
		name, fragment, ready string
		do                    []string
		then                  string
		before                []action
	}{
		{"compare.png", "#/compare", painted, nil, "true", wide(1500)},
		{"evidence.png", "#/compare", painted, []string{choose("simhash")}, `document.querySelector(".bitgrid") && (document.querySelector("#evidence").closest("section").scrollIntoView(), true)`, wide(900)},
		{"bloom.png", "#/compare", painted, []string{choose("bloom")}, `document.querySelector(".filter") && (document.querySelector("#evidence").closest("section").scrollIntoView(), true)`, wide(1100)},
		{"dark.png", "#/compare", painted, []string{choose("winnow")}, `document.querySelector("#evidence code").innerText.startsWith("winnow") && document.querySelector(".ribbons")`, []action{size(1280, 1500, false), theme("dark")}},
		{"chinese.png", "#/compare", painted, []string{chinese, `document.querySelectorAll(".chips button")[2].click()`}, `document.querySelector("#text-a").value.startsWith("道") && CSS.highlights.size > 2 && !document.querySelector("[aria-busy=true]")`, wide(1250)},
		{"phone.png", "#/compare", painted, nil, "true", phone(844)},
		{"data.png", "#/data", `document.querySelector(".side mark")`, nil, "true", wide(1300)},
		{"passages.png", "#/passages?set=en&length=40", `document.querySelector(".document mark")`, nil, "true", wide(1700)},
		{"phone-passages.png", "#/passages", `document.querySelector(".document mark")`, []string{chinese}, `document.querySelector(".facts-of-passages").innerText.includes("片段")`, phone(2600)},
		{"choose.png", "#/choose?job=" + searched(t), `document.querySelector(".choices tbody tr") && document.querySelector(".plot svg")`, nil, "true", wide(1550)},
		{"results.png", "#/results", `document.querySelector(".plot svg")`, nil, "true", wide(1400)},
		{"plan.png", "#/plan", `document.querySelectorAll(".plot svg").length == 2 && document.querySelector("tr.chosen")`, nil, "true", wide(1400)},
		{"phone-plan.png", "#/plan", `document.querySelectorAll(".plot svg").length == 2 && document.querySelector("tr.chosen")`, []string{chinese}, `document.querySelector(".plot svg").textContent.includes("余弦")`, phone(1500)},
	}
	for _, s := range shots {
		t.Run(s.name, func(t *testing.T) {
			b := open(t, s.fragment, s.before...)
			b.until(s.ready)
			for _, js := range s.do {
				get[any](b, js+", true")
			}
			b.until(s.then)
			b.shoot(s.name)
		})
	}
}
