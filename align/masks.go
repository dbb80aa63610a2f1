package align

// A pattern is cut into strips of stripWords words of 64 characters. A mask has a bit for
// each place of a strip, set where a symbol stands there. One strip at a time goes over
// the whole other text, so that memory does not grow with the product of alphabet and
// length; what it hands to the strip below is a byte for each character.
const (
	stripWords = 4
	stripWidth = 64 * stripWords
)

type strip = [stripWords]uint64

// alphabet numbers the distinct characters, or words, of a pattern from 1, in a hash table
// with open addressing. 0 stands for all others.
type alphabet[K int32 | uint64] struct {
	slots []slot[K]
	shift uint8
	size  int32 // numbers given, with 0
}

type slot[K any] struct {
	key    K
	number int32 // 0 in an empty slot
}

// reset makes room for n distinct characters.
func (x *alphabet[K]) reset(n int) {
	bits := uint8(4)
	for 1<<bits < 2*n {
		bits++
	}
	if len(x.slots) != 1<<bits {
		if cap(x.slots) < 1<<bits {
			x.slots = make([]slot[K], 1<<bits)
		}
		x.slots = x.slots[:1<<bits]
	}
	clear(x.slots)
	x.shift, x.size = 64-bits, 1
}

// slot returns the slot of a key, or the empty one where it belongs.
func (x *alphabet[K]) slot(c K) *slot[K] {
	mask := uint64(len(x.slots) - 1)
	i := uint64(c) * 0x9e3779b97f4a7c15 >> x.shift
	for x.slots[i].number != 0 && x.slots[i].key != c {
		i = (i + 1) & mask
	}
	return &x.slots[i]
}

// add appends the numbers of characters and gives new ones.
func (x *alphabet[K]) add(dst []int32, characters []K) []int32 {
	for _, c := range characters {
		s := x.slot(c)
		if s.number == 0 {
			*s = slot[K]{c, x.size}
			x.size++
		}
		dst = append(dst, s.number)
	}
	return dst
}

// find appends the numbers of a text's characters, 0 for those without.
func find(dst []int32, x *alphabet[int32], t Text) []int32 {
	return appendNumbers(appendNumbers(dst, x, t.narrow), x, t.wide)
}

func appendNumbers[K int32 | uint64, T symbol | uint64](dst []int32, x *alphabet[K], characters []T) []int32 {
	for _, c := range characters {
		dst = append(dst, x.slot(K(c)).number)
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
