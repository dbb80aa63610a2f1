package segment

import "sync"

// scratch is what a cut needs; it grows to the longest stretch.
type scratch struct {
	cells []cell
	back  []uint8
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Segment calls yield with the byte range of each word of the text, in ascending
// order. Punctuation counts as words; spaces, tabs, line ends, NULs and
// invalid UTF-8 are part of none. Words do not overlap but in mode Search, where
// they come by their start, the shorter first.
//
// It allocates nothing per word, and its memory does not grow with the text: a
// stretch of more than 64 KB without a space, a comma (，) or a full stop (。)
// may have a word split.
func (s *Segmenter) Segment(text []byte, yield func(start, end int)) {
	sc := scratches.Get().(*scratch)
	defer scratches.Put(sc)
	c := cutter{dict: s.d, search: s.mode == Search, yield: yield}
	for at := 0; at < len(text); {
		c.base, c.text = at, text[at:]
		cells, stop, size := c.read(sc.cells, c.text)
		sc.cells, c.cells = cells, cells
		if len(cells) > 1 {
			c.weigh(cells)
			if s.mode == NoHMM {
				c.path()
			} else {
				if len(sc.back) < len(cells) {
					sc.back = make([]uint8, 2*len(cells))
				}
				c.back = sc.back
				c.mixed()
			}
		}
		at += int(cells[len(cells)-1].at)
		if stop == labelWord {
			yield(at, at+size)
		}
		at += size
	}
}

// cutter yields the words of a stretch.
type cutter struct {
	*dict
	base   int    // where the stretch begins in the text
	text   []byte // from there on
	cells  []cell // the last one stands for the end
	back   []uint8
	search bool
	yield  func(start, end int)
}

// emit yields characters i to j.
func (c *cutter) emit(i, j int) {
	c.yield(c.base+int(c.cells[i].at), c.base+int(c.cells[j].at))
}

// path yields the words along the path.
func (c *cutter) path() {
	for i := 0; i < len(c.cells)-1; {
		j := i + int(c.cells[i].len)
		c.emit(i, j)
		i = j
	}
}

// mixed yields the words along the path, but cuts anew what it leaves as single
// characters.
func (c *cutter) mixed() {
	last := len(c.cells) - 1
	for i := 0; i < last; {
		if !c.single(i) {
			j := i + int(c.cells[i].len)
			c.word(i, j)
			i = j
			continue
		}
		j := i + 1
		for j < last && c.single(j) {
			j++
		}
		c.singles(i, j)
		i = j
	}
}

// single reports whether the path leaves the character as one that the model may
// join with others.
func (c *cutter) single(i int) bool { return c.cells[i].len == 1 }

// singles yields the words of characters i to j: ASCII letters and digits by
// rules, the rest by the model.
func (c *cutter) singles(i, j int) {
	for k := i; i < j; i = k {
		k = i + 1
		switch b := c.byte(i); {
		case isLetter(b):
			for k < j && (isLetter(c.byte(k)) || isDigit(c.byte(k))) {
				k++
			}
			c.word(i, k)
		case isDigit(b):
			for k < j && (isDigit(c.byte(k)) || c.byte(k) == '.') {
				k++
			}
			c.word(i, k)
		case b < 0x80:
			c.word(i, k)
		default:
			for k < j && c.byte(k) >= 0x80 {
				k++
			}
			c.unknown(i, k)
		}
	}
}

// byte returns the first byte of a character.
func (c *cutter) byte(i int) byte { return c.text[c.cells[i].at] }

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }

// unknown yields the words that the model finds in characters i to j.
func (c *cutter) unknown(i, j int) {
	if j == i+1 {
		c.word(i, j)
		return
	}
	c.states(c.cells[i:j], c.back)
	for k := i; k < j; k++ {
		if s := c.cells[k].len; s == stateE || s == stateS {
			c.word(i, k+1)
			i = k + 1
		}
	}
}

// word yields the word of characters i to j and, where asked for, those in it that
// the list has, by their start, the shorter first.
func (c *cutter) word(i, j int) {
	if !c.search || j-i <= 2 {
		c.emit(i, j)
		return
	}
	for k := i; k+1 < j; k++ {
		at := c.trie.child(uint32(c.cells[k].label), c.cells[k+1].label)
		if c.ends(at) {
			c.emit(k, k+2)
		}
		if at != 0 && j-i > 3 && k+2 < j && c.ends(c.trie.child(at, c.cells[k+2].label)) {
			c.emit(k, k+3)
		}
		if k == i {
			c.emit(i, j)
		}
	}
}

// ends reports whether a word of two characters or more ends at a place of the trie.
func (c *cutter) ends(at uint32) bool { return at != 0 && c.trie[at].weight() != noWord }
