package segment

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Indexes of weights that no word of the list has.
const (
	noWord   = 0 // -Inf: the end of no word
	loneRune = 1 // of a character that is no word: the least of the list
)

// weights are the logarithms of the relative frequencies of words. Few
// frequencies differ (5,087 in jieba's list), so that nodes hold indexes.
type weights struct {
	ln     []float64
	total  uint64
	median uint64
	index  map[uint64]uint16
	small  []uint16 // the index of low frequencies, 0 where it is not known yet
}

func newWeights(list []entry) (*weights, error) {
	w := &weights{index: make(map[uint64]uint16), small: make([]uint16, 1<<12)}
	counts := make(map[uint64]int)
	low := make([]int, len(w.small))
	for _, e := range list {
		w.total += e.freq
		if e.freq < uint64(len(low)) {
			low[e.freq]++
		} else {
			counts[e.freq]++
		}
	}
	for freq, n := range low {
		if n > 0 {
			counts[uint64(freq)] = n
		}
	}
	freqs := slices.Sorted(maps.Keys(counts))
	// That in the middle of the sorted list, as in cppjieba.
	below := 0
	for _, f := range freqs {
		if below += counts[f]; below > len(list)/2 {
			w.median = f
			break
		}
	}
	w.ln = []float64{noWord: math.Inf(-1), loneRune: ratioLn(float64(freqs[0]), float64(w.total))}
	for _, f := range freqs {
		if _, err := w.of(f); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// of returns the index of a frequency's weight.
func (w *weights) of(freq uint64) (uint16, error) {
	if freq < uint64(len(w.small)) && w.small[freq] > 0 {
		return w.small[freq], nil
	}
	i, ok := w.index[freq]
	if !ok {
		if len(w.ln) == 1<<16 {
			return 0, fmt.Errorf("segment: the words have more than %d different frequencies", 1<<16-2)
		}
		i = uint16(len(w.ln))
		w.ln = append(w.ln, ratioLn(float64(freq), float64(w.total)))
		w.index[freq] = i
		if freq < uint64(len(w.small)) {
			w.small[freq] = i
		}
	}
	return i, nil
}
