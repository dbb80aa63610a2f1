package align

// ScoreRow implements similarity.RowKernel. What can be made of a alone is made once for all
// of bs: its masks where it has at most 256 characters, and its automaton.
func (m *Method) ScoreRow(a Text, bs []Text, dst []float32) {
	if a.Len() == 0 {
		clear(dst)
		return
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	count := s.row(m.o.Measure, a)
	for i, b := range bs {
		dst[i] = 0
		if b.Len() > 0 {
			dst[i] = float32(m.o.Measure.score(count(b), a.Len(), b.Len()))
		}
	}
	s.endRow(m.o.Measure, a)
}

// row returns a function that counts what the measure does of a and another text. Until endRow
// the scratch is taken.
func (s *scratch) row(m Measure, a Text) func(b Text) int {
	n := a.Len()
	switch {
	case m == Substring:
		s.wideA = a.appendWide(s.wideA[:0])
		build(&s.automaton, s.wideA)
		return func(b Text) int {
			if b.wide == nil {
				return follow(&s.automaton, b.narrow).length
			}
			return follow(&s.automaton, b.wide).length
		}
	case n > stripWidth:
		return func(b Text) int { return s.count(m, a, b) }
	}
	// The numbers of a's characters are for texts that are wide; the bytes for both narrow.
	s.wideA = a.appendWide(s.wideA[:0])
	s.letters.reset(n)
	s.wideA = s.letters.add(s.wideA[:0], s.wideA)
	s.wide.reserve(int(s.letters.size))
	set(&s.wide, s.wideA)
	set(&s.narrow, a.narrow)
	return func(b Text) int {
		if a.wide == nil && b.wide == nil {
			return countSet(m, &s.narrow, n, b.narrow)
		}
		s.wideB = b.appendWide(s.wideB[:0])
		s.wideB = s.letters.find(s.wideB[:0], s.wideB)
		return countSet(m, &s.wide, n, s.wideB)
	}
}

func (s *scratch) endRow(m Measure, a Text) {
	if m != Substring && a.Len() <= stripWidth {
		unset(&s.wide, s.wideA)
		unset(&s.narrow, a.narrow)
	}
}
