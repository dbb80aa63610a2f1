package hamming

import "github.com/alike-go/alike/internal/scan"

// limits are the numbers of codes or pairs at which one way gives place to another.
// What is found does not depend on them; only tests, which work on little data, change them.
var limits = thresholds{
	crowded:    1 << 14,
	whole:      map[string]int{"AVX-512": 1024, "AVX2": 512, "Go": 48}[scan.Kernel()],
	bucketBits: 5,
	byCodes:    2048,
	expand:     1 << 22,
}

type thresholds struct {
	// crowded is the size of a table's bucket from which on it may be cut into pieces.
	// Reading fewer codes takes about a microsecond, cutting them four times their room.
	crowded int

	// whole is the size up to which all pairs of a bucket are compared in a join: where
	// cutting it would take as long.
	whole int

	// bucketBits is the logarithm of how many codes cutting by words leaves to a bucket, and
	// one: some sixteen, which are compared at once.
	bucketBits int

	// byCodes is the size from which on a bucket whose words tell its codes apart badly is
	// cut by whole codes.
	//
	// Any cut copies the codes radius+1 times, which pays where it leaves half of the pairs
	// to compare or less. One by whole codes may leave more, since it takes the bits away
	// that made the bucket crowded, but each time it does the next needs radius+1 times
	// as many codes: so the copies never cost more than comparing all pairs would.
	byCodes int

	// expand is the number of pairs up to which those that repetitions multiply are spelt
	// out and sorted in one list, which is faster than one by one.
	expand int
}
