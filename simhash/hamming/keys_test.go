package hamming

import (
	"math"
	"math/bits"
	"testing"
)

// Of all choices of h bits of a short code, count those that leave enough blocks alone.
func TestBlocksFindCountsChoices(t *testing.T) {
	const width = 12
	for _, c := range []struct{ radius, blocks int }{{0, 1}, {1, 2}, {2, 3}, {2, 4}, {3, 5}} {
		cut := split(run(width-1, 0), c.blocks)
		for h := range width + 1 {
			good, all := 0, 0
			for pattern := range uint(1) << width {
				if bits.OnesCount(pattern) != h {
					continue
				}
				untouched := 0
				for _, block := range cut {
					touched := false
					for _, b := range block {
						touched = touched || pattern>>b&1 == 1
					}
					if !touched {
						untouched++
					}
				}
				all++
				if untouched >= c.blocks-c.radius {
					good++
				}
			}
			got, want := BlocksFind(width, c.radius, c.blocks, h), float64(good)/float64(all)
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("radius %d, %d blocks, distance %d: %v, want %v", c.radius, c.blocks, h, got, want)
			}
		}
	}
}

func TestKeysAreLeftAligned(t *testing.T) {
	d, err := Blocks(64, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	k := NewKeys(d)
	for i, want := range []uint64{0x1111 << 48, 0x2222 << 48, 0x3333 << 48, 0x4444 << 48} {
		if got := k.Of(i, Code{Lo: 0x1111222233334444}); got != want {
			t.Errorf("table %d: %x, want %x", i, got, want)
		}
	}
	if d.String() != "4 tables of 16 bits" {
		t.Error(d)
	}
	whole, err := Blocks(128, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := NewKeys(whole).Of(0, Code{Hi: 7, Lo: 9}); got != 7 {
		t.Errorf("key of 128 bits: %x, want the first 64", got)
	}
}
