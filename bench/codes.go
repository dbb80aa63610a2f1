package main

import (
	"math/bits"
	"math/rand/v2"
)

// Codes returns n fingerprints of 64 bits, one in a hundred of them a copy of an
// earlier one with up to 3 bits flipped. Uniform ones have each bit with probability one half,
// biased ones with 5/16 to 11/16, as SimHash gives them on texts that share words.
func Codes(n int, biased bool, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 0x636f646573))
	draw := r.Uint64
	if biased {
		draw = newBias(r).draw
	}
	codes := make([]uint64, n)
	for i := range codes {
		if i == 0 || r.Uint32N(100) != 0 {
			codes[i] = draw()
			continue
		}
		code := codes[r.IntN(i)]
		for range r.IntN(4) {
			code ^= 1 << r.IntN(64)
		}
		codes[i] = code
	}
	return codes
}

// bias draws words whose bits have probabilities in sixteenths.
type bias struct {
	r *rand.Rand
	// digits[d] has a bit where the probability, as a binary fraction of four digits, has its
	// digit d, the least first.
	digits [4]uint64
}

func newBias(r *rand.Rand) *bias {
	b := &bias{r: r}
	for bit := range 64 {
		sixteenths := 5 + r.Uint64N(7)
		for d := range b.digits {
			b.digits[d] |= sixteenths >> d & 1 << bit
		}
	}
	return b
}

// draw compares 64 random binary fractions with the probabilities, digit by digit from the
// least: a one in the probability beats a zero drawn.
func (b *bias) draw() uint64 {
	var below uint64
	for _, digit := range b.digits {
		drawn := b.r.Uint64()
		below = digit&^drawn | below&^(digit^drawn)
	}
	return below
}

// scan counts the codes within k bits of q, by a plain loop: what everything is held against.
//
//go:noinline
func scan(codes []uint64, q uint64, k int) (n int) {
	for _, c := range codes {
		if bits.OnesCount64(c^q) <= k {
			n++
		}
	}
	return n
}

// bkTree is the tree of Burkhard and Keller that github.com/go-dedup/simhash/sho keeps:
// an array of 65 children by distance in every node. Its own search takes one way down and misses most; this
// one takes all that can hold an answer. Distances are counted bit by bit, as there.
type bkTree struct {
	code  uint64
	same  int // further codes that are equal
	nodes [65]*bkTree
}

func (t *bkTree) add(code uint64) {
	for {
		d := bitByBit(t.code ^ code)
		if d == 0 {
			t.same++
			return
		}
		if t.nodes[d] == nil {
			t.nodes[d] = &bkTree{code: code}
			return
		}
		t = t.nodes[d]
	}
}

// count counts the codes within k bits of q.
func (t *bkTree) count(q uint64, k int) (n int) {
	d := bitByBit(t.code ^ q)
	if d <= k {
		n = 1 + t.same
	}
	for i := max(0, d-k); i <= min(64, d+k); i++ {
		if c := t.nodes[i]; c != nil {
			n += c.count(q, k)
		}
	}
	return n
}

func bitByBit(x uint64) (n int) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

func newBKTree(codes []uint64) *bkTree {
	t := &bkTree{code: codes[0]}
	for _, c := range codes[1:] {
		t.add(c)
	}
	return t
}
