package catalog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
)

func TestWithFit(t *testing.T) {
	cosine, err := catalog.Parse("cosine")
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := cosine.Fit(slices.Values([]string{"the cat sat", "the dog ran"}))
	if err != nil {
		t.Fatal(err)
	}
	var fit bytes.Buffer
	if err := fitted.WriteFit(&fit); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fit")
	if err := os.WriteFile(file, fit.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		specs, want string
		named       bool
		file, err   string
	}{
		{"cosine", fitted.String(), true, file, ""},
		{"shingle cosine", "shingle " + fitted.String(), true, file, ""},
		{"cosine cosine:width=2", fitted.String() + " cosine:fit=none,width=2", false, file, ""},
		{"cosine cosine:width=2", "", true, file, "other settings"},
		{"cosine:width=2", "", false, file, "other settings"},
		{"shingle", "", false, file, "none of the methods learns"},
		{"cosine", "", true, file + "x", "no such file"},
	} {
		methods, err := catalog.ParseAll(strings.Fields(c.specs), "")
		if err != nil {
			t.Fatal(err)
		}
		methods, err = catalog.WithFit(methods, c.file, c.named)
		var got []string
		for _, m := range methods {
			got = append(got, m.String())
		}
		if strings.Join(got, " ") != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v, want %q, %q", c.specs, got, err, c.want, c.err)
		}
	}
}
