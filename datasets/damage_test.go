package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples are small files in every format, made by hand in the published layouts.
var samples = []struct{ name, format, content string }{
	{"mrpc.txt", "mrpc", "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t11\t12\tHe \"said.\tShe said.\r\n0\t13\t14\tOne.\tTwo.\r\n1\t15\t16\tThree.\tFour.\r\n"},
	{"qqp.tsv", "qqp", "1\tWhy?\tHow so?\t5\n0\tWho?\t\"Who \"\"is\"\"?\"\t6\n1\tWhen?\tWhat time?\t7\n"},
	{"qqp-official.tsv", "qqp", "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n0\t1\t2\tWhy?\t\"How\n\"\"so\"\"?\"\t1\n1\t3\t4\tWho?\tWho is?\t0\n2\t5\t6\tx\ty\t0\n"},
	{"qqp-glue.tsv", "qqp", "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n0\t1\t2\tWhy?\t\"How\" so?\t1\n1\t3\t4\tWho?\tWho is?\t0\n2\t5\t6\tx\ty\t0\n"},
	{"sts.csv", "stsb", "g\tf\t2012\t0001\t5.000\tA \"man.\tA man, too.\ng\tf\t2012\t0002\t2.400\tx\ty\tCC\tBY\ng\tf\t2012\t0003\t0\tx\tz\n"},
	{"sts-glue.tsv", "stsb", "index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\tsentence1\tsentence2\tscore\n0\tg\tf\t2012\t1\tnone\tnone\tA man.\tA man, too.\t5.0\n1\tg\tf\t2012\t2\tnone\tnone\tx\ty\t2.4\n2\tg\tf\t2012\t3\tnone\tnone\tx\tz\t0\n"},
	{"sts-zh.txt", "stsb", "一个人。\t人。\t5\n狗\t猫\t2\n一\t二\t0\n"},
	{"lcqmc.txt", "lcqmc", "谁知道\t谁晓得\t1\n一\t二\t0\n三\t四\t0\n"},
	{"bq.tsv", "lcqmc", "text_a\ttext_b\tlabel\n谁知道\t谁晓得\t1\n一\t二\t0\n三\t四\t0\n"},
	{"paws.tsv", "paws", "id\tsentence1\tsentence2\tlabel\n1\ta b \"c\tb a c\t1\n2\tx\ty\t0\n3\tz\tw\t0\n"},
	{"pairs.csv", "csv", "s1,s2,label\n\"a, \"\"b\"\"\",c,1\nd,e,0\nf,g,0\n"},
	{"pairs.tsv", "tsv", "text1\ttext2\tlabel\na\tb\t1\nc\td\t0\ne\tf\t0\n"},
	{"pairs.jsonl", "jsonl", `{"sentence1":"a","sentence2":"b","label":true}` + "\n" + `{"sentence2":"d","sentence1":"c","label":0}` + "\n" + `{"sentence1":"e","sentence2":"f","label":0}` + "\n"},
}

func readContent(t testing.TB, name, format, content string) (*Set, error) {
	t.Helper()
	dir := write(t, name, content)
	return ReadSet(Source{Path: filepath.Join(dir, name), Format: format})
}

func TestSamples(t *testing.T) {
	for _, s := range samples {
		for _, format := range []string{s.format, ""} {
			t.Run(s.name+"/"+format, func(t *testing.T) {
				set, err := readContent(t, s.name, format, s.content)
				if err != nil {
					t.Fatal(err)
				}
				if len(set.Pairs) != 3 || set.Pairs[0].Label != 1 || set.Pairs[1].Label != 0 || set.Graded != (s.format == "stsb") {
					t.Errorf("pairs %+v, graded %t", set.Pairs, set.Graded)
				}
				p := set.Pairs[0]
				a, b := set.Docs[p.A], set.Docs[p.B]
				switch s.name {
				case "mrpc.txt":
					if a != (Doc{"11", `He "said.`, ""}) || b != (Doc{"12", "She said.", ""}) {
						t.Errorf("documents %q and %q", a, b)
					}
				case "qqp.tsv":
					if d := set.Docs[set.Pairs[1].B]; d != (Doc{"4", `Who "is"?`, ""}) {
						t.Errorf("document %q", d)
					}
				case "qqp-official.tsv":
					if b.Text != "How\n\"so\"?" {
						t.Errorf("document %q", b)
					}
				case "qqp-glue.tsv":
					if b.Text != `"How" so?` {
						t.Errorf("document %q", b)
					}
				case "sts.csv":
					if a.Text != `A "man.` || b.Text != "A man, too." || set.AlikeFrom != 4 || p.Grade != 5 || len(set.Docs) != 5 {
						t.Errorf("documents %q and %q, pair %+v", a, b, p)
					}
				}
			})
		}
	}
}

