package rabinkarp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// docsWith counts the texts that have a passage.
func docsWith(texts []string, passage string) (n int) {
	for _, text := range texts {
		if strings.Contains(text, passage) {
			n++
		}
	}
	return n
}

// goesOn reports whether so few texts have the passage without one of the longer ones, that
// enough texts have, that it need not be reported. longer tells those of one side.
func goesOn(texts []string, least int, passage string, longer func(c byte) string) bool {
	var long []string
	for c := range 256 {
		if l := longer(byte(c)); docsWith(texts, l) >= least {
			long = append(long, l)
		}
	}
	rest := 0
	for _, text := range texts {
		// An occurrence that is in none of the longer ones.
		for i := range text {
			if !strings.HasPrefix(text[i:], passage) {
				continue
			}
			in := slices.ContainsFunc(long, func(l string) bool {
				at := i - strings.Index(l, passage)
				return at >= 0 && strings.HasPrefix(text[at:], l) || i > 0 && strings.HasPrefix(text[i-1:], l) && strings.HasSuffix(l, passage)
			})
			if !in {
				rest++
				break
			}
		}
	}
	return len(long) > 0 && rest < least
}

// What is reported is in as many texts, and no longer passage would do; and what enough
// texts share, if it is long enough to be sure to be found, is part of something reported.
func TestBoilerplate(t *testing.T) {
	const k, w = 4, 3
	m := newWinnow(t, WinnowOptions{K: k, Window: w})
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 6))
		texts := related(rng, 12)
		for _, least := range []int{2, 3, 6} {
			t.Run(fmt.Sprintf("seed=%d/least=%d", seed, least), func(t *testing.T) {
				found, err := Boilerplate(m, texts, least)
				if err != nil {
					t.Fatal(err)
				}
				var passages []string
				for i, c := range found {
					if texts[c.Doc][c.Start:c.End] != c.Text {
						t.Errorf("%q does not stand in text %d at %d to %d", c.Text, c.Doc, c.Start, c.End)
					}
					if n := docsWith(texts, c.Text); c.Docs < least || c.Docs > n {
						t.Errorf("%q: found in %d texts of %d", c.Text, c.Docs, n)
					} else if c.Docs == n {
						if goesOn(texts, least, c.Text, func(b byte) string { return c.Text + string([]byte{b}) }) {
							t.Errorf("%q goes on to the right", c.Text)
						}
						if goesOn(texts, least, c.Text, func(b byte) string { return string([]byte{b}) + c.Text }) {
							t.Errorf("%q goes on to the left", c.Text)
						}
					}
					if slices.Contains(passages, c.Text) {
						t.Errorf("%q is reported twice", c.Text)
					}
					passages = append(passages, c.Text)
					if i > 0 && len(c.Text)*c.Docs > len(found[i-1].Text)*found[i-1].Docs {
						t.Errorf("%q in %d texts comes after less", c.Text, c.Docs)
					}
				}
				for _, text := range texts {
					for from := range text {
						to := from + k + w - 1
						if to > len(text) || docsWith(texts, text[from:to]) < least {
							continue
						}
						if !slices.ContainsFunc(passages, func(p string) bool { return strings.Contains(p, text[from:to]) }) {
							t.Fatalf("%q is in %d texts and in none of %q", text[from:to], docsWith(texts, text[from:to]), passages)
						}
					}
				}
			})
		}
	}
	if _, err := Boilerplate(m, nil, 1); err == nil {
		t.Error("no error for passages of one text")
	}
}

// A licence that most texts carry, and a longer form of it that some do.
func TestBoilerplateExample(t *testing.T) {
	const short = "Permission is hereby granted, free of charge, to any person"
	const long = short + " obtaining a copy of this software"
	var texts []string
	for i := range 10 {
		text := fmt.Sprintf("Program number %d does %s. ", i, letters(rand.New(rand.NewPCG(uint64(i), 1)), 80, 26))
		if i < 3 {
			text += long + "."
		} else {
			text += short + string(rune('A'+i)) + "."
		}
		texts = append(texts, text)
	}
	for _, m := range []Method{newWinnow(t, WinnowOptions{}), newManber(t, ManberOptions{Window: 10, Keep: 2, Overlap: true})} {
		found, err := Boilerplate(m, texts, 3)
		if err != nil {
			t.Fatal(err)
		}
		docs := map[string]int{}
		for _, c := range found {
			docs[strings.Trim(c.Text, " .")] = c.Docs
		}
		if docs[short] != 10 || docs[long] != 3 {
			t.Errorf("%s: %v, want the short one in 10 texts and the long one in 3", m, docs)
		}
	}
}

// Texts that repeat themselves take no time that grows with the square of their length.
func TestBoilerplateRepeats(t *testing.T) {
	var texts []string
	for i := range 5 {
		texts = append(texts, strings.Repeat("<td></td>", 20_000+i)+strings.Repeat("-", 100_000))
	}
	found, err := Boilerplate(newWinnow(t, WinnowOptions{}), texts, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Error("nothing found")
	}
}

func FuzzBoilerplate(f *testing.F) {
	f.Add("one text and more|two texts and more|some text and more", uint8(2))
	f.Add("abababababababababababababab|babababababababababababababab|aaaaaaaaaaaaaaaaaaaaa", uint8(3))
	f.Add("\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97|\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x98|\xff\xe4", uint8(2))
	f.Fuzz(func(t *testing.T, all string, least uint8) {
		if len(all) > 3000 {
			t.Skip()
		}
		texts := strings.Split(all, "|")
		n := 2 + int(least%4)
		for _, m := range bothMethods(t) {
			found, err := Boilerplate(m, texts, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range found {
				if texts[c.Doc][c.Start:c.End] != c.Text || c.Docs < n || c.Docs > len(texts) {
					t.Fatalf("%+v of %q", c, texts)
				}
			}
		}
	})
}

func BenchmarkBoilerplate(b *testing.B) {
	tail := string(prose(2000))
	var texts []string
	size := 0
	for i := range 2000 {
		texts = append(texts, letters(rand.New(rand.NewPCG(uint64(i), 3)), 2000, 20)+tail)
		size += len(texts[i])
	}
	for name, m := range map[string]Method{"manber": newManber(b, ManberOptions{}), "winnow": newWinnow(b, WinnowOptions{})} {
		b.Run("method="+name, func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				if found, err := Boilerplate(m, texts, 100); err != nil || len(found) == 0 {
					b.Fatal(err, "nothing found")
				}
			}
		})
	}
}
