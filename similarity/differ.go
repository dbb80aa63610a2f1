package similarity

import "math"

// Differer is implemented by methods that have a measured model of how many words of two
// texts differ.
type Differer interface {
	// DifferModel returns the model, or an error that says which settings have none and
	// names some that do.
	DifferModel() (DifferModel, error)
}

// DifferModel relates a score to the share of words that differ: the least number of
// words to insert, delete or replace, over the words of the longer text.
//
// One changed word changes as many shingles as they are wide if no other change is near
// (the model of Ondov et al., Mash, Genome Biology 2016, and for containment of Hera,
// Pierce-Ward, Koslicki, Genome Research 2023), but changes in one block change little
// more than the block has words. A score cannot tell the two apart. So the share lies
// between 1 - s and 1 - s^(1/Span), where s is the part of the longer text's shingles
// that the other has too. docs/differ.md shows how well that holds. No model of shingles
// sees a block that only moved.
type DifferModel struct {
	// Span is the number of features that a word stands in, 1 or more. Zero means
	// that the score is one minus the share.
	Span float64

	// Overlap says that the score is the part of the smaller text's features that the
	// other has too; without it the score is their resemblance.
	Overlap bool

	// Noise returns the standard error of a score by sampling; nil if there is none.
	Noise func(score float64) float64
}

// Errors of the model beside that of where the changes stand: modelError is relative to
// the share, and wordError the variance, in words, per word that differs. With them 95 %
// intervals hold the share of at least 95 % of planted edits and 92 % of versions
// (docs/differ.md).
const (
	modelError = .15
	wordError  = .3
)

// Share estimates the share of words that differ, 0 to 1, from a score of two texts of a
// and b words, and its standard error, of which 1.96 make a 95 % interval. Changes far
// apart lie near its lower end, and changes in one block near its upper end. All words
// differ where one text has none.
func (m DifferModel) Share(score float64, a, b int) (share, stderr float64) {
	if m.Span == 0 {
		return 1 - score, 0
	}
	short, long := float64(min(a, b)), float64(max(a, b))
	if short <= 0 {
		return 1, 0
	}
	ratio := short / long
	s, slope := m.part(score, ratio)
	apart, steep := m.apart(s, slope, ratio)
	share = (apart + 1 - s) / 2
	block := (1 - s - apart) / 3.92
	return share, math.Sqrt(block*block + m.variance(score, share, long, (slope+steep)/2))
}

// ShareByOne estimates the share of words that differ, and its standard error, where the
// words of only one of the texts are known. Its interval is wider than that of Share. A
// resemblance of s leaves the other text at least s times and at most 1/s times as many
// features, and the interval allows for each length. With Overlap, score is the part of
// the known text's features that the other has, and the share is that of the known text's
// words: what surrounds them in the other does not count.
func (m DifferModel) ShareByOne(score float64, words int) (share, stderr float64) {
	if m.Span == 0 {
		return 1 - score, 0
	}
	if words <= 0 {
		return 1, 0
	}
	s, slope := m.part(score, 1) // of texts of the same length, which differ least
	apart, steep := m.apart(s, slope, 1)
	share = (apart + 1 - score) / 2
	// If one text was cut, the share lies at the upper end. The other errors are then on
	// top, so the errors themselves are added and not their squares.
	return share, (1-score-apart)/3.92 + math.Sqrt(m.variance(score, share, float64(words), (steep+1)/2))
}

// part returns the part of the longer text's features that the other has, which has ratio
// times as many, and its slope by the score.
func (m DifferModel) part(score, ratio float64) (s, slope float64) {
	s, slope = score*ratio, ratio
	if !m.Overlap {
		s, slope = score*(1+ratio)/(1+score), (1+ratio)/((1+score)*(1+score))
	}
	return min(s, ratio), slope // the other text has no more of them
}

// apart returns the share of words that differ if the changes stand apart, and its slope.
func (m DifferModel) apart(s, slope, ratio float64) (share, steep float64) {
	return max(1-ratio, 1-math.Pow(s, 1/m.Span)), slope * math.Pow(max(s, 1e-3), 1/m.Span-1) / m.Span
}

// variance returns the variance of an estimated share beside that of where the changes
// stand. slope is that of the share by the score.
func (m DifferModel) variance(score, share, long, slope float64) float64 {
	v := modelError*modelError*share*share + wordError*share/long
	if m.Noise != nil {
		noise := m.Noise(score) * slope
		v += noise * noise
	}
	return v
}

// Score returns the score that two texts of the same length are expected to have if a
// share of their words differs and the changes stand apart. Pairs that differ by that
// share otherwise score more.
func (m DifferModel) Score(share float64) float64 {
	if m.Span == 0 {
		return 1 - share
	}
	s := math.Pow(1-share, m.Span)
	if m.Overlap {
		return s
	}
	return s / (2 - s)
}
