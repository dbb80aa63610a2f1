package rabinkarp

func chooseWinnow(dst []place, folded []byte, o *WinnowOptions) []place {
	if len(folded) == 0 {
		return dst
	}
	k := min(o.K, len(folded))
	hashes := make([]uint64, 0, len(folded)-k+1)
	for at := 0; at+k <= len(folded); at++ {
		hashes = append(hashes, direct(folded[at:at+k]))
	}
	return minima(dst, hashes, o.Window, o.Robust)
}

// minima appends the winnowed places of a sequence of hashes: the least of every
// w in a row, the rightmost where several are equal, each place once. Fewer than w
// hashes make one window. Robust keeps the last selected while it is in the window
// and no other is less.
func minima(dst []place, hashes []uint64, w int, robust bool) []place {
	last := -1
	for from := 0; from == 0 || from+w <= len(hashes); from++ {
		window := hashes[from:min(from+w, len(hashes))]
		at := 0
		for i, h := range window {
			if h <= window[at] {
				at = i
			}
		}
		at += from
		if robust && last >= from && hashes[last] == hashes[at] {
			continue
		}
		if at != last {
			dst = append(dst, place{hashes[at], at})
			last = at
		}
	}
	return dst
}
