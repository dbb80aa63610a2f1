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

// modes are the ways of cutting: the spec, and the name on the page.
var modes = [][2]string{
	{"jieba", "with HMM"},
	{"jieba-nohmm", "without HMM"},
	{"jieba-search", "search"},
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

// segmentation counts the words of tokens=jieba, and measures what they cost.
func (p *page) segmentation() error {
	names, texts, err := chineseTexts()
	if err != nil {
		return err
	}
	p.Printf("## The same words as gojieba\n\n`go test -run TestSharedTexts ./feature/segment` cuts every Chinese text of the shared data folder by `tokens=jieba` and by gojieba,\nand no word differs. The number of words:\n\n")
	p.Header("set", "texts", "MB", "words "+modes[0][1], "words "+modes[1][1], "words "+modes[2][1])
	for _, name := range names {
		size := 0
		for _, t := range texts[name] {
			size += len(t)
		}
		cells := []string{name, fmt.Sprint(len(texts[name])), fmt.Sprintf("%.1f", float64(size)/1e6)}
		for _, mode := range modes {
			s, err := segmenter(mode[0])
			if err != nil {
				return err
			}
			words := 0
			for _, t := range texts[name] {
				s.Segment([]byte(t), func(int, int) { words++ })
			}
			cells = append(cells, fmt.Sprint(words))
		}
		p.Row(cells...)
	}
	p.Printf("\nWhere gojieba itself cannot answer (invalid UTF-8, NUL), the test replaces the bytes first; TestDifferences lists what\nthe library makes of them.\n\n")
	if err := p.speed(mix(names, texts, 2<<20)); err != nil {
		return err
	}
	return p.memory()
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
		s, err := segmenter(mode[0])
		if err != nil {
			return err
		}
		all = append(all, &contender{name: "cut " + mode[1] + ", tokens=" + mode[0], run: func() { s.Segment(data, func(int, int) {}) }})
	}
	for _, spec := range []string{"simhash:tokens=jieba", "simhash", "simhash:tokens=rune", "simhash:tokens=rune,width=2", "simhash:tokens=rune,width=3", "simhash:tokens=rune,width=4"} {
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
	p.Header("", "MB/s")
	for _, c := range all {
		p.Row(c.name, fmt.Sprintf("%.1f", kit.Median(c.mbs)))
	}
	p.Printf("\n")
	return nil
}

// memory asks fresh processes what opening a segmenter takes.
func (p *page) memory() error {
	var ms, mb []float64
	for range 5 {
		out, err := kit.Output(exec.Command(os.Args[0], "open"))
		if err != nil {
			return err
		}
		var a, b float64
		if _, err := fmt.Sscan(string(out), &a, &b); err != nil {
			return fmt.Errorf("chinese: open: %w", err)
		}
		ms, mb = append(ms, a), append(mb, b)
	}
	p.Printf("Opening `tokens=jieba` in a fresh process, up to the first word (median of 5), takes %.0f ms and %.0f MB of resident memory.\n\n", kit.Median(ms), kit.Median(mb))
	p.Printf("%s\n", beside)
	return nil
}

// beside has what gojieba took when it was a choice of the key tokens and part
// of this program. BenchmarkBeside and BenchmarkSimHash of package segment
// measure the speed now.
const beside = `Beside gojieba, measured in the same way on 2026-11-21 (commit 9f134fbd31ad, go1.26.8, Intel Xeon, 2 CPUs):

|  | jieba | gojieba | ratio |
|---|---|---|---|
| cut with HMM, MB/s | 72.4 | 8.5 | 8.4 |
| cut without HMM, MB/s | 100.1 | 10.0 | 9.7 |
| cut search, MB/s | 66.5 | 7.3 | 8.9 |
| SimHash, MB/s | 52.0 | 8.0 | 6.3 |
| open, ms | 67 | 967 | |
| open, MB | 10 | 133 | |

To measure the speeds again: ` + "`go test -run '^$' -bench 'Beside|SimHash' ./feature/segment`" + `, which needs a C++ compiler.
[benchmarks.md](benchmarks.md) has the same comparison.
`

// open is what memory runs: it opens a segmenter and prints milliseconds and megabytes.
func open() error {
	before, err := resident()
	if err != nil {
		return err
	}
	start := time.Now()
	s, err := segmenter("jieba")
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
