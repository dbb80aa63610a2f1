//go:build linux

// Command engines measures the Beam pipeline on Prism, Flink and Spark beside alike
// dedup, and writes the section of docs/scale.md on engines. The script
// docs/scale/engines/run builds both commands and calls it.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/internal/jsonl"
)

// record is one run.
type record struct {
	Machine eval.Machine `json:"machine"`
	Date    string       `json:"date"`
	Load    float64      `json:"load"` // load average of the machine at the end
	Engine  string       `json:"engine"`
	Method  string       `json:"method"`
	Docs    int          `json:"docs"`
	Bytes   int64        `json:"bytes"` // of the lines
	Seconds float64      `json:"seconds"`
	CPU     float64      `json:"cpu_seconds"`     // of all processes of the engine
	Peak    int64        `json:"peak_bytes"`      // resident memory of the command, which runs the workers under LOOPBACK
	Server  int64        `json:"server_bytes"`    // resident memory of the process of Flink or Spark
	Shuffle float64      `json:"shuffle_per_doc"` // bytes, if the runner reports them
}

var engineNames = []string{"local", "prism", "flink", "spark"}

// lab names the programs and folders of the runs.
type lab struct {
	alike, beam, scripts, dir, corpus string
}

// out returns the folder that an engine writes to.
func (l *lab) out(engine string) string { return filepath.Join(l.dir, "out-"+engine) }

func main() {
	log.SetFlags(0)
	log.SetPrefix("engines: ")
	var l lab
	flag.StringVar(&l.alike, "alike", "", "the alike command")
	flag.StringVar(&l.beam, "beam", "", "the alike-beam command")
	flag.StringVar(&l.scripts, "scripts", "", "folder of the scripts that start Flink and Spark")
	flag.StringVar(&l.dir, "dir", "", "folder for outputs")
	flag.StringVar(&l.corpus, "corpus", "", "folder for corpora")
	docs := flag.Int("docs", 20_000, "documents")
	methods := flag.String("methods", "", "methods, with commas between them")
	engines := flag.String("engines", "", "engines, with commas between them: "+strings.Join(engineNames, ", "))
	name := flag.String("records", "", "file of records")
	page := flag.String("page", "", "page to write the section of")
	flag.Parse()
	if err := l.run(*docs, split(*methods), split(*engines), *name, *page); err != nil {
		log.Fatal(err)
	}
}

func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
}

func (l *lab) run(docs int, methods, engines []string, name, page string) error {
	records, err := jsonl.Read[record](name)
	if err != nil {
		return err
	}
	for _, e := range engines {
		if !slices.Contains(engineNames, e) {
			return fmt.Errorf("engine %q, want %s", e, strings.Join(engineNames, ", "))
		}
	}
	var input string
	if len(methods) > 0 && len(engines) > 0 {
		if input, err = l.make(docs); err != nil {
			return err
		}
	}
	for _, m := range methods {
		want := l.out("local")
		for _, e := range append([]string{"local"}, slices.DeleteFunc(slices.Clone(engines), func(e string) bool { return e == "local" })...) {
			log.Printf("%s of %d documents on %s", m, docs, e)
			r, err := l.measure(e, m, input, docs)
			if err != nil {
				return err
			}
			if e != "local" {
				if err := same(want, l.out(e)); err != nil {
					return fmt.Errorf("%s on %s: %w", m, e, err)
				}
			}
			if !slices.Contains(engines, e) {
				continue
			}
			records = slices.DeleteFunc(records, func(o record) bool { return o.Engine == e && o.Method == m && o.Docs == docs })
			records = append(records, *r)
			if err := jsonl.Write(name, records); err != nil {
				return err
			}
		}
	}
	return writePage(page, records)
}

// make makes a corpus with planted near-duplicates, unless it exists already.
func (l *lab) make(docs int) (string, error) {
	name := filepath.Join(l.corpus, fmt.Sprintf("docs-%d.jsonl", docs))
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	dir := filepath.Join(l.corpus, "made")
	defer os.RemoveAll(dir)
	// -n counts the documents before copies are planted, so the file has at least docs lines.
	if out, err := exec.Command(l.alike, "datasets", "make", "-n", strconv.Itoa(docs), "--yardstick", dir).CombinedOutput(); err != nil {
		return "", fmt.Errorf("alike datasets make: %w: %s", err, out)
	}
	in, err := os.Open(filepath.Join(dir, "docs.jsonl"))
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.Create(name + ".new")
	if err != nil {
		return "", err
	}
	err = firstLines(out, in, docs)
	if err = errors.Join(err, out.Close()); err != nil {
		return "", err
	}
	return name, os.Rename(name+".new", name)
}

