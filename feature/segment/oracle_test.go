package segment

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/jiebadict"
)

var modes = []Mode{Precise, NoHMM, Search}

// naive is the algorithm as one reads it: a map of words, a graph of all words at
// each place, and all sixteen transitions.
type naive struct {
	ln      map[string]float64
	longest int // word of ln
	least   float64
	start   []float64
	trans   [][]float64
	emit    []map[string]float64
}

// read returns a published dictionary, uncompressed and verified.
func read(f jiebadict.File) string {
	packed, err := os.ReadFile("../jiebadict/data/" + f.Name + ".zst")
	if err != nil {
		panic(err)
	}
	content, err := unpack(append([]byte("\n"), packed...))
	if err != nil {
		panic(err)
	}
	if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != f.SHA256 {
		panic(f.Name + ": checksum differs")
	}
	return string(content)
}

func newNaive(list, user string) *naive {
	n := &naive{ln: make(map[string]float64)}
	var freqs []float64
	total := 0.0
	for line := range strings.Lines(list) {
		f := number(strings.Fields(line)[1])
		freqs = append(freqs, f)
		total += f
	}
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		n.ln[f[0]] = ratioLn(number(f[1]), total)
	}
	slices.Sort(freqs)
	n.least = ratioLn(freqs[0], total)
	for line := range strings.Lines(user) {
		f := strings.Fields(line)
		freq := freqs[len(freqs)/2]
		if len(f) == 3 {
			freq = number(f[1])
		}
		n.ln[f[0]] = ratioLn(freq, total)
	}
	for word := range n.ln {
		n.longest = max(n.longest, utf8.RuneCountInString(word))
	}
	var lines []string
	for line := range strings.Lines(read(jiebadict.HMM)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	for i, line := range lines {
		if i < 5 {
			var row []float64
			for _, f := range strings.Fields(line) {
				row = append(row, number(f))
			}
			n.trans = append(n.trans, row)
			continue
		}
		emit := make(map[string]float64)
		for item := range strings.SplitSeq(line, ",") {
			char, value, _ := strings.Cut(item, ":")
			emit[char] = number(value)
		}
		n.emit = append(n.emit, emit)
	}
	n.start, n.trans = n.trans[0], n.trans[1:]
	return n
}

// words returns the words of a text.
func (n *naive) words(text string, mode Mode) []feature.Span {
	var spans []feature.Span
	var chars []string
	at, from := 0, 0
	flush := func() {
		offset := []int{from}
		for _, c := range chars {
			offset = append(offset, offset[len(offset)-1]+len(c))
		}
		for _, w := range n.stretch(text[from:at], chars, offset, mode) {
			spans = append(spans, feature.Span{Start: offset[w.Start], End: offset[w.End]})
		}
		chars = nil
	}
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case strings.ContainsRune("\x00 \t\n\r", r) || r == utf8.RuneError && size == 1:
			flush()
		case r == '，' || r == '。':
			flush()
			spans = append(spans, feature.Span{Start: at, End: at + size})
		default:
			if chars == nil {
				from = at
			}
			chars = append(chars, text[at:at+size])
		}
		at += size
	}
	flush()
	return spans
}

// stretch returns the words of a text without a separator, given also as characters
// and their offsets, as places of characters.
func (n *naive) stretch(text string, chars []string, offset []int, mode Mode) []feature.Span {
	join := func(i, j int) string { return text[offset[i]-offset[0] : offset[j]-offset[0]] }
	best := make([]float64, len(chars)+1)
	next := make([]int, len(chars))
	for i := len(chars) - 1; i >= 0; i-- {
		for j := i + 1; j <= min(len(chars), i+n.longest); j++ {
			w, ok := n.ln[join(i, j)]
			if j == i+1 && !ok {
				w, ok = n.least, true
			}
			if w += best[j]; ok && (j == i+1 || w > best[i]) {
				best[i], next[i] = w, j
			}
		}
	}
	var words, singles []feature.Span
	model := func() {
		for i, j := 0, 0; i < len(singles); i = j {
			ascii := func(k int, set string) bool {
				return k < len(singles) && len(chars[singles[k].Start]) == 1 && strings.Contains(set, chars[singles[k].Start])
			}
			const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			j = i + 1
			switch {
			case ascii(i, letters):
				for ascii(j, letters+"0123456789") {
					j++
				}
			case ascii(i, "0123456789"):
				for ascii(j, "0123456789.") {
					j++
				}
			case chars[singles[i].Start] >= "\x80":
				for j < len(singles) && chars[singles[j].Start] >= "\x80" {
					j++
				}
				words = append(words, n.viterbi(chars, singles[i].Start, singles[j-1].End)...)
				continue
			}
			words = append(words, feature.Span{Start: singles[i].Start, End: singles[j-1].End})
		}
		singles = nil
	}
	for i := 0; i < len(chars); i = next[i] {
		w := feature.Span{Start: i, End: next[i]}
		if mode != NoHMM && w.End == w.Start+1 {
			singles = append(singles, w)
			continue
		}
		model()
		words = append(words, w)
	}
	model()
	if mode != Search {
		return words
	}
	var all []feature.Span
	for _, w := range words {
		for i := w.Start; i < w.End; i++ {
			for _, size := range []int{2, 3} {
				if _, ok := n.ln[join(i, min(w.End, i+size))]; ok && i+size <= w.End && w.End-w.Start > size {
					all = append(all, feature.Span{Start: i, End: i + size})
				}
			}
			if i == w.Start {
				all = append(all, w)
			}
		}
	}
	return all
}

