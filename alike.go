// Package alike is the root of a module that tells which documents are alike,
// and which method should decide it.
//
// There is nothing to import here. Import one method on its own:
//
//   - [github.com/alike-go/alike/shingle]: resemblance and containment of
//     shingle sets, exact (Jaccard) and estimated (MinHash);
//   - [github.com/alike-go/alike/cosine]: TF-IDF vectors;
//   - [github.com/alike-go/alike/bloomsim]: Bloom filters;
//   - [github.com/alike-go/alike/rabinkarp]: Manber's fingerprints and
//     winnowing;
//   - [github.com/alike-go/alike/simhash]: Charikar's fingerprints;
//   - [github.com/alike-go/alike/align]: edit distance and common subsequences,
//     the baselines of short texts.
//
// Package similarity states what they have in common. Package feature turns
// text into features, catalog names all methods by spec strings, eval compares
// them on labelled documents, dedup removes duplicates, and index keeps
// sketches that outlive a run. The command is in cmd/alike.
//
// Put no code here. The tests beside this file check which package may import
// which.
package alike
