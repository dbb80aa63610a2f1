package web_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/alike-go/alike/serve/web"
)

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := fs.ReadFile(web.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What a page loads, and what that loads, is there.
func TestAllThatIsLoadedIsThere(t *testing.T) {
	refers := map[string]*regexp.Regexp{
		".html": regexp.MustCompile(`(?:src|href)="([^"#]+)"`),
		".js":   regexp.MustCompile(`(?:\bfrom|\bimport)\s*\(?\s*"(\./[^"]+)"`),
	}
	seen := map[string]bool{"index.html": true, "licences.txt": true} // the second is a link of the first
	todo := []string{"index.html", "licences.txt"}
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		text := read(t, name)
		if r := refers[path.Ext(name)]; r != nil {
			for _, m := range r.FindAllStringSubmatch(text, -1) {
				if strings.Contains(m[1], ":") || strings.HasPrefix(m[1], "/") {
					t.Errorf("%s loads %s, want an address relative to it", name, m[1])
					continue
				}
				if to := path.Clean(m[1]); !seen[to] {
					seen[to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %d files are loaded", len(seen))
	}
	err := fs.WalkDir(web.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !seen[name] {
			t.Errorf("nothing loads %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The policy of the server forbids scripts and styles in the page itself.
func TestPageHasNoScriptOfItsOwn(t *testing.T) {
	page := read(t, "index.html")
	for _, bad := range []string{`<style`, ` style=`, ` on\w+=`, `<script[^>]*>[^<]`, `javascript:`} {
		if m := regexp.MustCompile(bad).FindString(page); m != "" {
			t.Errorf("index.html has %q", m)
		}
	}
}

// All pages together stay within 300 kB as they are sent.
func TestSize(t *testing.T) {
	var all bytes.Buffer
	err := fs.WalkDir(web.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) == ".txt" {
			return err
		}
		w := gzip.NewWriter(&all)
		if _, err := w.Write([]byte(read(t, name))); err != nil {
			return err
		}
		return w.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", all.Len())
	if all.Len() > 300_000 {
		t.Errorf("the pages take %d bytes, want at most 300000", all.Len())
	}
}
