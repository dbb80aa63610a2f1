package main

import (
	"bytes"
	"fmt"
	"math"

	"github.com/chmduquesne/rollinghash"
	"github.com/chmduquesne/rollinghash/adler32"
	"github.com/chmduquesne/rollinghash/buzhash64"
	"github.com/chmduquesne/rollinghash/rabinkarp64"
	"github.com/restic/chunker"
)

// The hashes are made once: to find the polynomial of rabinkarp64 takes longer than to
// roll over a megabyte.
var (
	sharedRabinKarp = rabinkarp64.New()
	sharedBuzhash   = buzhash64.New()
	sharedAdler     = adler32.New()
)

// roll hashes every window and returns the least hash. It takes any hash, as code
// does that leaves the choice open; inlined it would be a loop for one.
//
//go:noinline
func roll(h rollinghash.Hash64, doc []byte) uint64 {
	h.Reset()
	h.Write(doc[:rollWindow])
	least := h.Sum64()
	for _, b := range doc[rollWindow:] {
		h.Roll(b)
		least = min(least, h.Sum64())
	}
	return least
}

//go:noinline
func roll32(h rollinghash.Hash32, doc []byte) uint64 {
	h.Reset()
	h.Write(doc[:rollWindow])
	least := h.Sum32()
	for _, b := range doc[rollWindow:] {
		h.Roll(b)
		least = min(least, h.Sum32())
	}
	return uint64(least)
}

// rollRabinKarp is roll for one hash, whose calls the compiler can inline; so is rollBuzhash.
func rollRabinKarp(doc []byte) uint64 {
	h := sharedRabinKarp
	h.Reset()
	h.Write(doc[:rollWindow])
	least := h.Sum64()
	for _, b := range doc[rollWindow:] {
		h.Roll(b)
		least = min(least, h.Sum64())
	}
	return least
}

func rollBuzhash(doc []byte) uint64 {
	h := sharedBuzhash
	h.Reset()
	h.Write(doc[:rollWindow])
	least := h.Sum64()
	for _, b := range doc[rollWindow:] {
		h.Roll(b)
		least = min(least, h.Sum64())
	}
	return least
}

// rollOneChain is the bare polynomial modulo 2^64: a multiplication and an
// addition that wait for the ones before, and a table for the byte that leaves.
func rollOneChain(doc []byte) uint64 {
	const base = 0x9e3779b97f4a7c15
	power := uint64(1)
	for range rollWindow {
		power *= base
	}
	var leaves [256]uint64
	for b := range leaves {
		leaves[b] = uint64(b) * power
	}
	var h uint64
	for _, b := range doc[:rollWindow] {
		h = h*base + uint64(b)
	}
	least := h
	out := doc[:len(doc)-rollWindow]
	in := doc[rollWindow:][:len(out)]
	for i, b := range out {
		h = h*base + (uint64(in[i]) - leaves[b])
		least = min(least, h)
	}
	return least
}

// chunkBits makes chunks of 8 KiB on average; chunkLeast is the least that the chunker
// takes, so that it skips next to nothing.
const (
	chunkBits  = 13
	chunkLeast = 64
	chunkMost  = 64 << 10
)

var chunkBuffer = make([]byte, 1<<20)

// chunks cuts a text at the bytes where a rolling Rabin fingerprint says so, and
// returns how many pieces there are.
func chunks(text []byte) uint64 {
	c := chunker.NewWithBoundaries(bytes.NewReader(text), 0x3da3358b4dc173, chunkLeast, chunkMost)
	c.SetAverageBits(chunkBits)
	for n := uint64(0); ; n++ {
		if _, err := c.Next(chunkBuffer); err != nil {
			return n
		}
	}
}

// checkChunks wants the pieces to be of the average length, of random borders.
func checkChunks(text []byte) error {
	want := float64(len(text)) / (1<<chunkBits + chunkLeast)
	if got := float64(chunks(text)); math.Abs(got-want) > 5*math.Sqrt(want) {
		return fmt.Errorf("%.0f pieces of %d bytes, want about %.0f", got, len(text), want)
	}
	return nil
}

// leastDirectly evaluates each window by itself.
func leastDirectly(doc []byte, h rollinghash.Hash) uint64 {
	var least []byte
	for i := 0; i+rollWindow <= len(doc); i++ {
		h.Reset()
		h.Write(doc[i : i+rollWindow])
		if sum := h.Sum(nil); least == nil || bytes.Compare(sum, least) < 0 {
			least = sum
		}
	}
	var n uint64
	for _, b := range least {
		n = n<<8 | uint64(b)
	}
	return n
}
