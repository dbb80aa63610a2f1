package segment

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// makePlan makes a plan of a word list, a user's words and a model, in the formats of
// cppjieba. Of words that stand twice the last counts; a user's words come after the
// list's. It panics if a content is damaged.
func makePlan(list, user, model string) *plan {
	var words []weighed
	var freqs []float64
	total := 0.0
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		freq := number(f[1])
		words, freqs, total = append(words, weighed{f[0], freq}), append(freqs, freq), total+freq
	}
	slices.Sort(freqs)
	median := freqs[len(freqs)/2] // that in the middle of the sorted list, as in cppjieba
	for line := range strings.Lines(user) {
		f := strings.Fields(line)
		freq := median
		if len(f) == 3 {
			freq = number(f[1])
		}
		words, freqs = append(words, weighed{f[0], freq}), append(freqs, freq)
	}
	p := &plan{ln: []float64{noWord: math.Inf(-1), loneRune: ratioLn(freqs[0], total)}}
	weight := map[float64]uint16{}
	for _, freq := range freqs {
		if _, ok := weight[freq]; !ok {
			weight[freq] = uint16(len(p.ln))
			p.ln = append(p.ln, ratioLn(freq, total))
		}
	}
	emit := p.model(model)
	p.runes = rank(words, emit)
	p.emit = make([]emission, len(p.runes))
	label := map[rune]uint16{}
	for i, r := range p.runes {
		e, ok := emit[r]
		if !ok || i == 0 {
			e = emission{impossible, impossible, impossible, impossible}
		}
		p.emit[i], label[r] = e, uint16(i)
	}
	p.tree = &builder{parent: make([]uint32, 1), label: make([]uint16, 1), weight: make([]uint16, 1)}
	type edge struct {
		parent uint32
		label  uint16
	}
	child := map[edge]uint32{}
	for _, w := range words {
		at := uint32(0)
		for _, r := range w.word {
			e := edge{at, label[r]}
			if child[e] == 0 {
				child[e] = uint32(len(p.tree.parent))
				p.tree.parent = append(p.tree.parent, at)
				p.tree.label = append(p.tree.label, e.label)
				p.tree.weight = append(p.tree.weight, noWord)
			}
			at = child[e]
		}
		p.tree.weight[at] = weight[w.freq]
	}
	return p
}

// weighed is a word with its frequency.
type weighed struct {
	word string
	freq float64
}

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// model reads the start, four lines of transitions, and for each state a line of the
// characters that it emits, which it returns.
func (p *plan) model(content string) map[rune]emission {
	emit := map[rune]emission{}
	n := 0
	for line := range strings.Lines(content) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		switch {
		case n < 1+states:
			row := &p.chain.start
			if n > 0 {
				row = &p.chain.trans[n-1]
			}
			for i, f := range strings.Fields(line) {
				row[i] = number(f)
			}
		default:
			for item := range strings.SplitSeq(line, ",") {
				char, value, _ := strings.Cut(item, ":")
				r, _ := utf8.DecodeRuneInString(char)
				e, ok := emit[r]
				if !ok {
					e = emission{impossible, impossible, impossible, impossible}
				}
				e[n-1-states] = number(value)
				emit[r] = e
			}
		}
		n++
	}
	return emit
}

// rank returns the characters of the words and the model by label, from 1. Frequent
// ones have low labels, so that what is needed often lies together.
func rank(words []weighed, emit map[rune]emission) []rune {
	count := map[rune]float64{}
	for _, w := range words {
		for _, r := range w.word {
			count[r] += w.freq
		}
	}
	for r := range emit {
		count[r]++
	}
	runes := slices.SortedFunc(maps.Keys(count), func(a, b rune) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return slices.Insert(runes, 0, 0)
}
