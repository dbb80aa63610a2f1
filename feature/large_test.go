package feature

import (
	"runtime"
	"strings"
	"testing"
)

// Large texts, degenerate ones too, take no more memory than small ones: what is held
// does not grow beyond a piece, of which there are a thousand here.
func TestLargeText(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("takes seconds")
	}
	const size = 32 << 20
	for _, q := range []struct {
		name, unit string
		o          Options
		want       int // features
	}{
		{"nul", "\x00", Options{}, 0},
		{"invalid", "\xff", Options{}, 0},
		{"letter", "a", Options{}, size / maxToken},
		{"prose", "The cat sat. ", Options{MinWidth: 3}, size/13*3 - 2},
		{"letters", "a", Options{Tokens: Rune, MinWidth: 4}, size - 3},
		{"spaces", " ", Options{Tokens: Rune}, 0},
	} {
		t.Run(q.name, func(t *testing.T) {
			text := strings.Repeat(q.unit, size/len(q.unit))
			x := extractor(t, q.o)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n := 0
			x.Blocks(text, func(h []uint64) { n += len(h) })
			runtime.ReadMemStats(&after)
			if n != q.want {
				t.Errorf("%d features, want %d", n, q.want)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
				t.Errorf("allocated %d bytes", got)
			}
		})
	}
}
