package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
)

// contenders mark text that an earlier document has too. The first is the truth.
var contenders = []struct{ name, label string }{
	{"oracle", ""},
	{"bytes", "a suffix array of the bytes as they are (pydivsufsort 0.0.20)"},
	{"sentences", "three sentences in a row (datatrove 0.10.1)"},
	{"ccnet", "lines, as CCNet hashes them (text-dedup 0.4.0)"},
}

// rivals prints how much of the text that stands in an earlier document each tool
// finds. python has the modules of requirements.txt.
func rivals(alike, dir, python string) error {
	made := filepath.Join(dir, "made")
	if _, err := kit.Output(exec.Command(alike, "datasets", "make", made, "-n", "2000", "--passages")); err != nil {
		return err
	}
	fmt.Println("| texts | tool | found | marked besides | seconds |")
	fmt.Println("|---|---|---|---|---|")
	docs, err := datasets.ReadDocs(datasets.Source{Path: filepath.Join(made, "docs.jsonl")})
	if err != nil {
		return err
	}
	if err := compare(alike, dir, python, "made, with planted passages", docs); err != nil {
		return err
	}
	for _, name := range []string{"licences", "en-book-versions"} {
		set, err := datasets.Load(name)
		if err != nil {
			return err
		}
		if err := compare(alike, dir, python, "`"+name+"`", set.Docs); err != nil {
			return err
		}
	}
	return nil
}

func compare(alike, dir, python, label string, docs []datasets.Doc) error {
	rows := &bytes.Buffer{}
	to := json.NewEncoder(rows)
	for _, d := range docs {
		if err := to.Encode(map[string]string{"id": d.ID, "text": d.Text}); err != nil {
			return err
		}
	}
	plain := filepath.Join(dir, "plain.jsonl")
	if err := os.WriteFile(plain, rows.Bytes(), 0o666); err != nil {
		return err
	}
	found := filepath.Join(dir, "found.tsv")
	var truth marks
	for _, c := range contenders {
		seconds, err := kit.Output(exec.Command(python, "docs/passages/rivals.py", c.name, plain, found))
		if err != nil {
			return err
		}
		m, err := readMarks(found, docs)
		if err != nil {
			return err
		}
		if truth == nil {
			truth = m
			continue
		}
		printMarks(label, c.label, truth, m, string(bytes.TrimSpace(seconds)))
	}
	begin := time.Now()
	if _, err := kit.Output(exec.Command(alike, "passages", plain, "-o", filepath.Join(dir, "passages.tsv"), "--occurrences", found)); err != nil {
		return err
	}
	took := time.Since(begin)
	m, err := laterMarks(found, docs)
	if err != nil {
		return err
	}
	printMarks(label, "**alike passages**", truth, m, fmt.Sprintf("%.2f", took.Seconds()))
	return nil
}

// marks says of each document which of its bytes are marked. White space never is.
type marks map[string][]bool

func (m marks) add(d datasets.Doc, start, end int) {
	if m[d.ID] == nil {
		m[d.ID] = make([]bool, len(d.Text))
	}
	for i := start; i < end; i++ {
		if !strings.ContainsRune(" \t\r\n", rune(d.Text[i])) {
			m[d.ID][i] = true
		}
	}
}

// printMarks prints what share of the true marks a tool has, and how many others for
// each true one.
func printMarks(texts, tool string, truth, found marks, seconds string) {
	var all, hit, beside float64
	for _, bytes := range truth {
		for _, is := range bytes {
			if is {
				all++
			}
		}
	}
	for id, bytes := range found {
		for i, is := range bytes {
			switch {
			case is && truth[id] != nil && truth[id][i]:
				hit++
			case is:
				beside++
			}
		}
	}
	fmt.Printf("| %s | %s | %.4f | %.4f | %s |\n", texts, tool, hit/all, beside/all, seconds)
}

// readMarks reads what rivals.py writes: id, start, end.
func readMarks(name string, docs []datasets.Doc) (marks, error) {
	m := marks{}
	byID := make(map[string]datasets.Doc, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	return m, eachRow(name, func(c []string) error {
		start, end, err := span(c[1], c[2])
		if err != nil {
			return err
		}
		m.add(byID[c[0]], start, end)
		return nil
	})
}

// laterMarks reads what alike passages --occurrences writes, and leaves out the
// occurrences in the first document of each passage.
func laterMarks(name string, docs []datasets.Doc) (marks, error) {
	at := make(map[string]int, len(docs))
	for i, d := range docs {
		at[d.ID] = i
	}
	type occurrence struct{ doc, start, end int }
	of := map[string][]occurrence{}
	header := true
	err := eachRow(name, func(c []string) error {
		if header { // passage id start end ...
			header = false
			return nil
		}
		start, end, err := span(c[2], c[3])
		of[c[0]] = append(of[c[0]], occurrence{at[c[1]], start, end})
		return err
	})
	m := marks{}
	for _, all := range of {
		first := len(docs)
		for _, o := range all {
			first = min(first, o.doc)
		}
		for _, o := range all {
			if o.doc > first {
				m.add(docs[o.doc], o.start, o.end)
			}
		}
	}
	return m, err
}

func span(start, end string) (int, int, error) {
	s, err := strconv.Atoi(start)
	if err != nil {
		return 0, 0, err
	}
	e, err := strconv.Atoi(end)
	return s, e, err
}

func eachRow(name string, f func(columns []string) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
		if err := f(strings.Split(s.Text(), "\t")); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return s.Err()
}
