package similarity_test

import (
	"errors"
	"testing"

	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

func TestCoder(t *testing.T) {
	sim, err := simhash.New(simhash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	win, err := rabinkarp.NewWinnow(rabinkarp.WinnowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []similarity.Method{similarity.Hide(sim), similarity.Hide(win)} {
		t.Run(m.String(), func(t *testing.T) {
			c, err := similarity.NewCoder(m)
			if err != nil {
				t.Fatal(err)
			}
			texts := []string{"", "one text of some words that is long enough to have a fingerprint", "another text, which has not much in common with the first of the two"}
			for _, text := range texts {
				c.Add(text)
			}
			for i := range texts {
				if err := c.AddSketch(c.AppendSketch(nil, i)); err != nil {
					t.Fatal(err)
				}
			}
			for i := 1; i < 3; i++ {
				if s := c.Score(i, 3+i); s != 1 {
					t.Errorf("text %d and what was decoded of it score %v, want 1", i, s)
				}
				if s, want := c.Score(1, 3+i), c.Score(1, i); s != want {
					t.Errorf("text 1 and what was decoded of %d score %v, want %v", i, s, want)
				}
			}
			if !c.Empty(3) {
				t.Error("what was decoded of the empty text has features")
			}
			whole := c.AppendSketch(nil, 1)
			for _, bad := range [][]byte{nil, whole[:len(whole)-1], append(whole, 0)} {
				if err := c.AddSketch(bad); !errors.Is(err, similarity.ErrFormat) {
					t.Errorf("%d bytes of %d: %v, want one that wraps ErrFormat", len(bad), len(whole), err)
				}
			}
			if c.Truncate(2); c.Len() != 2 {
				t.Errorf("%d documents after Truncate(2)", c.Len())
			}
		})
	}
}

// noDistance is a method whose buckets have a word and no distance.
type noDistance struct{ *simhash.Method }

func (m noDistance) Buckets(o similarity.JoinOptions) (similarity.Buckets[simhash.Fingerprint], error) {
	b, err := m.Method.Buckets(o)
	if b.Word != nil {
		b.Word.Distance = nil
	}
	return b, err
}

func TestWordWithoutDistance(t *testing.T) {
	sim, err := simhash.New(simhash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := similarity.NewCoder(similarity.Hide(noDistance{sim}))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Buckets(similarity.JoinOptions{Threshold: .9})
	if err != nil || b.Word == nil {
		t.Fatalf("word %v, error %v, want a word", b.Word, err)
	}
	if b.Word.Distance != nil {
		t.Error("a word without a distance has got one")
	}
}

// As finds what was hidden, by its type and by what it can do, and nothing else.
func TestAs(t *testing.T) {
	sim, err := simhash.New(simhash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := similarity.Hide(sim)
	if got, ok := similarity.As[*simhash.Method](m); !ok || got != sim {
		t.Errorf("as what it is: %v, %v", got, ok)
	}
	if _, ok := similarity.As[similarity.Explainer](m); !ok {
		t.Error("simhash explains, and is no Explainer")
	}
	if got, ok := similarity.As[*rabinkarp.Winnow](m); ok || got != nil {
		t.Errorf("simhash as winnow: %v, %v", got, ok)
	}
}
