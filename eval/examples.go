package eval

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// Example is a pair that the methods of a run judge differently: some right, some wrong. All
// records of a run have the same examples, each with its own method's score.
type Example struct {
	A string `json:"a"` // ids
	B string `json:"b"`

	// TextA and TextB are the texts, of long ones a passage of some 1,200 bytes from
	// shortly before what both have in common.
	TextA string `json:"text_a"`
	TextB string `json:"text_b"`

	Alike bool    `json:"alike"`
	Score float64 `json:"score"`
}

// mostExamples is how many are chosen, of at most examplePairs labelled pairs, taken evenly, or
// of the pairs that exampleRows documents drawn at random make with exampleColumns others
// and with those of their clusters.
const (
	mostExamples   = 12
	examplePairs   = 50_000
	exampleRows    = 64
	exampleColumns = 1_000
)

// exampleBytes is the length of a passage, of which so many bytes stand before
// what is shared; that is looked for in the first exampleSearch bytes of a text. A word of less
// than exampleWord bytes is not cut.
const (
	exampleBytes  = 1_200
	exampleBefore = 300
	exampleSearch = 1 << 18
	exampleWord   = 24
)

// addExamples adds examples to the details of each record. Sketches and records are those of
// the same methods.
func addExamples(ctx context.Context, set *datasets.Set, p *Part, sketches []similarity.Collection, records []Record, cfg Config) error {
	if len(records) < 2 {
		return nil
	}
	pairs := examplesOf(p, cfg.Seed)
	scores := make([][]float32, len(records))
	for i, c := range sketches {
		scores[i] = scorePairs(ctx, c, pairs, cfg.Workers)
		if err := settle(ctx, c); err != nil {
			return err
		}
	}
	for _, k := range chooseExamples(pairs, scores, records, cfg.Seed) {
		q := pairs[k]
		a, b := set.Docs[p.Docs[q.A]], set.Docs[p.Docs[q.B]]
		x := Example{A: a.ID, B: b.ID, Alike: q.Alike()}
		x.TextA, x.TextB = passagesOf(a.Text, b.Text)
		for i := range records {
			x.Score = float64(scores[i][k])
			records[i].Details.Examples = append(records[i].Details.Examples, x)
		}
	}
	return nil
}

// examplesOf returns the pairs that examples are chosen from.
func examplesOf(p *Part, seed uint64) []datasets.Pair {
	var out []datasets.Pair
	if p.clusters == nil {
		step := max(1, (len(p.Pairs)+examplePairs-1)/examplePairs)
		for i := 0; i < len(p.Pairs); i += step {
			out = append(out, p.Pairs[i])
		}
		return out
	}
	t := p.clusters
	rng := rand.New(rand.NewPCG(seed, 3))
	drawn := rng.Perm(len(p.Docs))
	seen := map[[2]int]bool{}
	for _, i := range drawn[:min(len(drawn), exampleRows)] {
		add := func(j int) {
			low, high := min(i, j), max(i, j)
			if i == j || seen[[2]int{low, high}] || slices.Contains(t.skipped(low, nil), int32(high)) {
				return
			}
			seen[[2]int{low, high}] = true
			q := datasets.Pair{A: low, B: high}
			if int32(high) < t.end[low] {
				q.Label = 1
			}
			out = append(out, q)
		}
		for j := i + 1; j < min(int(t.end[i]), i+exampleColumns); j++ {
			add(j)
		}
		for _, j := range drawn[:min(len(drawn), exampleColumns)] {
			add(j)
		}
	}
	return out
}

// chooseExamples returns the numbers of the pairs that divide the methods most evenly. A way of
// being divided that was taken already counts for less each time, and so does a document, so
// that the examples show different disagreements. Ties go by a hash of the pair and the seed.
func chooseExamples(pairs []datasets.Pair, scores [][]float32, records []Record, seed uint64) []int {
	type candidate struct {
		pair    int
		pattern string // one byte a method, right or wrong, and the truth
		worth   float64
		hash    uint64
	}
	var all []candidate
	for k, q := range pairs {
		pattern := make([]byte, len(records))
		right := 0
		for i, r := range records {
			pattern[i] = 'x'
			if (float64(scores[i][k]) >= float64(r.Threshold)) == q.Alike() {
				pattern[i] = 'o'
				right++
			}
		}
		if right == 0 || right == len(records) {
			continue
		}
		if q.Alike() {
			pattern = append(pattern, '+')
		}
		id := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(q.A)), uint64(q.B))
		all = append(all, candidate{k, string(pattern), float64(min(right, len(records)-right)), xxh3.HashSeed(id, seed)})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(a.hash, b.hash), cmp.Compare(a.pair, b.pair))
	})
	taken := map[string]int{}
	used := map[int]bool{} // documents
	var out []int
	for len(out) < mostExamples {
		best, at := 0.0, -1
		for i, c := range all {
			worth := c.worth / float64(1+2*taken[c.pattern])
			if q := pairs[c.pair]; used[q.A] || used[q.B] {
				worth /= 4
			}
			if worth > best {
				best, at = worth, i
			}
		}
		if at < 0 {
			break
		}
		c := &all[at]
		out = append(out, c.pair)
		taken[c.pattern]++
		used[pairs[c.pair].A], used[pairs[c.pair].B] = true, true
		c.worth = 0
	}
	return out
}

var exampleRuns = func() *feature.Extractor {
	x, err := feature.New(feature.Options{MinWidth: 3})
	if err != nil {
		panic("eval: " + err.Error())
	}
	return x
}()

// passagesOf returns the texts, or of long ones the passages from where they begin to
// have something in common.
func passagesOf(a, b string) (string, string) {
	if max(len(a), len(b)) <= exampleBytes {
		return valid(a), valid(b)
	}
	la := exampleRuns.Locate(a[:min(len(a), exampleSearch)])
	lb := exampleRuns.Locate(b[:min(len(b), exampleSearch)])
	in := make(map[uint64]int, len(lb))
	for _, l := range slices.Backward(lb) {
		in[l.Hash] = l.Start
	}
	for _, l := range la {
		if at, ok := in[l.Hash]; ok {
			return passage(a, l.Start), passage(b, at)
		}
	}
	return passage(a, 0), passage(b, 0)
}

// passage returns the part of a long text around a place, with an ellipsis where it is cut.
func passage(s string, at int) string {
	if len(s) <= exampleBytes {
		return valid(s)
	}
	start := max(0, min(at-exampleBefore, len(s)-exampleBytes))
	end := min(len(s), start+exampleBytes)
	for start > 0 && !utf8.RuneStart(s[start]) {
		start--
	}
	if start > 0 {
		// Where words are short enough to have spaces between them none is cut.
		if space := strings.IndexAny(s[start:min(len(s), start+exampleWord)], " \n"); space >= 0 {
			start += space + 1
		}
	}
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end++
	}
	out := valid(s[start:end])
	if start > 0 {
		out = "… " + out
	}
	if end < len(s) {
		out += " …"
	}
	return out
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
