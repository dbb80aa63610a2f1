// Package external makes a method of a command: a program in any language that
// reads documents as lines of JSON and answers what it makes of them. It is there to
// set a library of another language beside the methods of alike, under the same truth,
// the same splits and the same figures.
//
// # Protocol
//
// The command reads its standard input and writes its standard output, a JSON object
// a line, and flushes what it has written. What it writes to the standard error shows in
// errors. Its first line says what it is:
//
//	{"alike": 1, "name": "datasketch", "version": "1.6.5", "kind": "minhash", "size": 128, "bits": 32}
//
// It then gets a line for each document and answers one for each, in the same order:
//
//	{"id": "17", "text": "the cat sat on the mat"}
//	{"id": "17", "sketch": [2818201, 99173, ...]}
//
// Ids are numbers that mean nothing, so that nobody can read the truth from them. A
// sketch of null is that of a text without features, and {"id": "17", "error": "..."}
// ends the run. The kind says what a sketch is, and how alike scores two of them:
//
//   - minhash: size whole numbers; the share of places with equal numbers.
//   - set: whole numbers, in any order; |A∩B| / |A∪B|.
//   - simhash: a code of size bits in hexadecimal; the share of equal bits.
//   - vector: size numbers, or {"indices": [...], "values": [...]}; the cosine, not
//     below 0.
//   - scores: nothing that alike can score; the process does.
//
// The numbers of minhash and set have bits bits (8, 16, 32 or 64, which is the
// default), those of a vector are floats of 32 (the default) or 64 bits: that is what
// counts as the size of a sketch. Instead of a list a sketch can be a string, the
// base64 of the numbers as they lie in memory, least significant byte first.
//
// A process of kind scores answers {"id": "17", "bytes": 512}, with the size that it
// states for its own sketch or, if it likes, with a sketch in base64, whose size counts; keeps
// the document by its id, until it ends; and is then asked for pairs, at most 4,096 a line:
//
//	{"score": [["17", "3"], ["17", "4"]]}
//	{"scores": [0.25, 1]}
//
// Scores lie in [0, 1], are symmetric, and are 1 for equal texts. "empty": true in the
// answer to a document says that it has no features: nothing is asked of it.
//
// Documents come in batches, several of them before the first is answered. A process
// that likes to work on many at a time says "flush": true in its first line: it gets
// {"flush": true} where a batch ends, and has until then to answer it. Its standard
// input ends when nothing more is wanted, and then so should it.
//
// # What can go wrong
//
// A process that ends, falls silent for longer than Options.Timeout while it owes an
// answer, or answers what it should not, fails its method for good, with an error that names the
// command, the document and the last that the command wrote to its standard error. The
// process and all that it has started in its process group are then killed.
//
// That the same text gets the same sketch, whatever came before it, is the
// duty of the command: documents come in an order that depends on the number of workers.
package external
