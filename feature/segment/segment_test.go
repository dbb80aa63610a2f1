package segment_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alike-go/alike/feature/segment"
)

func newSegmenter(t testing.TB, o segment.Options) *segment.Segmenter {
	t.Helper()
	s, err := segment.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func words(s *segment.Segmenter, text string) []string {
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
		s := newSegmenter(t, segment.Options{Mode: c.mode})
		if got := strings.Join(words(s, c.text), "/"); got != c.want {
			t.Errorf("%s: %s: %s, want %s", c.mode, c.text, got, c.want)
		}
	}
}

func TestDamagedText(t *testing.T) {
	s := newSegmenter(t, segment.Options{})
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

var modes = []segment.Mode{segment.Precise, segment.NoHMM, segment.Search}

// TestLongStretch cuts texts of more than a stretch, most without a separator.
func TestLongStretch(t *testing.T) {
	const stretch = 64 << 10
	for _, mode := range modes {
		s := newSegmenter(t, segment.Options{Mode: mode})
		for _, unit := range []string{"好", "é", "😀", "世界", "\xff", "\x80", "a", " ", "他来到了网易杭研大厦，"} {
			text := strings.Repeat(unit, 3*stretch/len(unit)+1)
			last, covered := 0, 0
			s.Segment([]byte(text), func(start, end int) {
				if start < last && mode != segment.Search || end <= start || end > len(text) {
					t.Fatalf("%s: %q: word %d-%d after %d", mode, unit, start, end, last)
				}
				covered += max(0, end-max(start, last))
				last = max(last, end)
			})
			want := len(strings.ToValidUTF8(text, ""))
			if unit == " " {
				want = 0
			}
			if covered != want {
				t.Errorf("%s: %q: the words cover %d bytes, want %d", mode, unit, covered, want)
			}
		}
		// Beyond the limit words are those of the texts on both sides of it.
		head := strings.Repeat("他来到了网易杭研大厦", 3000)
		text := []byte(head)
		for len(text) > stretch {
			text = text[:len(text)-3]
		}
		want := append(words(s, string(text)), words(s, head[len(text):])...)
		if got := words(s, head); !slices.Equal(got, want) {
			t.Errorf("%s: %d words of a long stretch, want %d, or others", mode, len(got), len(want))
		}
	}
}

func TestNames(t *testing.T) {
	if _, err := segment.New(segment.Options{Mode: 3}); err == nil || !strings.Contains(err.Error(), "mode is 3") {
		t.Errorf("error for mode 3 is %v", err)
	}
	ids := map[string]bool{}
	for _, mode := range modes {
		s := newSegmenter(t, segment.Options{Mode: mode})
		if s.Name() != mode.String() || !strings.HasPrefix(s.ID(), s.Name()+"@") || ids[s.ID()] {
			t.Errorf("mode %d: name %q, ID %q", mode, s.Name(), s.ID())
		}
		ids[s.ID()] = true
	}
}

func TestConcurrent(t *testing.T) {
	s := newSegmenter(t, segment.Options{Mode: segment.Search})
	text := strings.Repeat("小明硕士毕业于中国科学院计算所，后在日本京都大学深造。", 50)
	want := words(s, text)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if !slices.Equal(words(s, text), want) {
					t.Error("the words differ between goroutines")
				}
			}
		})
	}
	wg.Wait()
}

// TestReentrant cuts within a cut.
func TestReentrant(t *testing.T) {
	s := newSegmenter(t, segment.Options{})
	text := "小明硕士毕业于中国科学院计算所"
	want := words(s, text)
	var got []string
	s.Segment([]byte(text), func(start, end int) {
		if !slices.Equal(words(s, text), want) {
			t.Error("the words differ within a cut")
		}
		got = append(got, text[start:end])
	})
	if !slices.Equal(got, want) {
		t.Errorf("%q around other cuts, want %q", got, want)
	}
}

func TestAllocations(t *testing.T) {
	text := []byte(strings.Repeat("小明硕士毕业于中国科学院计算所，后在日本京都大学深造。他来到了网易杭研大厦。", 100))
	for _, mode := range modes {
		s := newSegmenter(t, segment.Options{Mode: mode})
		n := 0
		if a := testing.AllocsPerRun(20, func() { s.Segment(text, func(start, end int) { n += end - start }) }); a > 4 {
			t.Errorf("%s: %v allocations a text, want at most 4", mode, a)
		}
	}
}
