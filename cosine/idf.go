package cosine

// frequencies tells how many documents have a term; a *feature.Model does.
type frequencies interface{ DF(term uint64) int }

// idf weighs terms by fitted frequencies; the zero value weighs each 1.
type idf struct {
	df     frequencies
	scheme scheme
	docs   int
	memo   []float64 // the idf of the lower document frequencies
}

func newIDF(s scheme, df frequencies, docs int) idf {
	d := idf{df: df, scheme: s, docs: docs, memo: make([]float64, min(docs+1, 1<<12))}
	for i := range d.memo {
		d.memo[i] = s.idf(i, docs)
	}
	return d
}

// weigh multiplies weights by the idf of their terms.
func (d *idf) weigh(terms []uint64, w []float64) {
	if d.df == nil {
		return
	}
	for i, t := range terms {
		if n := d.df.DF(t); n < len(d.memo) {
			w[i] *= d.memo[n]
		} else {
			w[i] *= d.scheme.idf(n, d.docs)
		}
	}
}
