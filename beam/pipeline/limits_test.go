package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
)

// news writes documents with planted near-duplicates, of some agencies and days, to an
// old file and a new one.
func news(t *testing.T, docs int) (old, fresh string) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	var files [2]bytes.Buffer
	add := func(line string) {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatal(err)
		}
		if r.IntN(15) > 0 {
			row["agency"] = fmt.Sprint("agency ", r.IntN(3))
		}
		row["date"] = fmt.Sprintf("2024-05-%02d", 1+r.IntN(6))
		b, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		files[min(1, r.IntN(4))].Write(append(b, '\n'))
	}
	for line := range strings.Lines(string(read(t, made(t, docs)))) {
		add(line)
		for range r.IntN(2) * r.IntN(4) {
			add(line)
		}
	}
	dir := t.TempDir()
	var paths [2]string
	for i := range files {
		paths[i] = filepath.Join(dir, []string{"old.jsonl", "new.jsonl"}[i])
		if err := os.WriteFile(paths[i], files[i].Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return paths[0], paths[1]
}

// sameFolder compares what a run made with a folder of alike dedup, and returns
// the report there. The policy none leaves out the documents without features:
// see pipeline.Result.
func sameFolder(t *testing.T, r *pipeline.Result, out, want string) (rep local.Report) {
	t.Helper()
	got, all := joined(t, out), tree(t, want)
	if err := json.Unmarshal([]byte(all["report.json"]), &rep); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"report.json", local.LayoutFile} {
		delete(got, name)
		delete(all, name)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if got[name] != all[name] {
			t.Errorf("%s: %d bytes, want %d", name, len(got[name]), len(all[name]))
		}
	}
	counts := func(r *local.Report) []any {
		empty := r.WithoutFeatures
		if r.Settings.Keep == "none" {
			empty = 0
		}
		return []any{r.Rows, r.Kept, r.Equal, r.Alike, r.First, r.Judged, r.Unpaired, r.Clusters, r.Largest, r.LargestAt, r.Texts, empty, r.Settings.Limits, r.Settings.Judged}
	}
	if a, b := counts(&r.Report), counts(&rep); !slices.Equal(a, b) {
		t.Errorf("report %v, want %v", a, b)
	}
	return rep
}

// Within limits, and with the policy none, both engines remove the same documents for
// the same ones: by sketches in buckets, by texts, and by the join of a method.
func TestLimitsEqualLocal(t *testing.T) {
	old, fresh := news(t, 300)
	for _, c := range []struct {
		method string
		text   bool
		flags  []string
		limits dedup.Limits
		keep   string
		old    bool
	}{
		{"simhash", false, []string{"--across", "agency"}, dedup.Limits{Across: "agency"}, "first", true},
		{"minhash", true, []string{"--window", "date=48h", "--keep", "longest"}, dedup.Limits{Window: "date", Span: 48 * 3600e9}, "longest", true},
		{"minhash", true, []string{"--within", "agency", "--keep", "none"}, dedup.Limits{Within: "agency"}, "none", false},
		{"cosine:fit=none", false, []string{"--across", "agency", "--window", "date=24h"}, dedup.Limits{Across: "agency", Window: "date", Span: 24 * 3600e9}, "first", false},
		{"minhash", true, []string{"--keep", "none"}, dedup.Limits{}, "none", true},
	} {
		t.Run(strings.Join(c.flags, " "), func(t *testing.T) {
			o := options(t, fresh, c.method, c.text)
			o.Limits, o.MaxDrop, o.PieceBytes = c.limits, 1, 20_000
			var err error
			if o.Keep, err = dedup.ParsePolicy(c.keep); err != nil {
				t.Fatal(err)
			}
			want := filepath.Join(t.TempDir(), "want")
			args := byThreshold(append([]string{"dedup", fresh, "-o", want, "-m", o.Method.String(), "--max-drop", "100%"}, c.flags...))
			if !c.text {
				args = append(args, "--verify", "sketch")
			}
			if c.old {
				o.Against = []datasets.Source{{Path: old, PathIDs: true}}
				o.Sources[0].PathIDs = true
				args = append(args, "--against", old)
			}
			command(t, args...)
			r, err := pipeline.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			rep := sameFolder(t, r, o.Out, want)
			if rep.Removed() < 20 || c.limits.Across != "" && rep.Unpaired == 0 || c.keep == "none" && rep.First == 0 {
				t.Errorf("these documents show nothing: %+v", rep)
			}
		})
	}
	o := options(t, fresh, "simhash", false)
	o.Limits = dedup.Limits{Across: "agensy"}
	if _, err := pipeline.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), `the field "agensy"`) {
		t.Errorf("error %v, want that no document has the field", err)
	}
}
