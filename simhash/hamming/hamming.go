// Package hamming finds codes of 32, 64 or 128 bits by their Hamming distance: all
// within a radius of a code (Index), and all pairs within a radius (SelfJoin, Join). It is exact:
// no code is missed and none is found twice, equal codes included.
//
// A code within k bits of another agrees with it in one of any k+1 blocks, and in
// k+2 blocks in some choice of two, and so on; so it suffices to look where those
// agree (Manku, Jain, Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007).
// More blocks in a key make fewer candidates and more tables. The published layouts
// are Designs, all of them searched by the same few loops and giving the same answers;
// Choose picks one from the number of codes, the radius and the memory, Plan shows what each
// would cost.
//
// The price: an index of four tables takes 36 to 48 bytes for a code of 64 bits with its
// number, and as the radius grows, keys grow short. From a radius of about a sixth of the bits on,
// reading every code, at a tenth of a nanosecond in cache, is as fast.
//
// Repetitions cost nothing but their numbers, and codes of which half share a block, or
// vary in a few bits only, are cut by the bits that vary; no input makes an index or a join
// slower than comparing each pair would be, and none that has been thought of makes it
// quadratic.
//
// Where the processor has AVX-512 or AVX2, assembly compares codes, eight to sixteen at
// a time; elsewhere, and under the build tag noasm, plain Go does.
package hamming
