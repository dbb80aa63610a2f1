package jiebadict

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
)

// Unknown says the value of a term that the table does not have.
type Unknown int

const (
	Median Unknown = iota // 11.9547675029, as jieba
	Mean                  // 11.739204307, as cppjieba and gojieba
)

// IDF returns jieba's table of inverse document frequencies: ln(N/df) of 258,826
// words in N = 1,088,899 documents, from 2.81755 to 13.900677652. All words are in lower
// case.
//
// The first call reads the table, in some hundredths of a second and 5 MB of memory. All
// tables share it.
func IDF(unknown Unknown) (feature.IDF, error) {
	if unknown != Median && unknown != Mean {
		return nil, fmt.Errorf("jiebadict: Unknown is %d, want Median (%d) or Mean (%d)", unknown, Median, Mean)
	}
	t, err := loadOnce()
	if err != nil {
		return nil, err
	}
	if unknown == Mean {
		return &table{t, t.mean, "jieba-mean", "jieba-mean-idf-" + Sum(IDFTable)}, nil
	}
	return &table{t, t.median, "jieba", "jieba-idf-" + Sum(IDFTable)}, nil
}

// table is the shared words with a value for unknown ones.
type table struct {
	*words
	unknown float64
	name    string
	id      string
}

func (t *table) Name() string { return t.name }
func (t *table) ID() string   { return t.id }

func (t *table) Value(term []byte) float64 {
	if v, ok := t.find(term); ok {
		return v
	}
	return t.unknown
}

// words is an open-address table from the hash of a word to its value. Values repeat a
// lot (2,963 differ), so the table holds their numbers. Words with the same hash of 64
// bits would count as one word; parse refuses them.
type words struct {
	hashes       []uint64 // 0 if free; the length is a power of two
	index        []uint16 // of values
	values       []float64
	median, mean float64
}

var loadOnce = sync.OnceValues(func() (*words, error) {
	content, err := unpack(IDFTable, packedIDF)
	if err != nil {
		return nil, err
	}
	return parse(IDFTable.Name, content)
})

// parse reads lines of a word, a space and a value.
func parse(name string, content []byte) (*words, error) {
	slots := 1
	for slots < 2*(bytes.Count(content, []byte("\n"))+1) {
		slots *= 2
	}
	t := &words{hashes: make([]uint64, slots), index: make([]uint16, slots)}
	numbers := make(map[string]uint16) // of a value as it is written
	var all []float64
	var sum float64
	for n := 1; len(content) > 0; n++ {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte("\n"))
		word, value, ok := bytes.Cut(line, []byte(" "))
		if !ok {
			return nil, fmt.Errorf("jiebadict: %s:%d: %q, want a word, a space and its idf", name, n, line)
		}
		i, ok := numbers[string(value)]
		if !ok {
			v, err := strconv.ParseFloat(string(value), 64)
			if err != nil || !(v >= 0 && v <= math.MaxFloat32) {
				return nil, fmt.Errorf("jiebadict: %s:%d: idf is %q, want a number not below 0", name, n, value)
			}
			if len(t.values) == 1<<16 {
				return nil, fmt.Errorf("jiebadict: %s:%d: more than %d different values", name, n, 1<<16)
			}
			i = uint16(len(t.values))
			numbers[string(value)] = i
			t.values = append(t.values, v)
		}
		if !t.insert(hash(word), i) {
			return nil, fmt.Errorf("jiebadict: %s:%d: %q stands twice", name, n, word)
		}
		sum += t.values[i]
		all = append(all, t.values[i])
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("jiebadict: %s: the table is empty", name)
	}
	slices.Sort(all)
	t.median = all[len(all)/2]
	t.mean = sum / float64(len(all))
	return t, nil
}

func hash(word []byte) uint64 { return max(xxh3.Hash(word), 1) }

func (t *words) insert(h uint64, index uint16) bool {
	mask := uint64(len(t.hashes) - 1)
	i := h & mask
	for ; t.hashes[i] != 0; i = (i + 1) & mask {
		if t.hashes[i] == h {
			return false
		}
	}
	t.hashes[i], t.index[i] = h, index
	return true
}

func (t *words) find(word []byte) (float64, bool) {
	h := hash(word)
	mask := uint64(len(t.hashes) - 1)
	for i := h & mask; t.hashes[i] != 0; i = (i + 1) & mask {
		if t.hashes[i] == h {
			return t.values[t.index[i]], true
		}
	}
	return 0, false
}
