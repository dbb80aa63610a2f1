package local

import (
	"encoding/binary"
	"math"

	"github.com/alike-go/alike/dedup"
)

// none stands for a text or node that there is not.
const none = math.MaxUint32

// texts are the documents of a run in columns: rows share a text where theirs are
// equal.
type texts struct {
	of     []uint32    // by row, its text; none for a bad row
	values [][]float64 // by field of the policy and row

	hash   []dedup.Hash // by text
	first  []uint32     // the first row that has it
	length []uint32     // in bytes, capped
	size   []uint32     // rows that have it
	empty  []bool       // it has no features; rows of such texts share none

	slots []uint32 // a hash table of texts that are not empty, each plus one
}

func (t *texts) rows() int { return len(t.of) }
func (t *texts) len() int  { return len(t.hash) }

// add adds the next row. It reports whether its text is a new one, whose number is
// the last then.
func (t *texts) add(hash dedup.Hash, length int, empty bool) (isNew bool) {
	row := uint32(len(t.of))
	var slot *uint32
	if !empty {
		if slot = t.slot(hash); *slot > 0 {
			t.of = append(t.of, *slot-1)
			t.size[*slot-1]++
			return false
		}
	}
	t.of = append(t.of, uint32(t.len()))
	t.hash = append(t.hash, hash)
	t.first = append(t.first, row)
	t.length = append(t.length, uint32(min(length, math.MaxUint32)))
	t.size = append(t.size, 1)
	t.empty = append(t.empty, empty)
	if slot != nil {
		*slot = uint32(t.len())
	}
	return true
}

// addBad adds a row that is no document.
func (t *texts) addBad() { t.of = append(t.of, none) }

// slot returns the place of a hash in the table.
func (t *texts) slot(hash dedup.Hash) *uint32 {
	if 4*t.len() >= 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for i := binary.BigEndian.Uint64(hash[8:]); ; i++ {
		s := &t.slots[i&mask]
		if *s == 0 || t.hash[*s-1] == hash {
			return s
		}
	}
}

func (t *texts) grow() {
	old := t.slots
	t.slots = make([]uint32, max(1<<10, 2*len(old)))
	for _, s := range old {
		if s > 0 {
			*t.slot(t.hash[s-1]) = s
		}
	}
}
