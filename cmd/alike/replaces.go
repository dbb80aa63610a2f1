package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/alike-go/alike/datasets"
)

// The flags that name files to write, and files to read.
var (
	writes = []string{"out", "occurrences", "pairs", "report", "uncovered", "summary", "records"}
	reads  = []string{"against", "tests", "baseline", "truth", "judged", "fit", "config"}
)

// checkWrites refuses an output that would replace a file which the command reads, and
// two outputs in one file. Inputs are args, the flags of reads, and more. Folders that
// are made are the matter of local.CheckPlaces.
func checkWrites(cmd *cobra.Command, args []string, more ...datasets.Source) error {
	inputs := slices.Clone(args)
	var outputs []*pflag.Flag
	cmd.Flags().Visit(func(f *pflag.Flag) {
		many, ok := f.Value.(pflag.SliceValue)
		switch path := f.Value.String(); {
		case slices.Contains(reads, f.Name) && ok:
			inputs = append(inputs, many.GetSlice()...)
		case slices.Contains(reads, f.Name):
			inputs = append(inputs, path)
		case slices.Contains(writes, f.Name) && f.Value.Type() == "string" && path != "-":
			outputs = append(outputs, f)
		}
	})
	var paths []string
	for _, in := range inputs {
		expanded, err := datasets.Expand([]string{in})
		if err != nil {
			continue // whoever reads it says so
		}
		for _, path := range expanded {
			paths = append(paths, datasets.Source{}.At(path).Path)
		}
	}
	for _, s := range more {
		paths = append(paths, s.Path)
	}
	for i, f := range outputs {
		out := f.Value.String()
		for _, other := range outputs[:i] {
			if sameFile(other.Value.String(), out) {
				return fmt.Errorf("%s: --%s and --%s are both %s, want two files", cmd.Name(), other.Name, f.Name, out)
			}
		}
		for _, path := range paths {
			switch in, err := os.Stat(path); {
			case err != nil:
			case in.IsDir() && holds(in, out):
				return fmt.Errorf("%s: --%s would replace %s in %s, which is read: name another file", cmd.Name(), f.Name, out, path)
			case sameFile(path, out):
				return fmt.Errorf("%s: --%s would replace %s, which is read: name another file", cmd.Name(), f.Name, out)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file, which need not be there yet.
// A device is never the same file.
func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return x.Mode().IsRegular() && os.SameFile(x, y)
	}
	if errA == nil || errB == nil || filepath.Base(a) != filepath.Base(b) {
		return false
	}
	x, errA = os.Stat(filepath.Dir(a))
	y, errB = os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// holds reports whether a file is there and lies in a folder.
func holds(folder os.FileInfo, file string) bool {
	real, err := filepath.EvalSymlinks(file)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	info, statErr := os.Stat(real)
	if err != nil || statErr != nil || !info.Mode().IsRegular() {
		return false
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		if is, err := os.Stat(dir); err == nil && os.SameFile(is, folder) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
