package eval

import (
	"encoding/binary"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval/internal/resample"
	"github.com/alike-go/alike/similarity"
)

// Baselines returns what any method should beat on a set: all pairs alike, random
// scores, the quotient of the lengths, and equal texts. Pass them to Run behind the
// methods. Their records are marked and take no part in comparisons. There are none
// where pairs are found by joins, because a baseline would find all pairs.
func Baselines(set *datasets.Set, cfg Config) []similarity.Method {
	cfg, err := cfg.withDefaults()
	if err != nil || cfg.joins(set) {
		return nil
	}
	return BaselineMethods()
}

// BaselineMethods returns the methods of Baselines, whatever the set.
func BaselineMethods() []similarity.Method {
	var out []similarity.Method
	for _, b := range baselines {
		out = append(out, similarity.Hide(&b))
	}
	return out
}

const (
	baselinePrefix = "baseline:"
	ceilingPrefix  = "ceiling:"
)

// isBaseline reports whether a method's record takes no part in comparisons.
func isBaseline(m similarity.Method) bool {
	return strings.HasPrefix(m.String(), baselinePrefix) || strings.HasPrefix(m.String(), ceilingPrefix)
}

// Ceiling returns a method under the name of a ceiling: the best configuration that
// labels have chosen on the split tuned on. Its record is marked like that of a
// baseline. Pass it to Run behind the baselines.
func Ceiling(m similarity.Method) similarity.Method { return ceiling{m} }

// ceiling is a method that shows how much the others leave.
type ceiling struct{ similarity.Method }

func (c ceiling) String() string { return ceilingPrefix + similarity.WithoutFit(c.Method.String()) }

func (c ceiling) Fit(docs iter.Seq[string]) (similarity.Method, error) {
	m, err := c.Method.Fit(docs)
	return ceiling{m}, err
}

// CeilingSpec returns the spec of the method of a ceiling's record.
func (r *Record) CeilingSpec() (spec string, ok bool) {
	return strings.CutPrefix(r.Method, ceilingPrefix)
}

// baseline is a method that reads no word of a text.
type baseline struct {
	name  string
	score func(a, b outline) float64
}

// outline is what a baseline knows of a text. The length is in characters.
type outline struct{ hash, length uint64 }

var baselines = []baseline{
	{"all-alike", func(_, _ outline) float64 { return 1 }},
	{"random", func(a, b outline) float64 {
		return resample.Chance(int32(min(a.hash, b.hash)), int32(max(a.hash, b.hash)), 0)
	}},
	{"length", func(a, b outline) float64 {
		return float64(min(a.length, b.length)) / float64(max(a.length, b.length))
	}},
	{"equal-text", func(a, b outline) float64 {
		if a == b {
			return 1
		}
		return 0
	}},
}

var _ similarity.Sketcher[outline] = (*baseline)(nil)

func (b *baseline) Sketch(text string) outline {
	return outline{xxh3.HashString(text), uint64(utf8.RuneCountInString(text))}
}

// Score is 0 for an empty text, as that of every method.
func (b *baseline) Score(x, y outline) float64 {
	if x.length == 0 || y.length == 0 {
		return 0
	}
	return b.score(x, y)
}

func (b *baseline) String() string       { return baselinePrefix + b.name }
func (b *baseline) Settings() string     { return b.String() }
func (b *baseline) Empty(o outline) bool { return o.length == 0 }
func (b *baseline) Bytes(outline) int    { return 16 }

func (b *baseline) AppendSketch(dst []byte, o outline) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, o.hash), o.length)
}

func (b *baseline) DecodeSketch(data []byte) (outline, int, error) {
	if len(data) < 16 {
		return outline{}, 0, io.ErrUnexpectedEOF
	}
	return outline{binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])}, 16, nil
}
