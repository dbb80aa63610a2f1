package passages

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
)

// member is an occurrence of a window.
type member struct {
	text  []byte // of its document
	doc   uint32
	at    uint32 // offset of the window in text
	class uint32 // in left: which members go on to the right with the same character
	part  uint32 // after divide: which members are equal
	key   uint64 // in divide
}

// found is a passage in the folded texts.
type found struct {
	hash   uint64 // of its text
	length int    // in characters or words
	bytes  int
	docs   int
	places []uint64 // documents and offsets, ascending
}

// placed packs a document and an offset in it.
func placed(doc uint32, at int) uint64 { return uint64(doc)<<32 | uint64(at) }

// grower finds the passages that grow from the occurrences of one window.
//
// It walks the tree of what stands to the right of the window, which branches
// where occurrences go on with different characters. At each branching it walks
// the tree of what stands to the left, among the same occurrences. Where both
// branch, a passage is maximal. A passage is reported only from the window that
// winnowing chooses first in it, so that no other window reports it again. That
// window is near its beginning: occurrences that agree farther to the left are
// dropped, before anything is read to their right.
type grower struct {
	o      *Options
	winnow *rabinkarp.Winnow
	reach  int     // bytes to the left of a window in a passage that it reports, at most reach-1
	span   int     // bytes that determine the first window of a passage
	old    *uint32 // if set, the first old document: passages stand on both sides
	emit   func(found) error
	failed error // of emit; nothing is reported after it

	members []member // of the group
	lefts   []member // what left works on
	docs    []uint32
	windows []rabinkarp.Window
}

// width returns the length of a window in bytes.
func (g *grower) width() int { return g.span - g.reach + 1 }

// group reports the passages of a window, given all its occurrences.
func (g *grower) group(members []member) error {
	g.failed = nil
	// Widen the window to whole characters. It now may differ.
	ms := members[:0]
	for _, m := range members {
		if border(m.text, int(m.at)) || last(m.text, int(m.at)) >= 0 {
			ms = append(ms, m)
		}
	}
	lo := func(m member) int {
		if border(m.text, int(m.at)) {
			return 0
		}
		return int(m.at) - last(m.text, int(m.at))
	}
	wide := func(m member) []byte {
		return m.text[int(m.at)-lo(m) : next(m.text, int(m.at)+g.width()-1)]
	}
	g.parts(ms, wide, func(part []member) {
		// Windows of equal hash may start at different places of equal
		// characters.
		start := func(m member) []byte { return binary.AppendUvarint(nil, uint64(lo(m))) }
		g.parts(part, start, func(part []member) {
			n := lo(part[0])
			g.right(part, n, len(wide(part[0]))-n, 0)
		})
	})
	return g.failed
}

// parts calls do with each part of the members whose text is the same, if the
// part is in enough documents.
func (g *grower) parts(ms []member, text func(member) []byte, do func(part []member)) {
	divide(ms, text)
	g.each(ms, do)
}

// each calls do with each part of divided members that is in enough documents.
func (g *grower) each(ms []member, do func(part []member)) {
	for len(ms) > 0 {
		n := 1
		for n < len(ms) && ms[n].part == ms[0].part {
			n++
		}
		if g.failed == nil && g.enough(ms[:n]) {
			do(ms[:n])
		}
		ms = ms[n:]
	}
}

// divide brings members together that have the same text, those without any
// first, and numbers the parts. It reads each text once, because they are all
// over memory.
func divide(ms []member, text func(member) []byte) {
	const short, hashed = 7, 0xff // the lowest byte of a key: the length, or that it is a hash
	byKey := func(a, b member) int { return cmp.Compare(a.key, b.key) }
	for i := range ms {
		b := text(ms[i])
		if len(b) > short {
			ms[i].key = xxh3.Hash(b) | hashed
			continue
		}
		var packed [8]byte
		copy(packed[:], b)
		ms[i].key = binary.BigEndian.Uint64(packed[:]) | uint64(len(b))
	}
	if !slices.IsSortedFunc(ms, byKey) {
		slices.SortFunc(ms, byKey)
	}
	part := uint32(0)
	for from := 0; from < len(ms); {
		to := from + 1
		for to < len(ms) && ms[to].key == ms[from].key {
			to++
		}
		same := ms[from:to]
		if same[0].key&0xff == hashed {
			first := text(same[0])
			if slices.ContainsFunc(same, func(m member) bool { return !bytes.Equal(text(m), first) }) {
				slices.SortFunc(same, func(a, b member) int { return bytes.Compare(text(a), text(b)) })
				for i := range same {
					if i > 0 && !bytes.Equal(text(same[i-1]), text(same[i])) {
						part++
					}
					same[i].part = part
				}
				part++
				from = to
				continue
			}
		}
		for i := range same {
			same[i].part = part
		}
		part++
		from = to
	}
}

