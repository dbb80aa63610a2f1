package surrogate_test

import (
	"strings"
	"testing"

	"github.com/alike-go/alike/eval/surrogate"
)

func TestExcerpt(t *testing.T) {
	same := strings.Repeat("all of this is the same. ", 20)
	for _, c := range []struct{ text, other, want string }{
		{"short", "other", "short"},
		{"two  \n words", "", "two words"},
		{same + "but this differs", same + "and that too", "but this differs"},
	} {
		if got := surrogate.Excerpt(c.text, c.other, 40); !strings.Contains(got, c.want) || len(got) > 50 {
			t.Errorf("excerpt of %q beside %q is %q, want one with %q", c.text, c.other, got, c.want)
		}
	}
	if got := surrogate.Excerpt(strings.Repeat("字", 100), strings.Repeat("字", 99), 40); strings.ContainsRune(got, '\uFFFD') {
		t.Errorf("%q is cut within a character", got)
	}
}
