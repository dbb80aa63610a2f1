package plant

import (
	"path/filepath"
	"testing"

	"github.com/alike-go/alike/datasets"
)

func TestSmoke(t *testing.T) {
	text, o := Yardstick(1)
	m, err := NewMaker(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "set")
	st, err := Write(dir, p.Plant(m.Docs(0, 2100)), WriteOptions{Compress: "zst"})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", st)
	s, err := datasets.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s2, err := datasets.Load(dir + "/planted")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(len(s.Docs), len(s.Pairs), len(s2.Pairs), s.Description)
}