// enough reports whether members are in enough documents.
func (g *grower) enough(ms []member) bool {
	if len(ms) < max(2, g.o.Docs) {
		return false
	}
	if g.old != nil {
		first := ms[0].doc < *g.old
		if !slices.ContainsFunc(ms, func(m member) bool { return m.doc < *g.old != first }) {
			return false
		}
	}
	if g.o.Docs == 2 {
		return slices.ContainsFunc(ms, func(m member) bool { return m.doc != ms[0].doc })
	}
	return g.countDocs(ms) >= g.o.Docs
}

func (g *grower) countDocs(ms []member) int {
	g.docs = g.docs[:0]
	for _, m := range ms {
		g.docs = append(g.docs, m.doc)
	}
	slices.Sort(g.docs)
	n := 0
	for i, d := range g.docs {
		if i == 0 || d != g.docs[i-1] {
			n++
		}
	}
	return n
}

// many is from how many members on right looks at what a passage needs to its
// left.
const many = 16

// right walks on from members that agree on lo bytes before the window and on
// hi bytes from its start, both ends being borders. They agree on needed bytes
// before the window, although no border may be there.
func (g *grower) right(ms []member, lo, hi, needed int) {
	if g.leftmost(ms, lo) >= g.reach {
		return
	}
	hi += g.agreeRight(ms, hi)
	if len(ms) == 2 { // as most are
		ms[0].class, ms[1].class = 0, 1
		g.left(ms, lo, hi)
		return
	}
	if len(ms) >= many {
		if n := g.needs(ms[0], hi); n > max(lo, needed) {
			g.within(ms, n, func(part []member) {
				start := n
				for !border(part[0].text, int(part[0].at)-start) {
					start--
				}
				g.right(part, max(lo, start), hi, n)
			})
			return
		}
	}
	divide(ms, func(m member) []byte { return m.next(hi) })
	ends := 0 // of texts, which differ from each other
	for ends < len(ms) && int(ms[ends].at)+hi == len(ms[ends].text) {
		ends++
	}
	g.lefts = append(g.lefts[:0], ms...)
	for i := range g.lefts {
		g.lefts[i].class = uint32(min(i, ends)) + ms[i].part
	}
	g.left(g.lefts, lo, hi)
	g.each(ms[ends:], func(part []member) { g.right(part, lo, hi+len(part[0].next(hi)), needed) })
}

// needs returns how many bytes before the window are in every passage that it
// reports, given the hi bytes from its start. If a window of an equal or lesser
// hash starts n bytes later, a passage that starts less than reach-n bytes
// before has that for its first window, or an earlier one. In a ruler of dashes
// there is such a window at the next dash. Without this, members inside of all
// rulers would go on together.
func (g *grower) needs(m member, hi int) int {
	text := m.text[m.at : int(m.at)+hi]
	for n := 1; n < g.reach && g.width()+n <= len(text); n *= 2 {
		g.windows = g.winnow.Windows(g.windows[:0], text[:g.width()+n])
		if g.windows[0].At > 0 {
			return g.reach - n
		}
	}
	return 0
}

// within calls do with each part of the members that agree on n bytes before
// the window.
func (g *grower) within(ms []member, n int, do func(part []member)) {
	ms = slices.DeleteFunc(ms, func(m member) bool { return int(m.at) < n })
	g.parts(ms, func(m member) []byte { return m.text[int(m.at)-n : m.at] }, do)
}

// next returns the character behind hi bytes, nothing at the end of the text.
func (m member) next(hi int) []byte {
	at := int(m.at) + hi
	return m.text[at:next(m.text, at)]
}

// before returns the character before lo bytes, nothing at the start of the
// text.
func (m member) before(lo int) []byte {
	at := int(m.at) - lo
	if from := last(m.text, at); from >= 0 {
		return m.text[from:at]
	}
	return nil
}

