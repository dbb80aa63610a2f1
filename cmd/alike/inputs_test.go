package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The examples of docs/exit.md end with the codes that the page states.
func TestExitCodes(t *testing.T) {
	page, err := os.ReadFile("../../docs/exit.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const a, b = "the cat sat on the mat and looked at the dog", "winnowing is a local algorithm for fingerprints of documents"
	for name, content := range map[string]string{
		"docs.jsonl":  fmt.Sprintf("{\"id\":\"1\",\"text\":%q}\n{\"id\":\"2\",\"text\":%[1]q}\n{\"id\":\"3\",\"text\":%[2]q}\n", a, b),
		"clean.jsonl": `{"id":"4","text":"nothing of this is in the other file at all"}`, "leaked.jsonl": fmt.Sprintf(`{"id":"5","text":%q}`, b),
		"empty.jsonl": "", "essay.docx": "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	codes := map[int]int{}
	for _, row := range regexp.MustCompile("(?m)^\\| (\\d+) \\| `alike ([^`]+)` \\|").FindAllStringSubmatch(string(page), -1) {
		want, _ := strconv.Atoi(row[1])
		codes[want]++
		var stdout, stderr bytes.Buffer
		if got := run(strings.Fields(row[2]), strings.NewReader(""), &stdout, &stderr); got != want {
			t.Errorf("alike %s: exit code %d, want %d\n%s", row[2], got, want, &stderr)
		}
	}
	if codes[0] < 3 || codes[1] < 2 || codes[2] < 5 {
		t.Errorf("examples by code: %v", codes)
	}
}

// Every command that reads documents reads each format with the same flags, from a
// file and, where it reads standard input, from a pipe.
func TestInputsOfAllCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	const a, b, c = "the cat sat on the mat and looked at the dog", "the cat sat on the mat and looked at the dogs", "汉字 winnowing is a local algorithm for fingerprints"
	write := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("docs.jsonl", fmt.Sprintf("{\"id\":\"1\",\"text\":%q}\n{\"id\":\"2\",\"text\":%q}\n{\"id\":\"3\",\"text\":%q}\n", a, b, c))
	write("nested.jsonl", fmt.Sprintf("{\"meta\":{\"id\":\"1\"},\"pages\":[{\"t\":%q}]}\n{\"meta\":{\"id\":\"2\"},\"pages\":[{\"t\":%q}]}\n{\"meta\":{\"id\":\"3\"},\"pages\":[{\"t\":%q},{\"t\":\"and more\"}]}\n", a, b, c))
	write("docs.csv", "id,text\n1,"+a+"\n2,"+b+"\n3,"+c+"\n")
	write("body.csv", "\"body\",no\n\""+a+"\",1\n\""+b+"\",2\n\""+c+"\",3\n")
	write("semicolon.csv", "id;text\n1;"+a+"\n2;"+b+"\n3;"+c+"\n")
	write("docs.tsv", "id\ttext\n1\t"+a+"\n2\t"+b+"\n3\t"+c+"\n")
	write("bare.csv", "1,"+a+"\n2,"+b+"\n3,"+c+"\n")
	write("lines.txt", a+"\n"+b+"\n"+c+"\n")
	write("gb.csv", "id,text\n1,"+a+"\n2,"+b+"\n3,\xba\xba\xd7\xd6 winnowing is a local algorithm\n") // 汉字
	for i, text := range []string{a, b, c} {
		write(fmt.Sprintf("folder/%d.txt", i+1), text)
	}
	mustRun(t, "datasets", "convert", "docs.jsonl", "-o", "docs.parquet")
	mustRun(t, "datasets", "convert", "docs.jsonl", "-o", "docs.jsonl.gz")
	mustRun(t, "index", "create", "disk:seen", "--method", "minhash", "--threshold", ".5")
	formats := [][]string{
		{"docs.jsonl"}, {"docs.jsonl.gz"}, {"docs.csv"}, {"docs.tsv"}, {"docs.parquet"}, {"folder"},
		{"nested.jsonl", "--text-field", "pages[].t", "--id-field", "meta.id"}, {"body.csv", "--text-field", "body", "--id-field", "no"},
		{"semicolon.csv", "--delimiter", ";"}, {"bare.csv", "--columns", "id,text"}, {"lines.txt", "--input-format", "lines"},
		{"gb.csv", "--encoding", "GB18030"}, {"jsonl:docs.jsonl", "--input-format", "csv"},
	}
	n := 0
	for _, command := range []struct {
		args  string
		bare  bool // reads no pipe
		code  int
		count string
	}{
		{"pairs IN --method shingle:width=2 --threshold .5", false, exitDone, "1 pair of 3 documents"},
		{"dedup IN -o OUT --threshold .5", false, exitDone, "documents   3,"},
		{"sketch IN -o OUT --buckets", true, exitDone, "3 documents"},
		{"leak IN IN2 --threshold 1", false, exitBad, "3 of 3 test documents occur in 3 training documents"},
		{"passages IN --min-length 8", false, exitDone, "in 3 documents"},
		{"gather IN --against IN2 --min-length 8", false, exitDone, "3 of 3 queries have sources, 3 in all (of 3 documents"},
		{"fit IN -m cosine -o OUT", true, exitDone, "cosine:fit="},
		{"index add disk:seen IN", false, exitDone, ""},
		{"index query disk:seen IN", false, exitDone, "\t1.0"},
		{"datasets convert IN -o OUT.jsonl", false, exitDone, "3 documents"},
		{"choose IN --no-labels", false, exitFail, "3 documents with a text, want 100 or more"},
		{"stress IN --apart 0 --lengths 20", false, exitFail, "fewer than 10 of 3 documents"},
	} {
		for _, f := range formats {
			for _, piped := range []bool{false, true} {
				if piped && (command.bare || f[0] == "folder" || strings.Contains(f[0], ":")) {
					continue
				}
				n++
				file := f[0]
				var stdin bytes.Buffer
				if piped {
					content, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					stdin.Write(content)
					file = "-"
				}
				line := strings.NewReplacer("IN2", f[0], "IN", file, "OUT", fmt.Sprintf("out%d", n)).Replace(command.args)
				args := append(strings.Fields(line), f[1:]...)
				var stdout, stderr bytes.Buffer
				code := run(args, &stdin, &stdout, &stderr)
				if code != command.code || !strings.Contains(stdout.String()+stderr.String(), command.count) {
					t.Errorf("alike %s: exit code %d, want %q in\n%s%s", strings.Join(args, " "), code, command.count, &stdout, &stderr)
				}
			}
		}
	}
}

// Every command that reads labelled pairs reads them with the same flags.
func TestPairInputsOfAllCommands(t *testing.T) {
	t.Chdir(t.TempDir())
	const one, other = "the cat sat on the mat and looked", "winnowing is a local algorithm"
	// Of each pair the first text is a sentence of its own; the second has the
	// same words, or not. So the documents 1 and 2, 5 and 6, ... are alike.
	table := func(name, header, line, yes, no string) {
		t.Helper()
		var b strings.Builder
		b.WriteString(header)
		for i := range 40 {
			text := fmt.Sprintf("%s %d %d", one, i, i*i)
			fmt.Fprintf(&b, line, text, text+".", yes)
			fmt.Fprintf(&b, line, fmt.Sprintf("%s %d", text, i), fmt.Sprintf("%s %d", other, i), no)
		}
		if err := os.WriteFile(name, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	table("pairs.csv", "text1,text2,label\n", "%s,%s,%s\n", "1", "0")
	table("words.csv", "text1,text2,label\n", "%s,%s,%s\n", "是", "否")
	table("classes.tsv", "a\tb\tclass\n", "%s\t%s\t%s\n", "plagiarised", "original")
	table("semicolon.csv", "text1;text2;label\n", "%s;%s;%s\n", "yes", "no")
	table("nested.jsonl", "", `{"a":{"text":"%s"},"b":["%s"],"verdict":{"same":"%s"}}`+"\n", "true", "false")
	table("bare.csv", "", "%s,%s,%s\n", "1", "0")
	table("gb.csv", "text1,text2,label\n", "%s,%s,%s\n", "\xca\xc7", "\xb7\xf1") // 是, 否
	var found strings.Builder
	for i := range 40 {
		fmt.Fprintf(&found, "%d\t%d\n", 4*i+1, 4*i+2)
	}
	if err := os.WriteFile("found.tsv", []byte("id1\tid2\n"+found.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bare.tsv", []byte(found.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, f := range [][]string{
		{"pairs.csv"}, {"words.csv"}, {"classes.tsv", "--text1", "a", "--text2", "b", "--label", "class", "--positive", "plagiarised"},
		{"semicolon.csv", "--delimiter", ";"}, {"nested.jsonl", "--text1", "a.text", "--text2", "b[]", "--label", "verdict.same"}, {"gb.csv", "--encoding", "GB18030"}, {"bare.csv", "--columns", "text1,text2,label"},
	} {
		for _, command := range []struct{ args, want string }{
			{"datasets show IN", "none 80 (40)"},
			{"eval --data IN --method shingle --repeat -1 --resamples -1 --format csv", ",1.000,1.000,"},
			{"choose IN --method shingle --no-speed --resamples 20", "take shingle"},
			{"score --truth IN --pairs found.tsv --resamples -1 -f csv --columns-out precision,recall", "1.000,1.000"},
			{"score --truth IN --pairs bare.tsv --columns id1,id2 --resamples -1 -f csv --columns-out precision,recall", "1.000,1.000"},
			{"stress IN -m shingle --lengths 20 --kinds mixed --rates .1 --apart 0 -f csv --columns-out length,texts", "20,120"},
		} {
			flags := slices.Clone(f[1:])
			if i := slices.Index(flags, "--columns"); i >= 0 && strings.HasPrefix(command.args, "score") {
				flags[i] = "--truth-columns" // --columns is about what the tool wrote
			}
			args := append(strings.Fields(strings.Replace(command.args, "IN", f[0], 1)), flags...)
			var stdout, stderr bytes.Buffer
			if code := run(args, strings.NewReader(""), &stdout, &stderr); code != exitDone || !strings.Contains(stdout.String(), command.want) {
				t.Errorf("alike %s: exit code %d, want %q in\n%s%s", strings.Join(args, " "), code, command.want, &stdout, &stderr)
			}
		}
	}
}

// What choose advises reads the documents as it read them.
func TestGivenFlags(t *testing.T) {
	var cmd cobra.Command
	var s source
	s.flags(&cmd)
	if err := cmd.ParseFlags([]string{"--text-field", "title,pages[].text", "--label", "x", "--skip-bad", "3", "--html", "--delimiter", ";"}); err != nil {
		t.Fatal(err)
	}
	if got, want := s.given(), " --delimiter=';' --html=true --skip-bad=3 --text-field='title,pages[].text'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
