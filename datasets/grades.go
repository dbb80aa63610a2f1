package datasets

// semevalAlike is the grade from which a pair graded 0 to 5 counts as alike. In
// the scale of the SemEval tasks on textual similarity (Agirre et al., 2012) 4
// means "equivalent, but some unimportant details differ" and 3 that "some
// important information differs or is missing".
const semevalAlike = 4

// alikeFrom lists the ordinal scales on which 0 says "not alike" and every step
// above it is a degree of likeness: levels of disguise (ir-plag) and types of
// clones (bigclonebench).
var alikeFrom = map[string]float64{"level": 1, "type": 1}

// label sets the labels from the grades: the set is graded if one of its grades
// is neither 0 nor 1.
func (s *Set) label(kinds []string) {
	for _, p := range s.Pairs {
		s.Graded = s.Graded || (p.Grade != 0 && p.Grade != 1)
	}
	from := 1.0
	if s.Graded {
		from = semevalAlike
		if len(kinds) == 1 && alikeFrom[kinds[0]] != 0 {
			from = alikeFrom[kinds[0]]
		}
		s.AlikeFrom = from
	}
	for i := range s.Pairs {
		p := &s.Pairs[i]
		p.Label = 0
		if p.Grade >= from {
			p.Label = 1
		}
	}
}
