package feature

// documents counts in how many documents hashes occur. The zero value has counted none.
//
// The few thousand hashes that make up most of all text soon stand in a table of
// fixed size, which remembers the last document that had each. What found no place there is
// sorted, document by document and then all together: memory grows with the number
// of distinct hashes, and hashes that crowd the table only cost time.
type documents struct {
	table *[1<<tableBits + reach]place
	used  int
	doc   uint32  // number of the document
	one   Counter // of the document, what has no place
	all   Counter // of all documents, what has no place
}

// place is a place of the table, free where doc is 0. A hash starts at the place
// that its upper bits name and moves up to the next free one, so that the table is
// in ascending order but for neighbours.
type place struct {
	hash uint64
	docs uint32 // number of documents that have it
	doc  uint32 // the last of them
}

const (
	tableBits = 16
	// reach is how many places a hash may move up.
	reach = 8
	// mostUsed is the number of hashes with a place: more of them would move far.
	mostUsed = 1 << (tableBits - 1)
)

// add counts hashes of the document at hand.
func (d *documents) add(hashes []uint64) {
	if d.table == nil {
		d.table = new([1<<tableBits + reach]place)
		d.doc = 1
	}
	for _, h := range hashes {
		p := &d.table[h>>(64-tableBits)]
		if p.hash != h || p.doc == 0 {
			if p = d.find(h); p == nil {
				d.one.Add([]uint64{h})
				continue
			}
		}
		p.docs = saturate(p.docs, b2u(p.doc != d.doc))
		p.doc = d.doc
	}
}

// find returns the place of a hash, or nil where it has none and finds none.
func (d *documents) find(h uint64) *place {
	from := h >> (64 - tableBits)
	for i := range uint64(reach) {
		p := &d.table[from+i]
		if p.doc == 0 {
			if d.used == mostUsed {
				return nil
			}
			d.used++
			p.hash = h
			return p
		}
		if p.hash == h {
			return p
		}
	}
	return nil
}

// end ends a document.
func (d *documents) end() {
	if hashes, _ := d.one.Sorted(); len(hashes) > 0 {
		d.all.Add(hashes)
		d.one.Reset()
	}
	if d.doc++; d.doc == 0 { // as 0 says that a place is free
		for i := range d.table {
			d.table[i].doc = min(d.table[i].doc, 1)
		}
		d.doc = 2
	}
}

// sorted returns the distinct hashes in ascending order and the number of
// documents that have each, at most 2^32-1, of all documents that have ended.
func (d *documents) sorted() (hashes []uint64, docs []uint32) {
	d.all.settle()
	var table, sum tally
	table.hashes, table.counts = make([]uint64, 0, d.used), make([]uint32, 0, d.used)
	for i := 0; d.table != nil && i < len(d.table); i++ {
		p := &d.table[i]
		if p.doc == 0 {
			continue
		}
		table.append(p.hash, p.docs)
		h, n := table.hashes, table.counts
		for i := len(h) - 1; i > 0 && h[i] < h[i-1]; i-- {
			h[i], h[i-1] = h[i-1], h[i]
			n[i], n[i-1] = n[i-1], n[i]
		}
	}
	sum.merge(&table, &d.all.total)
	return sum.hashes, sum.counts
}
