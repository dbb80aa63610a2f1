package simhash

import "github.com/alike-go/alike/similarity"

var _ similarity.Worder[Fingerprint] = (*Method)(nil)

// Words returns the fingerprint itself, or of 128 bits the lower half, which differs in no
// more bits than the whole. It is exact.
func (m *Method) Words(o similarity.JoinOptions) (similarity.Words[Fingerprint], error) {
	o, err := o.Check()
	if err != nil {
		return similarity.Words[Fingerprint]{}, err
	}
	design := "fingerprint"
	if m.o.Bits == 128 {
		design = "lower half of the fingerprint"
	}
	return similarity.Words[Fingerprint]{
		Design:   design,
		Within:   min(64, max(0, m.Radius(o.Threshold))),
		Of:       func(s Fingerprint) uint64 { return s.Lo },
		Distance: Distance,
	}, nil
}