func firstLines(to io.Writer, from io.Reader, n int) error {
	in, out := bufio.NewReaderSize(from, 1<<20), bufio.NewWriterSize(to, 1<<20)
	for range n {
		for {
			part, err := in.ReadSlice('\n')
			out.Write(part) // the error stays for Flush
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull {
				return fmt.Errorf("the corpus ends early: %w", err)
			}
		}
	}
	return out.Flush()
}

var shuffled = regexp.MustCompile(`shuffles in all ([0-9.]+) B/doc`)

// measure runs a method on an engine.
func (l *lab) measure(engine, method, input string, docs int) (*record, error) {
	out := l.out(engine)
	if err := os.RemoveAll(out); err != nil {
		return nil, err
	}
	info, err := os.Stat(input)
	if err != nil {
		return nil, err
	}
	args := []string{input, "-o", out, "--method", method, "--verify", "sketch", "--max-drop", "100%"}
	cmd := exec.Command(l.alike, append([]string{"dedup"}, args...)...)
	var pid int
	switch engine {
	case "prism":
		cmd = exec.Command(l.beam, append(args, "--shuffles")...)
	case "flink", "spark":
		dir := filepath.Join(l.dir, engine)
		endpoint, err := exec.Command("bash", filepath.Join(l.scripts, engine), "start", dir).Output()
		if err != nil {
			return nil, fmt.Errorf("start %s: %w", engine, err)
		}
		if pid, err = pidIn(filepath.Join(dir, "pid")); err != nil {
			return nil, err
		}
		cmd = exec.Command(l.beam, append(args, "--shuffles", "--runner", "universal", "--endpoint", strings.TrimSpace(string(endpoint)), "--environment_type", "LOOPBACK")...)
	}
	before, _, err := process(pid)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, said.Bytes())
	}
	r := &record{
		Machine: eval.ThisMachine(), Date: began.UTC().Format(time.DateOnly), Engine: engine, Method: method, Docs: docs, Bytes: info.Size(),
		Seconds: time.Since(began).Seconds(),
	}
	after, peak, err := process(pid)
	if err != nil {
		return nil, err
	}
	r.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds() + after - before
	r.Peak, r.Server = peakOf(cmd.ProcessState), peak
	if m := shuffled.FindSubmatch(said.Bytes()); m != nil {
		if r.Shuffle, err = strconv.ParseFloat(string(m[1]), 64); err != nil {
			return nil, err
		}
	}
	r.Load, err = load()
	return r, err
}

// same returns an error unless the parts that an engine wrote join to the files of alike
// dedup.
func same(want, got string) error {
	for _, name := range []string{"kept.jsonl", "removed.jsonl", "why.jsonl", "clusters.tsv"} {
		kind, _, _ := strings.Cut(name, ".")
		pieces, err := filepath.Glob(filepath.Join(got, kind+"-*"))
		if err != nil {
			return err
		}
		slices.Sort(pieces)
		var files []io.Reader
		for _, p := range pieces {
			f, err := os.Open(p)
			if err != nil {
				return err
			}
			defer f.Close()
			files = append(files, f)
		}
		whole, err := os.Open(filepath.Join(want, name))
		if err != nil {
			return err
		}
		defer whole.Close()
		if err := equal(whole, io.MultiReader(files...)); err != nil {
			return fmt.Errorf("%s is not that of alike dedup: %w", name, err)
		}
	}
	return nil
}

func equal(a, b io.Reader) error {
	x, y := make([]byte, 1<<20), make([]byte, 1<<20)
	for at := int64(0); ; {
		n, err := io.ReadFull(a, x)
		m, other := io.ReadFull(b, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return fmt.Errorf("they differ behind byte %d", at)
		}
		at += int64(n)
		for _, e := range []error{err, other} {
			if e != nil && e != io.EOF && e != io.ErrUnexpectedEOF {
				return e
			}
		}
		if err != nil {
			return nil
		}
	}
}
