package local

import (
	"iter"
	"slices"
)

// lists are lists of numbers by key, one behind the other.
type lists struct {
	starts []uint64 // by key, and the end
	values []uint32
}

// newLists returns the lists of so many keys. It goes through the pairs of key
// and value twice.
func newLists(keys int, pairs iter.Seq2[uint32, uint32]) lists {
	starts := make([]uint64, keys+1)
	for key := range pairs {
		starts[key+1]++
	}
	for key := range keys {
		starts[key+1] += starts[key]
	}
	values, at := make([]uint32, starts[keys]), slices.Clone(starts[:keys])
	for key, value := range pairs {
		values[at[key]] = value
		at[key]++
	}
	return lists{starts, values}
}

// len returns the number of keys.
func (l *lists) len() int { return len(l.starts) - 1 }

// of returns the list of a key, in the order in which its values came.
func (l *lists) of(key uint32) []uint32 { return l.values[l.starts[key]:l.starts[key+1]] }

// add adds the list of the next key.
func (l *lists) add(list []uint32) {
	l.values = append(l.values, list...)
	l.starts = append(l.starts, uint64(len(l.values)))
}
