package plan

import (
	"fmt"
	"math"

	"github.com/alike-go/alike/simhash"
)

// Job is a collection of which all near-duplicates are to be found and whose
// index is to be kept.
type Job struct {
	Documents int64
	Text      float64 // mean bytes of a document
	Bits      int
	Distance  int
	Cores     int // that work at a time
	Machine   Machine
}

func (j Job) check() error {
	if !(j.Text > 0) || math.IsInf(j.Text, 0) {
		return fmt.Errorf("plan: %v bytes a document, want more than 0", j.Text)
	}
	if j.Cores < 1 {
		return fmt.Errorf("plan: %d cores, want at least 1", j.Cores)
	}
	return nil
}

// Line is a step of the arithmetic.
type Line struct {
	What  string  `json:"what"`
	Work  string  `json:"work"` // the numbers that it is made of
	Value float64 `json:"value"`
	Unit  string  `json:"unit"` // bytes, core-hours, hours, pairs, ...
}

// Join is what finding all pairs by a layout takes.
type Join struct {
	Layout     Layout
	Keys       float64 // of all documents
	Shuffle    float64 // bytes
	Sort       float64 // core-hours
	Candidates float64 // pairs that are compared, one counted in each bucket
	Compare    float64 // core-hours
	Hours      float64 // of all cores
}

// Worked is a plan with its arithmetic.
type Worked struct {
	Job      Job
	Lines    []Line // reading and sketching, and what the pairs are
	Joins    []Join // by layout
	Index    []Estimate
	Total    []Line   // of the chosen layout
	Batch    []Line   // a million queries held against all fingerprints
	Unproven []string // backends that have not been measured
}

const hour = 3600.0

// Work works a job out.
func (c Costs) Work(j Job) (Worked, error) {
	w := Worked{Job: j}
	if err := j.check(); err != nil {
		return w, err
	}
	all, err := layouts(j.Documents, j.Bits, j.Distance)
	if err != nil {
		return w, err
	}
	n, p, cores := float64(j.Documents), c.Pipeline, float64(j.Cores)
	docs := Count(n) + " documents"

	text := n * j.Text
	sketch := text * p.Sketch / hour
	sketches := n * float64(j.Bits) / 8
	chance := n * (n - 1) / 2 * simhash.ProbWithin(0, j.Distance, j.Bits)
	w.Lines = []Line{
		{"texts", fmt.Sprintf("%s × %s", docs, Bytes(j.Text)), text, "bytes"},
		{"fingerprints", fmt.Sprintf("%s × %d B", docs, j.Bits/8), sketches, "bytes"},
		{"reading and sketching", fmt.Sprintf("%s / %s a second and core", Bytes(text), Bytes(1/p.Sketch)), sketch, "core-hours"},
		{"the same on all cores", fmt.Sprintf("%s / %d cores", Figure(sketch, "core-hours"), j.Cores), sketch / cores, "hours"},
		{"all pairs", fmt.Sprintf("%s × (%s - 1) / 2", Count(n), Count(n)), n * (n - 1) / 2, "pairs"},
		{"pairs of unrelated documents within the distance, by chance", fmt.Sprintf("%s × %.2g", Count(n*(n-1)/2), simhash.ProbWithin(0, j.Distance, j.Bits)), chance, "pairs"},
	}
	var chosen Join
	for _, l := range all {
		k := Join{Layout: l, Keys: n * float64(l.Tables), Candidates: n * l.Candidates / 2}
		k.Shuffle = k.Keys * p.Record
		k.Sort = k.Keys * p.Key / hour
		k.Compare = k.Candidates * p.Candidate / hour
		k.Hours = (k.Sort + k.Compare) / cores
		w.Joins = append(w.Joins, k)
		if l.Chosen {
			chosen = k
		}
	}
	for _, t := range traits {
		if _, ok := c.backend(t.name); !ok {
			w.Unproven = append(w.Unproven, t.name)
			continue
		}
		e, err := c.Estimate(t.name, j.Documents, chosen.Layout, j.Machine)
		if err != nil {
			return w, err
		}
		w.Index = append(w.Index, e)
	}
	total := sketch + chosen.Sort + chosen.Compare
	w.Total = []Line{
		{"reading, sketching, sorting and comparing", fmt.Sprintf("%s + %s + %s", Count(sketch), Count(chosen.Sort), Figure(chosen.Compare, "core-hours")), total, "core-hours"},
		{"time", fmt.Sprintf("%s / %d cores", Figure(total, "core-hours"), j.Cores), total / cores, "hours"},
	}
	scan := n * p.Batch
	w.Batch = []Line{
		{"10^6 queries held against all fingerprints", fmt.Sprintf("%s × %s", docs, Seconds(p.Batch)), scan, "core-seconds"},
		{"the same on 200 cores", fmt.Sprintf("%s / 200", Figure(scan, "core-seconds")), scan / 200, "seconds"},
	}
	return w, nil
}

// Count prints a number with three digits, by powers of ten where it is large:
// 8·10^9.
func Count(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0.01:
		return fmt.Sprintf("%.2g", v)
	case v < 10:
		return fmt.Sprintf("%.3g", v)
	case v < 1e5:
		return fmt.Sprintf("%.0f", v)
	}
	exp := int(math.Floor(math.Log10(v)))
	m := fmt.Sprintf("%.3g", v/math.Pow(10, float64(exp)))
	if m == "10" {
		m, exp = "1", exp+1
	}
	if m == "1" {
		return fmt.Sprintf("10^%d", exp)
	}
	return fmt.Sprintf("%s·10^%d", m, exp)
}

// Bytes prints bytes by powers of 1,000, as disks and published runs are counted.
func Bytes(v float64) string {
	units := []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}
	i := 0
	for ; v >= 999.5 && i < len(units)-1; i++ {
		v /= 1000
	}
	return fmt.Sprintf("%.3g %s", v, units[i])
}

// Seconds prints a time with three digits.
func Seconds(v float64) string {
	switch {
	case v == 0:
		return "0 s"
	case v < 999.5e-9:
		return fmt.Sprintf("%.3g ns", v*1e9)
	case v < 999.5e-6:
		return fmt.Sprintf("%.3g µs", v*1e6)
	case v < 0.9995:
		return fmt.Sprintf("%.3g ms", v*1e3)
	case v < 600:
		return fmt.Sprintf("%.3g s", v)
	case v < 2*hour:
		return fmt.Sprintf("%.3g min", v/60)
	case v < 48*hour:
		return fmt.Sprintf("%.3g h", v/hour)
	}
	return fmt.Sprintf("%.3g days", v/(24*hour))
}

// Figure prints a value in its unit.
func Figure(v float64, unit string) string {
	switch unit {
	case "bytes":
		return Bytes(v)
	case "seconds":
		return Seconds(v)
	case "hours":
		return Seconds(v * hour)
	}
	return Count(v) + " " + unit
}
