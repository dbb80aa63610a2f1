package shingle

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/splitmix"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Bottom estimates resemblance by the smallest hashes of the shingles of each
// text (bottom-s sketches: Broder, SEQUENCES 1997): the share of the smallest
// hashes of both together that lie in both. Texts of at most Size shingles
// together are compared exactly. It is immutable and safe for concurrent use.
type Bottom struct {
	author.Learner[*Bottom]
	x    *feature.Extractor
	size int
	seed uint64
	mix  uint64     // seed of the mixer
	pool *sync.Pool // of *bottomScratch
}

// BottomSketch is the smallest hashes of a text's shingles, mixed by the seed,
// strictly ascending; nil for a text without shingles.
type BottomSketch []uint64

var (
	_ similarity.Sketcher[BottomSketch]  = (*Bottom)(nil)
	_ similarity.Featured[BottomSketch]  = (*Bottom)(nil)
	_ similarity.Container[BottomSketch] = (*Bottom)(nil)
	_ similarity.Explainer               = (*Bottom)(nil)
	_ similarity.Fitter[*Bottom]         = (*Bottom)(nil)
)

// NewBottom returns a method, or an error that names the option that is out of
// range. Size is the maximum number of hashes kept. Bits must be 32 or zero,
// since whole hashes are kept, and Scheme is ignored.
func NewBottom(o MinHashOptions) (*Bottom, error) {
	o.Scheme = OPH
	if err := MinHashKeys.Check("shingle", &o); err != nil {
		return nil, err
	}
	if o.Bits != 32 {
		return nil, fmt.Errorf("shingle: Bits is %d, want 32: a Bottom keeps whole hashes", o.Bits)
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("shingle: %w", err)
	}
	s := splitmix.Stream(o.Seed)
	m := &Bottom{size: o.Size, seed: o.Seed, mix: s.Next()}
	m.pool = &sync.Pool{New: func() any { return m.newScratch() }}
	return m.under(x), nil
}

// under returns a copy of the method with other features.
func (m *Bottom) under(x *feature.Extractor) *Bottom {
	c := *m
	c.x, c.Learner = x, author.NewLearner(x, learns(x, false), c.under)
	return &c
}

// Sketch returns the smallest hashes of a text. Where the features are complete
// (see feature.Extractor) memory does not grow with the text.
func (m *Bottom) Sketch(text string) BottomSketch {
	sc := m.pool.Get().(*bottomScratch)
	defer m.pool.Put(sc)
	sc.reset()
	if m.x.Complete() {
		m.x.Blocks(text, sc.add)
		return sc.sketch()
	}
	return sc.sketchFeatures(m.x.Append(nil, text))
}

// SketchFeatures returns the smallest hashes of extracted features.
func (m *Bottom) SketchFeatures(features []feature.Feature) BottomSketch {
	sc := m.pool.Get().(*bottomScratch)
	defer m.pool.Put(sc)
	sc.reset()
	return sc.sketchFeatures(features)
}

// bottomScratch holds a sketch in the making: hashes that may be among the
// smallest, and the limit that a hash must lie below to be.
type bottomScratch struct {
	size   int
	hashes []uint64
	limit  uint64
	sorter sorter
	block  [128]uint64
	add    func(block []uint64)
}

func (m *Bottom) newScratch() *bottomScratch {
	sc := &bottomScratch{size: m.size}
	// Made once: a closure made for each text would be an allocation for each.
	sc.add = func(block []uint64) {
		for _, x := range block {
			if h := mix(x, m.mix); h <= sc.limit {
				sc.hashes = append(sc.hashes, h)
			}
		}
		if len(sc.hashes) > 2*sc.size+feature.BlockLen {
			sc.prune()
		}
	}
	return sc
}

func (sc *bottomScratch) reset() { sc.hashes, sc.limit = sc.hashes[:0], math.MaxUint64 }

// prune keeps the smallest hashes only.
func (sc *bottomScratch) prune() {
	sc.sorter.sort(sc.hashes)
	sc.hashes = slices.Compact(sc.hashes)
	if len(sc.hashes) >= sc.size {
		sc.hashes = sc.hashes[:sc.size]
		sc.limit = sc.hashes[sc.size-1]
	}
}

func (sc *bottomScratch) sketch() BottomSketch {
	sc.prune()
	if len(sc.hashes) == 0 {
		return nil
	}
	return append(make(BottomSketch, 0, len(sc.hashes)), sc.hashes...)
}

