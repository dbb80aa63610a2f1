package datasets

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// At returns the source with the path of an input, which may have a format in
// front, as in "csv:table.txt".
func (src Source) At(input string) Source {
	src.Path = input
	if format, path, ok := strings.Cut(input, ":"); ok && slices.Contains(Formats(), format) {
		src.Format, src.Path = format, path
	}
	return src
}

// Expand replaces patterns by the paths that match them, in lexical order, each with
// the format of its pattern in front. A path that itself begins with a format gets "./"
// in front. What exists under its own name is no pattern. It is an error if nothing
// matches a pattern, or if two inputs are "-".
func Expand(inputs []string) ([]string, error) {
	var out []string
	stdins := 0
	for _, in := range inputs {
		path := Source{}.At(in).Path
		if path == "-" {
			if stdins++; stdins > 1 {
				return nil, errors.New("standard input is named twice, want at most one -")
			}
		}
		if _, err := os.Stat(path); err == nil || !strings.ContainsAny(path, "*?[") {
			out = append(out, in)
			continue
		}
		paths, err := filepath.Glob(path)
		if err != nil {
			return nil, fmt.Errorf("the pattern %q: %w", path, err)
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("no file matches %q", path)
		}
		for _, p := range paths {
			if in == path && (Source{}).At(p).Path != p {
				p = "./" + p
			}
			out = append(out, strings.TrimSuffix(in, path)+p)
		}
	}
	return out, nil
}
