package clean

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// learnt returns a Cleaner that has learnt from texts, in several goroutines and in an order
// of its own.
func learnt(t testing.TB, o Options, texts []string, workers int) *Cleaner {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 1 << 18
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for range c.Passes() {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := w; i < len(texts); i += workers {
					c.Learn(texts[len(texts)-1-i])
				}
			})
		}
		wg.Wait()
		if err := c.Next(); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// words returns a text that nothing else has a long passage of.
func words(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		for range 3 + rng.IntN(5) {
			b.WriteByte('a' + byte(rng.IntN(26)))
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

func han(rng *rand.Rand, n int) string {
	r := make([]rune, n)
	for i := range r {
		r[i] = '一' + rune(rng.IntN(20000))
	}
	return string(r)
}

// Pages of a site: a menu, a text of its own, a footer; a licence in the middle of
// some. What is left of each is its own text, but for a few bytes beside the
// licence.
func TestBoilerplate(t *testing.T) {
	const menu = "Home | Products | Solutions | Support | About us | Contact us"
	const footer = "Copyright 2024 Example Limited. All rights reserved. Privacy policy."
	const licence = "Permission is hereby granted, free of charge, to any person obtaining a copy"
	for _, lang := range []string{"en", "zh"} {
		t.Run(lang, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 6))
			own := func() string { return words(rng, 40) }
			menu, footer, licence := menu, footer, licence
			if lang == "zh" {
				own = func() string { return han(rng, 100) }
				menu = "首页｜产品中心｜解决方案｜技术支持｜关于我们｜联系我们｜加入我们"
				footer = "版权所有二〇二四示例有限公司，保留一切权利。未经许可不得转载。隐私政策"
				licence = "特此免费授予任何获得本软件及相关文档文件副本的人不受限制地处理本软件的权利"
			}
			var texts, parts []string
			for i := range 12 {
				p := own()
				parts = append(parts, p)
				if i < 4 {
					q := own()
					parts[i] += "\n" + q
					p += " " + licence + " " + q
				}
				texts = append(texts, menu+" "+p+" "+footer)
			}
			for _, least := range []int{4, 5, 12, 13} {
				c := learnt(t, Options{Boilerplate: least}, texts, 2)
				for i, text := range texts {
					got := c.Clean(text)
					want := parts[i]
					switch {
					case least == 13:
						want = text
					case least > 4 && i < 4:
						want = strings.TrimSuffix(strings.TrimPrefix(text, menu+" "), " "+footer)
					}
					// Beside each passage up to window-1 bytes of it may stay, and a character
					// that it cuts may go.
					if n := edits(got, want); n > 4*(gap+3) {
						t.Errorf("least %d, text %d: %q, want about %q", least, i, got, want)
					}
				}
			}
		})
	}
}

// edits counts the bytes outside the pieces of want, in lines, that got has too.
func edits(got, want string) int {
	n := len(got)
	for line := range strings.SplitSeq(want, "\n") {
		// The middle of a piece must be there as it is.
		middle := line[min(6, len(line)):max(len(line)-6, 0)]
		if !strings.Contains(got, middle) {
			return len(got) + len(want)
		}
		n -= len(middle)
	}
	return n
}

