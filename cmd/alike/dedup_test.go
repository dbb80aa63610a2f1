package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alike-go/alike/external"
)

// corpusOf writes documents of which some are equal or alike.
func corpusOf(t testing.TB, path string, seed uint64, docs int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	word := func() string { return fmt.Sprintf("w%d", r.IntN(5000)) }
	var texts []string
	var b bytes.Buffer
	for i := range docs {
		var words []string
		if i > 0 && r.IntN(3) == 0 {
			words = strings.Fields(texts[r.IntN(len(texts))])
			if r.IntN(3) > 0 {
				words[r.IntN(len(words))] = word()
			}
		} else {
			for range 20 + r.IntN(80) {
				words = append(words, word())
			}
		}
		texts = append(texts, strings.Join(words, " "))
		fmt.Fprintf(&b, `{"id":"%d-%d","n":%d,"text":%q}`+"\n", seed, i, r.IntN(9), texts[i])
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// files reads a folder, but for the part of the report that differs between runs.
func files(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if d.Name() == "report.json" {
			var m map[string]any
			if err := json.Unmarshal(b, &m); err != nil {
				return err
			}
			delete(m, "run")
			b, _ = json.Marshal(m)
		}
		rel, _ := filepath.Rel(dir, p)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var spent = regexp.MustCompile(`alike: \d+\.\d\ds .*\n`)

func TestDedupGoldens(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	rows := `{"id":"a","date":"2024-01-02","text":"we all scream for ice cream in the summer heat"}
{"id":"b","date":"2024-05-01","text":"We all scream for ice cream in the summer heat!"}
{"id":"c","text":"..."}
{"id":"d","date":"2023-01-01","text":"we all scream for ice cream in the summer heat"}
{"id":"e","text":"the cat sat on the mat and looked at the dog"}
`
	// Each text is 30 words, and the next begins four words later. Two
	// neighbours have 24 of 32 runs of three words in common, 0.75, and the
	// first and the third have 20 of 36, 0.56.
	var chain strings.Builder
	for i := range 3 {
		var words []string
		for w := range 30 {
			words = append(words, fmt.Sprint("w", 4*i+w))
		}
		fmt.Fprintf(&chain, "{\"text\":%q}\n", strings.Join(words, " "))
	}
	for name, text := range map[string]string{"chain.jsonl": chain.String(), "a.jsonl": rows, "bad.jsonl": rows + "no\n", "old.jsonl": `{"id":"o","text":"the cat sat on the mat and looked at the dog, it did"}` + "\n"} {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, stdin string
		args        []string
		code        int
	}{
		{"dedup-help", "", []string{"dedup", "-h"}, 0},
		{"dedup", "", []string{"dedup", at("a.jsonl"), "-o", at("out")}, 0},
		{"dedup-exists", "", []string{"dedup", at("a.jsonl"), "-o", at("out")}, 2},
		{"dedup-dry-run", rows, []string{"dedup", "-", "--dry-run", "--keep", "newest:date", "-m", "simhash", "-k", "9"}, 0},
		{"dedup-against", "", []string{"dedup", at("a.jsonl"), "--against", at("old.jsonl"), "-o", at("new"), "-t", "0.7", "--explain"}, 0},
		{"dedup-closure", "", []string{"dedup", at("chain.jsonl"), "-o", at("closed"), "-t", "0.7", "--cohesion", "0", "--max-drop", "70%"}, 0},
		{"dedup-cohesion", "", []string{"dedup", at("chain.jsonl"), "-o", at("chained"), "-t", "0.7", "--cohesion", "0.6", "--max-drop", "70%"}, 0},
		{"dedup-bad-cohesion", "", []string{"dedup", at("chain.jsonl"), "-o", at("x"), "--cohesion", "-1"}, 2},
		{"dedup-max-drop", "", []string{"dedup", at("a.jsonl"), "-o", at("x"), "--max-drop", "20%"}, 1},
		{"dedup-skip-bad", "", []string{"dedup", at("bad.jsonl"), "-o", at("y"), "--skip-bad", "1", "--annotate"}, 0},
		{"dedup-bad-row", "", []string{"dedup", at("bad.jsonl"), "-o", at("x")}, 2},
		{"dedup-max-document", "", []string{"dedup", at("a.jsonl"), "-o", at("x"), "--max-document", "70B"}, 2},
		{"dedup-no-out", "", []string{"dedup", at("a.jsonl")}, 2},
		{"dedup-no-input", "", []string{"dedup", "-o", at("x")}, 2},
		{"dedup-no-file", "", []string{"dedup", at("absent"), "-o", at("x")}, 2},
		{"dedup-bad-keep", "", []string{"dedup", at("a.jsonl"), "-o", at("x"), "--keep", "best"}, 2},
		{"dedup-bad-mask", "", []string{"dedup", at("a.jsonl"), "-o", at("x"), "--mask", "names"}, 2},
		{"dedup-bad-share", "", []string{"dedup", at("a.jsonl"), "-o", at("x"), "--max-drop", "most"}, 2},
		{"dedup-resume-stdin", rows, []string{"dedup", "-", "-o", at("x"), "--resume"}, 2},
		{"restore-help", "", []string{"restore", "-h"}, 0},
		{"restore", "", []string{"restore", at("out"), "-o", at("back.jsonl")}, 0},
		{"restore-other", "", []string{"restore", dir, "-o", at("back")}, 2},
		{"leak-help", "", []string{"leak", "-h"}, 0},
		{"leak", rows, []string{"leak", at("old.jsonl"), "jsonl:-"}, 1},
		{"leak-jsonl", rows, []string{"leak", at("old.jsonl"), "jsonl:-", "-f", "jsonl"}, 1},
		{"leak-differ", rows, []string{"leak", at("old.jsonl"), "jsonl:-", "--differ", "10%"}, 1},
		{"leak-two-thresholds", rows, []string{"leak", at("old.jsonl"), "jsonl:-", "-t", ".5", "--differ", "10%"}, 2},
		{"dedup-differ", rows, []string{"dedup", "jsonl:-", "--dry-run", "--differ", "20%", "--max-drop", "100%"}, 0},
		{"leak-none", rows, []string{"leak", "jsonl:-", at("old.jsonl"), "-t", "1"}, 0},
		{"leak-one", "", []string{"leak", at("old.jsonl")}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := alike(t, c.stdin, c.args...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			got := spent.ReplaceAllString("stdout:\n"+stdout+"stderr:\n"+stderr, "alike: TIME\n")
			got = strings.ReplaceAll(got, dir, "DIR")
			got = regexp.MustCompile(`(candidates  .*): .*`).ReplaceAllString(got, "$1: DESIGN") // that is for the methods' tests to say
			golden(t, filepath.Join("testdata", c.name+".golden"), got)
		})
	}
	back, err := os.ReadFile(at("back.jsonl"))
	if err != nil || string(back) != rows {
		t.Errorf("restored %q, %v", back, err)
	}
}

// The help says what is there: its first example works.
func TestDedupUpdates(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpusOf(t, at("1.jsonl"), 1, 300)
	corpusOf(t, at("2.jsonl"), 1, 600) // the first and more
	must := func(args ...string) {
		t.Helper()
		if code, _, stderr := alike(t, "", args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr)
		}
	}
	must("dedup", at("1.jsonl"), "-o", at("a"))
	must("dedup", at("2.jsonl"), "-o", at("b"), "--against", at("a/kept.jsonl"), "--update")
	must("dedup", at("2.jsonl"), "-o", at("c"))
	got, err := os.ReadFile(at("a/kept.jsonl"))
	want, err2 := os.ReadFile(at("c/kept.jsonl"))
	if err != nil || err2 != nil || !bytes.Equal(got, want) {
		t.Errorf("batch by batch %d bytes are kept, at once %d (%v, %v)", len(got), len(want), err, err2)
	}
}

// TestMain lets the test binary be the command, for tests that kill it.
func TestMain(m *testing.M) {
	external.Supervise()
	if os.Getenv("ALIKE_TEST_COMMAND") != "" {
		if pattern := os.Getenv(killAtFile); pattern != "" {
			go killYourself(pattern)
		}
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "ALIKE_TEST_COMMAND=1")
	return cmd
}

// A run that is killed at random moments, again and again, leaves its input as it is
// and no output, and comes to the same bytes as one that is not, with whatever
// workers and memory.
func TestDedupSurvivesKilling(t *testing.T) {
	docs, rounds := 20_000, 3
	switch {
	case testing.Short():
		docs, rounds = 4000, 1
	case os.Getenv("ALIKE_LONG") != "":
		docs, rounds = 100_000, 20
	}
	survivesKilling(t, docs, rounds, "--keep", "highest:n,longest")
}

// The same below the document. A long test kills it forty times at least.
func TestDedupBelowSurvivesKilling(t *testing.T) {
	docs, rounds := 10_000, 2
	switch {
	case testing.Short():
		docs, rounds = 2000, 1
	case os.Getenv("ALIKE_LONG") != "":
		docs, rounds = 30_000, 40
	}
	survivesKilling(t, docs, rounds, "--level", "passage", "--keep", "highest:n,longest", "--max-drop", "100%")
}

// survivesKilling kills dedup at random moments. In each round it is resumed until its
// output is there.
func survivesKilling(t *testing.T, docs, rounds int, flags ...string) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpusOf(t, at("in.jsonl"), 5, docs)
	before, err := os.ReadFile(at("in.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"dedup", at("in.jsonl")}, flags...)
	began := time.Now()
	if out, err := command(append(args, "-o", at("whole"))...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(began)
	want := files(t, at("whole"))
	r := rand.New(rand.NewPCG(1, 1))
	killed := 0
	for round := range rounds {
		for {
			cmd := command(append(args, "-o", at("out"), "--resume", "--workers", fmt.Sprint(1+round), "--memory", []string{"2GiB", "64MiB"}[round%2])...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			kill := time.AfterFunc(time.Duration(r.Int64N(int64(took)*3/2)), func() { cmd.Process.Kill() })
			err := cmd.Wait()
			if kill.Stop(); err == nil {
				break
			}
			if cmd.ProcessState.ExitCode() != -1 {
				t.Fatalf("exit code %d: %s", cmd.ProcessState.ExitCode(), stderr.String())
			}
			killed++
			if after, err := os.ReadFile(at("in.jsonl")); err != nil || !bytes.Equal(after, before) {
				t.Fatal("the input has changed")
			}
			if _, err := os.Stat(at("out")); err == nil {
				break // it was killed behind the last step
			}
		}
		if got := files(t, at("out")); !reflect.DeepEqual(got, want) {
			for name := range want {
				if got[name] != want[name] {
					t.Errorf("round %d, killed %d times: %s differs", round, killed, name)
				}
			}
			t.FailNow()
		}
		os.RemoveAll(at("out"))
		os.RemoveAll(at("out.partial"))
	}
	t.Logf("killed %d times", killed)
	if killed == 0 && !testing.Short() {
		t.Error("no run was killed")
	}
}

// The second of two runs on one output ends at once and names it.
func TestDedupRefusesASecondRun(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	corpusOf(t, at("in.jsonl"), 6, 3000)
	first := command("dedup", at("in.jsonl"), "-o", at("out"), "--workers", "1")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	var refused bool
	for !refused {
		if _, err := os.Stat(at("out.partial/identity")); err == nil {
			out, err := command("dedup", at("in.jsonl"), "-o", at("out")).CombinedOutput()
			refused = err != nil && (strings.Contains(string(out), "another run is making it") || strings.Contains(string(out), "exists already"))
			if !refused {
				t.Errorf("%v: %s", err, out)
				break
			}
		}
		if _, err := os.Stat(at("out")); err == nil {
			break
		}
	}
	if err := first.Wait(); err != nil {
		t.Fatal(err)
	}
}

// Too many pairs end a run with exit code 2, and the error says what to change.
func TestDedupMaxPairs(t *testing.T) {
	var rows strings.Builder
	for i := range 60 {
		fmt.Fprintf(&rows, `{"id":"%d","text":"%s w%d x%d y%d z%d"}`+"\n", i, strings.Repeat("a common b common ", 3)+"c d e f g h i j k l m n o p q r s t u v", i, i, i, i)
	}
	out := filepath.Join(t.TempDir(), "out")
	args := []string{"dedup", "jsonl:-", "-o", out, "-t", "0.75", "--max-drop", "100%"}
	code, _, stderr := alike(t, rows.String(), append(args, "--verify", "sketch", "--max-pairs", "5")...)
	if code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	for _, want := range []string{"pairs of texts would be compared, more than 5", "--verify text", "--candidates", "--max-pairs"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr %q, want %q in it", stderr, want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is an output")
	}
	allow := regexp.MustCompile(`--max-pairs (\d+) allows`).FindStringSubmatch(stderr)
	if allow == nil {
		t.Fatalf("stderr %q does not say what to allow", stderr)
	}
	if code, _, stderr := alike(t, rows.String(), append(args, "--verify", "sketch", "--max-pairs", allow[1])...); code != 0 {
		t.Errorf("exit code %d with what was to be allowed: %s", code, stderr)
	}
}
