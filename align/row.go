package align

// ScoreRow implements similarity.RowKernel. What can be made of a alone is made once for all
// of bs: its masks where it has at most 256 characters, and its automaton. A text of at most 64
// meets two others at a time.
func (m *Method) ScoreRow(a Text, bs []Text, dst []float32) {
	if a.Len() == 0 {
		clear(dst)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	s.counts = append(s.counts[:0], make([]int, len(bs))...)
	s.row(m.o.Measure, a, bs, s.counts)
	for i, b := range bs {
		dst[i] = 0
		if b.Len() > 0 {
			dst[i] = float32(m.o.Measure.score(s.counts[i], a.Len(), b.Len()))
		}
	}
}

// row counts what the measure does of a and each of bs.
func (s *scratch) row(m Measure, a Text, bs []Text, dst []int) {
	n := a.Len()
	switch {
	case m == Substring:
		s.wideA = a.appendWide(s.wideA[:0])
		build(&s.automaton, s.wideA)
		for i, b := range bs {
			if b.wide == nil {
				dst[i] = follow(&s.automaton, b.narrow).length
			} else {
				dst[i] = follow(&s.automaton, b.wide).length
			}
		}
		return
	case n > stripWidth:
		for i, b := range bs {
			dst[i] = s.count(m, a, b)
		}
		return
	}
	// The numbers of a's characters are for texts that are wide; the bytes for both narrow.
	s.wideA = a.appendWide(s.wideA[:0])
	s.letters.reset(n)
	s.wideA = s.letters.add(s.wideA[:0], s.wideA)
	s.wide.reserve(int(s.letters.size))
	set(&s.wide, s.wideA)
	set(&s.narrow, a.narrow)
	waiting := [2]int{-1, -1} // texts for which another is awaited, narrow ones and wide ones
	for i, b := range bs {
		narrow := a.wide == nil && b.wide == nil
		if !narrow {
			s.wideC, s.wideB = s.wideB, find(s.wideC[:0], &s.letters, b)
		}
		at := &waiting[1]
		if narrow {
			at = &waiting[0]
		}
		switch {
		case n > 64 && narrow:
			dst[i] = countSet(m, &s.narrow, n, b.narrow)
		case n > 64:
			dst[i] = countSet(m, &s.wide, n, s.wideB)
		case *at < 0:
			*at = i
			continue
		case narrow:
			dst[*at], dst[i] = countTwo(m, &s.narrow, n, bs[*at].narrow, b.narrow)
		default:
			dst[*at], dst[i] = countTwo(m, &s.wide, n, s.wideC, s.wideB)
		}
		*at = -1
	}
	if i := waiting[0]; i >= 0 {
		dst[i] = countSet(m, &s.narrow, n, bs[i].narrow)
	}
	if i := waiting[1]; i >= 0 {
		dst[i] = countSet(m, &s.wide, n, s.wideB)
	}
	unset(&s.wide, s.wideA)
	unset(&s.narrow, a.narrow)
}
