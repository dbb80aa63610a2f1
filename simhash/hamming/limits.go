package hamming

import "github.com/alike-go/alike/internal/scan"

// limits are the numbers of codes or pairs at which one algorithm replaces another. The
// results do not depend on them. Only tests change them, because they have little data.
var limits = thresholds{
	crowded:    1 << 14,
	whole:      map[string]int{"AVX-512": 1024, "AVX2": 512, "Go": 48}[scan.Kernel()],
	bucketBits: 5,
	byCodes:    2048,
	expand:     1 << 22,
}

type thresholds struct {
	// crowded is the minimum size of a bucket that is cut into pieces. Reading fewer codes
	// takes about a microsecond; cutting them takes four times their memory.
	crowded int

	// whole is the maximum size of a bucket whose pairs a join compares without cutting.
	// Cutting a smaller bucket takes as long.
	whole int

	// bucketBits is one more than the binary logarithm of the number of codes that cutting
	// by words leaves in a bucket: some sixteen, which are compared at once.
	bucketBits int

	// byCodes is the minimum size of a bucket that is cut by whole codes, if its words do
	// not tell its codes apart well.
	//
	// Every cut copies the codes radius+1 times. That pays if it leaves at most half of
	// the pairs. A cut by whole codes may leave more, because it removes the bits that
	// made the bucket crowded. Each time it does, the next cut needs radius+1 times as
	// many codes. So the copies never cost more than comparing all pairs.
	byCodes int

	// expand is the maximum number of pairs, multiplied by repetitions, that are sorted in
	// one list. That is faster than streaming them.
	expand int
}
