// Package report makes one self-contained HTML page of what a run measured, of
// what a deduplication removed and why, of pairs of documents, or of the
// passages of a collection. The page of a run has tables with intervals,
// precision-recall curves, scores by class, quality against price with the
// Pareto front, growth, S-curves, scores and recall under edits, disagreements
// of methods, and the origin of every figure.
//
// The page makes no network requests. It follows the reader's choice of light
// or dark, speaks English and Chinese, prints, and fits a phone. Every chart
// stands beside a table of its numbers. Texts of documents are data throughout:
// they are escaped where they are shown, and the page runs no script but its
// own. The same input gives the same bytes.
//
// Observable Plot draws the charts in the browser. It is bundled in web/dist,
// which web/build.mjs makes.
//
// The commands alike report, eval, pairs, passages and review use it. Measuring
// belongs to packages eval and stress, choosing passages to package passages,
// and the looks of methods and passages to internal/charts.
package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/eval/choose"
	"github.com/alike-go/alike/eval/stress"
	"github.com/alike-go/alike/passages"
)

// Input is what a report is made of. Parts that are empty leave no trace.
type Input struct {
	// Records are the outcomes of methods on data sets. Charts of curves and scores, and
	// the pairs that methods disagree on, need records with details.
	Records []eval.Record

	// Margin is how much less F1 counts as no worse; 0 means eval.DefaultMargin.
	Margin float64

	// Choices are what searches for the best method found: the records of each search.
	Choices [][]choose.Record

	// SCurves are the probabilities that an index finds pairs.
	SCurves []SCurve

	// Stress is how scores and recall fall under edits.
	Stress []stress.Record

	// Dedup is what a deduplication did; nil for none.
	Dedup *Dedup

	// Pairs are pairs of documents to look at; nil for none.
	Pairs *Pairs

	// Passages are the most repeated passages of a collection; nil for none.
	Passages *passages.View
}

// Options configures a report. The zero value is a sound default.
type Options struct {
	// Title heads the page; "" means one that says what it reports.
	Title string

	// Language is that which the page opens in: "en", which "" means too, or "zh". The
	// reader can switch.
	Language string
}

// Check reports what of the options has no meaning.
func (o Options) Check() error {
	if o.Language != "" && o.Language != "en" && o.Language != "zh" {
		return fmt.Errorf("report: Language is %q, want en or zh", o.Language)
	}
	return nil
}

//go:embed web/dist/report.js
var script string

//go:embed web/dist/report.css
var style string

//go:embed web/dist/licences.txt
var licences string

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Write writes the report as HTML in UTF-8. An input without anything to report, and a
// language that the page does not speak, are errors.
func Write(w io.Writer, in Input, o Options) error {
	if err := o.Check(); err != nil {
		return err
	}
	o.Language = cmp.Or(o.Language, "en")
	p := page{
		Language: o.Language,
		Script:   template.JS(script), Style: template.CSS(style), Licences: licences,
		Policy: policy(),
	}
	p.evaluation(in)
	if in.Dedup != nil {
		p.dedup(in.Dedup)
	}
	if in.Pairs != nil {
		p.pairs(in.Pairs)
	}
	if in.Passages != nil {
		p.passages(in.Passages)
	}
	if len(p.Sections) == 0 {
		return fmt.Errorf("report: nothing to report, want records, the outcome of a deduplication, pairs or passages")
	}
	if o.Title != "" {
		p.Title = same(o.Title)
	}
	if err := p.encode(); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	// A template that fails must not leave half a page.
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// policy lets the page run its own script, known by its hash, and load nothing.
func policy() string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// encode gathers what the script needs. Angle brackets and ampersands are
// escaped by encoding/json, so that no text can end the element that it stands in.
func (p *page) encode() error {
	charts := map[string]any{}
	for _, s := range p.Sections {
		for _, b := range s.Blocks {
			if b.Figure != nil {
				charts[b.Figure.ID] = b.Figure.chart
			}
		}
	}
	data, err := json.Marshal(map[string]any{"title": p.Title, "charts": charts, "passages": p.view})
	if err != nil {
		return err
	}
	p.Data = template.JS(data)
	return nil
}
