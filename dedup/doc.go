// Package dedup decides which documents of a collection are duplicates and which
// one of each cluster stays, as steps without an engine: a program on one machine
// (package local) and one on many (by package steps) call the same ones.
//
//	read → sketch → candidates → verify on the real text → clusters → keep → write
//
// [HashText] finds equal texts. [Policy] is the order in which documents are wanted,
// and [Cluster] goes through candidates in it: a document is removed only where the
// rule has compared it with the very one that is kept. So no chain of documents,
// each a little like the next, takes away what is like nothing that stays, and
// [Chain] says what it would have taken. Ties go by input order, the order of
// [Ref], which makes every step a function of its input alone.
//
// # An engine for many machines
//
// Package steps has these steps for documents that no one machine holds. They name a
// document by its [Rank], which orders documents as the policy does, and the
// old ones before all others; it is 8 bytes in input order and 9 more for most other policies. An engine
// gets what package local gives, to the byte, as follows.
//
//  1. Rows get their [Ref]: sources in their order, old ones first, and rows by their place in
//     the source. That the rows before a part of a file have to be counted first is the engine's
//     work. Texts are cleaned, and the policy's values read, as package local does it.
//  2. Mapper.Map: rank, hash of the text, sketch. A document without features is kept and leaves the steps here.
//  3. By hash: Group. The documents of equal texts are one text from here on, which goes by the rank of Group.Best.
//     A combiner keeps a text that stands a million times from being sent a million times. Where the sketches
//     decide, and the cohesion is the threshold, new texts of equal sketches can be grouped in the same way once more, so that a
//     thousand of them do not make half a million pairs: only the first by rank goes on, and the others have its
//     decision (the same leader, which may be itself, and the same score). Old texts all go on.
//  4. By key, of Mapper.Keys: the members of each bucket, in blocks where there are more than
//     steps.BlockMembers (Blocks, BlockOf, Tasks), so that one large bucket is the work of many.
//     Small sketches go along and Pairer.Pairs finds pairs, each once. Large ones are better left behind: Pairer.Candidates
//     names pairs of ranks, the engine drops repeated ones, fetches the sketches and asks Pairer.Score.
//  5. Where the texts decide (steps.Options.Texts), pairs are joined with the texts, or with their sketches by the
//     method that decides, whose score takes the place of the sketches'. Pairs of less than the threshold go.
//  6. Node, NewNode for each text in a pair: waves, some ten of them, and for what they leave one RankSweep, which needs one
//     machine and a stated amount of memory. It gives what [Cluster] does at a cohesion that is the threshold. With less cohesion,
//     LargeStar and SmallStar by turns find components, and steps.Component decides on each: a component
//     must fit in the memory of a machine then.
//  7. A text that is not removed is kept. Of the documents of a text that is kept all but the best one, old ones
//     excepted, are removed as equal to that, with a score of 1; those of a text that is removed, as alike to the
//     best document of its leader, with the score of the pair.
//
// What the report of package local says beyond counts of rows follows from these:
//
//   - The clusters are numbered from 1 by the reference of the document kept; its size counts that and the new documents
//     removed for it.
//   - Texts is the number of groups and of documents without features; Active that of
//     the texts in a candidate pair; Scored that of the candidate pairs (a, b) with a kept, and b either kept or
//     removed by no text before a.
//   - Chaining is of the components of the pairs that are alike, of active texts only, which LargeStar and SmallStar find: a
//     text counts for the rows of its Group, and is apart where its leader, or it itself if it is kept, is not the least of its
//     component. Where the report says that it is partial, package local has looked at fewer pairs than all.
package dedup
