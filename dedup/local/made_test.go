package local

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
)

// Numbers of lines count blank lines too.
func TestRemovalsNumberLines(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, reportFile), []byte(`{"sources":[{"path":"a","rows":2}]}`))
	const good = `{"source":0,"row":1}` + "\n"
	bad := errors.New("bad")
	for _, c := range []struct {
		why  string
		want []int
		err  string // the line that it names
	}{
		{"", nil, ""},
		{"\n" + good + "\n\n" + good, []int{2, 5}, ""},
		{good + good[:len(good)-1], []int{1, 2}, ""}, // no line feed at the end
		{good + "\n{\n", []int{1}, ":3:"},
		{"\n" + good + `{"source":7}`, []int{2}, ":3:"},
		{"\n\n" + good + good + good, []int{3, 4}, ":4:"}, // the second is refused
	} {
		write(t, filepath.Join(dir, whyFile), []byte(c.why))
		m, err := OpenMade(dir)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		err = m.Removals(func(line, row int, _ *Removal) error {
			if got = append(got, line); line == 4 {
				return bad
			}
			return nil
		})
		if !slices.Equal(got, c.want) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), whyFile+c.err) {
			t.Errorf("%q: lines %v, error %v, want lines %v and an error of %q", c.why, got, err, c.want, c.err)
		}
	}
}

// The texts of a removal are found by its place, whatever the order of removals, and
// those beyond a limit are not there.
func TestTextsStandAtTheirPlaces(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, reportFile), []byte(`{"sources":[{"path":"a","rows":2},{"path":"b","rows":4}]}`))
	// Of the rows a1, a2, b1, b2, b3, b4 go b4, a1, b1 (which is no document) and b2.
	write(t, filepath.Join(dir, "kept.jsonl"), []byte(`{"id":"a2","text":"A 2"}`+"\n"+`{"id":"b3","text":"B 3"}`+"\n"))
	write(t, filepath.Join(dir, "removed.jsonl"), []byte(`{"id":"b4","text":"b 4"}`+"\n"+`{"id":"a1","text":"a 1"}`+"\n"+`{"id":"b2","text":"b 2"}`+"\n"))
	write(t, filepath.Join(dir, whyFile), []byte(`{"source":1,"row":3,"reason":"alike","kept":{"source":1,"row":2}}
{"source":0,"row":0,"reason":"equal","kept":{"source":0,"row":1}}
{"source":1,"row":0,"reason":"unreadable"}
{"source":1,"row":1,"reason":"alike","kept":{"source":0,"row":0,"against":true}}
`))
	m, err := OpenMade(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		documents, bytes int
		want             string
	}{
		{9, 999, "b 4 B 3, a 1 A 2,  , b 2 , "},
		{1, 999, "b 4 ,  A 2,  ,  , "},
		{9, 4, "b 4 B 3, a 1 A 2,  ,  , "},
	} {
		texts, err := m.Texts(datasets.Source{}, c.documents, c.bytes)
		if err != nil {
			t.Fatal(err)
		}
		var places []TextPlace
		if err := texts.Removals(func(_, _ int, _ *Removal, p TextPlace) error { places = append(places, p); return nil }); err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range places {
			removed, _ := texts.RemovedAt(p)
			kept, _ := texts.KeptAt(p)
			got += removed.Text + " " + kept.Text + ", "
		}
		if got != c.want {
			t.Errorf("%d documents, %d bytes: %q, want %q", c.documents, c.bytes, got, c.want)
		}
	}
}
