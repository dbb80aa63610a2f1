// Command alike tells which documents are alike, and which method should decide
// it on your data.
//
//	alike eval                      all methods on the data inside
//	alike eval --data DIR           on labelled documents of your own
//	alike compare A B               two texts through every method
//	alike pairs INPUT...            all pairs of documents above a threshold
//	alike methods                   the methods and their settings
//	alike fit -o FILE INPUT...      learn document frequencies for the two
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 when done, 1 when a check's answer is bad, 2 on bad usage or failed
// input or output.
package main

import (
	"os"

	"github.com/alike-go/alike/external"
)

func main() {
	external.Supervise()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
