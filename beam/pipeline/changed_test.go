package pipeline_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
)

// changing is a file system of one file, which after some times that it was opened is another.
type changing struct {
	filesystem.Interface
}

var (
	before, after string
	opens, until  atomic.Int64
)

func init() {
	filesystem.Register("changing", func(context.Context) filesystem.Interface { return changing{} })
}

func (changing) Close() error { return nil }

func (changing) Size(context.Context, string) (int64, error) { return int64(len(before)), nil }

func (changing) OpenRead(context.Context, string) (io.ReadCloser, error) {
	if opens.Add(1) > until.Load() {
		return io.NopCloser(strings.NewReader(after)), nil
	}
	return io.NopCloser(strings.NewReader(before)), nil
}

// A file that changes while it is read is an error, whenever that is.
func TestInputChanges(t *testing.T) {
	row := func(text string) string { return `{"text":"` + text + `"}` + "\n" }
	first := row("a b c d e f") + row("u v w x y z") + row("a b c d e f") + row("a b c d e g") + row("k l m n o p")
	last := strings.LastIndex(first, "{")
	table := func(text string) string {
		var b bytes.Buffer
		w, err := datasets.NewWriter(&b, "parquet")
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"a b c", text, "a b c"} {
			if err := w.Write([]datasets.Field{{Name: "text", Value: text}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, c := range []struct {
		what, ending, first, then string
		annotate                  bool
	}{
		{"a row less", "jsonl", first, first[:last], false},
		{"a row moved", "jsonl", first, first[last:] + first[:last], false},
		{"a text", "jsonl", first, strings.Replace(first, "k l", "k m", 1), true},
		{"a value", "parquet", table("d"), table("e"), false},
		{"columns", "csv", "text,more\na b c,x y z\na b c,d e f\n", "more,text\na b c,x y z\na b c,d e f\n", false},
	} {
		for times := int64(1); ; times++ {
			before, after = c.first, c.then
			opens.Store(0)
			until.Store(times)
			o := words(t, "changing://one."+c.ending)
			o.Out, o.Annotate = filepath.Join(t.TempDir(), "out"), c.annotate
			_, err := pipeline.Run(context.Background(), o)
			if opens.Load() <= times { // the change came too late
				if err != nil || times < 3 {
					t.Errorf("%s: error %v, the file was opened %d times", c.what, err, opens.Load())
				}
				break
			}
			if err == nil && !(c.annotate && times == 1) { // when its columns were looked at
				t.Errorf("%s, from the %d. time on that the file was opened: no error", c.what, times+1)
			}
			if _, gone := os.Stat(o.Out); err != nil && gone == nil {
				t.Errorf("%s: there are outputs all the same", c.what)
			}
		}
	}
}
