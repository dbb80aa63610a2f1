package datasets

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// readFolder reads a set from a folder. With a kind it reads the pairs of
// pairs-KIND only; the rules for the other case are in the comment of Load. It
// passes over the bad rows that skip allows, none if it is nil.
func readFolder(files fs.FS, name, kind string, skip *skipper) (*Set, error) {
	dir := folder{files, name, skip}
	docs, ok := find(dir, "docs.jsonl")
	if !ok {
		return nil, fmt.Errorf("datasets: %s holds no docs.jsonl, docs.jsonl.gz or docs.jsonl.zst", name)
	}
	l, err := readDocs(dir, docs)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: name, Docs: l.docs}
	s.Description, s.Licence = readReadme(dir)
	kinds, err := pairKinds(dir)
	if err != nil {
		return nil, err
	}
	if file, ok := find(dir, "pairs-ignore.tsv"); ok {
		if s.Ignore, err = readPairs(dir, file, l, None, ""); err != nil {
			return nil, err
		}
	}
	clusters, clustered := find(dir, "clusters.tsv")
	plain := slices.Contains(kinds, "")
	split := slices.DeleteFunc(slices.Clone(kinds), func(k string) bool { return splits[k] == None })
	switch {
	case kind != "":
		if !slices.Contains(kinds, kind) {
			return nil, fmt.Errorf("datasets: %s has no pairs of the kind %q, want one of %q", name, kind, kinds)
		}
		err = s.addPairs(dir, l, kind)
		s.Name = name + "/" + kind
	case len(split) > 0:
		err = s.addPairs(dir, l, split...)
	case plain:
		err = s.addPairs(dir, l, "")
	case clustered:
		if s.Clusters, err = readClusters(dir, clusters, l); err == nil {
			s.sample(slices.Contains(kinds, "matches"))
		}
	case len(kinds) > 0:
		err = s.addPairs(dir, l, kinds...)
	default:
		err = fmt.Errorf("datasets: %s holds neither pairs.tsv, pairs-KIND.tsv nor clusters.tsv", name)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// pairKinds returns the sorted KINDs of the files pairs-KIND.tsv of the folder,
// but ignore; the file pairs.tsv has the kind "". Where a file lies beside its
// compressed form, the kind is listed once.
func pairKinds(dir folder) ([]string, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, fmt.Errorf("datasets: list the files of %s: %w", dir.name, err)
	}
	var kinds []string
	for _, e := range entries {
		base, isTSV := strings.CutSuffix(unpacked(e.Name()), ".tsv")
		kind, hasKind := strings.CutPrefix(base, "pairs-")
		switch {
		case !isTSV || e.IsDir() || kind == "ignore":
		case hasKind && kind != "":
			kinds = append(kinds, kind)
		case base == "pairs":
			kinds = append(kinds, "")
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

// addPairs reads the pairs of the kinds and labels them.
func (s *Set) addPairs(dir folder, l *library, kinds ...string) error {
	for _, kind := range kinds {
		base, split, label := "pairs", splits[kind], kind
		if kind != "" {
			base += "-" + kind
		}
		if split != None {
			label = ""
		}
		file, ok := find(dir, base+".tsv")
		if !ok {
			return fmt.Errorf("datasets: %s/%s.tsv is no file", dir.name, base)
		}
		pairs, err := readPairs(dir, file, l, split, label)
		if err != nil {
			return err
		}
		s.Pairs = append(s.Pairs, pairs...)
	}
	s.label(kinds)
	return nil
}
