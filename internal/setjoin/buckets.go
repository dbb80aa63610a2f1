package setjoin

// PrefixLen returns how many of the least hashes of a set make its prefix: two
// sets that share what a Kind demands for a threshold have one of these in
// common. Unlike the prefixes of a Join, it depends on the set alone.
func PrefixLen(kind Kind, threshold float64, s Set) int {
	size := s.size()
	least := newRule(kind, threshold, len(s.Hashes), s.Weights != nil).asGreater(size)
	before := 0.0
	for i := range s.Hashes {
		w := 1.0
		if s.Weights != nil {
			w = s.Weights[i]
		}
		if max(size-before, w) < least {
			return i
		}
		before += w
	}
	return len(s.Hashes)
}
