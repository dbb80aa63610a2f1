package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// File is one file of a source.
type File struct {
	Path string // to open, "-" for the standard input
	Name string // as errors and records call it
	ID   string // of the document, if the whole file is one: the path within a folder

	sources bool // ids name the sources of the documents; see Load
}

// Files lists the files of a source of documents in the order of their names, as
// Open reads them, for programs that read the files one by one. The format is
// empty if the content of each file decides.
func (src Source) Files() (files []File, format string, err error) {
	files, err = src.inputs(false)
	if format = src.Format; format == "folder" {
		format = "jsonl"
	}
	return files, format, err
}

// inputs lists the files of a source in the order of their names, and settles
// the format where it depends on all of them.
func (src *Source) inputs(pairs bool) ([]File, error) {
	if src.Path == "-" {
		return []File{{Path: "-", Name: cmp.Or(src.Name, "-"), ID: "-"}}, nil
	}
	info, err := os.Stat(src.Path)
	if err != nil {
		return nil, fmt.Errorf("datasets: open %s: %w", src.Path, withoutPath(err))
	}
	if !info.IsDir() {
		return []File{{Path: src.Path, Name: cmp.Or(src.Name, src.Path), ID: filepath.Base(src.Path)}}, nil
	}
	if docs, ok := find(os.DirFS(src.Path), "docs.jsonl"); ok && !pairs && (src.Format == "" || src.Format == "folder") {
		src.Format = "folder"
		_, sources := find(os.DirFS(src.Path), "pairs-"+matches+".tsv")
		return []File{{Path: filepath.Join(src.Path, docs), Name: path.Join(filepath.ToSlash(src.Path), docs), ID: docs, sources: sources}}, nil
	}
	kept, _, err := src.made()
	if err != nil {
		return nil, err
	}
	var list []File
	if !pairs && len(kept) > 0 {
		*src = kept[0]
	}
	if pairs || len(kept) == 0 || src.Format == "text" {
		list, err = src.list()
	} else {
		for _, k := range kept {
			list = append(list, File{Path: k.Path, Name: filepath.ToSlash(k.Path), ID: filepath.Base(k.Path)})
		}
	}
	if err != nil {
		return nil, err
	}
	if pairs {
		list = splitFiles(list)
	} else if src.Format == "" {
		src.Format = commonFormat(list)
	}
	if src.Format != "text" && !pairs {
		list = slices.DeleteFunc(list, func(in File) bool { return FileFormat(in.ID) == "" && !textLike(in.ID) })
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("datasets: the folder %s holds no file to read", src.Path)
	}
	return list, nil
}

// list returns all files under the folder but hidden ones and links that lead
// nowhere, sorted. Names need not be UTF-8.
func (src *Source) list() ([]File, error) {
	var list []File
	root := src.Path + string(filepath.Separator) // the folder, where the path is a link to it
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != root && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.Type()&fs.ModeSymlink != 0:
			info, err := os.Stat(p)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !info.Mode().IsRegular() {
				return err
			}
			fallthrough
		case d.Type().IsRegular():
			id, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			id = filepath.ToSlash(id)
			list = append(list, File{Path: filepath.Join(root, id), Name: path.Join(filepath.ToSlash(src.Path), id), ID: id})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("datasets: list the files of %s: %w", src.Path, err)
	}
	// The order of the walk is not that of the paths: a folder a comes before the
	// file a.txt.
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

// commonFormat returns the format that the names of all files tell, or text.
func commonFormat(list []File) string {
	format := ""
	for _, in := range list {
		f := FileFormat(in.ID)
		if f == "" || format != "" && f != format {
			return "text"
		}
		format = f
	}
	return format
}

func textLike(name string) bool { return extension(name) == ".txt" }

// splitNames are the words in the name of a file that state a split.
var splitNames = map[string]Split{"train": Train, "training": Train, "dev": Dev, "val": Dev, "valid": Dev, "validation": Dev, "test": Test}

// splitOf returns the split that the name of a file states, or None.
func splitOf(name string) Split {
	for word := range strings.FieldsFuncSeq(strings.ToLower(path.Base(filepath.ToSlash(name))), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if s := splitNames[word]; s != None {
			return s
		}
	}
	return None
}

// splitFiles keeps the files of pairs: those whose names state a split, or, if
// there is none, those whose names tell a format. Other files are licences and
// the like.
func splitFiles(list []File) []File {
	table := func(in File) bool { return FileFormat(in.ID) != "" || textLike(in.ID) }
	keep := func(in File) bool { return table(in) && splitOf(in.ID) != None }
	if !slices.ContainsFunc(list, keep) {
		keep = table
	}
	return slices.DeleteFunc(list, func(in File) bool { return !keep(in) })
}
