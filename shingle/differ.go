package shingle

import (
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/similarity/author"
)

var (
	_ similarity.Differer = (*Method)(nil)
	_ similarity.Differer = (*MinHash)(nil)
	_ similarity.Differer = (*Bottom)(nil)
)

// DifferModel returns the model of resemblance, or of the overlap coefficient.
func (m *Method) DifferModel() (similarity.DifferModel, error) {
	return author.DifferModel(m.x, similarity.DifferModel{Overlap: m.measure == Overlap})
}

// DifferModel returns the model of resemblance with the error of the signature.
func (m *MinHash) DifferModel() (similarity.DifferModel, error) {
	return author.DifferModel(m.x, similarity.DifferModel{Noise: noise(m.StdErr, m.size)})
}

// DifferModel returns the model of resemblance with the error of the sample.
func (m *Bottom) DifferModel() (similarity.DifferModel, error) {
	return author.DifferModel(m.x, similarity.DifferModel{Noise: noise(m.StdErr, m.size)})
}

// noise returns a standard error that is not 0 where all values agree: one of them might
// not.
func noise(stdErr func(r float64) float64, size int) func(score float64) float64 {
	return func(score float64) float64 { return stdErr(min(score, 1-1/float64(size))) }
}
