package main

import (
	bits "encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runPython runs a script of the folder examples, or skips the test.
func runPython(t *testing.T, args ...string) string {
	t.Helper()
	if err := exec.Command("python3", "-c", "").Run(); err != nil {
		if os.Getenv("ALIKE_REQUIRE_SERVICES") == "1" {
			t.Fatalf("no python3, and ALIKE_REQUIRE_SERVICES=1: %v", err)
		}
		t.Skipf("no python3: %v", err)
	}
	out, err := exec.Command("python3", args...).Output()
	if err != nil {
		t.Fatalf("python3 %v: %v", args, err)
	}
	return string(out)
}

func exampleScript(name string) string { return filepath.Join("..", "..", "examples", name) }

// What other tools write, made here as they make it, gets through a script to the same figures as
// the table of the same clusters: a, b, c and d together, 3/6 and 3/4.
func TestScoreOfOtherTools(t *testing.T) {
	dir := scoreFiles(t)
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	words := func(v ...uint32) string {
		var out []byte
		for _, x := range v {
			out = bits.LittleEndian.AppendUint32(out, x)
		}
		return string(out)
	}
	judged := func(table, kind string) scored {
		file := write("table.tsv", table)
		var got scored
		out := mustRun(t, "score", "--truth", filepath.Join(dir, "set"), "--"+kind, file, "--rows", "0", "-f", "json")
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	pickled := filepath.Join(dir, "clusters.pickle")
	runPython(t, "-c", "import pickle, sys; pickle.dump({0: 0, 1: 0, 2: 0, 3: 0, 4: 4}, open(sys.argv[1], 'wb'))", pickled)
	// A chain, as a union-find of a class of its own leaves it.
	old := filepath.Join(dir, "uf.pkl")
	runPython(t, "-c", `import pickle, sys, types
m = types.ModuleType("text_dedup"); sys.modules["text_dedup"] = m
UnionFind = type("UnionFind", (), {"__module__": "text_dedup"}); m.UnionFind = UnionFind
u = UnionFind(); u.parent = {0: 0, 1: 0, 2: 1, 3: 2}
pickle.dump(u, open(sys.argv[1], "wb"))`, old)
	write("one/000000.clusters", words(0, 5, 1, 5, 2, 5, 3, 5))
	write("two/000000.clusters", words(0, 5, 1, 5))
	write("two/000001.clusters", words(0, 5, 1, 5))
	for name, args := range map[string][]string{
		"text-dedup":           {exampleScript("textdedup_clusters.py"), pickled},
		"text-dedup, older":    {exampleScript("textdedup_clusters.py"), old},
		"datatrove":            {exampleScript("datatrove_clusters.py"), filepath.Join(dir, "one")},
		"datatrove, two tasks": {exampleScript("datatrove_clusters.py"), filepath.Join(dir, "two"), "2"},
	} {
		if got := judged(runPython(t, args...), "clusters"); got.Precision != 3./6 || got.Recall != 3./4 {
			t.Errorf("%s: precision %v and recall %v, want 3/6 and 3/4", name, got.Precision, got.Recall)
		}
	}
	write("removed/000000.remove", words(1, 2, 3))
	if got := judged(runPython(t, exampleScript("datatrove_clusters.py"), filepath.Join(dir, "removed")), "removed"); got.Removal == nil || got.Removal.Right != 3 {
		t.Errorf("datatrove removes %+v, want 3 rightly", got.Removal)
	}
	if out, err := exec.Command("python3", exampleScript("datatrove_clusters.py"), filepath.Join(dir, "two")).CombinedOutput(); err == nil || !strings.Contains(string(out), "want the numbers") {
		t.Errorf("two tasks without sizes: %v, %s", err, out)
	}
}
