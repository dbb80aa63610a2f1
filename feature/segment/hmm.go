package segment

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// States of a character in a word: it begins a word, ends one, stands in the
// middle, or is one by itself.
const (
	stateB = iota
	stateE
	stateM
	stateS
	states
)

// impossible is the logarithm that cppjieba has for what cannot be. It is no
// infinity: sums of it are compared.
const impossible = -3.14e100

// emission is how probable a character is in each state, as logarithms.
type emission [states]float64

var noEmission = emission{impossible, impossible, impossible, impossible}

// chain is how probable a state is at the start, and after another.
type chain struct {
	start [states]float64
	trans [states][states]float64 // from a state to a state
}

// model is a hidden Markov model of how characters make words.
type model struct {
	chain
	emit map[rune]emission
}

// parseModel reads the model in the format of cppjieba: the start, four lines of
// transitions, and for each state a line of the characters it emits.
func parseModel(content []byte) (*model, error) {
	m := &model{emit: make(map[rune]emission, 16<<10)}
	n := 0
	for line := range bytes.Lines(content) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		var err error
		switch {
		case n == 0:
			m.start, err = parseRow(string(line))
		case n < 1+states:
			m.trans[n-1], err = parseRow(string(line))
		case n < 1+2*states:
			err = m.parseState(n-1-states, line)
		default:
			err = fmt.Errorf("more than %d lines", n)
		}
		if err != nil {
			return nil, fmt.Errorf("segment: model: %w", err)
		}
		n++
	}
	if n != 1+2*states {
		return nil, fmt.Errorf("segment: model: %d lines, want %d", n, 1+2*states)
	}
	for from, to := range [states][2]int{stateB: {stateB, stateS}, stateE: {stateE, stateM}, stateM: {stateB, stateS}, stateS: {stateE, stateM}} {
		for _, s := range to {
			if m.trans[from][s] != impossible {
				return nil, fmt.Errorf("segment: model: state %d goes on to %d, which leaves a word open", from, s)
			}
		}
	}
	return m, nil
}

func parseRow(line string) (e [states]float64, err error) {
	f := strings.Fields(line)
	if len(f) != states {
		return e, fmt.Errorf("%d fields, want %d", len(f), states)
	}
	for i, s := range f {
		v, err := parseLog(s)
		if err != nil {
			return e, err
		}
		e[i] = v
	}
	return e, nil
}

func parseLog(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v <= 0 && v >= impossible) {
		return 0, fmt.Errorf("%q, want the logarithm of a probability", s)
	}
	return v, nil
}

func (m *model) parseState(state int, line []byte) error {
	for len(line) > 0 {
		var item []byte
		item, line, _ = bytes.Cut(line, []byte(","))
		char, value, _ := bytes.Cut(item, []byte(":"))
		r, size := utf8.DecodeRune(char)
		if size != len(char) || r == utf8.RuneError {
			return fmt.Errorf("%q is not one character", char)
		}
		v, err := parseLog(string(value))
		if err != nil {
			return err
		}
		e, ok := m.emit[r]
		if !ok {
			e = noEmission
		}
		e[state] = v
		m.emit[r] = e
	}
	return nil
}
