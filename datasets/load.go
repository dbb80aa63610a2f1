package datasets

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed inside/en inside/zh
var inside embed.FS

// Inside returns the names of the sets that lie inside the binary.
func Inside() []string { return []string{"en", "zh"} }

// EnvShared is the environment variable that names the shared data directory.
const EnvShared = "ALIKE_DATA"

// SharedDir returns the directory of the shared data sets, whose folders Load
// reads by name: that of the environment variable ALIKE_DATA, or else the first
// folder shared/data in the working directory or one of those above it. ok is
// false if there is none.
func SharedDir() (dir string, ok bool) {
	if dir := os.Getenv(EnvShared); dir != "" {
		return dir, isDir(dir)
	}
	at, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		if dir := filepath.Join(at, "shared", "data"); isDir(dir) {
			return dir, true
		}
		up := filepath.Dir(at)
		if up == at {
			return "", false
		}
		at = up
	}
}

// Shared returns the names of the sets in the shared data directory, sorted;
// none if there is no such directory.
func Shared() []string {
	dir, ok := SharedDir()
	if !ok {
		return nil
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		if _, ok := find(os.DirFS(filepath.Join(dir, e.Name())), "docs.jsonl"); ok {
			names = append(names, e.Name())
		}
	}
	return names
}

// Load reads a set: one inside the binary, one of the shared data directory by
// the name of its folder, or the folder of a path, in this order; a path that
// begins with a dot or a slash is a path only. The path of a file is read as
// ReadSet does, and so is FORMAT:PATH with one of Formats: "mrpc:msr/train.tsv",
// "qqp:folder".
//
// Of the folder's pairs it reads the files of splits (pairs-train, -dev, -test),
// or else pairs.tsv, or else it draws pairs from clusters.tsv, or else it reads
// all other files of pairs. A KIND added after a slash reads pairs-KIND.tsv
// alone: "quotes-zh/excerpt", "sts-2012-2016/2014", "lcqmc/dev".
//
// The folder of a deduplication is a set too: the documents that it kept and
// removed, with its clusters.
//
// Labels other than 0 and 1 make a graded set: pairs of grade 4 and more count as
// alike, and those of grade 1 and more in the kinds level and type, whose grades
// are ordinal steps of likeness.
//
// From clusters it takes the pairs within a cluster (at most 1,000 of a cluster
// and 20,000 in all) and twice as many pairs of different clusters, but at least
// 2,000 where there are so many. Half of these are hard, as far as there are
// such: they have more rare words in common than others; the rest is random.
// Half of the clusters are Dev, half are Test, and no pair crosses. The choice is
// the same on every machine. Equal texts of different clusters and the pairs of
// pairs-ignore.tsv are left out. A folder that has pairs-matches.tsv beside its
// clusters compares sources (Set.Sources), told apart by what its ids are without
// their closing digits, and only pairs of two sources are drawn. A Reader of its
// documents gives them that source as the field "source", unless they have one.
func Load(nameOrPath string) (*Set, error) {
	if slices.Contains(Inside(), nameOrPath) {
		dir, err := fs.Sub(inside, "inside/"+nameOrPath)
		if err != nil {
			return nil, fmt.Errorf("datasets: open the set inside: %w", err)
		}
		return readFolder(dir, nameOrPath, "", nil)
	}
	if src, ok := namedSource(nameOrPath); ok {
		return ReadSet(src)
	}
	parent, kind := filepath.Split(nameOrPath)
	parent = strings.TrimRight(filepath.ToSlash(parent), "/")
	if shared, ok := SharedDir(); ok && filepath.IsLocal(nameOrPath) && nameOrPath[0] != '.' {
		if dir := filepath.Join(shared, nameOrPath); holdsSet(dir) {
			return readFolder(os.DirFS(dir), filepath.ToSlash(nameOrPath), "", nil)
		}
		if dir := filepath.Join(shared, parent); parent != "" && holdsSet(dir) {
			return readFolder(os.DirFS(dir), filepath.ToSlash(parent), kind, nil)
		}
	}
	if s, err := readMade(nameOrPath); s != nil || err != nil {
		return s, err
	}
	if isDir(nameOrPath) {
		return readFolder(os.DirFS(nameOrPath), filepath.Base(nameOrPath), "", nil)
	}
	if parent != "" && holdsSet(parent) {
		return readFolder(os.DirFS(parent), filepath.Base(parent), kind, nil)
	}
	known := append(Inside(), Shared()...)
	return nil, fmt.Errorf("datasets: %q is neither a folder nor one of %s", nameOrPath, strings.Join(known, ", "))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// holdsSet reports whether the path is a folder with documents.
func holdsSet(path string) bool {
	_, ok := find(os.DirFS(path), "docs.jsonl")
	return ok
}
