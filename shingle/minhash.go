package shingle

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

// Scheme is a way to make the values of a signature.
type Scheme int

const (
	// OPH hashes each shingle once, into one of k bins, and keeps the least value
	// of each bin (one-permutation hashing: Li, Owen and Zhang, NIPS 2012). A bin
	// that stays empty copies a full bin chosen at random (optimal densification:
	// Shrivastava, ICML 2017), so that short texts need no exception.
	OPH Scheme = iota
	// KPerm takes the least value of each of k hash functions: the textbook's
	// MinHash and the reference for OPH, at k times its cost.
	KPerm
	// ICWS samples shingles by weight (improved consistent weighted sampling:
	// Ioffe, ICDM 2010): its score estimates Σmin / Σmax of the weights. It costs
	// several logarithms a shingle and value.
	ICWS
)

// bottom is the scheme of a Bottom in spec strings.
const bottom = ICWS + 1

var schemeNames = settings.Words{OPH: "oph", KPerm: "kperm", ICWS: "icws", bottom: "bottom"}

// String returns the name in spec strings.
func (s Scheme) String() string { return schemeNames.Name(int(s)) }

// maxSize is the maximum number of values of a signature.
const maxSize = 1 << 16

// MinHashOptions configures a MinHash or a Bottom. The zero value is a sound default.
type MinHashOptions struct {
	// Features says how text becomes shingles. The zero value means single words.
	// All schemes but ICWS see only which shingles are there.
	Features feature.Options

	// Size is the number of values of a signature, 1 to 65,536. Zero means 128.
	Size int

	// Bits is what is kept of each value: its low 1, 2, 4, 8 or 16 bits, or all
	// (32, of which a value takes 30). Zero means 32. With fewer bits chance
	// agreement is corrected for (b-bit minwise hashing: Li and König, WWW 2010);
	// only full values can be merged. Full values agree by chance too, but in
	// less than one of a thousand up to a million shingles a text for KPerm, and
	// up to a million times Size for OPH.
	Bits int

	// Scheme says how the values are made; zero means OPH.
	Scheme Scheme

	// Seed selects the hash functions. Signatures made under different seeds
	// are not comparable.
	Seed uint64
}

// MinHashKeys lists the settings of MinHashOptions for specs, where the scheme
// bottom stands for a Bottom. OpenMinHash makes the method.
var MinHashKeys = append(settings.Table[MinHashOptions]{
	settings.Int("size", 128, 1, maxSize, "values of a signature; the standard error is sqrt(J(1-J)/size)", func(o *MinHashOptions) *int { return &o.Size }),
	settings.IntOf("bits", 32, []int{1, 2, 4, 8, 16, 32}, "bits kept of each value, corrected for chance", func(o *MinHashOptions) *int { return &o.Bits }),
	settings.Enum("scheme", schemeNames, []string{"OPH", "KPerm", "ICWS"}, "one permutation; size permutations (the reference, slow); weighted; the size least hashes", func(o *MinHashOptions) *Scheme { return &o.Scheme }),
	settings.Seed("permseed", "selects the hash functions of the signature", func(o *MinHashOptions) *uint64 { return &o.Seed }),
	settings.Fit[MinHashOptions](),
}, settings.Lift(feature.Keys, func(o *MinHashOptions) *feature.Options { return &o.Features })...)

// OpenMinHash returns the method of options that were set by MinHashKeys: a MinHash or
// a Bottom.
func OpenMinHash(o MinHashOptions) (similarity.Method, error) {
	if o.Scheme != bottom {
		m, err := NewMinHash(o)
		if err != nil {
			return nil, err
		}
		return similarity.Hide(m), nil
	}
	m, err := NewBottom(o)
	if err != nil {
		return nil, err
	}
	return similarity.Hide(m), nil
}

// MinHash estimates the resemblance of texts by signatures of fixed size. It is
// immutable and safe for concurrent use.
type MinHash struct {
	author.Learner[*MinHash]
	x      *feature.Extractor
	size   int
	bits   int
	scheme Scheme
	seed   uint64

	oph   *ophFamily // of the scheme OPH
	coefs []coef     // of the scheme KPerm
	pool  *sync.Pool // of *minScratch
}

var (
	_ similarity.Sketcher[Signature] = (*MinHash)(nil)
	_ similarity.Featured[Signature] = (*MinHash)(nil)
	_ similarity.Explainer           = (*MinHash)(nil)
	_ similarity.Fitter[*MinHash]    = (*MinHash)(nil)
)

