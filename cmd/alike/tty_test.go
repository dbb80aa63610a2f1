//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// openTerminal returns a terminal, and what returns all that was written to it
// and closes it.
func openTerminal(t *testing.T) (tty *os.File, written func() string) {
	t.Helper()
	tty, _, written = openTyped(t)
	return tty, written
}

// openTyped is openTerminal with what a person types at it.
func openTyped(t *testing.T) (tty, master *os.File, written func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.MakeRaw(int(tty.Fd())); err != nil { // line breaks stay as they are
		t.Fatal(err)
	}
	var out bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(&out, master) // ends with EIO when nobody has the terminal open
	}()
	return tty, master, func() string {
		tty.Close()
		<-done
		master.Close()
		return out.String()
	}
}

// hostile sets a title, clears the screen, colours, hides and turns text
// around.
const hostile = "\x1b]0;owned\x07\x1b[2J\u009b31m\x7f\b\u202eevil\u2066"

// progressed is what progress bars and marks write.
var progressed = regexp.MustCompile(`\r|\x1b\[[02]?K|\x1b\[(1;33)?m`)

// No command writes control characters of a document, an id, a name or a child
// process to a terminal. Files and pipes get the bytes unchanged.
func TestTerminalSeesNoControlCharacters(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return p
	}
	quoted := strings.NewReplacer("\x1b", `\u001b`, "\x07", `\u0007`, "\b", `\b`).Replace(hostile)
	var rows strings.Builder
	for i := range 120 {
		fmt.Fprintf(&rows, `{"id":"%s%d","text":"the cat sat %s on the mat number%d and looked at the dog %d"}`+"\n", quoted, i, quoted, i/2, i%2)
	}
	docs := write("docs.jsonl", rows.String())
	bad := write("bad"+hostile+".jsonl", "{\"id\":\"a\",\"text\":\"cat\"}\nno JSON"+hostile+"\n")
	text := write("text"+hostile, "the cat sat on the mat")
	write("set/docs.jsonl", rows.String())
	write("set/README.md", "# set\n\nA set"+hostile+" of cats.\n\n- source: "+hostile+"\n- licence: "+hostile+"\n")
	write("set/pairs.tsv", func() string {
		out := "id1\tid2\tlabel\tkind\n"
		for i := range 15 {
			out += fmt.Sprintf("%s%d\t%s%d\t1\t%s\n%s%d\t%s%d\t0\trandom\n", hostile, 2*i, hostile, 2*i+1, hostile, hostile, 2*i, hostile, (2*i+7)%120)
		}
		return out
	}())
	index := "disk:" + filepath.Join(dir, "seen")
	mustRun(t, "index", "create", index, "-m", "shingle", "-t", "0.5")
	found := filepath.Join(dir, "found"+hostile+".jsonl")
	mustRun(t, "pairs", docs, "-m", "shingle", "-t", "0.5", "-o", found)
	child := func(script string) string { return "exec:" + script }
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"pairs", docs, "-m", "shingle", "-t", "0.5"}, 0},
		{[]string{"pairs", docs, "-m", "shingle", "-t", "0.5", "-f", "jsonl"}, 0},
		{[]string{"pairs", bad, "-m", "shingle", "-t", "0.5"}, 2},
		{[]string{"pairs", bad, "-m", "shingle", "-t", "0.5", "--skip-bad", "1"}, 0},
		{[]string{"compare", text, docs, "-m", "shingle", "--explain"}, 0},
		{[]string{"compare", "--text", "cat" + hostile, "cat dog" + hostile, "-m", "shingle", "--explain", "-f", "md"}, 0},
		{[]string{"compare", "--text", "a", "b", "-m", child(`printf '\033[2J\302\2331m' >&2; exit 3`)}, 2},
		{[]string{"compare", "--text", "a", "b", "-m", child(`printf '{"alike":1,"name":"x\033[2J"}\n'`)}, 2},
		{[]string{"compare", "--text", "a", "b", "-m", "shingle:" + hostile}, 2},
		{[]string{"eval", "--data", filepath.Join(dir, "set"), "-m", "shingle", "--repeat", "-1", "--resamples", "-1"}, 0},
		{[]string{"eval", "--data", filepath.Join(dir, "absent"+hostile)}, 2},
		{[]string{"datasets", "show", filepath.Join(dir, "set")}, 0},
		{[]string{"leak", docs, docs}, 1},
		{[]string{"passages", docs, docs, "--min-length", "8", "-f", "table"}, 0},
		{[]string{"gather", docs, "--against", docs, "--min-length", "8", "-f", "table"}, 0},
		{[]string{"pairs", docs, "-m", "shingle", "-t", "0.5", "--texts", "-f", "table"}, 0},
		{[]string{"review", found, docs, "--labels", filepath.Join(dir, "judged"+hostile)}, 0},
		{[]string{"index", "add", index, docs}, 0},
		{[]string{"index", "query", index, docs}, 0},
		{[]string{"index", "stats", "disk:" + hostile}, 2},
		{[]string{"dedup", docs, "-o", filepath.Join(dir, "out"), "--" + hostile}, 2},
		{[]string{"choose", docs, "-m", "shingle", "--no-speed", "--resamples", "20", "--review", "2", "--labels", filepath.Join(dir, "labels"+hostile)}, 0},
		{[]string{"score", "--truth", filepath.Join(dir, "set"), "--pairs", write("found"+hostile+".tsv", "id1\tid2\n"+hostile+"x\ty\n")}, 2},
		{[]string{"restore", filepath.Join(dir, "none"+hostile)}, 2},
		{[]string{"help", "no" + hostile}, exitFail},
		{[]string{"no" + hostile}, 2},
	} {
		tty, written := openTerminal(t)
		code := run(c.args, strings.NewReader(strings.Repeat("y\n", 9)), tty, tty)
		got := written()
		if code != c.code {
			t.Errorf("%q: exit code %d, want %d: %q", c.args, code, c.code, got)
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q: the terminal sees bytes that are no UTF-8: %q", c.args, got)
		}
		for _, r := range progressed.ReplaceAllString(got, "") {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%q: the terminal sees %U in %q", c.args, r, got)
				break
			}
		}
	}
	for _, format := range []string{"tsv", "jsonl"} {
		if stdout := mustRun(t, "pairs", docs, "-m", "shingle", "-t", "0.5", "-f", format); !strings.Contains(stdout, "\u202eevil\u2066") {
			t.Errorf("a pipe does not get the ids as they are: %q", stdout)
		}
	}
}

