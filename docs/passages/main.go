// Command passages measures for docs/passages.md. It prints the table of sources: for
// how many made documents alike gather names exactly the sources that spans.tsv has.
// With -rivals it prints how much of the text that documents share alike passages and
// other tools find. With -growth it writes the table of times into the page, for 10 MB,
// 100 MB, 1, 3 and 10 GB of text up to a size.
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
	fmt.Println("| language | `--min-length` | recall of sources | precision | exactly the true sources | where all passages are copied |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, l := range []struct {
		lang, name string
		lengths    []string
	}{{"en", "English", []string{"100", "50", "30", "20"}}, {"zh", "Chinese", []string{"100", "30", "20", "12"}}} {
		made := filepath.Join(dir, l.lang)
		if _, err := kit.Output(exec.Command(alike, "datasets", "make", made, "-n", "2000", "--passages", "--lang", l.lang)); err != nil {
			return err
		}
		truth, taken, edited, err := sources(filepath.Join(made, "spans.tsv"))
		if err != nil {
			return err
		}
		for _, length := range l.lengths {
			docs := filepath.Join(made, "docs.jsonl")
			out, err := kit.Output(exec.Command(alike, "gather", docs, "--against", docs, "--other-ids", "-l", length, "-f", "jsonl"))
			if err != nil {
				return err
			}
			found := map[string]map[string]bool{}
			d := json.NewDecoder(strings.NewReader(string(out)))
			for {
				var row struct{ Query, Source string }
				if err := d.Decode(&row); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					return err
				}
				if !taken[row.Query] { // a source finds who took from it
					add(found, row.Query, row.Source)
				}
			}
			print(l.name, length, truth, found, edited)
		}
	}
	return nil
}

// print writes a row of the table. Sources named for documents that have none count
// against precision.
func print(name, length string, truth, found map[string]map[string]bool, edited map[string]bool) {
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
	fmt.Printf("| %s | %s | %.3f | %.3f | %d of %d | %d of %d |\n", name, length,
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
