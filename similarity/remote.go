package similarity

// Remote is implemented by collections of methods that another process carries out. It
// works while its caller goes on.
type Remote interface {
	Collection

	// ScorePairs sets dst[k] to the score of the documents pairs[k], in much less time
	// than as many calls of Score take. dst has the length of pairs.
	ScorePairs(pairs [][2]int, dst []float32)
}

// Collect returns a collection of sketches that were made before. It keeps the slice.
func Collect[S any, M Sketcher[S]](m M, docs []S) Collection {
	return &collection[S, M]{m: m, docs: docs}
}