// TestDamage damages every sample; each kind of damage is an error that names
// file and line.
func TestDamage(t *testing.T) {
	for _, s := range samples {
		lines := strings.SplitAfter(s.content, "\n")
		last := lines[len(lines)-2]
		before := strings.TrimSuffix(s.content, last)
		lastLine := strings.Count(before, "\n") + 1
		cut := last[:len(last)/3]
		at := fmt.Sprintf("%s:%d: ", s.name, lastLine)
		tests := []struct{ name, content, want string }{
			{"cut", before + cut, at},
			{"no UTF-8", before + strings.NewReplacer("e", "\xe4\xb8e", "z", "\xff", "F", "\xff", "三", "\xff三").Replace(last), at},
			{"another column first", before + slip(last), at},
			{"cut gzip", string(gz(t, s.content)[:len(gz(t, s.content))-9]), ":"},
			{"cut zstd", string(zst(t, s.content)[:len(zst(t, s.content))-5]), ":"},
			{"bad gzip header", "\x1f\x8b\x01" + s.content, "no sound gzip file"},
			{"bad gzip sum", badSum(gz(t, s.content)), "gzip: invalid checksum"},
			{"empty", "", s.name},
		}
		for _, test := range tests {
			t.Run(s.name+"/"+test.name, func(t *testing.T) {
				_, err := readContent(t, s.name, s.format, test.content)
				switch {
				case test.name == "no UTF-8" && (s.format == "qqp" || s.name == "sts.csv" || test.content == s.content):
					if s.format == "qqp" && err != nil {
						t.Errorf("broken bytes in a file of %s: %v", s.format, err)
					}
				case err == nil || !strings.HasPrefix(err.Error(), "datasets: ") || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), s.name):
					t.Errorf("error %v, want one with %q", err, test.want)
				}
				if bad, ok := errors.AsType[*BadRow](err); ok && bad.Line > lastLine {
					t.Errorf("%v: the damage is in line %d", err, lastLine)
				}
			})
		}
	}
}

// slip moves what is wanted as label out of its column.
func slip(line string) string {
	if strings.HasPrefix(line, "{") {
		return strings.Replace(line, `"label":0`, `"label":"f"`, 1)
	}
	line = strings.TrimSpace(line)
	sep := "\t"
	if strings.Contains(line, ",") {
		sep = ","
	}
	f := strings.Split(line, sep)
	for i, field := range f {
		f[i] = "w" + field
	}
	return strings.Join(f, sep) + "\n"
}

func badSum(gz []byte) string {
	gz[len(gz)-8] ^= 1
	return string(gz)
}

// TestDamagedOriginals cuts and breaks copies of the published files.
func TestDamagedOriginals(t *testing.T) {
	for _, o := range originals {
		dir := filepath.Join(sharedFolder(t, o.folder), "original")
		for _, in := range originalFiles(t, dir) {
			b, err := os.ReadFile(filepath.Join(dir, in))
			if err != nil {
				t.Fatal(err)
			}
			packed := gz(t, string(b))
			half := strings.LastIndexByte(string(b[:len(b)/2]), '\n') + 1
			tests := []struct{ name, content, want string }{
				{"cut", string(b[:half+2]), in + ":"},
				{"wrong column", string(b[:half]) + "x\tx\tx\tx\tx\tx\tx\n" + string(b[half:]), in + ":"},
				{"bad gzip", string(packed[:len(packed)/2]), "damaged or cut short: unexpected EOF"},
				{"bad UTF-8", string(b[:half+9]) + "\xff\xfe" + string(b[half+9:]), "is no UTF-8"},
			}
			for _, test := range tests {
				_, err := readContent(t, in, o.format, test.content)
				if o.format == "qqp" && test.name == "bad UTF-8" {
					if err != nil {
						t.Errorf("%s, %s: %v", in, test.name, err)
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s, %s: error %v, want one with %q", in, test.name, err, test.want)
				}
			}
		}
	}
}

func originalFiles(t *testing.T, dir string) []string {
	t.Helper()
	src := Source{Path: dir}
	list, err := src.inputs(true)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range list {
		names = append(names, in.ID)
	}
	return names
}
