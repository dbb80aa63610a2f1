package cosine

// ScoreRow scores one vector against many.
func (m *Method) ScoreRow(a Vector, bs []Vector, dst []float32) {
	for i, b := range bs {
		dst[i] = float32(m.Score(a, b))
	}
}
