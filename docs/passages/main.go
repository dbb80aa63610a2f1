// Command passages measures for docs/passages.md, on made documents. It prints how well
// the matches of alike passages agree with the passages that spans.tsv has, and for how
// many documents alike gather names exactly their sources. With -rivals it prints how
// much of the text that documents share alike passages and other tools find. With
// -growth it writes the table of times into the page, for 10 MB, 100 MB, 1, 3 and 10 GB
// of text up to a size.
//
//	go run ./docs/passages
//	pip install -r docs/passages/requirements.txt
//	go run ./docs/passages -rivals python3
//	go run ./docs/passages -growth 3GB
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/alike-go/alike/docs/internal/kit"
)

func main() {
	log.SetFlags(0)
	python := flag.String("rivals", "", "compare with tools of this `PYTHON` instead, which has the modules of requirements.txt")
	largest := flag.String("growth", "", "measure times up to `SIZE` of text instead, and write them into "+page)
	flag.Parse()
	if err := run(*python, *largest); err != nil {
		log.Fatalf("passages: %v", err)
	}
}

func run(python, largest string) error {
	dir, err := os.MkdirTemp("", "alike-docs-passages-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	alike := filepath.Join(dir, "alike")
	if _, err := kit.Output(exec.Command("go", "build", "-o", alike, "./cmd/alike")); err != nil {
		return err
	}
	switch {
	case python != "":
		return rivals(alike, dir, python)
	case largest != "":
		return growth(alike, dir, largest)
	}
	var matches, sources []string
	for _, l := range []struct {
		lang, name string
		matches    [][2]string // --min-length and --fuzzy
		sources    [][3]string // and the method of an index
	}{
		{
			"en", "English", [][2]string{{"100"}, {"100", "10%"}, {"100", "20%"}, {"40"}, {"40", "10%"}, {"40", "20%"}, {"40", "30%"}},
			[][3]string{
				{"100"}, {"100", "20%"}, {"50"}, {"50", "20%"}, {"30"}, {"20"},
				{"100", "", "winnow"}, {"50", "", "winnow"}, {"30", "", "winnow"}, {"100", "", "manber"}, {"50", "", "manber"}, {"50", "", "manber:overlap=true"},
			},
		}, {
			"zh", "Chinese", [][2]string{{"100"}, {"100", "10%"}, {"100", "20%"}, {"15"}, {"15", "10%"}, {"15", "20%"}, {"15", "30%"}},
			[][3]string{
				{"100"}, {"100", "20%"}, {"30"}, {"30", "20%"}, {"20"}, {"20", "20%"}, {"12"},
				{"100", "", "winnow"}, {"30", "", "winnow"}, {"20", "", "winnow"}, {"30", "", "manber"}, {"20", "", "manber"}, {"20", "", "manber:overlap=true"},
			},
		},
	} {
		m := made{alike: alike, dir: filepath.Join(dir, l.lang), name: l.name}
		if _, err := kit.Output(exec.Command(alike, "datasets", "make", m.dir, "-n", "2000", "--passages", "--lang", l.lang)); err != nil {
			return err
		}
		for _, how := range l.matches {
			row, err := m.matches(how[0], how[1])
			if err != nil {
				return err
			}
			matches = append(matches, row)
		}
		for _, how := range l.sources {
			row, err := m.sources(how[0], how[1], how[2])
			if err != nil {
				return err
			}
			sources = append(sources, row)
		}
	}
	heads := []string{"language", "`--min-length`", "`--fuzzy`", "precision", "recall", "granularity", "plagdet"}
	for _, k := range kinds {
		heads = append(heads, k.head)
	}
	printTable(heads, matches)
	fmt.Println()
	printTable([]string{"language", "`--against`", "`--min-length`", "`--fuzzy`", "recall of sources", "precision", "exactly the true sources", "where all passages are copied"}, sources)
	return nil
}

func printTable(heads, rows []string) {
	fmt.Printf("| %s |\n|%s\n%s\n", strings.Join(heads, " | "), strings.Repeat("---|", len(heads)), strings.Join(rows, "\n"))
}

// made is a folder of made documents.
type made struct{ alike, dir, name string }

// args are arguments of a command that looks for passages.
func args(length, fuzzy string, more ...string) []string {
	if fuzzy != "" {
		more = append(more, "--fuzzy", fuzzy)
	}
	return append(more, "-l", length)
}

// kinds are the kinds of passages that the table of matches shows.
var kinds = []struct{ kind, head string }{
	{"mixed:0.05", "edited at 5 %"}, {"mixed:0.1", "10 %"}, {"mixed:0.2", "20 %"}, {"reorder", "re-ordered"},
}

// matches returns a row of the table of matches.
func (m *made) matches(length, fuzzy string) (string, error) {
	found := m.dir + ".tsv"
	if _, err := kit.Output(exec.Command(m.alike, args(length, fuzzy, "passages", m.dir, "--matches", "-o", found)...)); err != nil {
		return "", err
	}
	out, err := kit.Output(exec.Command(m.alike, "score", "--truth", m.dir, "--spans", found, "-f", "jsonl"))
	if err != nil {
		return "", err
	}
	type figures struct {
		Kind                                    string `json:"case_kind"`
		Precision, Recall, Granularity, Plagdet float64
	}
	of := map[string]figures{}
	for line := range strings.Lines(string(out)) {
		var f figures
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			return "", err
		}
		of[f.Kind] = f
	}
	all := of["all"]
	row := fmt.Sprintf("| %s | %s | %s | %.3f | %.3f | %.2f | %.3f |", m.name, length, fuzzy, all.Precision, all.Recall, all.Granularity, all.Plagdet)
	for _, k := range kinds {
		row += fmt.Sprintf(" %.2f |", of[k.kind].Recall)
	}
	return row, nil
}

