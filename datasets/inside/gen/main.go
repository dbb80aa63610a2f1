// Command gen rebuilds the data sets inside the binary, datasets/inside/en and
// datasets/inside/zh, from the sets bible-verses, bible-chapters, zh-poems,
// zh-shiji and zh-laws of the shared data directory (see datasets.SharedDir)
// and from notices.txt. Run it in datasets/inside:
//
//	go run ./gen
//
// Everything random is drawn from seeds, so a second run gives the same files.
// Another version of Go or of the compressor may not, so the tests of package
// datasets check what the files hold, not their bytes.
//
// Run it only to change these sets. Other sets belong in the shared data
// directory.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(2)
	}
}

func run(out string) error {
	for _, lang := range []language{english, chinese} {
		b := &builder{language: lang, random: source(lang.name, "build")}
		if err := lang.collect(b); err != nil {
			return fmt.Errorf("%s: %w", lang.name, err)
		}
		b.split()
		b.negatives()
		if err := b.write(out); err != nil {
			return fmt.Errorf("%s: %w", lang.name, err)
		}
	}
	return nil
}
