// Package pipeline is deduplication as an Apache Beam pipeline, for collections that one machine takes
// too long for. Of the same input and settings it keeps and removes the documents that package local
// does, for the same reasons and under the same numbers of clusters, whatever the runner, the number of
// workers, and the pieces that the input is cut in.
//
//	read            hash of the text → rank                     texts that are equal
//	                slot → counts of some texts' buckets        buckets that are crowded
//	sketch          slot → buckets of ranks (and sketches, where they are small) pairs, by steps.Pairer
//	compare         sketches of candidates alone, where they are large
//	verify          the same by what decides on the texts
//	waves           who is kept, by steps.Node; what is left after some waves by steps.Sweep
//	number, write   clusters by their place, rows by reading the pieces once more
//
// A text is in no shuffle: sources are read again for what is wanted of them, three times or four, so
// every worker must be able to open them. What each document sends is some bytes to each of some places, of which an
// engine's frame would be the greater part; so a piece puts together what goes to one of the slots that texts and buckets
// are dealt to by hash. A posting is a rank, and four bytes that tell the bucket, or the sketch where that is no larger than
// sixteen, which tells its buckets itself. A bucket of more than steps.BlockMembers is cut in blocks of which each two
// meet on some worker: a crowded one, as a sample tells, before it is sent, so that it comes to no worker whole. Methods
// that join better than they fill buckets, and those that have none, are joined group by group instead: each two groups of
// pieces are read by one worker.
//
// What one worker must hold is the rows of a piece (64 MB of text), the postings of one slot, the groups that it joins, of one
// text an element for each piece that has it, and for the report the kept texts that chains link. The one step on a single worker
// besides that, the sweep of what the waves left, takes sweepMemory and files.
package pipeline
