package rabinkarp

import (
	"bytes"

	"github.com/alike-go/alike/internal/splitmix"
)

// The naive versions that the fast ones are tested against: every window is
// hashed from scratch (by direct, which naiveHash checks), every run of hashes
// searched from scratch.

// naiveHash is the polynomial of hash.go written as its definition says: the sum of
// t[i] p^(w-i), each power multiplied out.
func naiveHash(window []byte) uint64 {
	var x uint64
	for i, b := range window {
		term := uint64(b)
		for range len(window) - i {
			term *= base
		}
		x += term
	}
	return x
}

func naiveSif(window []byte) uint64 {
	var f uint64
	for i, b := range window {
		term := uint64(b)
		for range len(window) - 1 - i {
			term = term * 31 % (1 << 30)
		}
		f = (f + term) % (1 << 30)
	}
	return f
}

func naiveManber(o ManberOptions, text []byte) []place {
	var out []place
	next := 0
	for at := 0; at+o.Window <= len(text); at++ {
		w := text[at : at+o.Window]
		x := direct(w)
		hash, hit := splitmix.Mix(x), x < 1<<(64-o.Keep)
		if o.Hash == Sif {
			hash = naiveSif(w)
			hit = hash%(1<<o.Keep) == 0
		}
		if len(o.Anchors) > 0 {
			hit = false
			for _, a := range o.Anchors {
				hit = hit || bytes.HasSuffix(text[:at], []byte(a))
			}
		}
		if hit && at >= next {
			out = append(out, place{hash, at})
			if !o.Overlap {
				next = at + o.Window
			}
		}
	}
	return out
}

// naiveMinima follows the definition of the winnowing paper window by window.
func naiveMinima(hashes []uint64, w int, robust bool) []place {
	var out []place
	last := -1
	for from := 0; from == 0 || from+w <= len(hashes); from++ {
		to := min(from+w, len(hashes))
		if from == to {
			break
		}
		at := from
		for i := from; i < to; i++ {
			if hashes[i] <= hashes[at] {
				at = i
			}
		}
		if robust && last >= from && hashes[last] == hashes[at] {
			continue
		}
		if at != last {
			out = append(out, place{hashes[at], at})
			last = at
		}
	}
	return out
}

func naiveWinnow(o WinnowOptions, text []byte) []place {
	if len(text) == 0 {
		return nil
	}
	k := min(o.K, len(text))
	var hashes []uint64
	for at := 0; at+k <= len(text); at++ {
		hashes = append(hashes, direct(text[at:at+k]))
	}
	out := naiveMinima(hashes, o.Window, o.Robust)
	for i := range out {
		out[i].hash = splitmix.Mix(out[i].hash)
	}
	return out
}
