package gojieba

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
)

// segmenter returns a segmenter, and skips the test in a build without cgo.
var modes = []segment.Mode{segment.Precise, segment.NoHMM, segment.Search}

func segmenter(t testing.TB, mode segment.Mode) *Segmenter {
	t.Helper()
	s, err := New(mode)
	if errors.Is(err, ErrNoCgo) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func words(s *Segmenter, text string) []string {
	var w []string
	s.Segment([]byte(text), func(start, end int) { w = append(w, text[start:end]) })
	return w
}

// The expected words are those of the tests of cppjieba v5.4.0
// (test/unittest/jieba_test.cpp) and gojieba v1.4.7 (jieba_test.go); in search mode
// in order of their starts.
func TestPublishedCuts(t *testing.T) {
	for _, c := range []struct {
		mode segment.Mode
		text string
		want string
	}{
		{segment.Precise, "我来到北京清华大学", "我/来到/北京/清华大学"},
		{segment.Precise, "他来到了网易杭研大厦", "他/来到/了/网易/杭研/大厦"},
		{segment.Precise, "比特币", "比特/币"},
		{segment.Precise, "男默女泪", "男默/女泪"},
		{segment.Precise, "我来自北京邮电大学。。。学号123456，用AK47", "我/来自/北京邮电大学/。/。/。/学号/123456/，/用/AK47"},
		{segment.Precise, "同一个世界，同一个梦想", "同一个/世界/，/同一个/梦想"},
		{segment.NoHMM, "他来到了网易杭研大厦", "他/来到/了/网易/杭/研/大厦"},
		{segment.NoHMM, "我来自北京邮电大学。", "我/来自/北京邮电大学/。"},
		{segment.Search, "长江大桥", "长江/长江大桥/大桥"},
		{segment.Search, "长春市长春药店", "长春/长春市/长春/药店"},
		{segment.Search, "小明硕士毕业于中国科学院计算所，后在日本京都大学深造",
			"小明/硕士/毕业/于/中国/中国科学院/科学/科学院/学院/计算/计算所/，/后/在/日本/日本京都大学/京都/大学/深造"},
		{segment.Search, "他来到了网易杭研大厦", "他/来到/了/网易/杭研/大厦"},
	} {
		if got := strings.Join(words(segmenter(t, c.mode), c.text), "/"); got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.mode, c.text, got, c.want)
		}
	}
}

func TestDamagedText(t *testing.T) {
	s := segmenter(t, segment.Precise)
	for text, want := range map[string]string{
		"":                         "",
		" \t\n ":                   "",
		"\x00\x00":                 "",
		"\xff\xfe":                 "",
		"世界\x00你好":                 "世界/你好",
		"世界\xff你好":                 "世界/你好",
		"世界\r\n你好\r":               "世界/你好",
		"世界\xe4\xb8":               "世界",
		"\xbd你好":                   "你好",
		"你好 world\t世界\n你好":         "你好/world/世界/你好",
		"你好�世界":                    "你好/�/世界",
		"你好\xed\xa0\x80\xc0\x80世界": "你好/世界",
		"😀世界":                      "😀/世界",
	} {
		if got := strings.Join(words(s, text), "/"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestPieces cuts a long text piece by piece and in one go.
func TestPieces(t *testing.T) {
	var b strings.Builder
	sentences := []string{
		"他来到了网易杭研大厦，", "小明硕士毕业于中国科学院计算所。", "我来自北京邮电大学 ",
		"the cat sat on the mat\n", "同一个世界", "\xff\x00", "用AK47",
	}
	for i := 0; b.Len() < 5*pieceLen; i++ {
		b.WriteString(sentences[i*i%19%len(sentences)])
	}
	text := b.String()
	for _, mode := range modes {
		s := segmenter(t, mode)
		var want []string
		cleaned := clean([]byte(text))
		for _, w := range s.cut(cleaned) {
			if word := cleaned[w.Start:w.End]; word != " " {
				want = append(want, word)
			}
		}
		if got := words(s, text); !slices.Equal(got, want) {
			t.Errorf("%s: %d words in pieces, %d in one go, or others", mode, len(got), len(want))
		}
	}
}

func TestPieceEnd(t *testing.T) {
	long := strings.Repeat("好", pieceLen)
	for _, c := range []struct {
		name, text string
		want       int
	}{
		{"short", "abc", 3},
		{"exact", long[:pieceLen-1], pieceLen - 1},
		{"space", "ab " + long, 3},
		{"comma", "好，" + long, 6},
		{"stop", "好。" + long, 6},
		{"rune", long, pieceLen / 3 * 3},
		{"invalid", strings.Repeat("\x80", 2*pieceLen), pieceLen - 4},
	} {
		if got := pieceEnd([]byte(c.text)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestWithoutSeparators cuts a text that offers no good place for a cut.
func TestWithoutSeparators(t *testing.T) {
	s := segmenter(t, segment.Precise)
	for _, unit := range []string{"好", "a", "世界", "\xff", " "} {
		text := strings.Repeat(unit, 3*pieceLen/len(unit))
		got := strings.Join(words(s, text), "")
		if want := strings.Trim(strings.ToValidUTF8(text, ""), " "); got != want {
			t.Errorf("%q: the words have %d bytes, want %d", unit, len(got), len(want))
		}
	}
}

func TestNames(t *testing.T) {
	if _, err := New(segment.Mode(3)); err == nil || !strings.Contains(err.Error(), "mode is 3") {
		t.Errorf("error for mode 3 is %v", err)
	}
	ids := map[string]bool{}
	for _, mode := range modes {
		s := segmenter(t, mode)
		if s.Name() != "go"+mode.String() || !strings.HasPrefix(s.ID(), s.Name()+"@") || ids[s.ID()] {
			t.Errorf("mode %d: name %q, ID %q", mode, s.Name(), s.ID())
		}
		ids[s.ID()] = true
	}
}

// TestVersion keeps the version in the ID with the one that is built in.
func TestVersion(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Skip(err)
	}
	m := regexp.MustCompile(`yanyiwu/gojieba v(\S+)`).FindSubmatch(mod)
	if m == nil || string(m[1]) != version {
		t.Errorf("go.mod has gojieba %q, the ID says %s", m, version)
	}
}

func TestConcurrent(t *testing.T) {
	s := segmenter(t, segment.Search)
	text := strings.Repeat("小明硕士毕业于中国科学院计算所，后在日本京都大学深造。", 50)
	want := words(s, text)
	t.Run("goroutines", func(t *testing.T) {
		for range 4 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				for range 20 {
					if !slices.Equal(words(s, text), want) {
						t.Error("the words differ between goroutines")
					}
				}
			})
		}
	})
}

func FuzzSegment(f *testing.F) {
	for _, text := range []string{"", "他来到了网易杭研大厦", "a\x00b\xff", "，。 \n", "\xe4\xb8 中\u0301😀"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, mode := range modes {
			s := segmenter(t, mode)
			covered := make([]bool, len(text))
			last := feature.Span{}
			s.Segment(text, func(start, end int) {
				if start < last.Start || end <= start || end > len(text) || mode != segment.Search && start < last.End {
					t.Fatalf("%s: %q: word %d-%d after %v", mode, text, start, end, last)
				}
				last = feature.Span{Start: start, End: end}
				for i := start; i < end; i++ {
					covered[i] = true
				}
			})
			cleaned := clean(text)
			for i, c := range covered {
				if sep := cleaned[i] == ' '; c == sep {
					t.Fatalf("%s: %q: byte %d in a word: %v, a separator: %v", mode, text, i, c, sep)
				}
			}
		}
	})
}
