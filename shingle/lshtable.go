package shingle

import "math/bits"

// bandTable finds the signatures with a given value of one band: a hash table by open
// addressing with linear probing, whose places are the first of lists of signatures. A key is
// the upper half of a band's; that two bands share one in four thousand million is as good as
// a false candidate.
type bandTable struct {
	slots []bandSlot
	used  int      // slots with a key, a list left to it or not
	next  []uint32 // by signature, the number plus one of the next in its list; 0 ends it
}

// bandSlot is a key and the number plus one of the first signature that has it; key and
// first are 0 where the slot was never used.
type bandSlot struct{ key, first uint32 }

// A table grows by a quarter when three quarters of it are used.
const fullAt, growBy = 0.75, 1.25

// place returns where a key's search begins, in proportion to the key.
func (t *bandTable) place(key uint32) int {
	at, _ := bits.Mul64(uint64(key)<<32, uint64(len(t.slots)))
	return int(at)
}

// slot returns the slot of a key, or the free one where it belongs.
func (t *bandTable) slot(key uint32) *bandSlot {
	for at := t.place(key); ; {
		s := &t.slots[at]
		if s.key == key || *s == (bandSlot{}) {
			return s
		}
		if at++; at == len(t.slots) {
			at = 0
		}
	}
}

// find returns the number plus one of the first signature with a key, and 0 for none.
func (t *bandTable) find(key uint32) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	return t.slot(key | 1).first
}

// add puts a signature at the head of the list of a key.
func (t *bandTable) add(key, number uint32) {
	key |= 1 // no key is 0
	if float64(t.used+1) > fullAt*float64(len(t.slots)) {
		t.grow()
	}
	for int(number) >= len(t.next) {
		t.next = append(t.next, 0)
	}
	s := t.slot(key)
	if s.key == 0 {
		s.key = key
		t.used++
	}
	t.next[number] = s.first
	s.first = number + 1
}

// delete takes a signature out of the list of a key.
func (t *bandTable) delete(key, number uint32) {
	at := &t.slot(key | 1).first
	for *at != number+1 {
		at = &t.next[*at-1]
	}
	*at = t.next[number]
}

// grow makes room, and drops keys that have no signature any more.
func (t *bandTable) grow() {
	old := t.slots
	lists := 0
	for _, s := range old {
		if s.first != 0 {
			lists++
		}
	}
	t.slots = make([]bandSlot, max(8, int(growBy/fullAt*float64(lists))))
	t.used = lists
	for _, s := range old {
		if s.first != 0 {
			*t.slot(s.key) = s
		}
	}
}