// A text of nothing but passages that others have stays as it is, and so does one that has
// none.
func TestBoilerplateAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	page := words(rng, 30)
	alone := words(rng, 30)
	texts := []string{page, page, page, page + " — ", alone, "", "short", "short", "short"}
	c := learnt(t, Options{Boilerplate: 3}, texts, 3)
	for _, text := range texts {
		if got := c.Clean(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if windowsOf(c) == 0 {
		t.Error("no windows of the page")
	}
	if got, want := c.Clean(page+" "+alone), alone; !strings.HasSuffix(got, want) || len(got) > len(want)+17 {
		t.Errorf("%q, want about %q", got, want)
	}
}

// Masks come first: a footer with a date is one passage.
func TestBoilerplateMasked(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	var texts []string
	for i := range 5 {
		texts = append(texts, fmt.Sprintf("%s\npage %d, printed on 2024-03-%02d by the system at %02d:30", words(rng, 30), 70+i, i+1, i))
	}
	c := learnt(t, Options{Mask: Time | Number, Boilerplate: 5}, texts, 1)
	for _, text := range texts {
		if got := c.Clean(text); strings.Contains(got, "printed") || strings.Contains(got, "system") {
			t.Errorf("%q keeps its footer: %q", text, got)
		}
	}
}

// naiveChoose returns the starts of the chosen windows: the rightmost least of
// every gap in a row, hashed one by one.
func naiveChoose(text string) (starts []int) {
	var hashes []uint64
	for i := range max(0, len(text)-width+1) {
		x := uint64(0)
		for _, c := range []byte(text[i : i+width]) {
			x = (x + uint64(c)) * base
		}
		hashes = append(hashes, x)
	}
	for i := 0; i < len(hashes) && (i == 0 || i+gap <= len(hashes)); i++ {
		row := hashes[i:min(i+gap, len(hashes))]
		at := i
		for j, x := range row {
			if x == slices.Min(row) {
				at = i + j
			}
		}
		if len(starts) == 0 || starts[len(starts)-1] != at {
			starts = append(starts, at)
		}
	}
	return starts
}

// naiveStrip counts windows in maps, and takes out byte after byte what lies in those of
// enough documents.
func naiveStrip(least int, learnt []string, text string) string {
	type key struct {
		kind int
		text string
	}
	of := func(text string) (keys []key, spans []span) {
		starts := naiveChoose(text)
		for i, s := range starts {
			keys, spans = append(keys, key{0, text[s : s+width]}), append(spans, span{s, s + width})
			// Equal windows in a row are one, as far as they go.
			first := i
			for first > 0 && text[starts[first-1]:][:width] == text[s:s+width] && starts[first-1]+width >= starts[first] {
				first--
			}
			if i == len(starts)-1 {
				keys, spans = append(keys, key{2, text[starts[first]:]}), append(spans, span{starts[first], len(text)})
			}
			if first == 0 && (i == len(starts)-1 || text[starts[i+1]:][:width] != text[s:s+width] || s+width < starts[i+1]) {
				keys, spans = append(keys, key{1, text[:s+width]}), append(spans, span{0, s + width})
			}
		}
		return keys, spans
	}
	docs := map[key]int{}
	for _, text := range learnt {
		keys, _ := of(text)
		seen := map[key]bool{}
		for _, k := range keys {
			if !seen[k] {
				docs[k]++
			}
			seen[k] = true
		}
	}
	gone := make([]bool, len(text)+1)
	keys, spans := of(text)
	for i, k := range keys {
		for j := spans[i].start; j < spans[i].end && docs[k] >= least; j++ {
			gone[j] = true
		}
	}
	if !slices.Contains(gone, true) {
		return text
	}
	stays := func(i int) bool { return !gone[i] && i < len(text) }
	// Of a character that is cut all stays.
	for i := range len(text) {
		if stays(i) && !utf8.RuneStart(text[i]) {
			for j := i; j > 0 && gone[j-1]; j-- {
				gone[j-1] = false
				if utf8.RuneStart(text[j-1]) {
					break
				}
			}
		}
	}
	for i := len(text) - 1; i > 0; i-- {
		if stays(i-1) && gone[i] && !utf8.RuneStart(text[i]) {
			for j := i; j < len(text) && gone[j] && !utf8.RuneStart(text[j]); j++ {
				gone[j] = false
			}
		}
	}
	out := ""
	for i := range len(text) {
		if stays(i) {
			if i > 0 && gone[i-1] && out != "" {
				out += "\n"
			}
			out += text[i : i+1]
		}
	}
	if !strings.ContainsFunc(out, isLetterOrDigit) {
		return text
	}
	return out
}

func FuzzChoose(f *testing.F) {
	f.Add("one common passage and a passage of its own that goes on for a while, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	f.Add("共同的一段文字甲乙丙丁戊己庚辛壬癸子丑寅卯")
	f.Fuzz(func(t *testing.T, text string) {
		var got, want []string
		for _, w := range choose(nil, text) {
			got = append(got, text[w.start:w.end])
		}
		end := 0
		for _, s := range naiveChoose(text) {
			w := text[s : s+width]
			if n := len(want); n > 0 && strings.HasSuffix(want[n-1], w) && s <= end {
				want[n-1] += text[end : s+width]
			} else {
				want = append(want, w)
			}
			end = s + width
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	})
}

func FuzzBoilerplate(f *testing.F) {
	f.Add("one common passage that three of them have, own|one common passage that three of them have, mine|one common passage that three of them have, his", uint8(2))
	f.Add("own and one common passage that two of them have|mine and one common passage that two of them have|", uint8(0))
	f.Add("共同的一段文字没有别的意思甲乙丙|共同的一段文字没有别的意思丁戊己|共同的一段文字没有别的意思", uint8(0))
	f.Add("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab|\xff\xe4aaaaaaaaa|", uint8(0))
	f.Fuzz(func(t *testing.T, all string, least uint8) {
		if len(all) > 1000 {
			t.Skip()
		}
		texts := strings.Split(all, "|")
		n := 2 + int(least%4)
		// So little memory that windows fall on one counter.
		c := learnt(t, Options{Boilerplate: n, Memory: 1 << 17}, texts, 1+int(least%3))
		for _, text := range append(texts, all) {
			if got, want := c.Clean(text), naiveStrip(n, texts, text); got != want {
				t.Fatalf("least %d, learnt %q: %q becomes %q, want %q", n, texts, text, got, want)
			}
		}
	})
}

// The result does not depend on memory and workers, and what does not fit is an error.
func TestBoilerplateMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 6))
	shared := make([]string, 20)
	for i := range shared {
		shared[i] = words(rng, 12)
	}
	var texts []string
	for range 300 {
		texts = append(texts, shared[rng.IntN(20)]+" "+words(rng, 20)+" "+shared[rng.IntN(20)])
	}
	var want []string
	for _, memory := range []int64{1 << 15, 1 << 16, 1 << 22} {
		c := learnt(t, Options{Boilerplate: 10, Memory: memory}, texts, 1+int(memory>>15))
		var got []string
		for _, text := range texts {
			got = append(got, c.Clean(text))
		}
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("%d bytes of memory change the result", memory)
		}
		want = got
	}
	if slices.Equal(want, texts) {
		t.Error("nothing is taken out")
	}
	c, err := New(Options{Boilerplate: 2, Memory: leastMemory})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		c.Learn(text)
	}
	if c.Next() == nil {
		t.Error("no error though memory is too little")
	}
}

func TestNew(t *testing.T) {
	for name, o := range map[string]Options{
		"mask":        {Mask: 8},
		"one":         {Boilerplate: 1},
		"negative":    {Boilerplate: -2},
		"memory":      {Memory: 5},
		"less memory": {Memory: -1},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	c, err := New(Options{})
	if err != nil || c.Passes() != 0 || c.String() != "none" || c.Clean("as it is 5") != "as it is 5" || windowsOf(c) != 0 {
		t.Errorf("zero options: %v, %v", c, err)
	}
	c, err = New(Options{Mask: Time | URL, Boilerplate: 7})
	if want := "mask=time+url,boilerplate=7"; err != nil || c.String() != want {
		t.Errorf("%v, %v, want %s", c, err, want)
	}
	for name, f := range map[string]func(){"Clean before": func() { c.Clean("") }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// windowsOf returns the number of different windows that enough documents have.
func windowsOf(c *Cleaner) (n int) {
	if c.passages == nil {
		return 0
	}
	for i := range c.passages.table.parts {
		n += len(c.passages.table.parts[i].count)
	}
	return n
}
