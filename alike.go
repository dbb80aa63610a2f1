// Package alike is the root of a module that tells which documents are alike, and
// which method should decide it.
//
// There is nothing to import here. Import one method on its own:
//
//   - [github.com/alike-go/alike/shingle]: resemblance and containment of shingle
//     sets, exact (Jaccard) and estimated (MinHash);
//   - [github.com/alike-go/alike/cosine]: TF-IDF vectors;
//   - [github.com/alike-go/alike/bloomsim]: Bloom filters;
//   - [github.com/alike-go/alike/rabinkarp]: Manber's fingerprints and winnowing;
//   - [github.com/alike-go/alike/simhash]: Charikar's fingerprints.
//
// Package similarity states what they have in common, feature how text becomes
// features, catalog names all of them by spec strings, eval compares them on
// labelled documents. The command is in cmd/alike.
package alike
