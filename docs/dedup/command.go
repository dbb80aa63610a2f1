package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/docs/internal/kit"
)

// dedup runs alike dedup on a file and returns the folder that it made, which lasts to
// the next run.
func (l *lab) dedup(input string, r *record) (out string, err error) {
	out = filepath.Join(l.dir, "out")
	if err := os.RemoveAll(out); err != nil {
		return "", err
	}
	args := append([]string{"dedup", input, "-o", out, "--max-drop", "100%", "--method", r.Method}, strings.Fields(r.Args)...)
	began := time.Now()
	cpu, err := l.command(args...)
	if err != nil {
		return "", err
	}
	r.Seconds, r.CPU = time.Since(began).Seconds(), cpu.Seconds()
	data, err := os.ReadFile(filepath.Join(out, "report.json"))
	if err != nil {
		return "", err
	}
	var report local.Report
	if err := json.Unmarshal(data, &report); err != nil {
		return "", err
	}
	r.Bytes, r.Peak, r.Machine, r.Docs = report.Bytes, report.Run.Peak, l.machine, report.Documents
	return out, nil
}

// command runs alike and returns the time that it took of all processors.
func (l *lab) command(args ...string) (time.Duration, error) {
	cmd := exec.Command(l.alike, args...)
	if _, err := kit.Output(cmd); err != nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// on runs alike dedup on the documents of a set and judges what it did.
func (l *lab) on(set *datasets.Set, r record) (record, error) {
	input := filepath.Join(l.dir, "docs.jsonl")
	if err := writeDocs(input, set.Docs); err != nil {
		return r, err
	}
	out, err := l.dedup(input, &r)
	if err != nil {
		return r, err
	}
	cluster := make(map[string]string)
	err = rows(filepath.Join(out, "clusters.tsv"), func(f []string) { cluster[f[0]] = f[1] })
	if err != nil {
		return r, err
	}
	found := make([]int, len(set.Docs))
	number := make(map[string]int)
	for i, d := range set.Docs {
		found[i] = len(set.Docs) + i // alone
		if c, ok := cluster[d.ID]; ok {
			if _, ok := number[c]; !ok {
				number[c] = len(number)
			}
			found[i] = number[c]
		}
	}
	r.verdict = judge(set, found)
	return r, nil
}

func writeDocs(name string, docs []datasets.Doc) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	for _, d := range docs {
		err = errors.Join(err, e.Encode(map[string]string{"id": d.ID, "text": d.Text}))
	}
	return errors.Join(err, w.Flush(), f.Close())
}

// rows reads a table with a header.
func rows(name string, each func(fields []string)) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for n := 0; s.Scan(); n++ {
		if n > 0 {
			each(strings.Split(s.Text(), "\t"))
		}
	}
	return s.Err()
}