func (n *naive) viterbi(chars []string, from, to int) []feature.Span {
	emit := func(y, x int) float64 {
		if v, ok := n.emit[y][chars[x]]; ok {
			return v
		}
		return -3.14e100
	}
	weight := make([][4]float64, to-from)
	path := make([][4]int, to-from)
	for y := range 4 {
		weight[0][y] = n.start[y] + emit(y, from)
	}
	for x := 1; x < to-from; x++ {
		for y := range 4 {
			weight[x][y], path[x][y] = -3.14e100, stateE
			for z := range 4 {
				if w := weight[x-1][z] + n.trans[z][y] + emit(y, from+x); w > weight[x][y] {
					weight[x][y], path[x][y] = w, z
				}
			}
		}
	}
	last := to - from - 1
	state := stateS
	if weight[last][stateE] >= weight[last][stateS] {
		state = stateE
	}
	end := to
	var words []feature.Span
	for x := last; x >= 0; x-- {
		if before := path[x][state]; x == 0 || before == stateE || before == stateS {
			words = append(words, feature.Span{Start: from + x, End: end})
			end = from + x
		}
		state = path[x][state]
	}
	slices.Reverse(words)
	return words
}

var oracle = sync.OnceValue(func() *naive { return newNaive(read(jiebadict.Words), read(jiebadict.UserWords)) })

// spans returns the words of a text.
func spans(s *Segmenter, text string) []feature.Span {
	var w []feature.Span
	s.Segment([]byte(text), func(start, end int) { w = append(w, feature.Span{Start: start, End: end}) })
	return w
}

func mustNew(t testing.TB, o Options) *Segmenter {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compare wants the words of the oracle.
func compare(t *testing.T, s *Segmenter, n *naive, text string) {
	t.Helper()
	got, want := spans(s, text), n.words(text, s.mode)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("%v: %q: words from number %d on are %v, want %v", s.mode, text, i, got[min(i, len(got)):], want[min(i, len(want)):])
		}
	}
}

func TestAgainstNaive(t *testing.T) {
	n := oracle()
	set, err := datasets.Load("zh")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		s := mustNew(t, Options{Mode: mode})
		for i, d := range set.Docs {
			if !testing.Short() || i%30 == 0 {
				compare(t, s, n, d.Text)
			}
		}
	}
}

// TestRandomText cuts characters and words of the list as they come.
func TestRandomText(t *testing.T) {
	n := oracle()
	list := strings.Split(strings.TrimSpace(read(jiebadict.Words)), "\n")
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []string{"，", "。", " ", "\n", "AK47", "3.14", "C++", "x", "\xff", "\x00", "\xe4\xb8", "😀", "𠮷", "の", "é", "！", "\u0301"}
	var b strings.Builder
	for range 300 {
		b.Reset()
		for range rng.IntN(30) {
			text, _, _ := strings.Cut(list[rng.IntN(len(list))], " ")
			word := []rune(text)
			switch rng.IntN(4) {
			case 0:
				b.WriteString(odd[rng.IntN(len(odd))])
			case 1:
				b.WriteRune(word[rng.IntN(len(word))])
			case 2:
				b.WriteRune('一' + rune(rng.IntN(0x51a6)))
			default:
				b.WriteString(string(word))
			}
		}
		for _, mode := range modes {
			compare(t, mustNew(t, Options{Mode: mode}), n, b.String())
		}
	}
}

func FuzzSegment(f *testing.F) {
	for _, text := range []string{
		"", "他来到了网易杭研大厦", "a\x00b\xff", "，。 \n", "\xe4\xb8 中\u0301😀", "C++和T恤，AK47用3.14。",
		"小明硕士毕业于中国科学院计算所", "\xed\xa0\x80\xf4\x90\x80\x80", "一一一一一一",
	} {
		f.Add(text)
	}
	n := oracle()
	f.Fuzz(func(t *testing.T, text string) {
		for _, mode := range modes {
			compare(t, mustNew(t, Options{Mode: mode}), n, text)
		}
	})
}
