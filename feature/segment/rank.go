package segment

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// rank returns the characters of the list and the model by label, from 1. Frequent
// ones have low labels, so that what is needed often lies together.
func rank(list []entry, m *model) ([]rune, error) {
	var basic [1 << 16]uint64
	astral := make(map[rune]uint64)
	add := func(r rune, n uint64) {
		if r < 1<<16 {
			basic[r] = min(basic[r]+n, math.MaxUint64/2)
		} else {
			astral[r] = min(astral[r]+n, math.MaxUint64/2)
		}
	}
	for _, e := range list {
		for i := 0; i < len(e.word); {
			r, size := utf8.DecodeRune(e.word[i:])
			add(r, e.freq)
			i += size
		}
	}
	for r := range m.emit {
		add(r, 1)
	}
	type tally struct {
		r rune
		n uint64
	}
	var all []tally
	for r, n := range basic {
		if n > 0 {
			all = append(all, tally{rune(r), n})
		}
	}
	for r, n := range astral {
		all = append(all, tally{r, n})
	}
	if len(all) >= labelWord {
		return nil, fmt.Errorf("segment: the words have %d different characters, want fewer than %d", len(all), labelWord)
	}
	slices.SortFunc(all, func(a, b tally) int {
		if a.n != b.n {
			if a.n > b.n {
				return -1
			}
			return 1
		}
		return int(a.r - b.r)
	})
	runes := make([]rune, 1, len(all)+1)
	for _, t := range all {
		runes = append(runes, t.r)
	}
	return runes, nil
}
