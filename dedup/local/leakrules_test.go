package local

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// naiveRun returns the length of the longest run of two sequences, by comparing all
// places with all.
func naiveRun[T comparable](a, b []T) (longest int) {
	for i := range a {
		for j := range b {
			n := 0
			for i+n < len(a) && j+n < len(b) && a[i+n] == b[j+n] {
				n++
			}
			longest = max(longest, n)
		}
	}
	return longest
}

func FuzzLongestRun(f *testing.F) {
	f.Add([]byte("abracadabra"), []byte("cadabrabra"), 2)
	f.Add([]byte("aaaaaa"), []byte("baaaab"), 1)
	f.Fuzz(func(t *testing.T, x, y []byte, least int) {
		if len(x) > 60 || len(y) > 60 || least < 1 {
			t.Skip()
		}
		a, b := make([]uint64, len(x)), make([]uint64, len(y))
		for i, c := range x {
			a[i] = uint64(c % 4)
		}
		var at []int32
		for i, c := range y {
			b[i] = uint64(c % 4)
			if slices.Contains(a, b[i]) {
				at = append(at, int32(i))
			}
		}
		want := naiveRun(a, b)
		if want < least {
			want = 0
		}
		got := longestRun(a, b, at, least, len(a))
		if got.n != want || !slices.Equal(a[got.a:got.a+got.n], b[got.b:got.b+got.n]) {
			t.Fatalf("a run of %+v in %v and %v, want %d", got, a, b, want)
		}
	})
}

// The rule by passage finds what comparing all words with all finds, and the spans
// of the longest passage hold the same words.
func TestLeakPassagesEqualOracle(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(3, 9))
	text := func(n int) (words []string) {
		for range n {
			words = append(words, fmt.Sprint("w", r.IntN(30)))
		}
		return words
	}
	var train, test [][]string
	for range 60 {
		train = append(train, text(80+r.IntN(80)))
	}
	for range 120 {
		item := text(10 + r.IntN(30))
		from := train[r.IntN(len(train))]
		n := r.IntN(14)
		i := r.IntN(len(from) - n)
		test = append(test, append(item, from[i:i+n]...))
	}
	lines := func(all [][]string) (out []string) {
		for _, words := range all {
			out = append(out, strings.Join(words, " "))
		}
		return out
	}
	trainLines, testLines := lines(train), lines(test)
	for _, rule := range []Passage{{Words: 9}, {Share: .3}} {
		o := LeakOptions{
			Train:    []datasets.Source{{Path: jsonl(t, dir, "train", trainLines)}},
			Tests:    []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", testLines)}}}},
			Features: extractor(t, 3), Threshold: 1, Passage: rule, Least: 4,
		}
		leaks, _ := findLeaks(t, o)
		found := map[int]Leak{}
		for _, l := range leaks {
			found[l.Row] = l
		}
		n := 0
		for i, item := range test {
			least := rule.Words
			if least == 0 {
				least = max(o.Least+2, (3*len(item)+9)/10)
			}
			want := false
			for _, words := range train {
				want = want || naiveRun(item, words) >= least
			}
			l, got := found[i]
			if got != want {
				t.Errorf("%v: test document %d has leaked: %v, want %v", rule, i, got, want)
			}
			if !got {
				continue
			}
			n++
			a, b := testLines[i][l.Longest.Test[0]:l.Longest.Test[1]], trainLines[l.Train.Row][l.Longest.Train[0]:l.Longest.Train[1]]
			if words := naiveRun(item, train[l.Train.Row]); a != b || len(strings.Fields(a)) != words || l.Longest.Words != words || l.Rule != "passage" {
				t.Errorf("%v: %+v: %q and %q, want %d words", rule, l, a, b, words)
			}
		}
		if n < 20 || n > 100 {
			t.Errorf("%v: %d leaks of %d: the test says little", rule, n, len(test))
		}
	}
}

