package similarity

// Remote is implemented by collections of methods that another process carries out.
// It works while its caller goes on, and it can fail: that shows where Settle is
// called, since adding and scoring have no error to return.
type Remote interface {
	Collection

	// AddNamed is Add for a document that errors call by its id.
	AddNamed(id, text string)

	// Settle waits until everything that was added is sketched, and returns what has
	// gone wrong with the method so far, be it in sketching or in scoring. Where it is
	// not nil the documents count as empty and the scores as 0; they mean nothing.
	Settle() error

	// ScorePairs sets dst[k] to the score of the documents pairs[k], in much less time
	// than as many calls of Score take. dst has the length of pairs.
	ScorePairs(pairs [][2]int, dst []float32)
}

// AddNamed adds a document to a collection, by its id where the collection is Remote.
func AddNamed(c Collection, id, text string) {
	if r, ok := c.(Remote); ok {
		r.AddNamed(id, text)
		return
	}
	c.Add(text)
}

// Settle waits until a Remote collection has its sketches, and returns what went wrong
// with its method; nil for other collections, which cannot fail.
func Settle(c Collection) error {
	if r, ok := c.(Remote); ok {
		return r.Settle()
	}
	return nil
}

// Collect returns a collection of sketches that were made before. It keeps the slice.
func Collect[S any, M Sketcher[S]](m M, docs []S) Collection {
	return &collection[S, M]{m: m, docs: docs}
}