// Columns stay aligned although escaping makes cells longer.
func TestTerminalTableIsAligned(t *testing.T) {
	tty, written := openTerminal(t)
	code := run([]string{"compare", "--wide", "--text", "a b", "b c", "-m", "shingle", "-m", execEqual + "; # " + strings.Repeat("\x1b", 5)}, strings.NewReader(""), tty, io.Discard)
	_, table, _ := strings.Cut(written(), "\n\n") // behind the verdict
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if code != 0 || len(lines) != 3 {
		t.Fatalf("exit code %d, lines %q", code, lines)
	}
	at := strings.Index(lines[0], "score") + len("score")
	for _, l := range lines[1:] {
		if len(l) <= at || l[at] != ' ' || l[at-1] == ' ' {
			t.Errorf("no score ends at column %d of %q, under %q", at, l, lines[0])
		}
	}
}

// What differs is coloured on a terminal, unless people want no colour.
func TestReviewColours(t *testing.T) {
	dir := t.TempDir()
	pairs := filepath.Join(dir, "pairs.csv")
	if err := os.WriteFile(pairs, []byte("id1,id2,text1,text2\na,b,the old cat sat,the new cat sat\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, value, want string }{
		{"TERM", "xterm", "the \x1b[1;33mold\x1b[m cat sat\n"},
		{"NO_COLOR", "1", "the [old] cat sat\n"},
		{"TERM", "dumb", "the [old] cat sat\n"},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			t.Setenv("NO_COLOR", "")
			t.Setenv("TERM", "xterm")
			t.Setenv(c.name, c.value)
			tty, written := openTerminal(t)
			code := run([]string{"review", pairs}, strings.NewReader("q\n"), io.Discard, tty)
			if got := written(); code != 0 || !strings.Contains(got, c.want) {
				t.Errorf("exit code %d, %q, want %q", code, got, c.want)
			}
		})
	}
}

// A person answers at the terminal. Answers are kept as they are given, and a
// later run asks only what is left.
func TestDedupAsksAtTheTerminal(t *testing.T) {
	dir := t.TempDir()
	labels, out := filepath.Join(dir, "labels.tsv"), filepath.Join(dir, "out")
	args := []string{"dedup", madeDocs(t), "-o", out, "-t", "0.5", "--at-most-wrong", "20%", "--labels", labels}
	ask := func(typed string, args ...string) (code int, stderr string) {
		tty, master, _ := openTyped(t)
		if _, err := master.WriteString(typed); err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		code = run(args, tty, io.Discard, &errs)
		master.Close() // ends the reading of tty
		tty.Close()
		return code, errs.String()
	}
	code, stderr := ask("y\nwhat\ns\nYes\ny\nq\n", args...)
	if code != 1 || strings.Count(stderr, "is the first a duplicate of the second?") != 6 || exists(out) {
		t.Fatalf("exit code %d, output %v: %s", code, exists(out), stderr)
	}
	var expected int
	if _, err := fmt.Sscanf(stderr[strings.Index(stderr, "alike: ")+len("alike: "):], "%d answers are expected", &expected); err != nil || expected < 5 || !strings.Contains(stderr, fmt.Sprintf("1 answer, 0 wrong, %d more", expected-1)) {
		t.Fatalf("%v, %d expected: %s", err, expected, stderr)
	}
	if data, err := os.ReadFile(labels); err != nil || strings.Count(string(data), "\t1\treview\n") != 3 {
		t.Errorf("%v, the answers are %q", err, data)
	}
	code, stderr = ask(strings.Repeat("y\n", expected-3), append(args, "--resume")...)
	if code != 0 || strings.Count(stderr, "is the first a duplicate of the second?") != expected-3 || !exists(out) {
		t.Errorf("exit code %d, output %v: %s", code, exists(out), stderr)
	}
}
