package main

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// words is a text of different words.
func words(from, to int) string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf("w%d", i))
	}
	return strings.Join(out, " ")
}

// writeDocs writes documents, by id.
func writeDocs(t *testing.T, path string, texts map[string]string) {
	t.Helper()
	var rows strings.Builder
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&rows, `{"id":%q,"text":%q}`+"\n", id, texts[id])
	}
	if err := os.WriteFile(path, []byte(rows.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What --want finds in four texts: of a, b has one word in ten replaced, c has all of a
// among other words, and d shares one run of three.
func TestWant(t *testing.T) {
	texts := map[string]string{"a": words(0, 40), "c": words(200, 240) + " " + words(0, 40), "d": words(0, 3) + " " + words(300, 337)}
	texts["b"] = words(0, 36) + " " + words(100, 104) // 4 words of 40
	in := filepath.Join(t.TempDir(), "in.jsonl")
	writeDocs(t, in, texts)
	pairs := func(args ...string) string {
		var found []string
		for _, line := range strings.Split(strings.TrimSpace(must(t, append([]string{"pairs", in}, args...)...)), "\n")[1:] {
			f := strings.Split(line, "\t")
			found = append(found, f[0]+f[1])
		}
		return strings.Join(found, " ")
	}
	for args, want := range map[string]string{
		"--want copies":                "ab", // 34 of 42 runs
		"--want copies -m words":       "ab", // 10 % differ
		"--want copies --differ 1%":    "",
		"--want versions -t .2":        "ab ac bc", // ac: 38 of 78 runs, bc: 34 of 82
		"--want excerpts":              "ab ac bc", // bc: 34 of 38 runs
		"--want excerpts -t .9":        "ac",
		"--want excerpts -t .01":       "ab ac ad bc bd cd", // d has one run of each
		"-m shingle -t .9":             "",
		"-m words -t .9":               "ab",
		"-m words -t .5":               "ab ac", // ac: 40 words of 80 are inserted
		"-m words -t .5 --show-differ": "ab ac",
	} {
		if got := pairs(strings.Fields(args)...); got != want {
			t.Errorf("pairs %s finds %q, want %q", args, got, want)
		}
	}
	if out := must(t, "pairs", in, "-m", "words", "-t", ".5", "--show-differ"); !strings.Contains(out, "\na\tb\t0.900000\t0.100000\t0.000000\n") || !strings.HasPrefix(out, "id1\tid2\tscore\tdiffer\tdiffer_se\n") {
		t.Errorf("pairs --show-differ: %s", out)
	}
	for args, want := range map[string]string{
		"":                      "kept        3",
		"--want copies":         "kept        3",
		"--want excerpts":       "kept        2", // a and b lie in c, which is the longest
		"--want versions -t .4": "kept        2",
		"--differ 9%":           "kept        4",
	} {
		out := must(t, append([]string{"dedup", in, "--dry-run", "--max-drop", "100%"}, strings.Fields(args)...)...)
		if !strings.Contains(out, want+"\n") {
			t.Errorf("dedup %s: want %s, got %s", args, want, out)
		}
	}
	if out := must(t, "dedup", in, "--dry-run", "--differ", "9%"); !strings.Contains(out, "--differ 13.5% would remove 1 of the documents kept: b for a (0.900)") {
		t.Errorf("dedup does not say what more would go: %s", out)
	}
	for _, args := range []string{"pairs IN", "pairs IN --want copies --differ 5% -t .5", "pairs IN --want versions", "pairs IN --want alike", "pairs IN --want excerpts -m minhash", "pairs IN --want excerpts --differ 5%", "dedup IN --dry-run --want versions"} {
		if code, _, stderr := alike(t, "", strings.Fields(strings.ReplaceAll(args, "IN", in))...); code != 2 {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}

// leak and index query state the share of words that differ: their intervals hold the
// shares that are known of edited texts, whatever surrounds them.
func TestShowDiffer(t *testing.T) {
	t.Chdir(t.TempDir())
	apart := strings.Fields(words(0, 40))
	apart[9], apart[19], apart[29] = "x", "y", "z"
	truth := map[string]float64{"same": 0, "block": 4. / 40, "apart": 3. / 40, "cut": 10. / 40}
	texts := map[string]string{"same": words(0, 40), "block": words(0, 36) + " " + words(100, 104), "apart": strings.Join(apart, " "), "cut": words(0, 30)}
	writeDocs(t, "edited.jsonl", texts)
	writeDocs(t, "original.jsonl", map[string]string{"o": words(0, 40)})
	writeDocs(t, "long.jsonl", map[string]string{"l": words(200, 900) + " " + words(0, 40) + " " + words(900, 999)})
	must(t, "index", "create", "disk:seen", "-m", "shingle:tokens=single,width=3", "-t", ".1")
	must(t, "index", "add", "disk:seen", "original.jsonl")

	check := func(what, out string, exact map[string]float64) {
		t.Helper()
		n := 0
		for _, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			f := strings.Split(line, ",")
			share, err := strconv.ParseFloat(f[1], 64)
			se, err2 := strconv.ParseFloat(f[2], 64)
			if d, ok := exact[f[0]]; err != nil || err2 != nil || !ok || math.Abs(share-d) > 1.96*se+1e-6 || share > d+.25 {
				t.Errorf("%s: %s, want a share of %v", what, line, d)
			}
			n++
		}
		if n != len(exact) {
			t.Errorf("%s: %d rows, want %d:\n%s", what, n, len(exact), out)
		}
	}
	columns := func(id string) []string {
		return []string{"--format", "csv", "--columns-out", id + ",differ,differ_se"}
	}
	check("index query", must(t, append([]string{"index", "query", "disk:seen", "edited.jsonl", "--show-differ"}, columns("id")...)...), truth)
	check("index query --differ", must(t, append([]string{"index", "query", "disk:seen", "edited.jsonl", "--differ", "40%"}, columns("id")...)...), truth)
	check("index query --text", must(t, append([]string{"index", "query", "disk:seen", "--text", texts["block"], "--show-differ"}, columns("id")...)...), map[string]float64{"1": truth["block"]})
	// Of cut, no word differs: it was shortened, and what follows it does not count.
	inside := map[string]float64{"same": 0, "block": truth["block"], "apart": truth["apart"], "cut": 0}
	for _, how := range []string{"--show-differ -t .5", "--differ 20%"} {
		args := append([]string{"leak", "long.jsonl", "edited.jsonl"}, strings.Fields(how)...)
		code, out, stderr := alike(t, "", append(args, columns("test")...)...)
		if code != exitBad {
			t.Errorf("leak %s: exit code %d, %s", how, code, stderr)
		}
		check("leak "+how, out, inside)
	}
	// JSON has the shares as numbers too.
	if _, out, _ := alike(t, "", "leak", "long.jsonl", "edited.jsonl", "--show-differ", "-f", "jsonl"); strings.Count(out, `"differ":`) != len(strings.Split(strings.TrimSpace(out), "\n")) {
		t.Errorf("leak -f jsonl: %s", out)
	}
	must(t, "index", "create", "disk:bits", "-m", "simhash", "-k", "3")
	if code, _, stderr := alike(t, "", "index", "query", "disk:bits", "edited.jsonl", "--show-differ"); code != exitFail || !strings.Contains(stderr, "no measured model") {
		t.Errorf("SimHash has a model: exit code %d, %s", code, stderr)
	}
	if code, _, stderr := alike(t, "", "leak", "long.jsonl", "edited.jsonl", "--show-differ", "--features", "tokens=rune,width=5"); code != exitFail || !strings.Contains(stderr, "no model") {
		t.Errorf("code points have a model: exit code %d, %s", code, stderr)
	}
}