// NewMinHash returns a method, or an error that names the option that is out of range.
func NewMinHash(o MinHashOptions) (*MinHash, error) {
	if err := MinHashKeys.Check("shingle", &o); err != nil {
		return nil, err
	}
	x, err := feature.New(o.Features)
	if err != nil {
		return nil, fmt.Errorf("shingle: %w", err)
	}
	m := &MinHash{size: o.Size, bits: o.Bits, scheme: o.Scheme, seed: o.Seed}
	switch o.Scheme {
	case OPH:
		m.oph = newOPH(o.Size, o.Seed)
	case KPerm:
		m.coefs = newCoefs(o.Size, o.Seed)
	}
	return m.under(x), nil
}

// under returns a copy of the method with other features.
func (m *MinHash) under(x *feature.Extractor) *MinHash {
	c := *m
	c.x, c.Learner = x, author.NewLearner(x, learns(x, m.scheme == ICWS), c.under)
	c.pool = &sync.Pool{New: func() any { return c.newScratch() }}
	return &c
}

// Sketch returns the signature of a text. Memory does not grow with the text,
// except for ICWS and for features that are not complete (see
// feature.Extractor), which are gathered first.
func (m *MinHash) Sketch(text string) Signature {
	sc := m.pool.Get().(*minScratch)
	defer sc.release()
	if m.scheme != ICWS && m.x.Complete() {
		sc.reset()
		m.x.Blocks(text, sc.add)
		return sc.signature()
	}
	sc.features = m.x.Append(sc.features[:0], text)
	return m.sketch(sc, sc.features)
}

// SketchFeatures returns the signature of extracted features.
func (m *MinHash) SketchFeatures(features []feature.Feature) Signature {
	sc := m.pool.Get().(*minScratch)
	defer sc.release()
	return m.sketch(sc, features)
}

func (m *MinHash) sketch(sc *minScratch, features []feature.Feature) Signature {
	sc.reset()
	if m.scheme == ICWS {
		b := builders.Get().(*builder)
		defer b.release()
		bag := b.weighted(features, true)
		if sc.any = len(bag.Hashes) > 0; sc.any {
			icws(sc.vals, bag, m.seed)
		}
		return sc.signature()
	}
	for some := range slices.Chunk(features, len(sc.block)) {
		sc.add(feature.AppendPresent(sc.block[:0], some))
	}
	return sc.signature()
}

// minScratch holds a signature in the making.
type minScratch struct {
	m        *MinHash
	add      func(block []uint64)
	any      bool     // there was a shingle
	vals     []uint32 // least so far, in the end the finished values
	least    []uint64 // KPerm: least so far
	mixed    []uint64 // KPerm: the hashes of a block
	full     []int32  // OPH: numbers of full bins
	block    [feature.BlockLen]uint64
	features []feature.Feature
}

func (m *MinHash) newScratch() *minScratch {
	sc := &minScratch{m: m, vals: make([]uint32, m.size), full: make([]int32, 0, m.size)}
	if m.scheme == KPerm {
		sc.least = make([]uint64, m.size)
		sc.mixed = make([]uint64, 0, feature.BlockLen)
	}
	// Made once: a closure made for each text would be an allocation for each.
	sc.add = func(block []uint64) {
		sc.any = sc.any || len(block) > 0
		switch m.scheme {
		case OPH:
			m.oph.add(sc.vals, block)
		case KPerm:
			kpermAdd(sc.least, m.coefs, m.seed, block, sc.mixed)
		}
	}
	return sc
}

// release gives the scratch space back, without what a huge text made it grow to.
func (sc *minScratch) release() {
	if cap(sc.features) > mostKept {
		sc.features = nil
	}
	sc.m.pool.Put(sc)
}

func (sc *minScratch) reset() {
	sc.any = false
	for i := range sc.vals {
		sc.vals[i] = emptyBin
	}
	for i := range sc.least {
		sc.least[i] = math.MaxUint64
	}
}

// signature packs the values, or returns the empty marker where there was no shingle.
func (sc *minScratch) signature() Signature {
	if !sc.any {
		return nil
	}
	switch sc.m.scheme {
	case OPH:
		sc.m.oph.densify(sc.vals, sc.full)
		if sc.m.bits < 32 {
			sc.m.oph.scatter(sc.vals)
		}
	case KPerm:
		for i, v := range sc.least {
			sc.vals[i] = uint32(v >> (64 - valueBits))
		}
	}
	return pack(sc.vals, sc.m.bits)
}

