package rabinkarp

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
)

// Hash is the rolling hash of Manber's fingerprints.
type Hash int

const (
	// Mixed is a polynomial modulo 2^64, finished by a mixer before anything is
	// selected by it.
	Mixed Hash = iota
	// Sif is the hash as published for sif: a polynomial with p = 31 modulo 2^30,
	// selected by its low bits. It is weak and here for comparison: its low bits
	// depend on the low bits of the bytes alone, and 30 bits collide.
	Sif
)

var hashNames = settings.Words{"mixed", "sif"}

// String returns the name in spec strings.
func (h Hash) String() string { return hashNames.Name(int(h)) }

// The defaults of ManberOptions. As published they are 50 and 8, about three
// fingerprints a kilobyte, which suits copies of long files. On seven labelled sets of
// revisions and translations, English, Chinese and Go, that left 60 % of the
// texts of the shortest set without a sample; windows of 20 bytes, one in
// 16, brought the mean area under the ROC curve from .82 to .95, at 220 bytes of sketch a
// kilobyte of text instead of 34. Windows that overlap did no better than a
// lower Keep that makes sketches of the same size.
const (
	defaultManberWindow = 20
	DefaultKeep         = 4
)

// ManberOptions configures Manber's fingerprints. The zero value is a sound default.
type ManberOptions struct {
	// Fold says how the text is normalised; windows are over the folded bytes.
	Fold feature.Fold

	// Window is the length of a window in bytes, 1 to 4096. Zero means 20; sif
	// as published has 50. A Chinese character takes three bytes.
	Window int

	// Keep selects one window in 2^Keep, 1 to 24. Zero means 4; sif as published has 8.
	Keep int

	// Hash is the rolling hash; zero means Mixed.
	Hash Hash

	// Anchors, if not empty, replaces selection by value: the window behind each
	// occurrence of an anchor string is kept (Manber's first scheme). They are
	// folded as the text is. Keep and Hash have then no effect.
	Anchors []string

	// Overlap also keeps windows that overlap the one kept before. By default, as
	// published, the scan goes on behind a kept window. That makes smaller sketches,
	// but what is kept of a passage then depends a little on what stands before it;
	// with Overlap a window is kept in every text or in none.
	Overlap bool

	// Measure makes the score of the shared fingerprints; zero means Resemblance.
	Measure Measure
}

// ManberKeys lists the settings of ManberOptions.
var ManberKeys = append(settings.Table[ManberOptions]{
	settings.Int("window", defaultManberWindow, 1, 4096, "bytes of a window; a Chinese character takes three", func(o *ManberOptions) *int { return &o.Window }),
	settings.Int("keep", DefaultKeep, 1, 24, "keep one window in 2^keep", func(o *ManberOptions) *int { return &o.Keep }),
	settings.Enum("hash", hashNames, []string{"Mixed", "Sif"}, "rolling hash; sif: as published, modulo 2^30, weak", func(o *ManberOptions) *Hash { return &o.Hash }),
	{
		Key: settings.Key{Name: "anchors", Default: "-", Allowed: "strings parted by |, percent-escaped", Doc: "keep the windows behind these strings instead of sampling"},
		Set: func(o *ManberOptions, v string) (err error) {
			o.Anchors, err = parseAnchors(v)
			return err
		},
		Get: func(o *ManberOptions) string { return formatAnchors(o.Anchors) },
	},
	settings.Bool("overlap", "keep windows that overlap the one kept before", func(o *ManberOptions) *bool { return &o.Overlap }),
	measureKey(func(o *ManberOptions) *Measure { return &o.Measure }),
}, settings.Lift(feature.FoldKeys, func(o *ManberOptions) *feature.Fold { return &o.Fold })...)

// Manber scores texts by their value-sampled windows. It is immutable and safe
// for concurrent use.
type Manber struct {
	method
	o       ManberOptions
	sampler sampler
	anchors [][]byte
}

var (
	_ similarity.Sketcher[Sketch]  = (*Manber)(nil)
	_ similarity.Container[Sketch] = (*Manber)(nil)
	_ similarity.Blanker[Sketch]   = (*Manber)(nil)
	_ similarity.Explainer         = (*Manber)(nil)
)

// NewManber returns the method, or an error that names the option out of range.
func NewManber(o ManberOptions) (*Manber, error) {
	if err := o.Fold.Check(); err != nil {
		return nil, fmt.Errorf("rabinkarp: %w", err)
	}
	if err := ManberKeys.Check("rabinkarp", &o); err != nil {
		return nil, err
	}
	m := &Manber{}
	anchors := o.Anchors
	o.Anchors = nil
	for _, a := range anchors {
		folded := o.Fold.Normalize(nil, a)
		if len(folded) == 0 {
			return nil, fmt.Errorf("rabinkarp: anchor %q is empty when folded", a)
		}
		o.Anchors = append(o.Anchors, string(folded))
		m.anchors = append(m.anchors, folded)
	}
	m.o, m.method = o, method{m, o.Fold, o.Measure}
	m.sampler = newSampler(o.Window, 1<<(64-o.Keep), o.Overlap)
	return m, nil
}

// Options returns the options with defaults filled in and anchors folded.
func (m *Manber) Options() ManberOptions {
	o := m.o
	o.Anchors = append([]string(nil), o.Anchors...)
	return o
}

// String returns the canonical spec: "manber", or "manber:window=50,keep=8".
func (m *Manber) String() string {
	return similarity.Spec("manber", ManberKeys.Changed(&m.o), m.o.Fold.String())
}

// Settings returns every setting that a sketch depends on; the measure, which
// only scores, is not among them.
func (m *Manber) Settings() string {
	return similarity.Spec("manber", ManberKeys.All(&m.o), m.o.Fold.Settings())
}

// Blank reports whether no window was chosen: the text is empty, shorter than a
// window, or luck left it without a sample.
func (m *Manber) Blank(s Sketch) bool { return len(s.Prints) == 0 }

func (m *Manber) width([]byte) int { return m.o.Window }

func (m *Manber) choose(dst []place, s *scratch, folded []byte) []place {
	switch {
	case len(m.anchors) > 0:
		return m.sampler.sampleAnchors(dst, folded, m.anchors, s.once)
	case m.o.Hash == Sif:
		return sampleSif(dst, folded, m.o.Window, m.o.Keep, m.o.Overlap, s.once)
	}
	return m.sampler.sample(dst, s, folded)
}

// formatAnchors writes anchors as a spec value: percent-escaped, joined by "|".
func formatAnchors(anchors []string) string {
	out := make([]string, len(anchors))
	for i, a := range anchors {
		out[i] = strings.ReplaceAll(url.QueryEscape(a), "+", "%20")
	}
	return strings.Join(out, "|")
}

// parseAnchors reads the value of the spec key "anchors": strings joined by "|",
// in which "%7C" stands for that character, "%2C" for a comma and "%20" for a blank.
func parseAnchors(value string) ([]string, error) {
	if value == "" {
		return nil, nil
	}
	out := strings.Split(value, "|")
	for i, a := range out {
		s, err := url.PathUnescape(a)
		if err != nil {
			return nil, fmt.Errorf("rabinkarp: anchors: %w", err)
		}
		out[i] = s
	}
	return out, nil
}
