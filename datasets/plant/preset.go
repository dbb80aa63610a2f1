package plant

// Yardstick returns the options of the workload that speeds are compared on:
// English-like text of 50,000 words with Zipf frequencies, documents of 400 words
// (2.7 kB) on average, and a fifth of all documents in clusters of an original
// and four copies, of which 1, 5 or 10 % of the words are edited or a block of a
// quarter of the text is moved.
func Yardstick(seed uint64) (MakeOptions, Options) {
	text := MakeOptions{Lang: English, Words: 50_000, Exponent: 0.96, Mean: 400, Sigma: 0.3, Seed: seed}
	copies := Options{
		// Of 25 documents 21 are originals, and one of these has four copies.
		Share:  1.0 / 21,
		Copies: []float64{0, 0, 0, 1},
		Mix: []Choice{
			{Edit{Mixed, 0.01}, 1}, {Edit{Mixed, 0.05}, 1}, {Edit{Mixed, 0.1}, 1}, {Edit{Move, 0.25}, 1},
		},
		Seed: seed,
	}
	return text, copies
}
