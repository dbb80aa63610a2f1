package serve

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// The file of a name lies in the folder and tells the name, so that no two names share one.
func FuzzLabelFile(f *testing.F) {
	for _, name := range []string{"en", "docs.jsonl", "a b", "a_b", "a:b", "a%20b", "a+b", "中文", "a\xff", "a\ufffd", "..", ".hidden", "", "a/../b", "a\\b", "a\x00"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		l := labels{dir: filepath.FromSlash("folder/labels")}
		file := l.file(name)
		base := filepath.Base(file)
		if filepath.Dir(file) != l.dir || strings.HasPrefix(base, ".") && name != "" {
			t.Errorf("%q: file %q", name, file)
		}
		if strings.ContainsAny(base, "/\\:*?\"<>| \x00") {
			t.Errorf("%q: file %q, which some file system refuses", name, base)
		}
		if got, err := url.PathUnescape(strings.TrimSuffix(base, ".tsv")); err != nil || got != name {
			t.Errorf("%q: file %q tells %q, %v", name, base, got, err)
		}
	})
}
