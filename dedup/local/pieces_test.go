package local

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
)

// Rows that stand in pieces, as this test puts them there by hand, come back in the order of the pieces: two of one file,
// and one of another.
func TestRestorePieces(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	var pieces []Piece
	add := func(p Piece, content, kept, removed, why string) {
		p.Infix, p.Ending, p.Format = fmt.Sprintf("-%d", len(pieces)), ".jsonl", "jsonl"
		p.Sum = fmt.Sprintf("%x", xxh3.Hash128([]byte(content)).Bytes())
		pieces = append(pieces, p)
		for name, content := range map[string]string{"kept": kept, "removed": removed, "why": why} {
			write(t, filepath.Join(out, name+p.Infix+".jsonl"), []byte(content))
		}
	}
	why := func(source, row int, more string) string {
		return fmt.Sprintf(`{"source":%d,"row":%d%s}`+"\n", source, row, more)
	}
	want := map[string]string{
		"a.jsonl":   "{\"text\":\"1\"}\n{\"text\":\"2\"}\n\n{\"text\":\"3\"}\nno JSON\n{\"text\":\"4\"}",
		"b/c.jsonl": "{\"text\":\"5\"}\n\n\n",
	}
	add(Piece{Name: "a.jsonl", Layout: datasets.Layout{Rows: 2}}, want["a.jsonl"][:26], "{\"text\":\"2\"}\n", "{\"text\":\"1\"}\n", why(0, 0, ""))
	add(Piece{Name: "a.jsonl", First: 2, Layout: datasets.Layout{Rows: 3, Open: true}}, want["a.jsonl"][26:],
		"{\"text\":\"4\"}\n", "\n{\"text\":\"3\"}\n", why(0, 2, "")+why(0, 3, `,"raw":"bm8gSlNPTgo="`))
	add(Piece{Name: "b/c.jsonl", Source: 1, Layout: datasets.Layout{Rows: 1, Tail: []byte("\n\n")}}, want["b/c.jsonl"], "{\"text\":\"5\"}\n", "", "")
	layout, err := PiecesLayout([]Origin{{Path: "a.jsonl", Rows: 5}, {Path: "b", Rows: 1}}, pieces, false)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(out, LayoutFile), layout)
	back := filepath.Join(dir, "back")
	paths, err := Restore(t.Context(), out, back)
	if err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, back); !reflect.DeepEqual(got, want) || len(paths) != 2 {
		t.Errorf("restored %q to %q, want %q", got, paths, want)
	}

	write(t, filepath.Join(out, "kept-1.jsonl"), []byte("{\"text\":\"8\"}\n"))
	if _, err := Restore(t.Context(), out, filepath.Join(dir, "other")); err == nil || !strings.Contains(err.Error(), "have been changed") {
		t.Errorf("error %v, want that a piece was changed", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("left are %v, %v", left, err)
	}
}
