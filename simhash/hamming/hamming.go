// Package hamming finds codes of 32, 64 or 128 bits by their Hamming distance:
// all codes within a radius of a code (Index), and all pairs within a radius
// (SelfJoin, Join). It is exact: it misses no code and finds none twice, equal
// codes included.
//
// A code within k bits of another agrees with it in one of any k+1 blocks, in
// two of any k+2 blocks, and so on. So it is enough to look where those agree
// (Manku, Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW
// 2007). More blocks in a key mean fewer candidates and more tables. A Design
// is one such layout. The planner (Costs.Plan) estimates them and chooses one by
// the number of codes, the radius and the memory.
//
// An index of four tables takes 36 to 48 bytes for each code of 64 bits with
// its number. Keys get shorter as the radius grows: from about a sixth of the
// bits on, reading every code is as fast, at a tenth of a nanosecond per code
// in cache.
//
// Repeated codes cost only their numbers. If half of the codes share a block,
// or vary in a few bits only, they are cut by the bits that vary. No input
// makes an index or a join slower than comparing all pairs, and no known input
// makes it quadratic.
//
// Assembly compares eight to sixteen codes at a time if the processor has
// AVX-512 or AVX2. Elsewhere, and under the build tag noasm, plain Go does.
//
// Package simhash joins by it, simhash and index/plan take their tables from
// it, and alike plan and serve print its estimates. An index that outlives the
// process is the job of package index; texts and scores are the job of package
// simhash.
package hamming
