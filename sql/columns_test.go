package sql_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/sql"
)

// columnsScore scores rows as the documentation of the kinds says, lane by lane and word by word.
func columnsScore(l sketches.Layout, a, b sketches.Row) float64 {
	switch l.Kind {
	case sketches.Lanes:
		differ := 0
		for i := range a.Words {
			for at := 0; at < 64; at += l.Bits {
				mask := uint64(1)<<l.Bits - 1
				if uint64(a.Words[i])>>at&mask != uint64(b.Words[i])>>at&mask {
					differ++
				}
			}
		}
		return l.Scores[differ]
	case sketches.Bottoms:
		all := make(map[uint64]int)
		for _, w := range slices.Concat(a.Words, b.Words) {
			all[uint64(w)]++
		}
		var words []uint64
		for w := range all {
			words = append(words, w)
		}
		slices.Sort(words)
		words = words[:min(len(words), l.Size)]
		shared := 0
		for _, w := range words {
			shared += all[w] - 1
		}
		return float64(shared) / float64(len(words))
	}
	if l.Whole && a.Sum == b.Sum && a.Size == b.Size {
		return 1
	}
	if len(a.Words) == 0 || len(b.Words) == 0 {
		return 0
	}
	weight := func(r sketches.Row, word int64) int64 {
		i := slices.Index(r.Words, word)
		switch {
		case i < 0:
			return 0
		case r.Weights != nil:
			return r.Weights[i]
		}
		return 1
	}
	var shared, na, nb int64
	for _, w := range a.Words {
		shared += min(weight(a, w), weight(b, w))
		na += weight(a, w)
	}
	for _, w := range b.Words {
		nb += weight(b, w)
	}
	if l.Measure == "overlap" {
		return float64(shared) / float64(min(na, nb))
	}
	return float64(shared) / float64(na+nb-shared)
}

// Columns give the very score that the method gives.
func TestColumnsScoreAsMethods(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	texts := []string{"one", "two words", "a a a b", "a b b b", strings.Repeat("one and the same ", 30)}
	for range 30 {
		var words []string
		if n := len(texts); r.IntN(2) == 0 {
			words = strings.Fields(texts[n-1-r.IntN(min(n, 5))])
		}
		for range 1 + r.IntN(60) {
			words = append(words, fmt.Sprintf("w%d", r.IntN(80)))
		}
		texts = append(texts, strings.Join(words, " "))
	}
	for _, spec := range []string{
		"simhash", "simhash:bits=32", "simhash:bits=128", "simhash:score=linear",
		"minhash", "minhash:size=100,bits=1", "minhash:size=33,bits=2", "minhash:bits=4", "minhash:bits=8", "minhash:bits=16,size=7", "minhash:size=5",
		"minhash:scheme=kperm,size=40", "minhash:scheme=icws,size=40", "minhash:scheme=bottom,size=20",
		"shingle:width=2", "shingle:bag=true", "shingle:measure=overlap", "shingle:bag=true,measure=overlap",
		"manber", "manber:keep=2", "manber:measure=overlap,keep=2", "winnow", "winnow:measure=overlap",
	} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		c, err := sql.New(m)
		if err != nil {
			t.Errorf("%s: %v", spec, err)
			continue
		}
		docs := m.NewCollection()
		rows := make([]sketches.Row, len(texts))
		for i, text := range texts {
			docs.Add(text)
			if rows[i], err = c.Row(docs.(similarity.Coder).AppendSketch(nil, i)); err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			if c.Layout().Kind == sketches.Lanes && len(rows[i].Words) != c.Layout().Words {
				t.Fatalf("%s: %d words, want %d", spec, len(rows[i].Words), c.Layout().Words)
			}
		}
		alike := 0
		for i := range texts {
			for j := range texts {
				want, got := docs.Score(i, j), columnsScore(c.Layout(), rows[i], rows[j])
				if got != want {
					t.Errorf("%s: %q and %q score %v by columns, want %v", spec, texts[i], texts[j], got, want)
				}
				if i != j && want > .2 {
					alike++
				}
			}
		}
		if alike == 0 && c.Layout().Kind != sketches.Sets {
			t.Errorf("%s: no pair is alike", spec)
		}
	}
}

// Scores of lanes fall, since the queries take for near whatever differs in few lanes.
func TestScoresOfLanesFall(t *testing.T) {
	for _, spec := range []string{"simhash", "simhash:bits=128", "minhash", "minhash:bits=1,size=77"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		c, err := sql.New(m)
		if err != nil {
			t.Fatal(err)
		}
		scores := c.Layout().Scores
		if scores[0] != 1 {
			t.Errorf("%s: equal sketches score %v", spec, scores[0])
		}
		for i := range scores[1:] {
			if scores[i+1] > scores[i] {
				t.Errorf("%s: %v at %d lanes, and %v at %d", spec, scores[i], i, scores[i+1], i+1)
			}
		}
	}
}

func TestOtherMethodsHaveNoColumns(t *testing.T) {
	for _, spec := range []string{"cosine", "bloom", "edit"} {
		m, err := catalog.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sql.New(m); err == nil || !strings.Contains(err.Error(), "want simhash") {
			t.Errorf("%s: error %v, want one that names methods with columns", spec, err)
		}
	}
	m, err := catalog.Parse("simhash")
	if err != nil {
		t.Fatal(err)
	}
	c, err := sql.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Row([]byte{1, 2, 3}); err == nil {
		t.Error("no error for bytes that are no sketch")
	}
}
