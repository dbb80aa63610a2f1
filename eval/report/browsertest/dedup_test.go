package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/datasets/plant"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/eval/report"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/similarity"
)

const (
	footer   = "All rights reserved. Nothing of this may be copied without the publisher's written permission."
	chineseF = "版权所有，未经出版者书面许可，不得以任何方式转载或复制。"
)

// deduplicated returns the outcome of a deduplication of the texts inside, of which many
// stand there in several editions, each with a footer.
func deduplicated(t *testing.T) *report.Dedup {
	t.Helper()
	var b strings.Builder
	seen := map[string]bool{}
	for _, name := range datasets.Inside() {
		set, err := datasets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range set.Docs {
			if len(d.Text) < 150 || seen[d.ID] {
				continue
			}
			seen[d.ID] = true
			last := footer
			if name == "zh" {
				last = chineseF
			}
			line, err := json.Marshal(map[string]string{"id": d.ID, "text": d.Text + "\n" + last})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
	}
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus.jsonl")
	if err := os.WriteFile(corpus, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := catalog.Parse("shingle:width=2")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if _, err := local.Run(context.Background(), local.Options{
		Sources: []datasets.Source{{Path: corpus, Name: "corpus.jsonl"}}, Out: out, Method: m, Threshold: 0.55, Candidates: 0.55,
	}); err != nil {
		t.Fatal(err)
	}
	d, err := report.ReadDedup(out, datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDedup(t *testing.T) {
	d := deduplicated(t)
	if d.Report.Alike < 20 || len(d.Removed) != 12 {
		t.Fatalf("%d documents alike, %d shown", d.Report.Alike, len(d.Removed))
	}
	b := open(t, report.Input{Dedup: d}, report.Options{})
	labels := get[[]string](b, `[...document.querySelectorAll("#outcome-chart g[aria-label=text] text")].map((e) => e.textContent.replaceAll(",", ""))`)
	if want := fmt.Sprint([]int{d.Report.Kept, d.Report.Equal, d.Report.Alike}); fmt.Sprint(labels) != want {
		t.Errorf("bars say %v, want %s", labels, want)
	}
	if n := get[int](b, `document.querySelectorAll("#outcome-chart .bar rect").length`); n != 3 {
		t.Errorf("%d bars, want three", n)
	}
	steps := 0
	for _, n := range d.Scores {
		if n > 0 {
			steps++
		}
	}
	if n := get[int](b, `document.querySelectorAll("#why-chart .alike rect").length`); n != steps {
		t.Errorf("%d bars of scores, want %d", n, steps)
	}
	if n := get[int](b, `document.querySelectorAll(".pair").length`); n != 12 {
		t.Errorf("%d pairs side by side, want 12", n)
	}
	if marks := get[[]string](b, `[...document.querySelectorAll("mark")].map((m) => m.textContent)`); len(marks) < 12 {
		t.Errorf("%d places are marked", len(marks))
	}
	if lines := get[string](b, `document.querySelector("#lines").innerText`); !strings.Contains(lines, footer) || !strings.Contains(lines, chineseF) {
		t.Errorf("what stands in many documents is %q", lines)
	}
	b.press(`button[data-language=zh]`)
	if seen := get[[]string](b, `[...document.querySelectorAll("span[lang=en]")].filter((e) => e.checkVisibility()).map((e) => e.innerText)`); len(seen) > 0 {
		t.Errorf("English is seen: %q", seen)
	}
	b.press(`button[data-language=en]`)
	b.shoot("dedup.png", "body > header", "#reasons .pair")
	b.do(size(375, 812, true))
	b.until(`document.querySelector("#outcome-chart .plot > svg").getBoundingClientRect().width < 375`)
	b.until(`document.documentElement.scrollWidth <= 375`) // else it runs out of the phone
}

func TestStress(t *testing.T) {
	texts, err := stress.Generated(plant.English, 60, 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	var methods []similarity.Method
	for _, spec := range []string{"shingle", "simhash"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		methods = append(methods, m)
	}
	records, err := stress.Run(context.Background(), "made", texts, methods, stress.Options{Lengths: []int{100, 200, 400}, Kinds: []plant.Kind{plant.Mixed, plant.OCR}, Rates: []float64{0.05, 0.2}, Docs: 60, FalsePositives: 0.001})
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, report.Input{Stress: records}, report.Options{})
	for id, points := range map[string]int{"stress1-length": 3, "stress1-mixed": 2, "stress1-ocr": 2} {
		if n := get[int](b, fmt.Sprintf(`document.querySelectorAll("#%s .series path").length`, id)); n != 2 {
			t.Errorf("%s has %d lines, want one a method", id, n)
		}
		if n := get[int](b, fmt.Sprintf(`document.querySelectorAll("#%s g[aria-label=dot] path, #%s g[aria-label=dot] circle").length`, id, id)); n != 2*points {
			t.Errorf("%s has %d points, want %d", id, n, 2*points)
		}
	}
}