// Line breaks change nothing, wherever they are, and spans are those of the text as
// it was read.
func TestLeakOfBrokenLines(t *testing.T) {
	dir := t.TempDir()
	item := "红楼梦是清代作家曹雪芹创作的章回体长篇小说，中国古典四大名著之一，通行本共一百二十回。"
	characters := []rune(item)
	for width := 1; width < 12; width++ {
		var broken strings.Builder
		for i, r := range characters {
			if i > 0 && i%width == 0 {
				broken.WriteString([]string{"\n", "\r\n  ", "\u3000"}[i%3])
			}
			broken.WriteRune(r)
		}
		page := "前言一段。\n" + broken.String() + "\n后记另有一段文字。"
		o := LeakOptions{
			Train:    []datasets.Source{{Path: jsonl(t, dir, "train", []string{page})}},
			Tests:    []TestSet{{Sources: []datasets.Source{{Path: jsonl(t, dir, "test", []string{item})}}}},
			Features: extractor(t, 3), Threshold: 1, Least: 8,
		}
		leaks, _ := findLeaks(t, o)
		if len(leaks) != 1 {
			t.Fatalf("lines of %d characters: %d leaks, want 1", width, len(leaks))
		}
		bare := func(s string) string { return strings.Join(strings.FieldsFunc(s, gap), "") }
		l := leaks[0].Longest
		a, b := item[l.Test[0]:l.Test[1]], page[l.Train[0]:l.Train[1]]
		if bare(a) != bare(b) || !strings.HasPrefix(a, "红楼梦") || !strings.HasSuffix(a, "百二十回") {
			t.Errorf("lines of %d characters: %q and %q", width, a, b)
		}
	}
}

// Invisible characters do not divide words, but joiners stay.
func TestCloseUpLeavesOutInvisibleCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"中\u200b文\ufeff字\u00ad，\u2060符":       "中文字符",
		"a co\u00adop\u200ber\u00adate b":     "a cooperate b",
		"é\u200eé 中\u00ada":                   "éé 中a",
		"end\u200b of\u00ad. (\u200ea)\ufeff": "end of. (\u200ea)\ufeff",
		"क्\u200dष می\u200cخواهم":             "क्\u200dष می\u200cخواهم",
		"👩\u200d💻":                            "👩\u200d💻",
	} {
		if got := closeUp(text).text; got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func FuzzCloseUp(f *testing.F) {
	f.Add("红 楼\n梦，a 中\u3000“文” b", 2, 5)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		c := closeUp(text)
		if again := closeUp(c.text); again.text != c.text {
			t.Fatalf("%q becomes %q, then %q", text, c.text, again.text)
		}
		bare := func(s string) string { return strings.Join(strings.FieldsFunc(s, gap), "") }
		if bare(c.text) != bare(text) {
			t.Fatalf("%q becomes %q", text, c.text)
		}
		if start < 0 || end <= start || end > len(c.text) {
			t.Skip()
		}
		s := c.span(start, end)
		if text[s[0]] != c.text[start] || text[s[1]-1] != c.text[end-1] {
			t.Fatalf("bytes %d to %d of %q are %v of %q", start, end, c.text, s, text)
		}
	})
}

