// Package pipeline is deduplication as an Apache Beam pipeline, for collections that one machine takes
// too long for. Of the same input and settings it keeps and removes the documents that package local
// does, for the same reasons and under the same numbers of clusters, whatever the runner, the number of
// workers, and the pieces that the input is cut in.
//
//	read            hash of the text → rank                     texts that are equal
//	sketch          bucket → rank (and sketch, where it is small) pairs, by steps.Pairer
//	compare         sketches of candidates alone, where they are large
//	verify          the same by what decides on the texts
//	waves           who is kept, by steps.Node; what is left after some waves by steps.Sweep
//	number, write   clusters by their place, rows by reading the pieces once more
//
// A text is in no shuffle: sources are read again for what is wanted of them, three times or four, so
// every worker must be able to open them. A posting is a key and a rank, some twelve bytes; where a sketch is
// no larger than that it goes with it. A bucket of more than steps.BlockMembers is cut in blocks of
// which each two meet on some worker. Methods that join better than they fill buckets, and those
// that have none, are joined group by group instead: each two groups of documents meet once.
//
// What one worker must hold is the rows of a piece (64 MB of text), the ranks of one bucket, the
// documents of one text, and for the report the kept texts that chains link. The one step on a single worker
// besides that, the sweep of what the waves left, takes SweepMemory and files.
package pipeline
