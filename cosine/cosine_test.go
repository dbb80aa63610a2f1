package cosine

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity/similaritytest"
)

func TestLaws(t *testing.T) {
	for _, o := range []Options{
		{},
		{Scheme: "ltc"},
		{Scheme: "bnn"},
		{Scheme: "Lpn"},
		{Scheme: "ann"},
		{Scheme: "dotnet", Features: feature.Options{Tokens: feature.Rune, MinWidth: 2}},
	} {
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(m.String(), func(t *testing.T) { similaritytest.Run(t, m) })
	}
}
