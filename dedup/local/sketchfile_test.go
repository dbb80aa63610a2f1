package local

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// version1 are the documents of testdata/version1.sketches, which the code of
// version 1 wrote: the first two in a part and the third in another.
var version1 = []datasets.Doc{
	{ID: "a", Text: "we all scream for ice cream"},
	{ID: "", Text: "..."},
	{ID: "文", Text: "the cat sat on the mat"},
}

// A file of version 1 can still be read. A run against it removes the same
// documents as a run against the texts. An update writes the current version.
func TestSketchFileVersion1(t *testing.T) {
	dir := t.TempDir()
	b, err := os.ReadFile(filepath.Join("testdata", "version1.sketches"))
	if err != nil {
		t.Fatal(err)
	}
	corpus := write(t, filepath.Join(dir, "corpus"), b)
	var want []string
	var old strings.Builder
	for _, d := range version1 {
		want = append(want, fmt.Sprintf("%s %x %d", d.ID, dedup.HashText(d.Text), len(d.Text)))
		fmt.Fprintf(&old, "{\"id\":%q,\"text\":%q}\n", d.ID, d.Text)
	}
	if got := documents(t, corpus); !slices.Equal(got, want) {
		t.Errorf("documents %q, want %q", got, want)
	}
	o := Options{Method: fingerprints(t), Threshold: .8, Update: true, Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "new.jsonl"),
		[]byte("{\"id\":\"n1\",\"text\":\"the cat sat on the mat\"}\n{\"id\":\"n2\",\"text\":\"the dog sat on the log\"}\n"))}}}
	var kept []string
	for name, path := range map[string]string{"sketches": corpus, "texts": write(t, filepath.Join(dir, "old.jsonl"), []byte(old.String()))} {
		o.Against, o.Out = []datasets.Source{{Path: path}}, filepath.Join(dir, name)
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, strings.Join(lines(t, filepath.Join(o.Out, "kept.jsonl")), "\n"))
	}
	if kept[0] != kept[1] || strings.Contains(kept[0], "n1") || !strings.Contains(kept[0], "n2") {
		t.Errorf("kept %q, want n2 alone", kept)
	}
	s, err := openSketches(corpus)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	want = append(want, fmt.Sprintf("n2 %x %d", dedup.HashText("the dog sat on the log"), 22))
	if got := documents(t, corpus); s.head.Version != sketchVersion || !slices.Equal(got, want) {
		t.Errorf("after the update version %d of %q, want %d of %q", s.head.Version, got, sketchVersion, want)
	}
}

// A part is encoded as the comment on sketchMagic says, and can be decoded
// again.
func TestSketchPart(t *testing.T) {
	long := strings.Repeat("x", 200)
	p := &sketchPart{IDs: []string{"", long}, Hashes: []byte(strings.Repeat("h", 16) + strings.Repeat("i", 16)), Lengths: []int{0, 300}, Sketches: []byte("saved")}
	// 200 is 0xc8 0x01 as a varint, and 300 is 0xac 0x02.
	want := "\x02" + "\x00" + "\xc8\x01" + long + strings.Repeat("h", 16) + strings.Repeat("i", 16) + "\x00" + "\xac\x02" + "saved"
	b := p.append(nil)
	if string(b) != want {
		t.Fatalf("%q, want %q", b, want)
	}
	got, err := parseSketchPart(b)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("%+v, %v, want %+v", got, err, p)
	}
	for cut := range len(b) - len("saved") {
		if got, err := parseSketchPart(b[:cut]); err == nil {
			t.Errorf("cut at %d: %+v, want an error", cut, got)
		}
	}
}

// Any bytes give an error or a part with all its columns.
func FuzzSketchPart(f *testing.F) {
	p := &sketchPart{IDs: []string{"", "x"}, Hashes: make([]byte, 32), Lengths: []int{0, 300}, Sketches: []byte("saved")}
	f.Add(p.append(nil))
	f.Add([]byte("\x00"))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parseSketchPart(data)
		if err != nil {
			return
		}
		again, err := parseSketchPart(p.append(nil))
		if err != nil || !reflect.DeepEqual(again, p) {
			t.Fatalf("%+v, %v, want %+v", again, err, p)
		}
	})
}
