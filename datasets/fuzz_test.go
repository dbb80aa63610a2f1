package datasets

import (
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzReadFolder reads damaged files of every kind: the result is an error of
// this package or a sound set, never a panic.
func FuzzReadFolder(f *testing.F) {
	f.Add([]byte(threeDocs), []byte(pairsHead+"a\tb\t1\nb\tc\t0\n"), []byte(""), []byte("# x\n\ny\n"))
	f.Add([]byte(threeDocs), []byte(""), []byte("id\tcluster\na\tx\nb\tx\n"), []byte("- licence: a\n b"))
	f.Add([]byte(threeDocs), []byte(pairsHead+"a\tb\t4.5\tk\r\n"), []byte(""), []byte("\xff"))
	f.Fuzz(func(t *testing.T, docs, pairs, clusters, readme []byte) {
		dir := fstest.MapFS{"docs.jsonl": {Data: docs}, "README.md": {Data: readme}}
		if len(pairs) > 0 {
			dir["pairs.tsv"] = &fstest.MapFile{Data: pairs}
		}
		if len(clusters) > 0 {
			dir["clusters.tsv"] = &fstest.MapFile{Data: clusters}
		}
		s, err := readFolder(dir, "x", "", nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: ") {
				t.Fatalf("error %q", err)
			}
			return
		}
		for _, p := range append(s.Pairs, s.Ignore...) {
			if p.A < 0 || p.A >= len(s.Docs) || p.B < 0 || p.B >= len(s.Docs) || (p.Label != 0 && p.Label != 1) || !(p.Grade >= 0) {
				t.Fatalf("pair %+v of %d documents", p, len(s.Docs))
			}
		}
		ids := map[string]bool{}
		for _, d := range s.Docs {
			if d.ID == "" || ids[d.ID] {
				t.Fatalf("id %q is empty or repeated", d.ID)
			}
			ids[d.ID] = true
		}
		s.Checksum()
		s.SplitByComponent(1, 0.5)
	})
}

// FuzzDecompress reads damaged compressed files.
func FuzzDecompress(f *testing.F) {
	f.Add(gz(f, threeDocs), true)
	f.Add(zst(f, threeDocs), false)
	f.Fuzz(func(t *testing.T, data []byte, gzipped bool) {
		name := "docs.jsonl.zst"
		if gzipped {
			name = "docs.jsonl.gz"
		}
		lines := 0
		err := eachLine(folder{fstest.MapFS{name: {Data: data}}, "x", nil}, name, func(n int, _ []byte) error {
			if lines++; n != lines {
				t.Fatalf("line %d is called %d", lines, n)
			}
			return nil
		})
		if err != nil && !strings.Contains(err.Error(), "x/"+name) {
			t.Fatalf("the error %q names no file", err)
		}
	})
}
