package local

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