// left walks on to the left from members that agree as right says. Their
// classes say which go on to the right with the same character.
func (g *grower) left(ms []member, lo, hi int) {
	if !slices.ContainsFunc(ms, func(m member) bool { return m.class != ms[0].class }) {
		return // the passage goes on to the right
	}
	if lo = g.leftmost(ms, lo); lo >= g.reach {
		return
	}
	g.report(ms, lo, hi)
	if len(ms) == 2 {
		return
	}
	g.parts(ms, func(m member) []byte { return m.before(lo) }, func(part []member) {
		if n := len(part[0].before(lo)); n > 0 {
			g.left(part, lo+n, hi)
		}
	})
}

// agreeRight returns how many bytes behind the first hi all members agree on,
// in whole characters.
func (g *grower) agreeRight(ms []member, hi int) int {
	first := ms[0].text[int(ms[0].at)+hi:]
	n := len(first)
	for _, m := range ms[1:] {
		n = agree(first[:n], m.text[int(m.at)+hi:])
	}
	whole := func(m member) bool { return border(m.text, int(m.at)+hi+n) }
	for ; n > 0; n-- {
		if !slices.ContainsFunc(ms, func(m member) bool { return !whole(m) }) {
			break
		}
	}
	return n
}

// leftmost returns how many bytes before the window all members agree on, in
// whole characters, given that they agree on lo. If all agree on reach bytes or
// more, the result may be any number from reach on.
func (g *grower) leftmost(ms []member, lo int) int {
	const longest = 64 // of a character, or we look on
	n := g.reach + longest
	for {
		got := n
		first := ms[0].text[:ms[0].at]
		for _, m := range ms[1:] {
			got = min(got, agreeEnd(first, m.text[:m.at], lo, got))
		}
		got = min(got, len(first))
		end := got
		for end > lo && !border(ms[0].text, int(ms[0].at)-end) {
			end--
		}
		if got < n || end >= g.reach {
			return end
		}
		n *= 2
	}
}

// agree returns how many bytes two texts begin with alike.
func agree(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// agreeEnd returns how many bytes two texts end with alike, at most most, given
// that it is lo at least.
func agreeEnd(a, b []byte, lo, most int) int {
	n := min(len(a), len(b), most)
	i := lo
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[len(a)-i-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-i-8:]); x != 0 {
			return i + bits.LeadingZeros64(x)/8
		}
	}
	for i < n && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	return i
}

// report emits a passage if it is long enough and the window is its first.
func (g *grower) report(ms []member, lo, hi int) {
	if lo+hi < g.span {
		return
	}
	start, end := int(ms[0].at)-lo, int(ms[0].at)+hi
	text := ms[0].text
	g.windows = g.winnow.Windows(g.windows[:0], text[start:start+g.span])
	if g.windows[0].At != lo {
		return
	}
	least := g.o.least()
	length := g.o.count(text[start:end])
	if length < least {
		return
	}
	if g.o.Fold.Space != feature.DropSpace { // which leaves no borders of words
		s, e := trim(ms, lo, hi)
		if n := g.o.count(text[s:e]); n >= least {
			start, end, length = s, e, n
		} else if g.o.MinWords > 0 {
			return // a part of a word is none
		}
	}
	f := found{
		hash: xxh3.Hash(text[start:end]), length: length, bytes: end - start, docs: g.countDocs(ms),
		places: make([]uint64, len(ms)),
	}
	for i, m := range ms {
		f.places[i] = placed(m.doc, int(m.at)+start-int(ms[0].at))
	}
	slices.Sort(f.places)
	g.failed = g.emit(f)
}

// trim returns the span of a passage in the first member's text without a word
// that any member cuts, and without white space at the ends.
func trim(ms []member, lo, hi int) (start, end int) {
	text := ms[0].text
	start, end = int(ms[0].at)-lo, int(ms[0].at)+hi
	if wordAt(text, start) && slices.ContainsFunc(ms, func(m member) bool {
		before := last(m.text, int(m.at)-lo)
		return before >= 0 && wordAt(m.text, before)
	}) {
		for start < end && wordAt(text, start) {
			start = next(text, start)
		}
	}
	if wordAt(text, last(text, end)) && slices.ContainsFunc(ms, func(m member) bool {
		return int(m.at)+hi < len(m.text) && wordAt(m.text, int(m.at)+hi)
	}) {
		for end > start && wordAt(text, last(text, end)) {
			end = last(text, end)
		}
	}
	for start < end && text[start] == ' ' && border(text, start+1) { // without marks
		start++
	}
	for start < end && text[end-1] == ' ' {
		end--
	}
	return start, end
}
