package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// This file runs rivals written in Python, each in a process that lives as long as
// its row and measures its own CPU time, so that the interpreter's start does not count.

//go:embed peers.py
var peersScript []byte

// peer is a running process of peers.py.
type peer struct {
	cmd  *exec.Cmd
	in   *bufio.Writer
	out  *bufio.Reader
	name string
}

// python returns an interpreter that has the modules: that of ALIKE_PYTHON, or python3.
var python = sync.OnceValues(func() (string, error) {
	const modules = "import datasketch, rensa"
	name := os.Getenv("ALIKE_PYTHON")
	if name == "" {
		name = "python3"
	}
	if err := exec.Command(name, "-c", modules).Run(); err != nil {
		return "", fmt.Errorf("datasketch and rensa %w: %s does not have them, ALIKE_PYTHON may name a Python that does", errAbsent, name)
	}
	return name, nil
})

// peersOf starts a process for each name on documents cut into shingles. The function returned
// ends them. Where Python or a module is missing the error wraps errAbsent.
func peersOf(docs [][]string, names ...string) (peers []*peer, stop func(), err error) {
	interpreter, err := python()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "alike-bench")
	if err != nil {
		return nil, nil, err
	}
	stop = func() {
		for _, p := range peers {
			p.cmd.Process.Kill()
			p.cmd.Wait()
		}
		os.RemoveAll(dir)
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	script, file := filepath.Join(dir, "peers.py"), filepath.Join(dir, "documents")
	if err := os.WriteFile(script, peersScript, 0o600); err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	for _, doc := range docs {
		text.WriteString(strings.Join(doc, "\t"))
		text.WriteByte('\n')
	}
	if err := os.WriteFile(file, text.Bytes(), 0o600); err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		cmd := exec.Command(interpreter, script, name, file)
		cmd.Env = append(os.Environ(), "RAYON_NUM_THREADS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, nil, err
		}
		peers = append(peers, &peer{cmd, bufio.NewWriter(in), bufio.NewReader(out), name})
	}
	return peers, stop, nil
}

// ask gives an order and returns the line that answers it.
func (p *peer) ask(format string, args ...any) (string, error) {
	fmt.Fprintf(p.in, format+"\n", args...)
	if err := p.in.Flush(); err != nil {
		return "", fmt.Errorf("%s: %w", p.name, err)
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w", p.name, format, err)
	}
	return strings.TrimSpace(line), nil
}

// number is ask for an answer that is a number.
func (p *peer) number(format string, args ...any) (float64, error) {
	line, err := p.ask(format, args...)
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(line, 64)
}

// must is number where the same order has been answered before.
func (p *peer) must(format string, args ...any) float64 {
	v, err := p.number(format, args...)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return v
}
