package choose

import (
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// cost is what a candidate costs on one core by a table, not by the clock, so that what
// a search does depends on its input alone. The figures are rough means over the
// catalog's methods on a machine of 2024; what is planned by them is amounts of work.
type cost struct {
	extract float64 // nanoseconds for a byte of text, shared by all candidates of the same features
	reduce  float64 // nanoseconds for a byte of text, features to sketch
	pair    float64 // nanoseconds for a pair whose texts have no bytes
	pairKB  float64 // nanoseconds more for a pair of texts of 1,000 bytes each
	bytes   float64 // bytes of a sketch of a text of 1,000 bytes
}

func nominal(m similarity.Method) cost {
	spec := m.String()
	name, _, _ := strings.Cut(spec, ":")
	set := func(key string) bool { return strings.Contains(spec, key) }
	var c cost
	// Features in a kilobyte of text: a word takes six bytes, a rune token up to three.
	perKB := 160.0
	if x := m.Features(); x != nil {
		o := x.Options()
		switch o.Tokens {
		case feature.Rune:
			c.extract, perKB = 12, 600
		case feature.Byte:
			c.extract, perKB = 12, 900
		case feature.Segmented:
			c.extract, perKB = 16, 250
		default:
			c.extract = 6
			if o.Stem != "" {
				c.extract = 25
			}
		}
		if o.Fold.Han != feature.KeepHan {
			c.extract += 4
		}
		if o.MaxWidth > o.MinWidth {
			c.extract, perKB = c.extract*1.5, perKB*2
		}
	}
	each := perKB / 1000 // nanoseconds a byte of what takes one nanosecond a feature
	switch name {
	case "shingle":
		c.reduce, c.pair, c.pairKB, c.bytes = 15*each, 30, 3*perKB, 8*perKB
		if set("bag=true") {
			c.bytes = 12 * perKB
		}
	case "minhash":
		c.reduce, c.pair, c.bytes = 4*each+1, 80, 512
		switch {
		case set("bits=1,") || strings.HasSuffix(spec, "bits=1"):
			c.pair, c.bytes = 20, 128
		case set("bits=8"):
			c.bytes = 128
		case set("size=256"):
			c.pair, c.bytes = 150, 1024
		case set("size=64"):
			c.pair, c.bytes = 45, 256
		}
	case "cosine":
		c.reduce, c.pair, c.pairKB, c.bytes = 30*each, 40, 4*perKB, 12*perKB
	case "bloom":
		c.reduce, c.pair, c.bytes = 4*each+1, 60, 512
		if set("16384") {
			c.pair, c.bytes = 160, 2048
		}
	case "manber":
		c.reduce, c.pair, c.pairKB, c.bytes = 4, 30, 200, 400
	case "winnow":
		c.reduce, c.pair, c.pairKB, c.bytes = 8, 30, 400, 1000
	default:
		c.reduce, c.pair, c.bytes = 3*each, 5, 16
	}
	if m.FitState() != similarity.FitUseless {
		c.reduce += c.extract // a pass of its own to learn
	}
	return c
}