// sources returns a row of the table of sources.
func (m *made) sources(length, fuzzy, method string) (string, error) {
	truth, taken, edited, err := sources(filepath.Join(m.dir, "spans.tsv"))
	if err != nil {
		return "", err
	}
	docs := filepath.Join(m.dir, "docs.jsonl")
	against, what := docs, "documents"
	if method != "" {
		against, what = "disk:"+m.dir+"-"+strings.NewReplacer(":", "-", "=", "-").Replace(method), "index of `"+method+"`"
		for _, args := range [][]string{{"create", against, "--method", method, "--threshold", "0.5"}, {"add", against, docs}} {
			if _, err := kit.Output(exec.Command(m.alike, append([]string{"index"}, args...)...)); err != nil {
				return "", err
			}
		}
	}
	out, err := kit.Output(exec.Command(m.alike, args(length, fuzzy, "gather", docs, "--against", against, "--other-ids", "-f", "jsonl")...))
	if err != nil {
		return "", err
	}
	found := map[string]map[string]bool{}
	d := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var row struct{ Query, Source string }
		if err := d.Decode(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", err
		}
		if !taken[row.Query] { // a source finds who took from it
			add(found, row.Query, row.Source)
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", m.name, what, length, fuzzy, exactly(truth, found, edited)), nil
}

// exactly returns the last cells of a row. Sources named for documents that
// have none count against precision.
func exactly(truth, found map[string]map[string]bool, edited map[string]bool) string {
	var right, named, wanted, exact, copied, exactCopied int
	for query, want := range truth {
		hits := 0
		for s := range found[query] {
			if want[s] {
				hits++
			}
		}
		right, wanted = right+hits, wanted+len(want)
		all := hits == len(want) && hits == len(found[query])
		if all {
			exact++
		}
		if !edited[query] {
			copied++
			if all {
				exactCopied++
			}
		}
	}
	for _, of := range found {
		named += len(of)
	}
	return fmt.Sprintf("%.3f | %.3f | %d of %d | %d of %d",
		float64(right)/float64(wanted), float64(right)/float64(max(1, named)), exact, len(truth), exactCopied, copied)
}

// sources reads the sources of each document, the documents that are sources, and
// the documents in which some passage is not copied as it is.
func sources(name string) (of map[string]map[string]bool, taken, edited map[string]bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	of, taken, edited = map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}
	s := bufio.NewScanner(f)
	s.Scan() // the header
	for s.Scan() {
		c := strings.Split(s.Text(), "\t") // id1 start1 end1 id2 start2 end2 kind rate
		if len(c) != 8 {
			return nil, nil, nil, fmt.Errorf("%s: %d columns, want 8", name, len(c))
		}
		add(of, c[0], c[3])
		taken[c[3]] = true
		if c[6] != "copy" {
			edited[c[0]] = true
		}
	}
	return of, taken, edited, s.Err()
}

func add(to map[string]map[string]bool, key, value string) {
	if to[key] == nil {
		to[key] = map[string]bool{}
	}
	to[key][value] = true
}
