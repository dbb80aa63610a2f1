//go:build ignore

// Generate rewrites the generated blocks of Markdown files:
//
//	go run docs/generate.go README.md docs/*.md
//
// A block begins with the line <!-- run: COMMAND --> and ends with <!-- end -->. What stands
// between is replaced by the command's output, fenced unless it is Markdown
// (COMMAND has "md" as an argument), under a line that names date and machine.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/eval"
)

func main() {
	log.SetFlags(0)
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		out, err := rewrite(string(data))
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		if err := os.WriteFile(name+".new", []byte(out), 0o666); err != nil {
			log.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil {
			log.Fatal(err)
		}
	}
}

func rewrite(text string) (string, error) {
	var out strings.Builder
	inBlock := false
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(strings.TrimSpace(line), "<!-- run: ")
		switch {
		case ok && !inBlock:
			inBlock = true
			out.WriteString(line)
			block, err := run(strings.TrimSuffix(command, " -->"))
			if err != nil {
				return "", err
			}
			out.WriteString(block)
		case inBlock && strings.TrimSpace(line) == "<!-- end -->":
			inBlock = false
			out.WriteString(line)
		case !inBlock:
			out.WriteString(line)
		}
	}
	if inBlock {
		return "", fmt.Errorf("a block without <!-- end -->")
	}
	return out.String(), nil
}

func run(command string) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	out = bytes.TrimRight(out, "\n")
	m := eval.ThisMachine()
	head := fmt.Sprintf("\n%s, %s, %s, %d CPUs\n\n", time.Now().UTC().Format(time.DateOnly), m.Go, cmp.Or(m.CPU, m.Arch), m.CPUs)
	if slices.Contains(strings.Fields(command), "md") {
		return head + string(out) + "\n", nil
	}
	return head + "```\n$ " + command + "\n" + string(out) + "\n```\n", nil
}