// Score returns the estimated resemblance, for ICWS of the weights: the share of
// values that agree, corrected for chance and clamped to [0, 1]. Its standard
// error is StdErr. It is 0 where either text was empty.
func (m *MinHash) Score(a, b Signature) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return resemblance(m.agree(a, b), m.size, m.bits)
}

// agree returns the number of values that agree.
func (m *MinHash) agree(a, b Signature) int { return m.size - differ(a, b, m.bits) }

// resemblance corrects a share of agreeing values for chance.
func resemblance(agree, size, bits int) float64 {
	p := float64(agree) / float64(size)
	if bits < 32 {
		chance := math.Ldexp(1, -bits)
		p = (p - chance) / (1 - chance)
	}
	return max(0, p)
}

// StdErr returns the standard error of the estimate of a resemblance r from a
// signature of size values of which the given number of bits is kept (32 for
// all): √(r(1−r)/k) for full values, and √(P(1−P)/k) / (1−2⁻ᵇ) with
// P = 2⁻ᵇ + (1−2⁻ᵇ)r for b bits. One-permutation hashing does a little better
// on texts of about as many shingles as values, and up to a quarter worse on texts
// of one or two shingles, which may share a bin.
func StdErr(r float64, size, bits int) float64 {
	chance := 0.0
	if bits < 32 {
		chance = math.Ldexp(1, -bits)
	}
	p := chance + (1-chance)*r
	return math.Sqrt(p*(1-p)/float64(size)) / (1 - chance)
}

// StdErr returns the standard error of the score at a resemblance of r.
func (m *MinHash) StdErr(r float64) float64 { return StdErr(r, m.size, m.bits) }

// Merge returns the signature of the union of two texts' shingles, bit for bit
// the one that a text with all of them would have. Only full values (Bits 32) of
// OPH and KPerm can be merged; other settings are an error.
func (m *MinHash) Merge(a, b Signature) (Signature, error) {
	if m.bits != 32 || m.scheme == ICWS {
		return nil, fmt.Errorf("shingle: %s cannot merge, want scheme oph or kperm with 32 bits", m)
	}
	if len(a) == 0 || len(b) == 0 {
		return append(append(Signature(nil), a...), b...), nil
	}
	u, v := make([]uint32, m.size), make([]uint32, m.size)
	unpack32(u, a)
	unpack32(v, b)
	if m.scheme == OPH {
		dropCopies(u)
		dropCopies(v)
	}
	for i := range u {
		u[i] = min(u[i], v[i])
	}
	if m.scheme == OPH {
		m.oph.densify(u, nil)
	}
	return pack(u, 32), nil
}

// Empty reports whether the text had no shingle.
func (m *MinHash) Empty(s Signature) bool { return len(s) == 0 }

// Bytes returns the size of a signature, rounded up to whole 8-byte words: 512
// for 128 full values, 64 for 512 of one bit; 0 for an empty text.
func (m *MinHash) Bytes(s Signature) int { return 8 * len(s) }

// String returns the canonical spec, such as "minhash:size=256,bits=4,width=3".
func (m *MinHash) String() string {
	return similarity.Spec("minhash", MinHashKeys.Changed(m.options()), author.FitSpec(&m.Learner), m.x.String())
}

// Settings returns all settings.
func (m *MinHash) Settings() string {
	return similarity.Spec("minhash", MinHashKeys.All(m.options()), m.x.Settings())
}

func (m *MinHash) options() *MinHashOptions {
	return &MinHashOptions{Size: m.size, Bits: m.bits, Scheme: m.scheme, Seed: m.seed}
}

// Explain scores two texts and lists the shingles that they share, as the exact
// method does; beside them the note says how many values agree.
func (m *MinHash) Explain(a, b string) similarity.Explanation {
	exact := &Method{x: m.x, bag: m.scheme == ICWS}
	s, t := exact.Sketch(a), exact.Sketch(b)
	u, v := m.Sketch(a), m.Sketch(b)
	agree := 0
	if len(u) > 0 && len(v) > 0 {
		agree = m.agree(u, v)
	}
	return similarity.Explanation{
		Score:    m.Score(u, v),
		Note:     fmt.Sprintf("%d of %d values agree; %s", agree, m.size, exact.note(s, t)),
		Evidence: shared(m.x, a, b, s, t),
	}
}
