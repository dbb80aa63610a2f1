package choose

import (
	"strconv"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/similarity"
)

// cost is what a candidate costs on one core by a table, not by the clock, so that what
// a search does depends on its input alone. The figures are rough: what the methods took for
// sentences of 40 and 110 bytes and for texts of 4 and 20 kB, English and Chinese, on a core of 2024. What is
// planned by them is amounts of work.
type cost struct {
	extract float64 // nanoseconds for a byte of text, shared by all candidates of the same features
	reduce  float64 // nanoseconds for a byte of text, features to sketch
	doc     float64 // nanoseconds for a text, however short
	pair    float64 // nanoseconds for a pair of texts, however short
	pairKB  float64 // nanoseconds more for a pair of texts of 1,000 bytes each
	bytes   float64 // bytes of a sketch of a text of 1,000 bytes
}

// us returns what a document of a thousand bytes takes to be sketched, in microseconds.
func (c cost) us() float64 { return c.extract + c.reduce + c.doc/1000 }

func nominal(m similarity.Method) cost {
	spec := m.String()
	name, rest, _ := strings.Cut(spec, ":")
	set := map[string]string{}
	for _, s := range strings.Split(rest, ",") {
		key, value, _ := strings.Cut(s, "=")
		set[key] = value
	}
	number := func(key string, or float64) float64 {
		if v, err := strconv.ParseFloat(set[key], 64); err == nil {
			return v
		}
		return or
	}
	c := cost{doc: 500}
	perKB := 160.0 // features in a kilobyte of text; a word takes six bytes, a rune up to three
	if x := m.Features(); x != nil {
		o := x.Options()
		c.extract = 3
		switch o.Tokens {
		case feature.Rune:
			c.extract, perKB = 14, 600
		case feature.Byte:
			c.extract, perKB = 16, 900
		case feature.Segmented:
			c.extract, perKB = 25, 250
		}
		if o.Stem != "" {
			c.extract += 15
		}
		if o.Fold.Han != feature.KeepHan {
			c.extract += 12
		}
		if o.MaxWidth > o.MinWidth {
			c.extract, perKB = c.extract*1.5, perKB*2
		}
		if o.Weights != feature.TF {
			c.extract *= 2.5 // equal features have to be found
		}
	}
	each := perKB / 1000 // nanoseconds a byte where a feature takes one
	switch name {
	case "shingle":
		c.reduce, c.pair, c.pairKB, c.bytes = 25*each, 80, 2*perKB, 8*perKB
		if set["bag"] == "true" {
			c.reduce, c.pairKB, c.bytes = 40*each, 25*perKB, 16*perKB
		}
	case "minhash":
		// Values that no feature falls to are filled in at length.
		size, bits := number("size", 128), number("bits", 32)
		c.reduce, c.doc, c.pair, c.bytes = 5*each, 40*size, 15+size/8, size*bits/8
	case "cosine":
		c.reduce, c.pair, c.pairKB, c.bytes = 50*each, 100, 8*perKB, 14*perKB
	case "bloom":
		bits := number("bits", 4096)
		c.reduce, c.pair, c.bytes = 4*each, 25+bits/200, bits/8
	case "manber":
		share := 1 / float64(int(1)<<int(number("keep", 4)))
		c.reduce, c.pair, c.pairKB, c.bytes = 6, 30, 4000*share, 30+1000*share
	case "winnow":
		share := 2 / (number("window", 16) + 1)
		c.reduce, c.pair, c.pairKB, c.bytes = 20+100*share, 50, 30_000*share, 30+8000*share
	default:
		c.reduce, c.pair, c.bytes = 6*each, 7, number("bits", 64)/8
	}
	if m.FitState() != similarity.FitUseless {
		c.reduce += c.extract + 60*each // a pass of its own to learn
	}
	return c
}
