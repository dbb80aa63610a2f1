package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
)

// ErrNoTruth means that a folder has documents, and nothing says which are alike.
var ErrNoTruth = errors.New("neither pairs.tsv, pairs-KIND.tsv nor clusters.tsv")

// readFolder reads a set from a folder. With a kind it reads the pairs of
// pairs-KIND only. Without one it follows the rules in the comment of Load. It
// skips the bad rows that skip allows, none if skip is nil.
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
		if slices.Contains(kinds, matches) {
			for _, d := range s.Docs {
				s.Sources = append(s.Sources, sourceOf(d.ID))
			}
		}
		if s.Clusters, err = readClusters(dir, clusters, l); err == nil {
			s.sample()
		}
	case len(kinds) > 0:
		err = s.addPairs(dir, l, kinds...)
	default:
		err = fmt.Errorf("datasets: %s holds %w", name, ErrNoTruth)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// matches is the KIND of the pairs of a folder that compares sources.
const matches = "matches"

// sourceOf returns the source that an id names in such a folder.
func sourceOf(id string) string { return strings.TrimRightFunc(id, unicode.IsDigit) }

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
	from := float64(semevalAlike)
	if len(kinds) == 1 {
		from = cmp.Or(alikeFrom[kinds[0]], from)
	}
	s.label(from)
	return nil
}

// readReadme returns the first paragraph of the folder's README.md and its list
// item "licence:", both as single lines; they are empty where there is none. A
// README is for people: nothing in it is an error.
func readReadme(dir fs.FS) (description, licence string) {
	b, err := fs.ReadFile(dir, "README.md")
	if err != nil {
		return "", ""
	}
	var inLicence bool
	var first, item []string
	started, done := false, false
	for line := range strings.Lines(strings.ToValidUTF8(string(b), "\uFFFD")) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
			done = started
			inLicence = false
		case strings.HasPrefix(line, "- "):
			done = true
			var rest string
			if rest, inLicence = strings.CutPrefix(text, "- licence:"); inLicence && item == nil {
				item = append(item, strings.TrimSpace(rest))
			} else {
				inLicence = false
			}
		case inLicence:
			item = append(item, text)
		case !done:
			started = true
			first = append(first, text)
		}
	}
	return strings.Join(first, " "), strings.Join(item, " ")
}

// semevalAlike is the grade from which a pair graded 0 to 5 counts as alike. In
// the scale of the SemEval tasks on textual similarity (Agirre et al., 2012) 4
// means "equivalent, but some unimportant details differ" and 3 that "some
// important information differs or is missing".
const semevalAlike = 4

// alikeFrom lists the ordinal scales on which 0 says "not alike" and every step
// above it is a degree of likeness: levels of disguise (ir-plag) and types of
// clones (bigclonebench).
var alikeFrom = map[string]float64{"level": 1, "type": 1}

// label sets the labels from the grades: the set is graded if one of its grades
// is neither 0 nor 1. The grades of a graded set are alike from a step on.
func (s *Set) label(from float64) {
	for _, p := range s.Pairs {
		s.Graded = s.Graded || (p.Grade != 0 && p.Grade != 1)
	}
	if s.Graded {
		s.AlikeFrom = from
	} else {
		from = 1
	}
	for i := range s.Pairs {
		p := &s.Pairs[i]
		p.Label = 0
		if p.Grade >= from {
			p.Label = 1
		}
	}
}
