// Package sql says how sketches lie in columns that a SQL engine can compare.
// The queries beside it find pairs by these columns, on DuckDB and Spark SQL,
// with the same scores as the methods.
//
// Engines such as Spark have no unsigned 64-bit integer, so a word of a sketch
// is the signed integer with the same bits (two's complement):
// 0xFFFFFFFFFFFFFFFF is -1. Equality, xor and bit_count do not see the
// difference. Order does, and the one query that needs it flips the highest
// bit.
//
// The command alike sketch passes the columns to package dedup/sketches, which
// writes them. Files and workers belong there, and deciding on pairs to
// dedup/pairs.
package sql

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/rabinkarp"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
)

// columns is the sketches.Columns of a method.
type columns struct {
	layout sketches.Layout
	row    func(sketch []byte) (sketches.Row, error)
}

// New returns the columns of a method. Only methods with buckets have columns:
// simhash, shingle, minhash, manber and winnow.
func New(m similarity.Method) (sketches.Columns, error) {
	typed, _ := similarity.As[any](m)
	switch m := typed.(type) {
	case *simhash.Method:
		return ofSimhash(m), nil
	case *shingle.MinHash:
		return ofMinHash(m)
	case *shingle.Bottom:
		return ofBottom(m)
	case *shingle.Method:
		return ofShingle(m), nil
	case *rabinkarp.Manber:
		return ofPrints(m, m.Options().Measure), nil
	case *rabinkarp.Winnow:
		return ofPrints(m, m.Options().Measure), nil
	}
	return nil, fmt.Errorf("sql: sketches of %s have no columns, want simhash, shingle, minhash, manber or winnow", m)
}

// Layout says how the columns are scored.
func (c *columns) Layout() sketches.Layout { return c.layout }

// Row returns the columns of an encoded sketch.
func (c *columns) Row(sketch []byte) (sketches.Row, error) {
	r, err := c.row(sketch)
	if err != nil {
		return sketches.Row{}, fmt.Errorf("sql: %w", err)
	}
	return r, nil
}

// decoded returns what makes rows of encoded sketches.
func decoded[S any](m similarity.Sketcher[S], row func(S) (sketches.Row, error)) func([]byte) (sketches.Row, error) {
	return func(src []byte) (sketches.Row, error) {
		s, n, err := m.DecodeSketch(src)
		if err != nil {
			return sketches.Row{}, err
		}
		if n != len(src) {
			return sketches.Row{}, fmt.Errorf("%d bytes after the sketch: %w", len(src)-n, similarity.ErrFormat)
		}
		return row(s)
	}
}

// signed returns the same bits as signed integers.
func signed(words []uint64) []int64 {
	out := make([]int64, len(words))
	for i, w := range words {
		out[i] = int64(w)
	}
	return out
}

func ofSimhash(m *simhash.Method) sketches.Columns {
	bits := m.Options().Bits
	// No fingerprint of a text is zero, and these are not either but where all bits differ, whose score
	// is 0 on every scale.
	at := func(h int) float64 {
		all, other := onesBelow(bits), onesBelow(bits)
		flip := onesBelow(h)
		other.Lo ^= flip.Lo
		other.Hi ^= flip.Hi
		return m.Score(all, other)
	}
	l := sketches.Layout{Kind: sketches.Lanes, Words: (bits + 63) / 64, Bits: 1}
	for h := range bits + 1 {
		l.Scores = append(l.Scores, at(h))
	}
	return &columns{l, decoded(m, func(s simhash.Fingerprint) (sketches.Row, error) {
		return sketches.Row{Words: signed([]uint64{s.Lo, s.Hi}[:l.Words])}, nil
	})}
}

// onesBelow returns a fingerprint whose lowest bits are ones.
func onesBelow(n int) simhash.Fingerprint {
	var f simhash.Fingerprint
	f.Lo = 1<<min(n, 64) - 1
	if n > 64 {
		f.Hi = 1<<(n-64) - 1
	}
	return f
}

func ofMinHash(m *shingle.MinHash) (sketches.Columns, error) {
	size, err := setting(m.Settings(), "size")
	if err != nil {
		return nil, err
	}
	bits, err := setting(m.Settings(), "bits")
	if err != nil {
		return nil, err
	}
	l := sketches.Layout{Kind: sketches.Lanes, Words: (size*bits + 63) / 64, Bits: bits}
	a, b := make(shingle.Signature, l.Words), make(shingle.Signature, l.Words)
	l.Scores = append(l.Scores, m.Score(a, b))
	for i := range size {
		b[i*bits/64] |= 1 << (i * bits % 64)
		l.Scores = append(l.Scores, m.Score(a, b))
	}
	return &columns{l, decoded(m, func(s shingle.Signature) (sketches.Row, error) { return sketches.Row{Words: signed(s)}, nil })}, nil
}

func ofBottom(m *shingle.Bottom) (sketches.Columns, error) {
	size, err := setting(m.Settings(), "size")
	if err != nil {
		return nil, err
	}
	l := sketches.Layout{Kind: sketches.Bottoms, Size: size}
	return &columns{l, decoded(m, func(s shingle.BottomSketch) (sketches.Row, error) { return sketches.Row{Words: signed(s)}, nil })}, nil
}

func ofShingle(m *shingle.Method) sketches.Columns {
	// What a method measures shows in what it does: one of two words are half of both.
	one := m.SketchFeatures([]feature.Feature{{Hash: 1, Weight: 1}})
	two := m.SketchFeatures([]feature.Feature{{Hash: 1, Weight: 1}, {Hash: 2, Weight: 1}})
	l := sketches.Layout{Kind: sketches.Sets, Measure: measureOf(m.Score(one, two) == 1)}
	if one.Weights != nil {
		l.Kind = sketches.Bags
	}
	return &columns{l, decoded(m, func(s shingle.Set) (sketches.Row, error) {
		r := sketches.Row{Words: signed(s.Hashes)}
		for _, w := range s.Weights {
			// Sums of whole numbers are the same in any order, in which engines do not add.
			if w != math.Trunc(w) || w > 1<<31 {
				return r, fmt.Errorf("a weight of %s is %v, want a whole number up to 2^31, such as occurrences are", m, w)
			}
			r.Weights = append(r.Weights, int64(w))
		}
		return r, nil
	})}
}

func ofPrints(m similarity.Sketcher[rabinkarp.Sketch], measure rabinkarp.Measure) sketches.Columns {
	l := sketches.Layout{Kind: sketches.Sets, Measure: measureOf(measure == rabinkarp.Overlap), Whole: true}
	return &columns{l, decoded(m, func(s rabinkarp.Sketch) (sketches.Row, error) {
		return sketches.Row{Words: signed(s.Prints), Sum: int64(s.Sum), Size: int64(s.Size)}, nil
	})}
}

func measureOf(overlap bool) string {
	if overlap {
		return "overlap"
	}
	return "resemblance"
}

// setting returns a number of a method's settings, which state all of them.
func setting(settings, key string) (int, error) {
	_, rest, _ := strings.Cut(settings, ":")
	for part := range strings.SplitSeq(rest, ",") {
		if v, ok := strings.CutPrefix(part, key+"="); ok {
			return strconv.Atoi(v)
		}
	}
	return 0, fmt.Errorf("sql: settings %q do not state %s", settings, key)
}
