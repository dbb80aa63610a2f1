// Package review asks a person about pairs of documents at a terminal.
//
// An Asker shows two documents and reads the answer; every command that asks
// uses it. A List is a file of pairs from which it asks about those that have no
// answer yet. Answers go to a file of labels, which package eval/surrogate reads
// and writes.
//
// What an answer teaches does not belong here.
package review

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/common"
	"github.com/alike-go/alike/internal/terminal"
)

// Answer is a key that a person presses.
type Answer byte

// Answers.
const (
	Yes  Answer = 'y'
	No   Answer = 'n'
	Skip Answer = 's' // the person cannot say
	Undo Answer = 'u' // the answer before this one was wrong
	Quit Answer = 'q' // no more questions; it also stands for the end of the input
)

var words = map[Answer]string{Yes: "yes", No: "no", Skip: "skip", Undo: "undo", Quit: "quit"}

// Asker asks questions.
type Asker struct {
	in *bufio.Scanner
	w  io.Writer
}

// NewAsker returns an Asker that reads answers from in, one a line, and writes
// questions to w.
func NewAsker(in io.Reader, w io.Writer) *Asker { return &Asker{bufio.NewScanner(in), w} }

// Ask shows two documents with their differences marked, and repeats the question
// until it reads one of the answers.
func (a *Asker) Ask(x, y datasets.Doc, question string, answers ...Answer) (Answer, error) {
	inX, inY := common.Of(x.Text, y.Text, true)
	for _, side := range []struct {
		id    string
		parts []common.Part
	}{{x.ID, inX}, {y.ID, inY}} {
		fmt.Fprintf(a.w, "\n%s\n  ", side.id)
		if err := Show(a.w, side.parts); err != nil {
			return Quit, err
		}
	}
	keys := make([]string, len(answers))
	for i, k := range answers {
		if keys[i] = string(k); k != Yes && k != No {
			keys[i] += " (" + words[k] + ")"
		}
	}
	last := len(keys) - 1
	prompt := fmt.Sprintf("%s %s or %s: ", question, strings.Join(keys[:last], ", "), keys[last])
	fmt.Fprintln(a.w)
	for {
		if _, err := fmt.Fprint(a.w, prompt); err != nil {
			return Quit, err
		}
		if !a.in.Scan() {
			return Quit, a.in.Err()
		}
		typed := strings.ToLower(strings.TrimSpace(a.in.Text()))
		for _, k := range answers {
			if typed == string(k) || typed == words[k] {
				return k, nil
			}
		}
	}
}

// Show writes a text on one line, about 800 bytes of it, with its marked parts
// coloured or in brackets.
func Show(w io.Writer, parts []common.Part) error {
	const around, most = 60, 800 // bytes
	for _, p := range common.Condense(parts, around, most) {
		text := space.ReplaceAllString(p.Text, " ")
		if !p.Mark {
			fmt.Fprint(w, text)
		} else if err := terminal.Mark(w, text); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

var space = regexp.MustCompile(`\s+`)
