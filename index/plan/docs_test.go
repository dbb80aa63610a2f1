package plan

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The model agrees with every measurement in docs/scale.md within a factor of two:
// bytes, filling, and queries of each backend, small and large.
func TestDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	costs := Measured()
	here := costs.Sizes.Machine()
	checked := 0
	check := func(what string, said float64, measured string) {
		t.Helper()
		was := figure(t, measured)
		checked++
		if !(said <= 2*was && was <= 2*said) {
			t.Errorf("%s: said %.3g, measured %.3g", what, said, was)
		}
	}
	backends := map[string]string{"redis cluster, 3 nodes": "redis cluster"}
	layouts := map[string]int64{"4 tables of 16 bits": 1, "10 tables of 25 to 26 bits": 1e9, "20 tables of 31 to 33 bits": 8e9}
	for _, row := range rows(t, string(page), "backends") {
		name := row[0]
		if other, ok := backends[name]; ok {
			name = other
		}
		if len(row) == 4 { // crowded: backend, postings read, miss
			b, _ := costs.backend(name)
			check(name+", crowded, query", b.cached(4, figure(t, row[1]), 0), row[2])
			continue
		}
		n := figure(t, row[2])
		l, err := Choose(layouts[row[1]], 64, 3)
		if err != nil {
			t.Fatal(err)
		}
		l.Candidates *= n / float64(layouts[row[1]])
		e, err := costs.Estimate(name, int64(n), l, here)
		if err != nil {
			t.Fatal(err)
		}
		what := name + ", " + row[1]
		check(what+", documents a second", n/(e.Load*float64(e.Machines)), row[3])
		check(what+", bytes", e.Bytes/n, row[4])
		check(what+", query", e.Cached, row[5])
	}
	for _, row := range rows(t, string(page), "sizes") {
		n := figure(t, row[1])
		l, err := Choose(int64(n), 64, 3)
		if err != nil {
			t.Fatal(err)
		}
		e, err := costs.Estimate(row[0], int64(n), l, here)
		if err != nil {
			t.Fatal(err)
		}
		what := row[0] + ", " + row[1] + " documents"
		check(what+", bytes", e.Bytes, row[4])
		check(what+", filling", e.Load, row[7])
		check(what+", query", e.Query, row[12])
		if e.Cached > e.Query || e.Query > e.Uncached {
			t.Errorf("%s: %v cached, %v, %v uncached", what, e.Cached, e.Query, e.Uncached)
		}
	}
	// docs/index.md: 5·10^6 fingerprints in 4 tables, filled in 14.2 s, asked in 5.40 µs.
	l, err := Choose(1, 64, 3)
	if err != nil {
		t.Fatal(err)
	}
	l.Candidates *= 5e6
	e, err := costs.Estimate("disk", 5e6, l, here)
	if err != nil {
		t.Fatal(err)
	}
	check("docs/index.md, filling", e.Load, "14.2 s")
	check("docs/index.md, query", e.Query, "5.40 µs")
	if checked < 60 {
		t.Errorf("%d figures were checked, want 60 or more", checked)
	}
}

// rows returns the cells of the rows of the tables in a section of a page, without
// headings.
func rows(t *testing.T, page, section string) (all [][]string) {
	t.Helper()
	_, body, ok := strings.Cut(page, "<!-- "+section+" -->")
	body, _, ok2 := strings.Cut(body, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatalf("no section %s", section)
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| backend ") {
			continue
		}
		row := strings.Split(strings.Trim(line, "| "), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		all = append(all, row)
	}
	return all
}

// figure reads a number as Count, Bytes and Seconds print it.
func figure(t *testing.T, text string) float64 {
	t.Helper()
	number, unit, _ := strings.Cut(text, " ")
	units := map[string]float64{"": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
	factor, ok := units[unit]
	mantissa, power, isPower := strings.Cut(number, "10^")
	if isPower {
		exp, err := strconv.Atoi(power)
		ok = ok && err == nil
		factor *= math.Pow10(exp)
		if number = strings.TrimSuffix(mantissa, "·"); number == "" {
			number = "1"
		}
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok {
		t.Fatalf("%q is no figure", text)
	}
	return v * factor
}
