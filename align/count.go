package align

// count returns what the measure counts of two texts: the distance, or the length of the
// longest common subsequence or substring.
func (s *scratch) count(m Measure, a, b Text) int {
	if a.wide == nil && b.wide == nil {
		if m == Substring {
			return longestCommon(&s.automaton, a.narrow, b.narrow).length
		}
		x, y, ends := trim(a.narrow, b.narrow)
		return m.join(ends, count(s, m, &s.narrow, x, y))
	}
	s.wideA, s.wideB = a.appendWide(s.wideA[:0]), b.appendWide(s.wideB[:0])
	if m == Substring {
		return longestCommon(&s.automaton, s.wideA, s.wideB).length
	}
	x, y, ends := trim(s.wideA, s.wideB)
	if len(x) > 0 {
		s.letters.reset(len(x))
		x, y = s.letters.add(x[:0], x), find(y[:0], &s.letters, Text{wide: y})
		s.wide.reserve(int(s.letters.size))
	}
	return m.join(ends, count(s, m, &s.wide, x, y))
}

// trim cuts off what two texts begin and end with alike and returns how much that is, and
// the shorter of the rests first. It costs a distance nothing, and some longest
// subsequence has all of it.
func trim[T comparable](a, b []T) (short, long []T, ends int) {
	for ends < len(a) && ends < len(b) && a[ends] == b[ends] {
		ends++
	}
	a, b = a[ends:], b[ends:]
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
		ends++
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return a, b, ends
}

// join adds what was cut off to what was counted of the rest.
func (m Measure) join(ends, count int) int {
	if m == Subsequence {
		return count + ends
	}
	return count
}

// count counts what the measure, Edit or Subsequence, does of two texts whose symbols the masks
// have room for.
func count[T symbol](s *scratch, m Measure, x *masks, pattern, text []T) int {
	switch {
	case len(pattern) == 0 && m == Edit:
		return len(text)
	case len(pattern) == 0:
		return 0
	case len(pattern) > stripWidth:
		return countStrips(s, m, x.strips, pattern, text)
	}
	set(x, pattern)
	defer unset(x, pattern)
	return countSet(m, x, len(pattern), text)
}

// set sets the masks of a pattern of at most stripWidth symbols; unset undoes it.
func set[T symbol](x *masks, pattern []T) {
	if len(pattern) <= 64 {
		setWord(x.words, pattern)
		return
	}
	setStrip(x.strips, pattern)
}

func unset[T symbol](x *masks, pattern []T) {
	if len(pattern) <= 64 {
		clearWord(x.words, pattern)
		return
	}
	clearStrip(x.strips, pattern)
}

// countSet counts where the masks of a pattern of n symbols are set.
func countSet[T symbol](m Measure, x *masks, n int, text []T) int {
	switch {
	case m == Edit && n <= 64:
		pv, mv := editWord(x.words, text, ^uint64(0), 0)
		return len(text) + rise(strip{pv}, strip{mv}, n)
	case m == Edit:
		pv, mv := editTop(x.strips, text)
		return len(text) + rise(pv, mv, n)
	case n <= 64:
		return zeros(strip{subsequenceWord(x.words, text, ^uint64(0))}, n)
	}
	return zeros(subsequenceTop(x.strips, text), n)
}

// countTwo is countSet for two texts and a pattern of at most 64 symbols.
func countTwo[T symbol](m Measure, x *masks, n int, a, b []T) (int, int) {
	if m == Edit {
		pa, ma, pb, mb := editTwo(x.words, a, b)
		return len(a) + rise(strip{pa}, strip{ma}, n), len(b) + rise(strip{pb}, strip{mb}, n)
	}
	v, w := subsequenceTwo(x.words, a, b)
	return zeros(strip{v}, n), zeros(strip{w}, n)
}

func countStrips[T symbol](s *scratch, m Measure, strips []strip, pattern, text []T) int {
	s.openBorder(m, len(text))
	sum := 0
	if m == Edit {
		sum = len(text)
	}
	for len(pattern) > 0 {
		n := min(len(pattern), stripWidth)
		setStrip(strips, pattern[:n])
		if m == Edit {
			pv, mv := editStrip(strips, text, s.border)
			sum += rise(pv, mv, n)
		} else {
			sum += zeros(subsequenceStrip(strips, text, s.border), n)
		}
		clearStrip(strips, pattern[:n])
		pattern = pattern[n:]
	}
	return sum
}

// openBorder makes the upper border of the first strip: distances grow by one a column,
// subsequences do not.
func (s *scratch) openBorder(m Measure, n int) {
	if cap(s.border) < n {
		s.border = make([]uint8, n)
	}
	s.border = s.border[:n]
	first := uint8(0)
	if m == Edit {
		first = 1
	}
	for i := range s.border {
		s.border[i] = first
	}
}
