package choose

import (
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// What regret is measured against: at least 200 configurations, all methods, three kinds of
// tokens, three widths.
func TestSpaceIsWide(t *testing.T) {
	for _, p := range []Profile{Text, Han} {
		space := Space(p)
		names, tokens, widths, specs := map[string]bool{}, map[string]bool{}, map[int]bool{}, map[string]bool{}
		for _, c := range space {
			name, _, _ := strings.Cut(c.Spec, ":")
			names[name] = true
			if specs[c.Spec] {
				t.Errorf("%s: %s stands twice", p, c.Spec)
			}
			specs[c.Spec] = true
			if x := c.Method.Features(); x != nil {
				o := x.Options()
				tokens[x.String()] = true
				widths[o.MinWidth] = true
			}
			if c.cost.us() <= 0 || c.cost.pair <= 0 || c.cost.bytes <= 0 {
				t.Errorf("%s costs %+v", c.Spec, c.cost)
			}
			if again, err := NewCandidate(c.Spec); err != nil || again.Spec != c.Spec || again.cost != c.cost {
				t.Errorf("%s read again is %s, %v", c.Spec, again.Spec, err)
			}
		}
		for _, name := range []string{"shingle", "minhash", "cosine", "bloom", "manber", "winnow", "simhash"} {
			if !names[name] {
				t.Errorf("%s: no candidate of %s", p, name)
			}
		}
		if len(space) < 200 || len(names) < 7 || len(tokens) < 10 || len(widths) < 3 {
			t.Errorf("%s: %d candidates of %d methods, %d features, %d widths", p, len(space), len(names), len(tokens), len(widths))
		}
		for i, c := range Space(p) {
			if c.Spec != space[i].Spec {
				t.Fatalf("%s: candidate %d is %s, and %s the second time", p, i, space[i].Spec, c.Spec)
			}
		}
	}
}

func TestProfileOf(t *testing.T) {
	for text, want := range map[string]Profile{
		"": Text, "1 2 3": Text, "the cat sat": Text, "func main() { /* 中文 */ println(hello) }": Text,
		"床前明月光，疑是地上霜": Han, "GPT 是一种语言模型，由人训练": Han, "ひらがな and": Han,
	} {
		if got := ProfileOf([]datasets.Doc{{Text: text}}); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// Candidates of the same features come together, and each once.
func TestBatches(t *testing.T) {
	space := Space(Text)
	for _, bytes := range []int{0, 1000, 50 << 20} {
		var all []int
		for _, b := range batches(space, bytes) {
			held := 0.0
			for _, i := range b {
				held += space[i].cost.bytes * float64(bytes) / 1000
				if featureKey(space[i]) != featureKey(space[b[0]]) {
					t.Errorf("%s beside %s", space[i].Spec, space[b[0]].Spec)
				}
			}
			if held > mostSketches && len(b) > 1 {
				t.Errorf("%d bytes of text: a batch of %d holds %.0f bytes", bytes, len(b), held)
			}
			all = append(all, b...)
		}
		slices.Sort(all)
		for i, k := range all {
			if i != k {
				t.Fatalf("%d bytes of text: candidate %d is missing or stands twice", bytes, i)
			}
		}
		if len(all) != len(space) {
			t.Fatalf("%d of %d candidates", len(all), len(space))
		}
	}
}
