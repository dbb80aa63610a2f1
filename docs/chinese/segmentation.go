package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/docs/internal/kit"
	"github.com/alike-go/alike/feature"
)

// modes are the ways of cutting: the spec of ours, that of the library, and what the page calls them.
var modes = [][3]string{
	{"jieba", "gojieba", "with HMM"},
	{"jieba-nohmm", "gojieba-nohmm", "without HMM"},
	{"jieba-search", "gojieba-search", "search"},
}

// segmenter returns what a value of the key tokens stands for.
func segmenter(tokens string) (feature.Segmenter, error) {
	m, err := catalog.Parse("shingle:tokens=" + tokens)
	if err != nil {
		return nil, err
	}
	return m.Features().Options().Segmenter, nil
}

// chineseTexts returns the texts in Chinese of each shared set that has any.
func chineseTexts() (names []string, texts map[string][]string, err error) {
	texts = map[string][]string{}
	for _, name := range datasets.Shared() {
		set, err := datasets.Load(name)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range set.Docs {
			if strings.HasPrefix(d.Lang, "zh") {
				texts[name] = append(texts[name], d.Text)
			}
		}
		if texts[name] != nil {
			names = append(names, name)
		}
	}
	return names, texts, nil
}

// segmentation compares the words of tokens=jieba with those of the library, and what both cost.
func (p *page) segmentation() error {
	names, texts, err := chineseTexts()
	if err != nil {
		return err
	}
	p.Printf("## The same words as gojieba\n\nEvery Chinese text of the shared data folder, cut by both: words of gojieba, and how many of the two lists differ.\n\n")
	p.Header("set", "texts", "MB", "words "+modes[0][2], "differ", "words "+modes[1][2], "differ", "words "+modes[2][2], "differ")
	for _, name := range names {
		size := 0
		for _, t := range texts[name] {
			size += len(t)
		}
		cells := []string{name, fmt.Sprint(len(texts[name])), fmt.Sprintf("%.1f", float64(size)/1e6)}
		for _, mode := range modes {
			ours, err := segmenter(mode[0])
			if err != nil {
				return err
			}
			theirs, err := segmenter(mode[1])
			if err != nil {
				return err
			}
			words, differ := 0, 0
			var a, b []feature.Span
			for _, t := range texts[name] {
				a, b = cut(a[:0], ours, t), cut(b[:0], theirs, t)
				words += len(b)
				differ += different(a, b)
			}
			cells = append(cells, fmt.Sprint(words), fmt.Sprint(differ))
		}
		p.Row(cells...)
	}
	p.Printf("\nWhere gojieba itself cannot answer (invalid UTF-8, NUL), its adapter replaces the bytes first; package segment's tests list what\nthe library makes of them.\n\n")
	if err := p.speed(mix(names, texts, 2<<20)); err != nil {
		return err
	}
	return p.memory()
}

func cut(dst []feature.Span, s feature.Segmenter, text string) []feature.Span {
	s.Segment([]byte(text), func(start, end int) { dst = append(dst, feature.Span{Start: start, End: end}) })
	return dst
}

// different counts the spans that only one of two lists in ascending order has.
func different(a, b []feature.Span) int {
	in := make(map[feature.Span]int, len(a))
	for _, s := range a {
		in[s]++
	}
	n := 0
	for _, s := range b {
		if in[s] == 0 {
			n++
		} else {
			in[s]--
		}
	}
	for _, left := range in {
		n += left
	}
	return n
}

// mix takes texts of all sets in turn until they come to n bytes.
func mix(names []string, texts map[string][]string, n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		some := false
		for _, name := range names {
			if t := texts[name]; i < len(t) && b.Len() < n {
				b.WriteString(t[i] + "\n")
				some = true
			}
		}
		if !some {
			break
		}
	}
	return b.String()
}

// speed measures in rounds, all contenders in turn, and shows medians.
func (p *page) speed(text string) error {
	type contender struct {
		name string
		run  func()
		mbs  []float64
	}
	var all []*contender
	data := []byte(text)
	for _, mode := range modes {
		for _, tokens := range mode[:2] {
			s, err := segmenter(tokens)
			if err != nil {
				return err
			}
			all = append(all, &contender{name: "cut " + mode[2] + ", tokens=" + tokens, run: func() { s.Segment(data, func(int, int) {}) }})
		}
	}
	for _, spec := range []string{"simhash:tokens=jieba", "simhash:tokens=gojieba", "simhash", "simhash:tokens=rune", "simhash:tokens=rune,width=2", "simhash:tokens=rune,width=3", "simhash:tokens=rune,width=4"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			return err
		}
		all = append(all, &contender{name: spec, run: func() { m.NewCollection().Add(text) }})
	}
	for range 7 {
		for _, c := range all {
			start := time.Now()
			c.run()
			c.mbs = append(c.mbs, float64(len(text))/1e6/time.Since(start).Seconds())
		}
	}
	p.Printf("## What it costs\n\nOne core, %.1f MB of the texts above in turn, medians of 7 rounds in one process; SimHash is from text to fingerprint.\n\n", float64(len(text))/1e6)
	p.Header("", "MB/s", "times gojieba")
	for i, c := range all {
		ratio := ""
		if i+1 < len(all) && strings.HasSuffix(all[i+1].name, "tokens=go"+c.name[strings.LastIndex(c.name, "=")+1:]) {
			ratios := make([]float64, len(c.mbs))
			for k := range c.mbs {
				ratios[k] = c.mbs[k] / all[i+1].mbs[k]
			}
			ratio = fmt.Sprintf("%.1f", kit.Median(ratios))
		}
		p.Row(c.name, fmt.Sprintf("%.1f", kit.Median(c.mbs)), ratio)
	}
	p.Printf("\n")
	return nil
}

// memory asks fresh processes what opening a segmenter takes.
func (p *page) memory() error {
	p.Printf("Opening one in a fresh process, up to the first word (median of 5), and by how much its resident memory has then grown:\n\n")
	p.Header("", "ms", "MB")
	for _, tokens := range []string{"jieba", "gojieba"} {
		var ms, mb []float64
		for range 5 {
			out, err := kit.Output(exec.Command(os.Args[0], "open:"+tokens))
			if err != nil {
				return err
			}
			var a, b float64
			if _, err := fmt.Sscan(string(out), &a, &b); err != nil {
				return fmt.Errorf("chinese: open %s: %w", tokens, err)
			}
			ms, mb = append(ms, a), append(mb, b)
		}
		p.Row("tokens="+tokens, fmt.Sprintf("%.0f", kit.Median(ms)), fmt.Sprintf("%.0f", kit.Median(mb)))
	}
	p.Printf("\n")
	return nil
}

// open is what memory runs: it opens a segmenter and prints milliseconds and megabytes.
func open(tokens string) error {
	before, err := resident()
	if err != nil {
		return err
	}
	start := time.Now()
	s, err := segmenter(tokens)
	if err != nil {
		return err
	}
	s.Segment([]byte("我们在野生动物园玩"), func(int, int) {})
	ms := float64(time.Since(start).Microseconds()) / 1e3
	debug.FreeOSMemory()
	after, err := resident()
	if err != nil {
		return err
	}
	fmt.Println(ms, float64(after-before)/1e3)
	s.Segment(nil, func(int, int) {}) // still in use above
	return nil
}

// resident returns the process's resident memory in kB, as Linux tells it.
func resident() (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmRSS:")); ok {
			fields := strings.Fields(string(rest))
			return strconv.Atoi(fields[0])
		}
	}
	return 0, fmt.Errorf("chinese: no VmRSS in /proc/self/status")
}
