package main

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/alike-go/alike/index/plan"
)

// One in a hundred fingerprints is within three bits of the original it names, which comes before it
// and is no copy; all others are far from each other, as far as chance goes.
func TestFingerprints(t *testing.T) {
	for _, m := range []made{{}, {crowded: true}} {
		const n = 3000
		var words [n]uint64
		distances := map[int]int{}
		for i := range int64(n) {
			f, original := m.fingerprint(i)
			words[i] = f
			if (i%every == every-1) != (original >= 0) {
				t.Fatalf("document %d has the original %d", i, original)
			}
			if original < 0 {
				continue
			}
			if original >= i || original%every == every-1 {
				t.Fatalf("document %d has the original %d", i, original)
			}
			distances[bits.OnesCount64(f^words[original])]++
		}
		if len(distances) != 4 || distances[0]+distances[1]+distances[2]+distances[3] != n/every {
			t.Errorf("%+v: distances of copies %v", m, distances)
		}
		near, top := 0, map[uint64]bool{}
		for i, a := range words {
			if i%every != every-1 {
				top[a>>48] = true
			}
			for _, b := range words[:i] {
				if bits.OnesCount64(a^b) <= distance {
					near++
				}
			}
		}
		// Copies of one original may be near each other, too, and of the 34 bits that are left to
		// crowded ones some pairs have all but three in common by chance.
		if near < n/every || near > n/every+6 {
			t.Errorf("%+v: %d pairs within %d bits, want %d", m, near, distance, n/every)
		}
		if m.crowded != (len(top) == 64) {
			t.Errorf("%+v: %d values of the first 16 bits", m, len(top))
		}
	}
	if d := (made{}).doc(123); d.ID != "d00000000123" || len(d.Sketch) != 8 {
		t.Errorf("document %+v", d)
	}
}

// What is read of a crowded index is counted, not estimated: the postings of the four buckets
// of a fingerprint.
func TestReads(t *testing.T) {
	const n = 200_000
	m := made{crowded: true}
	counts := [4]map[uint64]float64{{}, {}, {}, {}}
	for i := range int64(n) {
		f, _ := m.fingerprint(i)
		for table := range counts {
			counts[table][f>>(48-16*table)&0xffff]++
		}
	}
	sum := 0.0
	const queries = 5000
	for i := range int64(queries) {
		f, _ := m.fingerprint(n + 2*i)
		for table := range counts {
			sum += counts[table][f>>(48-16*table)&0xffff] / queries
		}
	}
	l, err := plan.Choose(1, 64, distance)
	if err != nil {
		t.Fatal(err)
	}
	lookups, scanned, err := reads("memory", n, 1, l, m)
	if err != nil || lookups != 4 || scanned < 0.97*sum || scanned > 1.03*sum {
		t.Errorf("%v lookups, %v postings, %v, want 4 and %v", lookups, scanned, err, sum)
	}
}

// Indexes in memory and on disk, under every layout, answer alike, and bytes and times
// are there.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	l := &lab{dir: dir, docs: 2000, hbaseDocs: 2000, backends: []string{"memory", "disk"}, servers: &servers{dir: dir}}
	records, err := measureBackends(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 8 {
		t.Fatalf("%d records, want 8", len(records))
	}
	runs := map[string][]timed{}
	for _, r := range records {
		f := r.Index
		if f.Load <= 0 || f.Query <= 0 || f.P99 < f.Query || f.Found <= 0 || f.Batch <= 0 || f.Answers < asked || f.Documents != 2000 {
			t.Errorf("%+v", f)
		}
		// The heap may shrink meanwhile, files cannot be smaller than words.
		if f.Backend == "disk" && f.Bytes < 2000*float64(8*f.Tables) {
			t.Errorf("%s with %d tables takes %v bytes", f.Backend, f.Tables, f.Bytes)
		}
		runs[f.Backend] = append(runs[f.Backend], f.timed)
	}
	if b, err := fitCosts("disk", runs["disk"]); err != nil || b.PostingBytes+b.BucketBytes < 8 {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestSplice(t *testing.T) {
	page := "a\n<!-- x -->\nold\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n"
	got, err := splice(page, "x", "new\n")
	if want := "a\n<!-- x -->\nnew\n<!-- end -->\nb\n<!-- y -->\n<!-- end -->\n"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	again, err := splice(got, "x", "new")
	if err != nil || again != got {
		t.Errorf("a second time: %q, %v", again, err)
	}
	for _, name := range []string{"z", "end"} {
		if _, err := splice(page, name, ""); err == nil {
			t.Errorf("no error for %s", name)
		}
	}
	if _, err := splice("<!-- x -->\n", "x", ""); err == nil || !strings.Contains(err.Error(), "end") {
		t.Errorf("without an end: %v", err)
	}
}

func TestSizes(t *testing.T) {
	if got, err := parseSizes("1e3 2000"); err != nil || len(got) != 2 || got[0] != 1000 || got[1] != 2000 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"x", "10", "1e10", "NaN"} {
		if _, err := parseSizes(bad); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}