func (sc *bottomScratch) sketchFeatures(features []feature.Feature) BottomSketch {
	for some := range slices.Chunk(features, len(sc.block)) {
		sc.add(feature.AppendPresent(sc.block[:0], some))
	}
	return sc.sketch()
}

// sample looks at the smallest hashes of both texts together, at most Size, and
// counts them, those in a, and those in both.
func (m *Bottom) sample(a, b BottomSketch) (union, inA, both int) {
	i, j := 0, 0
	for union < m.size && (i < len(a) || j < len(b)) {
		union++
		switch {
		case j == len(b) || i < len(a) && a[i] < b[j]:
			inA++
			i++
		case i == len(a) || b[j] < a[i]:
			j++
		default:
			inA++
			both++
			i++
			j++
		}
	}
	return union, inA, both
}

// Score returns the estimated resemblance, 0 where either text is empty. Its
// standard error is at most that of StdErr with full values.
func (m *Bottom) Score(a, b BottomSketch) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	union, _, both := m.sample(a, b)
	return float64(both) / float64(union)
}

// Containment returns the estimated share of a that lies in b: of the smallest
// hashes of both texts together that are a's, how many are b's too. Where a is
// much the shorter, few of the hashes are its own and the estimate is coarse; where
// none is, there is no evidence and it is 0, as mostly where b has more
// than Size times as many shingles as a.
func (m *Bottom) Containment(a, b BottomSketch) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	_, inA, both := m.sample(a, b)
	if inA == 0 {
		return 0
	}
	return float64(both) / float64(inA)
}

// Merge returns the sketch of the union of two texts' shingles.
func (m *Bottom) Merge(a, b BottomSketch) BottomSketch {
	s := slices.Concat(a, b)
	slices.Sort(s)
	s = slices.Compact(s)
	return slices.Clip(s[:min(len(s), m.size)])
}

// StdErr returns an upper bound of the standard error of the score at a
// resemblance of r, that of sampling with replacement.
func (m *Bottom) StdErr(r float64) float64 { return StdErr(r, m.size, 32) }

// Empty reports whether the text had no shingle.
func (m *Bottom) Empty(s BottomSketch) bool { return len(s) == 0 }

// Bytes returns 8 a hash.
func (m *Bottom) Bytes(s BottomSketch) int { return 8 * len(s) }

// AppendSketch appends the number of hashes and the hashes, little-endian.
func (m *Bottom) AppendSketch(dst []byte, s BottomSketch) []byte { return appendWords(dst, s) }

// DecodeSketch decodes what AppendSketch encoded. It refuses hashes that do not
// ascend and more of them than Size.
func (m *Bottom) DecodeSketch(src []byte) (BottomSketch, int, error) {
	words, n, err := decodeAscending(src)
	if err == nil && len(words) > m.size {
		return nil, 0, fmt.Errorf("shingle: sketch of %d hashes, want at most %d: %w", len(words), m.size, similarity.ErrFormat)
	}
	return words, n, err
}

// String returns the canonical spec, such as "minhash:size=256,scheme=bottom".
func (m *Bottom) String() string {
	return similarity.Spec("minhash", MinHashKeys.Changed(m.options()), author.FitSpec(&m.Learner), m.x.String())
}

// Settings returns all settings.
func (m *Bottom) Settings() string {
	return similarity.Spec("minhash", MinHashKeys.Without("bits").All(m.options()), m.x.Settings())
}

func (m *Bottom) options() *MinHashOptions {
	return &MinHashOptions{Size: m.size, Bits: 32, Scheme: bottom, Seed: m.seed}
}

// Explain scores two texts and lists the shingles that they share, as the exact
// method does; beside them the note says how many of the hashes sampled agree.
func (m *Bottom) Explain(a, b string) similarity.Explanation {
	exact := &Method{x: m.x}
	s, t := exact.Sketch(a), exact.Sketch(b)
	u, v := m.Sketch(a), m.Sketch(b)
	union, _, both := m.sample(u, v)
	return similarity.Explanation{
		Score:    m.Score(u, v),
		Note:     fmt.Sprintf("%d of %d hashes sampled agree; %s", both, union, exact.note(s, t)),
		Evidence: shared(m.x, a, b, s, t),
	}
}
