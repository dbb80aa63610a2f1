package eval

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
)

// Details are the source of comparisons of two records, and of figures. They take
// some 60 kB of JSON at 1,000 resamples, whatever the size of the data.
type Details struct {
	// Draws identifies the bootstrap's resamples and the pairs they weigh. Replicates
	// of two records are paired if their Draws are equal.
	Draws string `json:"draws"`

	Replicates

	// Curve is the precision-recall curve, thinned to at most 200 points.
	Curve []CurvePoint `json:"curve"`

	// Alike and Other count the pairs of each class by score, in 50 equal steps of [0, 1].
	Alike []int64 `json:"alike"`
	Other []int64 `json:"other"`

	// Examples are pairs that the methods of a run judge differently, at most a dozen.
	Examples []Example `json:"examples,omitempty"`
}

// CurvePoint is precision and recall of pairs that score at least Threshold.
type CurvePoint struct {
	Threshold float64 `json:"threshold"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// Floats is written in JSON as base64 of little-endian float32 values.
type Floats []float32

// MarshalJSON writes the values as a base64 string.
func (f Floats) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 4*len(f))
	for _, v := range f {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads a base64 string.
func (f *Floats) UnmarshalJSON(data []byte) error {
	var raw []byte
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	if len(raw)%4 != 0 {
		return fmt.Errorf("%d bytes of float32 values, want a multiple of 4", len(raw))
	}
	*f = nil
	for ; len(raw) > 0; raw = raw[4:] {
		*f = append(*f, math.Float32frombits(binary.LittleEndian.Uint32(raw)))
	}
	return nil
}

func newDetails(e *evaluation, b Replicates) *Details {
	d := &Details{Replicates: b, Curve: e.ranking.curve()}
	d.Alike, d.Other = e.ranking.histogram()
	return d
}

const (
	curvePoints    = 200
	histogramSteps = 50
)

// curve returns the points of the precision-recall curve at about evenly spaced
// recalls. Every point is of a whole group, so the curve never shows a precision that
// no threshold reaches.
func (r *ranking) curve() []CurvePoint {
	var out []CurvePoint
	var tp, all int64
	for n, g := range r.groups {
		if g.top == 0 || r.alike == 0 {
			break
		}
		before := tp * curvePoints / r.alike
		tp += g.alike
		all += g.alike + g.other
		if now := tp * curvePoints / r.alike; n == 0 || now > before {
			out = append(out, CurvePoint{r.cut(n), float64(tp) / float64(all), float64(tp) / float64(r.alike)})
		}
	}
	return out
}

// histogram counts the pairs of each class by score.
func (r *ranking) histogram() (alike, other []int64) {
	alike, other = make([]int64, histogramSteps), make([]int64, histogramSteps)
	for _, g := range r.groups {
		step := min(histogramSteps-1, int(float64(g.low)*histogramSteps))
		alike[step] += g.alike
		other[step] += g.other
	}
	return alike, other
}

// draws identifies resamples: the data, its units and pairs, and the seed.
func (p *Part) draws(checksum string, seed uint64, resamples int) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %d %d %d\n", checksum, p.Name, p.Units, seed, resamples)
	var buf []byte
	for i, d := range p.Docs {
		buf = binary.AppendUvarint(binary.AppendUvarint(buf[:0], uint64(d)), uint64(p.Unit[i]))
		h.Write(buf)
	}
	for _, q := range p.Pairs {
		buf = binary.AppendUvarint(binary.AppendUvarint(buf[:0], uint64(q.A)), uint64(q.B))
		h.Write(buf)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
