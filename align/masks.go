package align

// A pattern is cut into strips of stripWords words of 64 characters. A mask has a bit for
// each place of a strip, set where a symbol stands there. One strip at a time goes over the
// whole other text, so that memory does not grow with the product of alphabet and
// length; what it hands to the strip below is a byte for each character.
const (
	stripWords = 4
	stripWidth = 64 * stripWords
)

type strip = [stripWords]uint64

// alphabet numbers the distinct characters of a pattern from 1, in a hash table with
// open addressing. 0 stands for all other characters.
type alphabet struct {
	slots []slot
	shift uint8
	size  int32 // numbers given, with 0
}

type slot struct {
	character int32 // and one more: 0 is an empty slot
	number    int32
}

// reset makes room for n distinct characters.
func (x *alphabet) reset(n int) {
	bits := uint8(4)
	for 1<<bits < 2*n {
		bits++
	}
	if len(x.slots) != 1<<bits {
		if cap(x.slots) < 1<<bits {
			x.slots = make([]slot, 1<<bits)
		}
		x.slots = x.slots[:1<<bits]
	}
	clear(x.slots)
	x.shift, x.size = 32-bits, 1
}

func (x *alphabet) place(c int32) uint32 { return uint32(c) * 0x9e3779b1 >> x.shift }

// add appends the numbers of characters and gives new ones.
func (x *alphabet) add(dst, characters []int32) []int32 {
	mask := uint32(len(x.slots) - 1)
	for _, c := range characters {
		i := x.place(c)
		for x.slots[i].character != 0 && x.slots[i].character != c+1 {
			i = (i + 1) & mask
		}
		if x.slots[i].character == 0 {
			x.slots[i] = slot{c + 1, x.size}
			x.size++
		}
		dst = append(dst, x.slots[i].number)
	}
	return dst
}

// find appends the numbers of a text's characters, 0 for those without.
func (x *alphabet) find(dst []int32, t Text) []int32 {
	return appendNumbers(appendNumbers(dst, x, t.narrow), x, t.wide)
}

func appendNumbers[T symbol](dst []int32, x *alphabet, characters []T) []int32 {
	mask := uint32(len(x.slots) - 1)
	for _, c := range characters {
		i := x.place(int32(c))
		for x.slots[i].character != 0 && x.slots[i].character != int32(c)+1 {
			i = (i + 1) & mask
		}
		dst = append(dst, x.slots[i].number)
	}
	return dst
}

// setWord sets the masks of a pattern of up to 64 symbols; clearWord undoes it.
func setWord[T symbol](masks []uint64, pattern []T) {
	for i, c := range pattern {
		masks[c] |= 1 << i
	}
}

func clearWord[T symbol](masks []uint64, pattern []T) {
	for _, c := range pattern {
		masks[c] = 0
	}
}

// setStrip sets the masks of a pattern of up to stripWidth symbols; clearStrip undoes it.
func setStrip[T symbol](masks []strip, pattern []T) {
	for i, c := range pattern {
		masks[c][i>>6&(stripWords-1)] |= 1 << (i & 63)
	}
}

func clearStrip[T symbol](masks []strip, pattern []T) {
	for _, c := range pattern {
		masks[c] = strip{}
	}
}

// low has the lowest n bits set, all 64 where n is greater, none where it is below 0.
func low(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<max(n, 0) - 1
}
