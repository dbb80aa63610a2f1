package main

import (
	"math"
	"testing"
)

func TestCodes(t *testing.T) {
	const n = 100_000
	for _, biased := range []bool{false, true} {
		codes := Codes(n, biased, 1)
		var ones [64]float64
		for _, c := range codes {
			for b := range ones {
				ones[b] += float64(c >> b & 1)
			}
		}
		least, most := 1.0, 0.0
		for b := range ones {
			p := ones[b] / n
			least, most = min(least, p), max(most, p)
			// A copy has the bits of its original, so every bit is an even draw in sixteenths.
			sixteenths := math.Round(16 * p)
			if sd := math.Sqrt(0.25 / n); math.Abs(p-sixteenths/16) > 6*sd {
				t.Errorf("biased %v: bit %d is set in %.4f of the codes, want a sixteenth", biased, b, p)
			}
		}
		if want := [2]float64{0.5, 0.5}; !biased && (math.Abs(least-want[0]) > 0.01 || math.Abs(most-want[1]) > 0.01) {
			t.Errorf("bits are set in %.3f to %.3f of the codes, want half", least, most)
		}
		if biased && (least < 0.30 || least > 0.33 || most < 0.67 || most > 0.70) {
			t.Errorf("bits are set in %.3f to %.3f of the codes, want 0.31 to 0.69", least, most)
		}
	}
}

func TestBKTree(t *testing.T) {
	codes := Codes(3000, true, 2)
	codes = append(codes, codes[7], codes[7]^1)
	tree := newBKTree(codes)
	for _, k := range []int{0, 3, 20} {
		for _, q := range []uint64{codes[7], codes[100] ^ 5, 0, 1<<63 | 1} {
			if got, want := tree.count(q, k), scan(codes, q, k); got != want {
				t.Errorf("%d codes within %d bits of %#x, want %d", got, k, q, want)
			}
		}
	}
}
