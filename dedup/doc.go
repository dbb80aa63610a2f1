// Package dedup decides which documents of a collection are duplicates and
// which one of each cluster stays. It holds the rules, without an engine and
// without files:
//
//	read → sketch → candidates → verify on the real text → clusters → keep → write
//
// The rules are these:
//
//   - [HashText] finds equal texts.
//   - [Policy] is the order in which documents are wanted. Input order, the
//     order of [Ref], decides ties, so every step is a function of its input
//     alone.
//   - [Cluster] decides. It takes documents in the order of the policy. A
//     document is removed only if the rule has compared it with the very
//     document that is kept. So a chain of documents, each a little like the
//     next, removes nothing that is unlike everything kept. [Chain] says what
//     it would have removed.
//   - [Limits] say by fields of two documents whether the pair counts, before any
//     score. Engines decide once for all documents of a Limits.Unit.
//   - [Judged] is what people said of pairs. Cluster keeps to it.
//
// The engines share these rules:
//
//   - Package local runs on one machine, from files to files.
//   - Package sketches writes sketches and buckets for an SQL engine. Package
//     pairs decides on the pairs that the engine finds, and local writes the
//     result.
//   - Package steps cuts the rules for many machines; beam/pipeline runs them.
//
// Package repeats has the rule for what repeats below the document, and local runs
// it. All others decide by [Cluster]. Packages local and pairs do so on one
// machine. Beam uses the waves of steps.Node, which decide the same although
// each machine knows only a part, and Cluster for what the waves leave.
//
// Methods, formats and engines do not belong here.
//
// # An engine for many machines
//
// Package steps has the steps for documents that no one machine holds. A
// document is named by its [Rank], which orders documents as the policy does,
// old ones before all others. A rank has 8 bytes in input order and 9 more for
// most other policies. An engine gives what package local gives, to the byte,
// as follows.
//
//  1. Read. Rows get their [Ref]: sources in their order, old ones first, and
//     rows by their place in the source. The engine counts the rows before each
//     part of a file. Texts are cleaned, and Policy.Values reads what the
//     policy needs.
//  2. Mapper.Map: rank, hash of the text, sketch. A document without features
//     is kept and leaves the steps here. With limits the hash is that of the
//     unit, and the sketch ends in the values of the limits; Pairer leaves out
//     pairs that do not count.
//  3. Group by hash. The documents of equal texts are one text from here on,
//     named by its least rank. A combiner keeps a text that occurs a million
//     times from being sent a million times. If the sketches decide, new texts
//     of equal sketches can be grouped once more: only the first by rank goes
//     on, and the others get its decision. Old texts all go on.
//  4. Group by the keys of Mapper.Keys: the members of each bucket, in blocks
//     if there are more than steps.BlockMembers (Blocks, BlockOf, Tasks), so
//     that one large bucket is the work of many machines. Small sketches are
//     sent along, and Pairer.Pairs finds each pair once. Large ones stay
//     behind: Pairer.Candidates names pairs of ranks, the engine drops repeated
//     ones, fetches the sketches and asks Pairer.Score.
//  5. If the texts decide (steps.Options.Texts), join the pairs with the texts,
//     or with their sketches by the method that decides, which NewVerifier
//     scores. Pairs below the threshold go.
//  6. NewNode for each text in a pair, then some ten waves, then one RankSweep
//     for what they leave. It needs one machine and a stated amount of memory.
//     This is Cluster at a cohesion equal to the threshold; chains below the
//     threshold are for one machine.
//  7. A text that is not removed is kept. Of its documents all but the best and
//     the old ones are removed as equal to the best; their score is 1.
//     Documents of a removed text are removed as alike to the best document of
//     its leader, with the score of the pair. With Limits.Apart, all documents
//     of a kept text are kept.
//
// What the report of package local says beyond counts of rows follows from
// these:
//
//   - Clusters are numbered from 1 by the reference of the document kept. The
//     size counts that document and the new ones removed for it.
//   - Texts is the number of groups and of documents without features. Active
//     is the number of texts in a candidate pair. Scored is the number of
//     candidate pairs (a, b) with a kept, and b either kept or removed by no
//     text before a.
//   - Chaining is about the components of the alike pairs of active texts. A
//     text counts for the rows of its group. It is apart if its leader, or the
//     text itself if it is kept, is not the least of its component. If the
//     report says that it is partial, package local has looked at fewer pairs
//     than all.
package dedup
