package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Spread
	}{
		{[]float64{3}, Spread{3, 3, 3}},
		{[]float64{4, 2}, Spread{3, 2.5, 3.5}},
		{[]float64{5, 1, 4, 2, 3}, Spread{3, 2, 4}},
		{[]float64{1, 2, 3, 100}, Spread{2.5, 1.75, 27.25}},
	} {
		if got := spread(c.values); got != c.want {
			t.Errorf("spread of %v is %v, want %v", c.values, got, c.want)
		}
	}
	if got := (Spread{200, 190, 230}).Percent(); got != 10 {
		t.Errorf("half of 40 is %g %% of 200, want 10", got)
	}
}

func TestRatioIsOfRounds(t *testing.T) {
	row := &Row{Area: "x", Unit: MBs, Work: 2e6, Ours: Contender{Name: "ours"}, Rivals: []Contender{{Name: "rival"}}}
	// The second round was disturbed: both took ten times as long.
	res := newResult(row, [][]float64{{0.5, 5, 0.5}, {2, 20, 2}})
	if res.Ours.Median != 4 || res.Rivals[0].Value.Median != 1 {
		t.Errorf("%g and %g MB/s, want 4 and 1", res.Ours.Median, res.Rivals[0].Value.Median)
	}
	if want := (Spread{4, 4, 4}); res.Rivals[0].Ratio != want {
		t.Errorf("ratio %v, want %v", res.Rivals[0].Ratio, want)
	}
}

func TestUnits(t *testing.T) {
	if got := MBs.value(0.5, 3e6); got != 6 {
		t.Errorf("3 MB in half a second are %g MB/s, want 6", got)
	}
	if got := NsHash.value(2e-6, 400); math.Abs(got-5) > 1e-9 {
		t.Errorf("400 hashes in 2 µs take %g ns each, want 5", got)
	}
}

func TestCarried(t *testing.T) {
	// Semblance winnows 42 MB/s where rabinkarp64 rolls 133: twice as fast as the one
	// is 84 of the other's 133.
	b := carried("semblance", 2, 3.5, 42.0/133, rabinKarp)
	if math.Abs(b.Floor-84.0/133) > 1e-12 || math.Abs(b.Goal-147.0/133) > 1e-12 {
		t.Errorf("floor %g, goal %g, want %g and %g", b.Floor, b.Goal, 84.0/133, 147.0/133)
	}
}

func TestVerdict(t *testing.T) {
	b := Bound{Rival: "rival", Floor: 2, Goal: 4}
	for _, c := range []struct {
		ratio Spread
		want  string
	}{
		{Spread{1.9, 1.8, 1.95}, "below floor"},
		{Spread{1.9, 1.8, 2.1}, "below floor ~"},
		{Spread{2, 2, 2}, "floor"},
		{Spread{2.1, 1.9, 2.2}, "floor ~"},
		{Spread{3.9, 3.8, 4.2}, "floor ~"},
		{Spread{4, 4, 4}, "goal"},
		{Spread{5, 3.5, 6}, "goal ~"},
	} {
		if got := verdict(c.ratio, b); got != c.want {
			t.Errorf("%v is %q, want %q", c.ratio, got, c.want)
		}
	}
}

func TestStrictestBoundHolds(t *testing.T) {
	row := &Row{
		Area: "x", Unit: ByteSize, Ours: Contender{Size: 10},
		Rivals: []Contender{{Name: "free", Size: 15}, {Name: "bound", Size: 30}},
		Bounds: []Bound{{Rival: "bound", Floor: 2, Goal: 3}, carried("tool", 2, 3, 2, "bound")},
	}
	lines := Measure(row, Timing{Rounds: 1}).Lines()
	if len(lines) != 2 || lines[0].Rival != "bound" || lines[1].Rival != "free" {
		t.Fatalf("lines %+v, want that of the bound first", lines)
	}
	if l := lines[0]; l.Ratio.Median != 3 || l.Floor != 4 || l.Goal != 6 || l.Verdict != belowFloor || l.Via == "" {
		t.Errorf("line %+v, want a ratio of 3 below a floor of 4", l)
	}
	if missed, floors := (&Report{Lines: lines}).Missed(); missed != 1 || floors != 1 {
		t.Errorf("%d of %d floors missed, want 1 of 1", missed, floors)
	}
}

func TestMeasureTakesTurns(t *testing.T) {
	var order strings.Builder
	spin := func(name string) func() {
		return func() {
			order.WriteString(name)
			for from := cpuTime(); cpuTime()-from < 2*time.Millisecond; {
			}
		}
	}
	row := &Row{
		Area: "x", Unit: NsPair, Work: 1,
		Ours: Contender{Run: spin("a")}, Rivals: []Contender{{Run: spin("b")}},
	}
	res := Measure(row, Timing{Rounds: 4, Least: time.Millisecond, Procs: 1})
	if got := order.String(); got != "ab"+"abbaabba" {
		t.Errorf("runs %s, want one each to calibrate, then abbaabba", got)
	}
	if got := res.Rivals[0].Ratio.Median; got < 0.5 || got > 2 {
		t.Errorf("ratio %g of equal contenders", got)
	}
}

func TestRun(t *testing.T) {
	sizes := []string{"-bench", "^minhash/size$", "-docs", "100"}
	var out bytes.Buffer
	if code := run(append(sizes, "-format", "json", "-fail"), &out, io.Discard); code != 0 {
		t.Fatalf("exit status %d", code)
	}
	var line struct {
		Area, Commit, Go, CPU string
		Value, Ratio          Spread
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	if line.Area != "minhash/size" || line.Commit == "" || line.Go == "" || line.CPU == "" ||
		line.Value.Median != 512 || line.Ratio.Median != 2 {
		t.Errorf("line %+v", line)
	}
	for format, want := range map[string]string{
		"md":    `(?m)^\| minhash/size +\| B +\| 512 +\| dgryski`,
		"table": `(?m)^ *minhash/size +B +512 +dgryski`,
	} {
		out.Reset()
		if code := run(append(sizes, "-format", format), &out, io.Discard); code != 0 {
			t.Errorf("%s: exit status %d", format, code)
		}
		if !regexp.MustCompile(want).Match(out.Bytes()) {
			t.Errorf("%s: no line like %s in\n%s", format, want, &out)
		}
	}
	for _, bad := range [][]string{
		{"-format", "xml"}, {"-bench", "("}, {"-bench", "nothing"}, {"more"}, {"-docs", "1"}, {"-no"},
	} {
		if code := run(bad, io.Discard, io.Discard); code != 2 {
			t.Errorf("%q: exit status %d, want 2", bad, code)
		}
	}
}
