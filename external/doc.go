// Package external makes a method of a command: a program in any language that
// reads documents as lines of JSON and answers what it makes of them. It
// compares a library of another language with the methods of alike, on the same
// labels and splits and by the same metrics.
//
// # Protocol
//
// The command reads its standard input and writes its standard output, one JSON
// object per line, and flushes what it has written. Errors quote what it writes
// to standard error. Its first line describes it:
//
//	{"alike": 1, "name": "datasketch", "version": "1.6.5", "kind": "minhash", "size": 128, "bits": 32}
//
// It then gets a line for each document and answers each with a line, in the
// same order:
//
//	{"id": "17", "text": "the cat sat on the mat"}
//	{"id": "17", "sketch": [2818201, 99173, ...]}
//
// Ids are numbers that mean nothing, so that nobody can read the truth from
// them. A null sketch means a text without features. {"id": "17", "error":
// "..."} ends the run. The kind says what a sketch is, and how alike scores two
// of them:
//
//   - minhash: size whole numbers; the share of places with equal numbers.
//   - set: whole numbers, in any order; |A∩B| / |A∪B|.
//   - simhash: a code of size bits in hexadecimal; the share of equal bits.
//   - vector: size numbers, or {"indices": [...], "values": [...]}; the cosine,
//     not below 0.
//   - scores: nothing that alike can score; the process does.
//
// The numbers of minhash and set have bits bits (8, 16, 32 or 64, which is the
// default), those of a vector are floats of 32 (the default) or 64 bits: that
// is what counts as the size of a sketch. Instead of a list a sketch can be a
// string, the base64 of the numbers as they lie in memory, least significant
// byte first.
//
// A process of kind scores answers {"id": "17", "bytes": 512}, with the size
// that it states for its own sketch or, if it likes, with a sketch in base64,
// whose size counts; keeps the document by its id, until it ends; and is then
// asked for pairs, at most 4,096 a line:
//
//	{"score": [["17", "3"], ["17", "4"]]}
//	{"scores": [0.25, 1]}
//
// Scores lie in [0, 1], are symmetric, and are 1 for equal texts. "empty": true
// in the answer to a document says that it has no features: nothing is asked of
// it.
//
// Documents come in batches, several of them before the first is answered. A
// process that likes to work on many at a time says "flush": true in its first
// line: it gets {"flush": true} where a batch ends, and has until then to
// answer it. Its standard input ends when nothing more is wanted, and then so
// should it.
//
// # What can go wrong
//
// A process that ends, falls silent for longer than Options.Timeout while it
// owes an answer, or answers what it should not, fails its method for good,
// with an error that names the command, the document and the last that the
// command wrote to its standard error. The process and what it has started are
// then killed.
//
// The command must give the same text the same sketch, whatever came before it,
// because the order of documents depends on the number of workers.
//
// # The end of a command
//
// A method that is closed closes the standard input of its process, and kills
// it a second later. What the process has started ends with it:
//
//   - On Linux, in a program that calls [Supervise] first: every descendant,
//     also one in a session of its own and a daemon. They end as well when the
//     program ends, even by SIGKILL. What remains is what another program has
//     started for the command (a container, a systemd unit), what runs as
//     another user (sudo), and, if the supervisor itself is killed with
//     SIGKILL, all but the process.
//   - On Linux without Supervise, and on other Unix systems: the process group.
//     When the program ends without closing its methods, Linux kills the
//     process, which is the shell or what it has become by exec; the others
//     only see their input end.
//   - On Windows: the process alone.
//
// A library must not start its program a second time without being asked, so
// Supervise is up to the program. The command alike calls it.
//
// Package catalog makes these methods of exec specs. Adapters for a library
// belong to the command: this package knows only the protocol.
package external
