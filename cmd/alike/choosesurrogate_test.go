package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/surrogate"
)

// madeDocs writes documents with planted copies to a file, without saying which are which.
// No copy gets boilerplate or a quote, so that methods agree on which are versions.
func madeDocs(t *testing.T) string {
	t.Helper()
	made := filepath.Join(t.TempDir(), "made")
	mustRun(t, "datasets", "make", "-n", "300", "--mean", "60", "--seed", "5", "--mix", "mixed:0.05,mixed:0.1,mixed:0.2", made)
	out := filepath.Join(t.TempDir(), "docs.jsonl")
	for _, name := range []string{"docs.jsonl", "docs.jsonl.gz", "docs.jsonl.zst"} {
		if from := filepath.Join(made, name); exists(from) {
			out = filepath.Join(filepath.Dir(out), name)
			data, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(out, data, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatalf("no documents in %s", made)
	return ""
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func TestChooseWithoutLabels(t *testing.T) {
	quick := append([]string{"--no-speed", "--resamples", "20"}, some...)
	docs := madeDocs(t)
	for _, args := range [][]string{
		append([]string{"choose", docs, "--want", "versions"}, quick...),
		append([]string{"choose", "en", "--no-labels", "--max-docs", "300", "--want", "copies", "--differ", "20%"}, quick...),
		append([]string{"choose", docs, "--want", "excerpts", "--edits", "mixed:0.05*3,truncate:0.3"}, quick...),
	} {
		stdout := mustRun(t, args...)
		for _, want := range []string{"documents without labels", "pairs are copies", "planted copies that", "\nrecommended: ", "  alike dedup ", "the command removes ", "\nbest"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v: no %q in\n%s", args, want, stdout)
			}
		}
	}
	var c surrogate.Choice
	stdout := mustRun(t, append([]string{"choose", docs, "--format", "json"}, quick...)...)
	if err := json.Unmarshal([]byte(stdout), &c); err != nil || !c.Fit || c.Best.Dev.F1 < 0.8 || c.Outcome == "" || c.Effect == nil {
		t.Errorf("json: %+v, %v", c, err)
	}
}

// What is nearly a copy is no copy. Hints ask for no want that was stated, and repeat the
// flags that were.
func TestChooseSaysWhatIsMissing(t *testing.T) {
	quick := append([]string{"--no-speed", "--resamples", "20"}, some...)
	rng := rand.New(rand.NewPCG(1, 1))
	base := make([][]string, 200)
	for i := range base {
		for range 40 {
			base[i] = append(base[i], "w"+strconv.Itoa(rng.IntN(1000)))
		}
	}
	// These 200 documents; of 40 another one, in which some words differ or which is a reply.
	write := func(differ int, reply bool) string {
		var b strings.Builder
		for i := range 240 {
			var text []string
			if reply {
				text = append(text, ">")
			}
			for k := range 40 {
				if i >= 200 && k < differ {
					text = append(text, "other"+strconv.Itoa(k))
				} else {
					text = append(text, base[i%200][k])
				}
			}
			if reply && i >= 200 {
				text = append(text, "\nyes")
			}
			line, err := json.Marshal(map[string]string{"id": strconv.Itoa(i), "text": strings.Join(text, " ")})
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
		name := filepath.Join(t.TempDir(), "docs.jsonl")
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	for _, c := range []struct {
		differ int // words
		reply  bool
		args   []string
		want   []string
		not    []string
	}{
		{2, false, nil, []string{"\n40 pairs are copies (at most 10 % of the words differ), 0 more nearly so (at most 20 %); "}, nil},
		{6, false, nil, []string{"\n0 pairs are copies (at most 10 % of the words differ), 40 more nearly so (at most 20 %); ", "say what is alike (--want copies or versions), or judge 20 pairs:\n", " --no-labels --review 20\n"}, nil},
		{0, true, []string{"--want", "copies", "--differ", "0.1"}, []string{"\njudge 20 pairs:\n", " --no-labels --want copies --differ 0.1 --review 20\n"}, []string{"say what is alike"}},
		{2, false, []string{"--want", "versions"}, []string{"\n40 pairs are copies (at most 10 % of the words differ); "}, []string{"nearly so"}},
	} {
		stdout := mustRun(t, append(append([]string{"choose", write(c.differ, c.reply), "--wide"}, c.args...), quick...)...)
		for _, want := range c.want {
			if !strings.Contains(stdout, want) {
				t.Errorf("%d words, %v: no %q in\n%s", c.differ, c.args, want, stdout)
			}
		}
		for _, not := range c.not {
			if strings.Contains(stdout, not) {
				t.Errorf("%d words, %v: %q in\n%s", c.differ, c.args, not, stdout)
			}
		}
	}
}

// The command that is printed removes, pasted, as many documents as was promised.
func TestChooseKeepsItsWord(t *testing.T) {
	docs := madeDocs(t)
	for _, want := range []string{"copies", "versions"} {
		stdout := mustRun(t, append([]string{"choose", docs, "--want", want, "--no-speed", "--resamples", "20"}, some...)...)
		var command, promised string
		for line := range strings.Lines(stdout) {
			if strings.HasPrefix(line, "  alike dedup ") {
				command = strings.TrimSpace(line)
			}
			if rest, ok := strings.CutPrefix(line, "the command removes "); ok {
				promised, _, _ = strings.Cut(rest, " ")
			}
		}
		out := filepath.Join(t.TempDir(), "out")
		args := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(command, "'", ""), "OUT", out))
		mustRun(t, args[1:]...)
		removed, err := datasets.ReadDocs(datasets.Source{Path: filepath.Join(out, "removed.jsonl")})
		if err != nil || strconv.Itoa(len(removed)) != promised || len(removed) < 10 {
			t.Errorf("%s removes %d documents (%v), %s were promised", command, len(removed), err, promised)
		}
	}
}

// Answers are kept as they are given, and a later run learns from them.
func TestChooseReview(t *testing.T) {
	docs := madeDocs(t)
	labels := filepath.Join(t.TempDir(), "labels.tsv")
	args := append([]string{"choose", docs, "--want", "versions", "--labels", labels, "--no-speed", "--resamples", "20"}, some...)
	code, stdout, stderr := alike(t, "y\nwhat\nN\ns\nyes\nq\n", append(args, "--review", "9")...)
	if code != 0 || !strings.Contains(stdout, "; 3 answers\n") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if asked := strings.Count(stderr, "of 9: are they the same?"); asked != 6 {
		t.Errorf("asked %d times, want 6", asked)
	}
	data, err := os.ReadFile(labels)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != 4 || lines[0] != "id1\tid2\tlabel\tkind" || !strings.Contains(lines[1], "\t1\t") || !strings.Contains(lines[2], "\t0\t") {
		t.Errorf("labels are\n%s", data)
	}
	if again := mustRun(t, args...); !strings.Contains(again, "; 3 answers\n") {
		t.Errorf("a later run says\n%s", again)
	}
}

func TestChooseWithoutLabelsRefuses(t *testing.T) {
	few := filepath.Join(t.TempDir(), "few.jsonl")
	if err := os.WriteFile(few, []byte(`{"id":"a","text":"one"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(t.TempDir(), "bad.tsv")
	if err := os.WriteFile(bad, []byte("id1\tid2\tlabel\na\tb\tmaybe\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"choose", few}, "1 documents with a text"},
		{[]string{"choose", "en", "--no-labels", "--edits", "beauty:0.1"}, "beauty"},
		{[]string{"choose", "en", "--no-labels", "--want", "beauty"}, "copies, versions or excerpts"},
		{[]string{"choose", "en", "--no-labels", "--differ", "60%"}, "at most 0.5"},
		{[]string{"choose", "en", "--no-labels", "--labels", bad}, "maybe"},
	} {
		if code, stdout, stderr := alike(t, "", c.args...); code != 2 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}
