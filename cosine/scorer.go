package cosine

// scorer scores one vector against others, to the last bit as Method.Score does, by
// way of a table if there are enough of them.
type scorer struct {
	of    Vector
	table *table // nil where pairs are scored one by one
}

// set readies the scorer for n vectors beside of. Each set is followed by a done.
func (s *scorer) set(of *Vector, n int) {
	s.of, s.table = *of, nil
	if n < 4 {
		return
	}
	t := tables.Get().(*table)
	if !t.fill(of) {
		t.free()
		return
	}
	s.table = t
}

func (s *scorer) score(v *Vector) float64 {
	if s.table == nil {
		return cosine(dot(&s.of, v), &s.of, v)
	}
	return cosine(s.table.dot(v), &s.of, v)
}

func (s *scorer) done() {
	s.of = Vector{}
	if s.table != nil {
		s.table.free()
		s.table = nil
	}
}