// A row tells which field has leaked. A short answer that stands anywhere is no
// leak, but beside its question it is.
func TestLeakOfFields(t *testing.T) {
	dir := t.TempDir()
	const (
		q1, a1 = "Which of the large rivers of Europe flows through four capital cities on its way to the sea", "The Danube"
		q2, a2 = "Why does the sky look blue during the day and red when the sun goes down", "Because air scatters short waves of light far more than long ones, and the way through it is longer in the evening"
		q3, a3 = "Which metal is liquid at room temperature and was once used in thermometers", "Mercury, whose symbol comes from the Latin for liquid silver or quick silver, as alchemists called it"
	)
	src := datasets.Source{Path: filepath.Join(dir, "qa.csv"), Text: []string{"q", "a"}}
	write(t, src.Path, fmt.Appendf(nil, "id,q,a\none,%q,%q\ntwo,%q,%q\nthree,%q,%q\nfour,%q,\n", q1, a1, q2, a2, q3, a3, q1))
	for _, c := range []struct {
		train []string
		want  []string
	}{
		{[]string{"Mozart was born in Salzburg. The Danube"}, nil},
		{[]string{"First. " + q1 + "? Of course " + a1 + ". Last."}, []string{"one both", "four question"}},
		{[]string{"First. " + q1 + "? Nobody knows."}, []string{"one question", "four question"}},
		{[]string{"So it is: " + a2, "Or " + q3 + "? " + a3}, []string{"two answer", "three both"}},
		{[]string{"So it is: " + a2, "Hello", q2}, []string{"two both"}},              // in two training documents
		{[]string{q3, "And " + a3, "Both: " + q3 + " " + a3}, []string{"three both"}}, // the last training document has both
	} {
		o := LeakOptions{
			Train:    []datasets.Source{{Path: jsonl(t, dir, "train", c.train)}},
			Tests:    []TestSet{{Name: "qa", Sources: []datasets.Source{src}, Question: []string{"q"}, Answer: []string{"a"}}},
			Features: extractor(t, 3), Threshold: .8, Least: 8,
		}
		leaks, rep := findLeaks(t, o)
		var got []string
		both := 0
		for _, l := range leaks {
			got = append(got, l.ID+" "+l.Field)
			if l.Field == "both" {
				both++
			}
		}
		if !slices.Equal(got, c.want) || rep.Leaks-rep.Question-rep.Answer != both {
			t.Errorf("%q: %q, want %q; %+v", c.train, got, c.want, rep)
		}
		if n := len(leaks); n > 0 && leaks[n-1].ID == "three" && leaks[n-1].Train.Row != len(c.train)-1 {
			t.Errorf("%+v, want the training document that has both", leaks[n-1])
		}
	}
}

func TestReadTests(t *testing.T) {
	dir := t.TempDir()
	data := []byte("{\"id\":\"1\",\"q\":\"what\"}\n")
	write(t, filepath.Join(dir, "sets", "a.jsonl"), data)
	for content, want := range map[string]string{
		`{"tests":[{"name":"a","path":"sets/a.jsonl","sha256":"` + fmt.Sprintf("%x", sha256.Sum256(data)) + `","fields":{"question":"q","answer":["x","y"]}}]}`: "",
		`{"tests":[{"name":"a","path":"sets/a.jsonl","sha256":"00"}]}`:                                                                                          "a.jsonl has the SHA-256 ",
		`{"tests":[]}`:                                                           "lists no tests",
		`{"tests":[{"path":"x"}]}`:                                               "test 1 (): want a name",
		`{"tests":[{"name":"a"}]}`:                                               "test 1 (a): want a path",
		"{\"tests\":[\n{\"nam\":\"a\"}]}":                                        ":2: ",
		"{\"tests\":\n\n[{\"name\":3}]}":                                         ":3: ",
		`{"tests":[{"name":"a","path":"x"}]`:                                     "tests.json:1: ",
		`{"tests":[{"name":"a","path":"x"},{"name":"a","path":"y"}]}`:            "test 2 (a): the name is listed twice",
		`{"tests":[{"name":"a","path":"x","fields":{"text":"t","answer":"a"}}]}`: "want either the field text",
		`{"tests":[{"name":"a","path":"x","sha256":"00"}]}`:                      "no such file",
		`{"tests":[{"name":"a","path":"x","fields":{"question":7}}]}`:            "tests.fields.question cannot be a JSON number",
		`[{"name":"a","path":"x"}]`:                                              ":1: a JSON array, want an object",
		`{"tests":[{"name":"a","path":"-"}]}`:                                    "test 1 (a): want a path of",
		"\xef\xbb\xbf" + `{"tests":[{"name":"a","path":"sets/a.jsonl","fields":{"question":"q","answer":["x","y"]}}]}`: "",
		`{"tests":[{"name":"a","path":"sets/a.jsonl"}]} {"tests":[]}`:                                                  "something follows",
	} {
		path := filepath.Join(dir, "tests.json")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		sets, err := ReadTests(path, datasets.Source{})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", content, err, want)
		}
		if err == nil && (sets[0].Sources[0].Path != filepath.Join(dir, "sets", "a.jsonl") || !slices.Equal(sets[0].Sources[0].Text, []string{"q", "x", "y"})) {
			t.Errorf("%+v", sets)
		}
	}
}
