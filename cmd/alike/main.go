// Command alike tells which documents are alike, and which method should decide
// it on your data.
//
//	alike choose    which method, settings and threshold to take for these documents
//	alike cluster   decide which documents stay, by pairs that a SQL engine has found
//	alike compare   say whether two texts are alike, and score them by every method
//	alike datasets  list, show, make and convert labelled data sets
//	alike dedup     remove duplicates and near-duplicates from a corpus
//	alike diff      compare the records of two runs, or every two methods of one
//	alike eval      run methods over labelled documents and measure quality, space and speed
//	alike fit       learn what a method learns from a corpus, such as document frequencies
//	alike gather    find the few documents that a text was put together from
//	alike help      show the help of a command
//	alike index     keep documents in buckets, and ask which are alike to a new one
//	alike leak      find test documents that occur in training data
//	alike methods   list the methods with their keys, defaults and ranges
//	alike pairs     find all pairs of documents that score at least a threshold
//	alike passages  find text that stands in more than one document
//	alike plan      say what finding fingerprints within a distance costs, by every layout of tables
//	alike report    make one self-contained page of what a run measured or a dedup removed
//	alike rerun     run the commands of records again, and say what differs
//	alike restore   rebuild the original files from the output of dedup, or undo one removal
//	alike review    judge pairs of documents, one after the other
//	alike score     hold what another tool found against the truth of a data set
//	alike serve     compare, look and ask over HTTP, with pages
//	alike sketch    write sketches and bucket keys as Parquet, to find duplicates by SQL
//	alike stress    measure how scores and recall fall under edits
//	alike why       say why dedup removed a document, or what it removed for one
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 when done, 1 when a check's answer is bad, 2 on bad usage or
// failed input or output, and 130 after Ctrl-C; docs/exit.md has examples of each.
//
// The package holds flags, output and exit codes, a file for each command. What
// a command does belongs in a package with tests of its own.
package main

import (
	"os"

	"github.com/alike-go/alike/external"
)

func main() {
	external.Supervise()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
