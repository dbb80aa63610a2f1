package rabinkarp

import "bytes"

func chooseManber(dst []place, folded []byte, o *ManberOptions, anchors [][]byte) []place {
	next := 0 // the first place where a window may start
	for at := 0; at+o.Window <= len(folded); at++ {
		if at < next {
			continue
		}
		w := folded[at : at+o.Window]
		h := direct(w)
		hit := h>>(64-o.Keep) == 0
		if o.Hash == Sif {
			h = directSif(w)
			hit = h&(1<<o.Keep-1) == 0
		}
		if len(anchors) > 0 {
			hit = false
			for _, a := range anchors {
				hit = hit || bytes.HasSuffix(folded[:at], a)
			}
		}
		if hit {
			dst = append(dst, place{h, at})
			if !o.Overlap {
				next = at + o.Window
			}
		}
	}
	return dst
}
