package bloomsim

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/bits-and-blooms/bloom/v3"
)

const (
	// minBits and maxBits bound the size of a filter.
	minBits, maxBits = 64, 1 << 28

	// maxHashes bounds the number of bits that a feature sets.
	maxHashes = 32

	// Auto, as Options.Bits, gives each text the size class that fits it: the
	// smallest power of two, from 1024 to 2^20, that leaves at most one bit in
	// four set. To compare filters of two classes the larger one is folded to
	// the size of the smaller. That is exact: it gives the filter that the
	// smaller size would have made.
	Auto = -1

	// autoMin and autoMax bound the size classes of Auto. A text too large for
	// autoMax has a filter of that size, fuller than it should be.
	autoMin, autoMax = 1024, 1 << 20

	// autoFill is the inverse of the maximum share of bits set under Auto.
	autoFill = 4

	// defaultBits is the default of Options.Bits, 512 bytes a text. With one hash the
	// score of sentences, chapters and statutes (of up to 6,400 features) then has an
	// error of .007 to .009 and an area under the ROC curve within .0005 of exact
	// Jaccard's; but on questions of a few words (lcqmc/dev) .698 for .702, since few
	// features have few distinct coefficients, which an estimate scatters. Four hashes
	// double the error on statutes.
	// (go test -run - -bench Quality -benchtime 1x ./bloomsim)
	defaultBits = 4096

	defaultFP = 0.01
)

// resolve checks the options and fills in Bits and Hashes.
func (o Options) resolve() (Options, error) {
	ways := 0
	for _, set := range []bool{o.Bits != 0, o.Expect != 0, o.Largest != 0} {
		if set {
			ways++
		}
	}
	switch {
	case ways > 1:
		return o, fmt.Errorf("bloomsim: Bits is %d, Expect %d, Largest %d, want at most one of them set", o.Bits, o.Expect, o.Largest)
	case o.Expect < 0 || o.Expect > maxBits:
		return o, fmt.Errorf("bloomsim: Expect is %d, want 0 to %d", o.Expect, maxBits)
	case o.Largest < 0 || o.Largest > maxBits/2:
		return o, fmt.Errorf("bloomsim: Largest is %d, want 0 to %d", o.Largest, maxBits/2)
	case !(o.FP >= 0 && o.FP < 1):
		return o, fmt.Errorf("bloomsim: FP is %v, want above 0 and below 1", o.FP)
	case o.FP != 0 && o.FP != defaultFP && o.Expect == 0:
		return o, fmt.Errorf("bloomsim: FP is %v without Expect, want both", o.FP)
	}
	switch {
	case o.Expect > 0:
		if o.FP == 0 {
			o.FP = defaultFP
		}
		// Checked before the library is asked, whose result may not fit in its type.
		if need := float64(o.Expect) * -math.Log(o.FP) / (math.Ln2 * math.Ln2); need > maxBits {
			return o, fmt.Errorf("bloomsim: %d features at a false positive rate of %v need %.0f bits, want at most %d", o.Expect, o.FP, need, maxBits)
		}
		m, k := bloom.EstimateParameters(uint(o.Expect), o.FP)
		o.Bits = max(int(m), minBits)
		if o.Hashes == 0 {
			o.Hashes = min(int(k), maxHashes)
		}
	case o.Largest > 0:
		o.Bits = max(2*o.Largest, minBits)
	case o.Bits == 0:
		o.Bits = defaultBits
	}
	o.Expect, o.FP, o.Largest = 0, 0, 0
	if o.Bits != Auto && (o.Bits < minBits || o.Bits > maxBits) {
		return o, fmt.Errorf("bloomsim: Bits is %d, want %d to %d, or Auto", o.Bits, minBits, maxBits)
	}
	return o, Keys.Check("bloomsim", &o)
}

func sizeName(bits int) string {
	if bits == Auto {
		return "auto"
	}
	return strconv.Itoa(bits)
}

// roomFor returns a size class of Auto that is not too small for n features.
func (m *Method) roomFor(n int) int {
	if n > autoMax/autoFill {
		return autoMax
	}
	return min(max(1<<bits.Len(uint(n*m.o.Hashes*autoFill)), autoMin), autoMax)
}

// fit folds words, a power of two of them, to the least size class that is not
// too full. Since folding is exact and can only make a filter fuller, the result
// does not depend on the size started from, as long as that has room.
func fit(words []uint64) []uint64 {
	for len(words) > autoMin/64 {
		half := len(words) / 2
		ones := 0
		for i, w := range words[:half] {
			ones += bits.OnesCount64(w | words[half+i])
		}
		if ones > half*64/autoFill {
			break
		}
		for i, w := range words[half:] {
			words[i] |= w
		}
		words = words[:half]
	}
	return words
}
