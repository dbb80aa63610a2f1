package catalog

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/alike-go/alike/simhash"
)

// The score at a distance of h bits of f is cos(πh/f), or 1 - h/f.
func TestScoreAt(t *testing.T) {
	for _, bits := range []int{32, 64, 128} {
		for _, h := range []int{0, 1, 3, bits/2 - 1, bits / 2, bits - 1, bits, -1} {
			for _, scale := range []simhash.Scale{simhash.Cosine, simhash.Linear} {
				m, err := Parse(fmt.Sprintf("simhash:bits=%d,score=%v", bits, scale))
				if err != nil {
					t.Fatal(err)
				}
				want := 1 - float64(h)/float64(bits)
				if scale == simhash.Cosine {
					want = math.Cos(math.Pi * float64(h) / float64(bits))
				}
				got, err := ScoreAt(m, h)
				if refused := h < 0 || want < 1e-9; refused {
					if err == nil {
						t.Errorf("%s: distance %d scores %v, want an error", m, h, got)
					}
				} else if err != nil || math.Abs(got-want) > 1e-9 {
					t.Errorf("%s: distance %d scores %v, %v, want %v", m, h, got, err, want)
				}
			}
		}
	}
	m, err := Parse("shingle")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ScoreAt(m, 3); err == nil || !strings.Contains(err.Error(), "want simhash") {
		t.Errorf("error %v for a method without a distance", err)
	}
}
