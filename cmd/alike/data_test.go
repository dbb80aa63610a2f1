package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

// requireData skips where the public data sets are absent, unless CI demands them.
func requireData(t *testing.T) {
	t.Helper()
	if _, ok := datasets.SharedDir(); ok {
		return
	}
	if os.Getenv("ALIKE_REQUIRE_DATA") == "1" {
		t.Fatal("no data sets in ../shared/data or ALIKE_DATA, and ALIKE_REQUIRE_DATA=1")
	}
	t.Skip("no data sets in ../shared/data or ALIKE_DATA")
}

func evalJSON(t *testing.T, args ...string) []eval.Record {
	t.Helper()
	code, stdout, stderr := alike(t, "", append([]string{"eval", "--format", "json", "--repeat", "-1", "--no-baselines"}, args...)...)
	if code != 0 {
		t.Fatalf("eval %v: exit code %d: %s", args, code, stderr)
	}
	var records []eval.Record
	dec := json.NewDecoder(strings.NewReader(stdout))
	for dec.More() {
		var r eval.Record
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// The areas under the ROC curve are those of independent reference runs: exact
// Jaccard in Python over the same n-grams of the same texts, to two digits.
func TestReferenceAUC(t *testing.T) {
	requireData(t)
	for _, c := range []struct {
		data, split, method string
		auc                 float64
	}{
		{"lcqmc", "dev", "shingle:tokens=rune,width=2", .694},
		{"afqmc", "dev", "shingle:tokens=rune,width=2", .570},
		{"pawsx-zh", "dev", "shingle:tokens=rune,width=2", .548},
		{"mrpc", "test", "shingle:width=1-2", .734},
		{"pan-paraphrase", "test", "shingle:width=1-2", .935},
	} {
		r := evalJSON(t, "--data", c.data, "--split", c.split, "--method", c.method)[0]
		t.Logf("%s %s: AUC %.4f, reference %.3f", c.data, c.split, float64(r.AUC), c.auc)
		if math.Abs(float64(r.AUC)-c.auc) > .02 {
			t.Errorf("%s %s: AUC %.4f, want %.3f ± .02", c.data, c.split, float64(r.AUC), c.auc)
		}
	}
}

// eval and choose say how many texts published splits share, and leave them out
// of the split they choose on when they are told to.
func TestSharedTextsAreTold(t *testing.T) {
	requireData(t)
	for _, data := range []string{"stsb-en", "mrpc"} {
		set, err := datasets.Load(data)
		if err != nil {
			t.Fatal(err)
		}
		choose, report, _ := set.Roles()
		reported, shared := map[string]bool{}, map[string]bool{}
		for _, p := range set.Select(report) {
			reported[set.Docs[p.A].Text], reported[set.Docs[p.B].Text] = true, true
		}
		for _, p := range set.Select(choose) {
			for _, text := range []string{set.Docs[p.A].Text, set.Docs[p.B].Text} {
				if reported[text] {
					shared[text] = true
				}
			}
		}
		t.Logf("%s: %d texts of %v are in %v", data, len(shared), choose, report)
		for _, more := range [][]string{nil, {"--strict-splits"}} {
			want := fmt.Sprintf("alike: %s: %d texts are in both splits", data, len(shared))
			if more == nil {
				want += "; --strict-splits leaves"
			} else {
				want += "; they are left out"
			}
			args := append([]string{"eval", "--data", data, "-m", "shingle", "--resamples", "-1", "--repeat", "-1", "--no-baselines", "-f", "json"}, more...)
			code, stdout, stderr := alike(t, "", args...)
			var r eval.Record
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 0 {
				t.Fatalf("%v: exit code %d, %v: %s", args, code, err, stderr)
			}
			if !strings.HasPrefix(stderr, want) || r.Shared != len(shared) || r.StrictSplits != (more != nil) || int(r.Pairs) != len(set.Select(report)) {
				t.Errorf("%v: %d texts shared, strict is %v, %d pairs, stderr %q; want %d texts, all %d pairs, %q", args, r.Shared, r.StrictSplits, r.Pairs, stderr, len(shared), len(set.Select(report)), want)
			}
			args = append([]string{"choose", data, "-m", "shingle", "--resamples", "20", "--no-speed", "-f", "json"}, more...)
			if code, stdout, stderr = alike(t, "", args...); code != 0 || !strings.HasPrefix(stderr, want) || !strings.Contains(stdout, fmt.Sprintf(`"n_shared":%d`, len(shared))) || strings.Contains(stdout, `"strict_splits":true`) != (more != nil) {
				t.Errorf("%v: exit code %d, stderr %q, want %q: %s", args, code, stderr, want, stdout)
			}
		}
	}
}

// Quality does not depend on the number of workers.
func TestEvalIsDeterministic(t *testing.T) {
	var outputs []string
	for _, workers := range []string{"1", "2", "7"} {
		code, stdout, stderr := alike(t, "", "eval", "--data", "zh", "--format", "json", "--repeat", "-1", "--workers", workers)
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		outputs = append(outputs, stdout)
	}
	for _, o := range outputs[1:] {
		if o != outputs[0] {
			t.Errorf("records differ between numbers of workers:\n%s\n%s", outputs[0], o)
		}
	}
}

// The promise for the data inside: on each language the best method's F1 is known
// to ± .05, and it is neither trivial nor hopeless.
func TestDataInsideDiscriminates(t *testing.T) {
	for _, name := range datasets.Inside() {
		var best eval.Record
		worst := 1.0
		for _, r := range evalJSON(t, "--data", name) {
			if r.F1 > best.F1 {
				best = r
			}
			worst = min(worst, float64(r.F1))
		}
		if half := float64(best.F1High-best.F1Low) / 2; half > .05 {
			t.Errorf("%s: F1 of %s is known to ± %.3f, want .05", name, best.Method, half)
		}
		if best.F1 > .98 || float64(best.F1)-worst < .03 {
			t.Errorf("%s: best F1 %.3f, worst %.3f: the set tells little", name, best.F1, worst)
		}
	}
}

// Nothing leaks in the training data that is kept, by the same rules, and all
// of it comes back: verses in chapters, and Chinese texts in their other
// versions.
func TestLeakCutOfRealTexts(t *testing.T) {
	requireData(t)
	shared, _ := datasets.SharedDir()
	for _, c := range []struct {
		train, test string
		nth         int // of the test documents
		rules       []string
	}{
		{"bible-chapters", "bible-verses", 30, nil},
		{"bible-chapters", "bible-verses", 30, []string{"--passage", "8", "-t", "0.5"}},
		{"zh-book-versions", "zh-book-versions", 50, []string{"--passage", "15"}},
	} {
		set, err := datasets.Load(c.test)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		var items strings.Builder
		for i := 0; i < len(set.Docs); i += c.nth {
			b, err := json.Marshal(map[string]string{"text": set.Docs[i].Text})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&items, "%s\n", b)
		}
		test, train := filepath.Join(dir, "test.jsonl"), filepath.Join(shared, c.train, "docs.jsonl.gz")
		if err := os.WriteFile(test, []byte(items.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		out, back := filepath.Join(dir, "out"), filepath.Join(dir, "back.gz")
		code, _, stderr := alike(t, "", append([]string{"leak", train, test, "--clean", out, "--cut"}, c.rules...)...)
		var kept, cut, gone int
		if at := strings.Index(stderr, "out: "); code != 1 || at < 0 {
			t.Fatalf("%v: exit code %d: %s", c, code, stderr)
		} else if _, err := fmt.Sscanf(stderr[at:], "out: %d training documents without leaks kept, %d of them without what was cut out, %d removed", &kept, &cut, &gone); err != nil || cut < 20 || gone > cut {
			t.Fatalf("%v: %v: %s", c, err, stderr)
		}
		if code, stdout, stderr := alike(t, "", append([]string{"leak", filepath.Join(out, "kept.jsonl.gz"), test}, c.rules...)...); code != 0 {
			t.Errorf("%v: what is kept has leaks: %s%s", c, stdout, stderr)
		}
		// Restore checks the bytes against their checksum when the training
		// data was read.
		if code, _, stderr := alike(t, "", "restore", out, "-o", back); code != 0 {
			t.Errorf("%v: %s", c, stderr)
		}
	}
}
