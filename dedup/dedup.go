// Package dedup decides which documents of a collection are duplicates and which
// one of each cluster stays, as steps without an engine: a program on one machine
// (package local) and one on many call the same ones.
//
//	read → sketch → candidates → verify on the real text → clusters → keep → write
//
// [HashText] finds equal texts. [Policy] is the order in which documents are wanted,
// and [Cluster] goes through candidates in it: a document is removed only where the
// rule has compared it with the very one that is kept. So no chain of documents,
// each a little like the next, takes away what is like nothing that stays, and
// [Chain] says what it would have taken. Ties go by input order, the order of
// [Ref], which makes every step a function of its input alone.
package dedup
