package segment

import "unicode/utf8"

// cell is a character of a stretch.
type cell struct {
	best  float64 // weight of the best path from here to the end of the stretch
	at    uint32  // offset in the stretch, in bytes
	label uint16
	len   uint16 // length in characters of the first word of that path
}

// stretchLen is the most bytes of text that are weighed at once.
const stretchLen = 64 << 10

// read reads the stretch of text that text begins with into cells and adds one for its
// end. It returns also what stopped it and of how many bytes that is: labelSkip,
// labelWord, or 0 for the end of the text or of what is weighed at once.
func (d *dict) read(cells []cell, text []byte) (_ []cell, stop uint16, size int) {
	cells = cells[:0]
	text = text[:stretchEnd(text)]
	i := 0
	for i < len(text) {
		label, n := uint16(0), 1
		switch b := text[i]; {
		case b < utf8.RuneSelf:
			label = d.basic[b]
		case b >= 0xe1 && b <= 0xec && i+2 < len(text) && text[i+1]&0xc0 == 0x80 && text[i+2]&0xc0 == 0x80:
			// Most of Chinese: three bytes, of which the last two may be any
			// continuation.
			label, n = d.basic[uint16(b)<<12|uint16(text[i+1]&0x3f)<<6|uint16(text[i+2]&0x3f)], 3
		default:
			var r rune
			r, n = utf8.DecodeRune(text[i:])
			label = d.label(r)
			if r == utf8.RuneError && n == 1 {
				label = labelSkip
			}
		}
		if label >= labelWord {
			stop, size = label, n
			break
		}
		cells = append(cells, cell{at: uint32(i), label: label})
		i += n
	}
	return append(cells, cell{at: uint32(i)}), stop, size
}

// stretchEnd returns where the first stretch must end: with the text, or at a
// character no more than stretchLen on.
func stretchEnd(text []byte) int {
	if len(text) <= stretchLen {
		return len(text)
	}
	end := stretchLen
	for end > stretchLen-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return end
}

// weigh finds the most probable path through the words, from the last cell to the
// first. Of paths of equal weight the one with the shorter word comes first.
//
// The sums are those of cppjieba, in its order.
func (d *dict) weigh(cells []cell) {
	t := d.trie
	for i := len(cells) - 2; i >= 0; i-- {
		at := uint32(cells[i].label)
		n := t[at]
		best, length := cells[i+1].best+d.ln[n.weight()], 1
		for j := i + 1; n.base() != 0; j++ {
			c := n.base() + uint32(cells[j].label)
			n = t[c]
			if n.parent() != at {
				break
			}
			at = c
			// j+1 is in range: the last cell has label 0 and is nobody's child.
			if w := cells[j+1].best + d.ln[n.weight()]; w > best {
				best, length = w, j+1-i
			}
		}
		cells[i].best, cells[i].len = best, uint16(length)
	}
}
