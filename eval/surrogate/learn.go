package surrogate

// Learn takes the votes for labels, and answers for what they are.
func (t *Truth) Learn(labels []Label) {
	t.answers = t.numbers(labels)
	t.Labels = len(t.answers)
	for i := range t.Pairs {
		p := &t.Pairs[i]
		p.Alike = p.Vote
		if alike, ok := t.answers[[2]int32{p.A, p.B}]; ok {
			p.Alike = 0
			if alike {
				p.Alike = 1
			}
		}
	}
}
