package hamming

import (
	"math"
	"testing"
)

// Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007, section 3:
// designs for 2^34 fingerprints of 64 bits within 3 bits. Candidates by hand: 2^(34-key) a table.
func TestPublishedDesigns(t *testing.T) {
	const n = 1 << 34
	for name, want := range map[string]struct {
		tables, least, most int
		perTable, all       float64
	}{
		"blocks:4": {4, 16, 16, 262144, 1048576},
		"blocks:5": {10, 25, 26, 358.4, 3584},
		"blocks:6": {20, 31, 33, 4.4, 88},
	} {
		d, err := parseDesign(name, 64, 3)
		if err != nil {
			t.Fatal(err)
		}
		e := DefaultCosts.Estimate(d, n)
		if e.Tables != want.tables || e.KeyLeast != want.least || e.KeyMost != want.most {
			t.Errorf("%s: %d tables, keys of %d to %d bits, want %d, %d to %d", name, e.Tables, e.KeyLeast, e.KeyMost, want.tables, want.least, want.most)
		}
		if math.Abs(e.Candidates-want.all) > 1e-6 || math.Abs(e.CandidatesPerTable-want.perTable) > 1e-6 {
			t.Errorf("%s: %v candidates a table, %v in all, want %v and %v", name, e.CandidatesPerTable, e.Candidates, want.perTable, want.all)
		}
	}
}

// 50 million fingerprints of 8 bytes are 381.5 MiB, and four tables of them four times that.
func TestCopies(t *testing.T) {
	mib := func(b float64) float64 { return math.Round(b/(1<<20)*10) / 10 }
	if e := DefaultCosts.Estimate(scanDesign(64, 3), 50e6); mib(e.Copies) != 381.5 {
		t.Errorf("%v MiB, want 381.5", mib(e.Copies))
	}
	d, err := Blocks(64, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	if e := DefaultCosts.Estimate(d, 50e6); mib(e.Copies) != 1525.9 {
		t.Errorf("%v MiB, want 1525.9", mib(e.Copies))
	}
}

// The bytes foretold are those of an index that is built.
func TestEstimatedBytes(t *testing.T) {
	codes := fingerprints(50_000, false)
	for _, name := range []string{"scan", "blocks:4", "blocks:5", "mih:3"} {
		x, err := Build(Codes64(codes), 3, Options{Design: name})
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseDesign(name, 64, 3)
		if err != nil {
			t.Fatal(err)
		}
		got, want := DefaultCosts.Estimate(d, int64(len(codes))).Bytes, float64(x.Bytes())
		if got < 0.8*want || got > 1.2*want {
			t.Errorf("%s: %.0f bytes foretold, %.0f taken", name, got, want)
		}
	}
}

// A plan keeps to its memory, takes no slower design than another that fits, and gives
// every radius of every width a design.
func TestPlan(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		for radius := range bits + 1 {
			for _, n := range []int64{0, 1, 1000, 1e6, 1e9} {
				for _, memory := range []int64{0, 1 << 20, 1 << 30, 1 << 40} {
					all, take, err := DefaultCosts.Plan(n, bits, radius, memory)
					if err != nil {
						t.Fatal(err)
					}
					e := all[take]
					for _, o := range all {
						if math.IsNaN(o.Query) || o.Query < 0 || o.Bytes < 0 {
							t.Fatalf("%s: %v ns, %v bytes", o.Design.Name, o.Query, o.Bytes)
						}
						fits := memory == 0 || o.Bytes <= float64(memory)
						if fits && (memory > 0 && e.Bytes > float64(memory) || o.Query < e.Query/1.1-1e-9) {
							t.Fatalf("%d bits, radius %d, %d codes in %d bytes: takes %s, not %s", bits, radius, n, memory, e.Design.Name, o.Design.Name)
						}
					}
				}
			}
		}
	}
	if _, _, err := DefaultCosts.Plan(-1, 64, 3, 0); err == nil {
		t.Error("no error for -1 codes")
	}
	if _, err := designs(48, 3); err == nil {
		t.Error("no error for 48 bits")
	}
}

func TestCalibrate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := Calibrate()
	for _, v := range []float64{c.Scan, c.Candidate, c.Lookup, c.Miss} {
		if !(v > 0 && v < 1e6) {
			t.Errorf("costs %+v", c)
		}
	}
}
