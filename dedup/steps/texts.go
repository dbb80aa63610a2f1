package steps

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// None stands for the text of a row that is no document.
const None = math.MaxUint32

// Texts numbers the texts of rows on one machine. Rows of equal hashes share a
// text, except that a text without features is shared by no other row.
type Texts struct {
	Of []uint32 // by row: its text, or None

	Hash  []dedup.Hash // by text
	First []uint32     // by text: the first row that has it
	Size  []uint32     // by text: the number of rows that have it
	Empty []bool       // by text: whether it has no features

	slots []uint32 // a hash table of the texts that are not empty, each plus one
}

// Len returns the number of texts.
func (t *Texts) Len() int { return len(t.Hash) }

// Add adds the next row. It reports whether the text is new. A new text gets the
// next number.
func (t *Texts) Add(hash dedup.Hash, empty bool) (isNew bool) {
	if !empty {
		slot := t.slot(hash)
		if *slot > 0 {
			text := *slot - 1
			t.Of = append(t.Of, text)
			t.Size[text]++
			return false
		}
		*slot = uint32(t.Len()) + 1
	}
	t.First = append(t.First, uint32(len(t.Of)))
	t.Of = append(t.Of, uint32(t.Len()))
	t.Hash = append(t.Hash, hash)
	t.Size = append(t.Size, 1)
	t.Empty = append(t.Empty, empty)
	return true
}

// AddBad adds a row that is no document.
func (t *Texts) AddBad() { t.Of = append(t.Of, None) }

// slot returns the place of a hash in the table.
func (t *Texts) slot(hash dedup.Hash) *uint32 {
	if 4*t.Len() >= 3*len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for i := binary.BigEndian.Uint64(hash[8:]); ; i++ {
		s := &t.slots[i&mask]
		if *s == 0 || t.Hash[*s-1] == hash {
			return s
		}
	}
}

func (t *Texts) grow() {
	old := t.slots
	t.slots = make([]uint32, max(1<<10, 2*len(old)))
	for _, s := range old {
		if s > 0 {
			*t.slot(t.Hash[s-1]) = s
		}
	}
}

// Best returns, for each text, the row that is kept of it: the first row by
// compare, or the first of all if compare is nil. Rows before old stay in any
// case, so an old row is kept rather than a new one.
func (t *Texts) Best(old int, compare func(a, b uint32) int) []uint32 {
	best := slices.Clone(t.First)
	if compare == nil {
		return best
	}
	for row, text := range t.Of {
		if text == None || t.Size[text] == 1 || row < old || int(best[text]) < old {
			continue
		}
		if compare(uint32(row), best[text]) < 0 {
			best[text] = uint32(row)
		}
	}
	return best
}
