package disk

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/index"
)

// memtable holds the content of the log in memory: what was added since the last
// segment. The store guards it.
type memtable struct {
	base    uint64         // number of the first document
	docs    []*index.Entry // by number less base; nil where deleted
	prev    []int32        // by document, the one before it with the same hash, or -1
	ids     map[string]int32
	hashes  map[index.Hash]int32 // the last document with the hash
	buckets map[uint64][]member  // by key; deleted documents stay in them
	gone    []uint64             // numbers below base that were deleted
	live    int64
	keys    int64 // postings of the live
}

// member is a document of a bucket.
type member struct {
	word uint64
	doc  int32
}

func newMemtable(base uint64) *memtable {
	return &memtable{base: base, ids: map[string]int32{}, hashes: map[index.Hash]int32{}, buckets: map[uint64][]member{}}
}

// holds reports whether the number lies in the table's range.
func (m *memtable) holds(number uint64) bool {
	return number >= m.base && number-m.base < uint64(len(m.docs))
}

// get returns the document of the number, or nil.
func (m *memtable) get(number uint64) *index.Entry {
	if m == nil || !m.holds(number) {
		return nil
	}
	return m.docs[number-m.base]
}

// add adds a document and keeps it. Numbers that were skipped stay empty.
func (m *memtable) add(e *index.Entry) {
	for uint64(len(m.docs)) < e.Number-m.base {
		m.docs, m.prev = append(m.docs, nil), append(m.prev, -1)
	}
	at := int32(len(m.docs))
	before, ok := m.hashes[e.Hash]
	if !ok {
		before = -1
	}
	m.docs, m.prev = append(m.docs, e), append(m.prev, before)
	m.ids[e.ID], m.hashes[e.Hash] = at, at
	for _, p := range e.Postings {
		k := keyOf(p)
		m.buckets[k] = append(m.buckets[k], member{p.Word, at})
	}
	m.live++
	m.keys += int64(len(e.Postings))
}

// remove deletes a document of the table, or notes that one of a segment is deleted.
// It ignores a number of the table's range that has no document: Repair may have
// dropped the batch that added it.
func (m *memtable) remove(number uint64) {
	if number < m.base {
		m.gone = append(m.gone, number)
		return
	}
	if !m.holds(number) {
		return
	}
	at := number - m.base
	e := m.docs[at]
	if e == nil {
		return
	}
	m.docs[at] = nil
	if m.ids[e.ID] == int32(at) {
		delete(m.ids, e.ID)
	}
	m.live--
	m.keys -= int64(len(e.Postings))
}

// find returns the number of the document with the id, or 0.
func (m *memtable) find(id string) uint64 {
	if m == nil {
		return 0
	}
	at, ok := m.ids[id]
	if !ok || m.docs[at] == nil {
		return 0
	}
	return m.base + uint64(at)
}

// findHash returns the number of a document with the hash, or 0. It skips numbers for
// which skip is true.
func (m *memtable) findHash(h index.Hash, skip func(number uint64) bool) uint64 {
	if m == nil {
		return 0
	}
	at, ok := m.hashes[h]
	if !ok {
		return 0
	}
	for ; at >= 0; at = m.prev[at] {
		if number := m.base + uint64(at); m.docs[at] != nil && !skip(number) {
			return number
		}
	}
	return 0
}

// scan calls found with the documents in the buckets of the probes.
func (m *memtable) scan(probes []index.Posting, within int, found func(probe int, number uint64)) {
	if m == nil {
		return
	}
	for i, p := range probes {
		for _, b := range m.buckets[keyOf(p)] {
			if index.Near(b.word, p.Word, within) && m.docs[b.doc] != nil {
				found(i, m.base+uint64(b.doc))
			}
		}
	}
}

// entries returns the documents that are there, in ascending order.
func (m *memtable) entries() []*index.Entry {
	if m == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(m.docs), func(e *index.Entry) bool { return e == nil })
}

// hashed is an entry of a table that is being made.
type hashed struct{ hash, number uint64 }

func compareHashed(a, b hashed) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.number, b.number))
}

func comparePostings(a, b posting) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.number, b.number), cmp.Compare(a.word, b.word))
}
