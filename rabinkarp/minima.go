package rabinkarp

import "github.com/alike-go/alike/internal/splitmix"

// winnow appends the winnowed k-grams of a text of at least r.w bytes.
func winnow(dst []place, s *scratch, text []byte, r *roller, w int, robust bool) []place {
	// Hashes pass through a buffer that holds the last w-1 of before and at least
	// as many new ones, so that moving them costs little and memory does not grow
	// with the text.
	from := len(dst)
	size := min(len(text)-r.w+1, w-1+max(w, 4096))
	if cap(s.hashes) < size {
		s.hashes = make([]uint64, size)
	}
	buf := s.hashes[:size]
	sel := selector{w: w, robust: robust, once: s.once}
	h := r.start(text)
	n := len(text) - r.w + 1
	held := 0 // hashes in buf; the first of them has number done
	for done := 0; ; {
		fresh := min(len(buf)-held, n-done-held)
		at := done + held
		h = r.fill(buf[held:held+fresh], text[at:], h)
		dst = sel.feed(dst, buf[:held+fresh], held, done, done+held+fresh == n)
		if at+fresh == n {
			break
		}
		held = copy(buf, buf[held+fresh-(w-1):held+fresh])
		done = at + fresh - held
	}
	for i := from; i < len(dst); i++ {
		dst[i].hash = splitmix.Mix(dst[i].hash)
	}
	return dst
}

// selector selects the least of every w hashes in a row, the rightmost where
// several are equal, each place once. Fewer than w hashes make one window. Robust
// keeps the last selected while it is in the window and no other is less.
type selector struct {
	w      int
	robust bool
	once   bool   // see add
	at     int    // the place selected last
	least  uint64 // its hash
	begun  bool
}

// feed appends the places selected by the windows that end at hashes[from] or
// behind. The hashes are those of places first, first+1, ...; before from stand at
// least the w-1 fed last. A sequence that ends before its first window is complete
// is told by end.
func (s *selector) feed(dst []place, hashes []uint64, from, first int, end bool) []place {
	j := from
	if !s.begun {
		if len(hashes) < s.w && !end || len(hashes) == 0 {
			return dst
		}
		j = min(s.w, len(hashes))
		dst = s.choose(dst, hashes[:j], first)
		s.begun = true
	}
	for j < len(hashes) {
		// Look for a hash that takes over before the selected one leaves the window.
		stop := min(len(hashes), s.at+s.w-first)
		least := s.least
		if s.robust {
			for j < stop && hashes[j] >= least {
				j++
			}
		} else {
			for j < stop && hashes[j] > least {
				j++
			}
		}
		switch {
		case j < stop:
			s.at, s.least = first+j, hashes[j]
			dst = add(dst, place{s.least, s.at}, s.once)
			j++
		case j < len(hashes):
			dst = s.choose(dst, hashes[j-s.w+1:j+1], first+j-s.w+1)
			j++
		}
	}
	return dst
}

// choose selects the rightmost least hash of a window that begins at place first.
func (s *selector) choose(dst []place, window []uint64, first int) []place {
	// The least value first, without branches, then its last place.
	least := window[0]
	for _, h := range window[1:] {
		least = min(least, h)
	}
	i := len(window) - 1
	for window[i] != least {
		i--
	}
	s.at, s.least = first+i, least
	return add(dst, place{least, s.at}, s.once)
}
