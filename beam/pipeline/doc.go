// Package pipeline is deduplication as an Apache Beam pipeline, for collections
// that take too long on one machine. From the same input and settings it keeps
// and removes the documents that package local does, for the same reasons and
// with the same cluster numbers. The runner, the number of workers, and the
// pieces of the input make no difference.
//
//	read            hash of the text → rank                     texts that are equal
//	                slot → counts of some texts' buckets        buckets that are crowded
//	sketch          slot → buckets of ranks (and sketches, where they are small) pairs, by steps.Pairer
//	compare         sketches of candidates alone, where they are large
//	verify          the same by what decides on the texts
//	waves           which texts are kept, by steps.Node; what is left after some waves by steps.Sweep
//	number, write   clusters by their place, rows by reading the pieces once more
//
// Texts are never shuffled. The pipeline reads the sources again for the texts
// it needs, three or four times, so every worker must be able to open them.
//
// A document sends a few bytes to each of several places, and an engine's frame
// around them would be larger than the bytes. So texts and buckets are dealt to
// slots by hash, and a piece sends together what goes to one slot. A posting is
// a rank and either four bytes that tell the bucket or, if it is no larger than
// sixteen bytes, the sketch, which tells its buckets itself.
//
// A bucket of more than steps.BlockMembers is cut into blocks, and each two
// blocks meet on some worker. A sample shows which buckets are crowded; these
// are cut before they are sent, so no worker receives one whole. Methods that
// join better than they fill buckets, and methods without buckets, are joined
// group by group instead: one worker reads each two groups of pieces.
//
// One worker must hold:
//
//   - the rows of a piece (64 MB of text);
//   - the postings of one slot;
//   - the groups that it joins;
//   - of one text, an element for each piece that has it;
//   - for the report, the kept texts that chains link.
//
// Besides the report, one step runs on a single worker: the sweep of what the
// waves left. It takes sweepMemory and files.
//
// The command alike-beam runs it. Rules of what a duplicate is belong to
// package dedup, steps that other engines could use to dedup/steps.
package pipeline
