package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// The limit of documents in TestMemory, and the memory that a reader may take
// with it: four documents for the row, the copies that parsing makes, a page of
// Parquet or a window of zstd, and as much again that is not collected yet.
const (
	memoryDocument = 4 << 20
	memoryBound    = 192 << 20
)

// endless is a stream that is generated: a beginning, a block over and over,
// and an end.
type endless struct {
	head, block, tail string
	size              int64 // of the blocks
	at                int   // in the block
}

func (e *endless) Read(p []byte) (int, error) {
	switch {
	case e.head != "":
		n := copy(p, e.head)
		e.head = e.head[n:]
		return n, nil
	case e.size > 0:
		n := copy(p[:min(int64(len(p)), e.size)], e.block[e.at:])
		e.size -= int64(n)
		e.at = (e.at + n) % len(e.block)
		return n, nil
	case e.tail != "":
		n := copy(p, e.tail)
		e.tail = e.tail[n:]
		return n, nil
	}
	return 0, io.EOF
}

// hostile are streams that fill the memory of a reader that trusts them.
var hostile = []struct {
	name, format      string
	head, block, tail string
	pack              string
	wrong             string // the error of both readers, or "" for none
	raw               string // the error of RawReader where it is another one
	rows              int    // of Reader, where there is no error and they are not many
	html              bool
	size              int64 // where it is not that of all
}{
	{name: "blank lines", format: "lines", block: "\n", tail: "end", raw: "-:16777217: more than 16777216 bytes of empty lines before a row", rows: 1},
	{name: "blank lines with carriage returns", format: "lines", head: "a\n", block: "\r\n", raw: "bytes of empty lines", rows: 1},
	{name: "an endless line", format: "lines", head: "a\n", block: "a", wrong: "-:2: document of"},
	{name: "byte order marks", format: "lines", block: "\ufeff", wrong: "-:1: document of"},
	{name: "NULs", format: "lines", block: "\x00", wrong: "-:1: document of"},
	{name: "comments", format: "lines", block: "# Nothing but a remark, and one as long as any other.\n"},
	{name: "blank lines", format: "jsonl", block: " \t\n", tail: `{"text":"a"}`, raw: "bytes of empty lines", rows: 1},
	{name: "an endless string", format: "jsonl", head: `{"text":"`, block: "a", wrong: "-:1: document of"},
	{name: "nested arrays", format: "jsonl", head: `{"text":"a"}` + "\n" + `{"text":`, block: "[", wrong: "-:2: document of"},
	{name: "members", format: "jsonl", head: `{"text":"a"`, block: `,"":0`, wrong: "-:1: document of"},
	{name: "NULs", format: "jsonl", block: "\x00", wrong: "-:1: document of"},
	{name: "blank lines", format: "csv", head: "id,text\n1,a\n", block: "\r\n", raw: "-:8388611: more than 16777216 bytes of empty lines before a row", rows: 1},
	{name: "an endless field", format: "csv", head: "id,text\n1,", block: "a", wrong: "-:2: document of more than"},
	{name: "an endless field in quotes", format: "csv", head: "id,text\n1,\"", block: "a\n", wrong: "document of more than"},
	{name: "quotes", format: "csv", head: "id,text\n1,", block: `""`, wrong: "document of more than"},
	{name: "commas", format: "csv", head: "id,text\n1,", block: ",", wrong: "more than 1048576 of ',' in a row"},
	{name: "an endless header", format: "csv", block: "a,", wrong: "more than 1048576 of ',' in a row"},
	{name: "comments", format: "csv", head: "text\n", block: "# Nothing but a remark and one as long as any other.\n"},
	{name: "blank lines", format: "tsv", head: "id\ttext\n", block: "\n", tail: "1\ta\n", raw: "bytes of empty lines", rows: 1},
	{name: "tabs", format: "tsv", head: "id\ttext\n1\t", block: "\t", wrong: "-:2: document of"},
	{name: "an endless header", format: "tsv", block: "a\t", wrong: "document of"},
	{name: "quotes", format: "tsv", head: "id\t\"text\"\n1\t", block: `""`, wrong: "document of more than"},
	{name: "a file", format: "text", block: "a\n", wrong: "document of"},
	{name: "NULs", format: "text", block: "\x00", wrong: "document of"},
	{name: "blank lines", format: "", block: "\n", wrong: "", raw: "bytes of empty lines"},
	{name: "blank lines", format: "lines", pack: "gz", block: "\n", raw: "bytes of empty lines"},
	{name: "zeros", format: "lines", pack: "gz", block: "\x00", wrong: "-:1: document of"},
	{name: "zeros", format: "jsonl", pack: "zst", block: "\x00", wrong: "-:1: document of"},
	{name: "zeros", format: "csv", pack: "zst", head: "text\n", block: "0", wrong: "document of more than"},
	{name: "tags", format: "text", html: true, block: "<p>a", size: memoryDocument},
	{name: "zeros", format: "parquet", pack: "zst", block: "0", wrong: "no sound Parquet file"},
}

// memorySize is how much each stream of TestMemory holds.
func memorySize() int64 {
	switch {
	case os.Getenv("ALIKE_LONG") == "1":
		return 10 << 30
	case testing.Short() || raceDetector:
		return 32 << 20
	}
	return 256 << 20
}

// hostileSource returns a source that reads one of them.
func hostileSource(t testing.TB, i int, size int64) Source {
	h := hostile[i]
	if h.size > 0 {
		size = h.size
	}
	e := &endless{head: h.head, block: strings.Repeat(h.block, 1<<16), tail: h.tail, size: size / int64(len(h.block)) * int64(len(h.block))}
	src := Source{Path: "-", Format: h.format, Input: e, HTML: h.html, MaxDocument: memoryDocument}
	if h.pack != "" { // packed members one behind the other are one file
		n := min(size, 16<<20)
		pack := func(text string) string { return string(gz(t, text)) }
		if h.pack == "zst" {
			pack = func(text string) string { return string(zst(t, text)) }
		}
		member := pack(strings.Repeat(h.block, int(n)))
		e.head, e.block, e.size = "", member, size/n*int64(len(member))
		if h.head != "" {
			e.head = pack(h.head)
		}
	}
	return src
}

// peak returns the maximum memory that the process takes while f runs, less
// what it took before. Garbage is collected early: what counts is what f holds,
// and not how late a busy machine comes to collect.
func peak(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	now := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
	}
	debug.FreeOSMemory()
	before := now()
	stop, most := make(chan bool), make(chan int64)
	go func() {
		var n int64
		for {
			select {
			case <-stop:
				most <- max(n, now())
				return
			case <-time.After(time.Millisecond):
				n = max(n, now())
			}
		}
	}()
	f()
	close(stop)
	return <-most - before
}

// countRows reads a source to its end by one of the two readers.
func countRows(src Source, raw bool) (rows int, err error) {
	if !raw {
		r, err := Open(src)
		if err != nil {
			return 0, err
		}
		defer r.Close()
		for ; err == nil; rows++ {
			_, err = r.Next()
		}
		return rows - 1, ignoreEOF(err)
	}
	r, err := OpenRaw(src)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var p Parser
	for ; err == nil; rows++ {
		var row RawRow
		if row, err = r.Next(); err == nil {
			_, err = p.Row(row)
		}
	}
	return rows - 1, ignoreEOF(err)
}

func ignoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func wrongError(err error, want string) bool {
	if want == "" {
		return err != nil
	}
	return err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "datasets: ")
}

// A reader takes no more memory than its limits say, whatever comes.
func TestMemory(t *testing.T) {
	size := memorySize()
	for i, h := range hostile {
		for _, raw := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s%s/%s/raw=%t", h.format, h.pack, h.name, raw), func(t *testing.T) {
				src := hostileSource(t, i, size)
				want := h.wrong
				if raw && h.raw != "" {
					want = h.raw
				}
				var rows int
				var err error
				n := peak(func() { rows, err = countRows(src, raw) })
				if n > memoryBound {
					t.Errorf("%d MiB of memory, want at most %d", n>>20, memoryBound>>20)
				}
				if wrongError(err, want) || err == nil && h.rows > 0 && rows != h.rows {
					t.Errorf("%d rows, error %v, want %q", rows, err, want)
				}
				t.Logf("%d MiB, %d rows, %v", n>>20, rows, err)
			})
		}
	}
}

// Parquet files have their rows in pages, which are held whole.
func TestMemoryParquet(t *testing.T) {
	type row struct {
		Text string  `parquet:"text,zstd"`
		N    []int64 `parquet:"n,zstd"`
	}
	big := strings.Repeat("a", 8<<20)
	tests := []struct {
		name  string
		pages int // bytes up to which the writer fills one
		rows  func(i int) (row, bool)
		wrong string
	}{
		{"a row group", 1 << 20, func(i int) (row, bool) { return row{Text: big[:1<<16]}, i < 2000 }, ""},
		{"a document", 1 << 20, func(i int) (row, bool) { return row{Text: big}, i < 1 },
			fmt.Sprintf("x.parquet:1: document of %d bytes, want at most 4194304", len(big)+2*8)},
		{"a page", 128 << 20, func(i int) (row, bool) { return row{Text: big[:1<<16]}, i < 1100 }, `x.parquet: after row 0: column "text" has a page of`},
		{"a huge text", 1 << 20, func(i int) (row, bool) { return row{Text: strings.Repeat(big, 5)}, i < 1 }, "x.parquet: the directory of the Parquet file has"},
		{"a list", 128 << 20, func(i int) (row, bool) { return row{Text: "a", N: make([]int64, 12<<20)}, i < 1 }, `x.parquet: after row 0: column "n`},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "x.parquet")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w := parquet.NewGenericWriter[row](f, parquet.PageBufferSize(test.pages))
		for i := 0; ; i++ {
			r, ok := test.rows(i)
			if !ok {
				break
			}
			if _, err := w.Write([]row{r}); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		w = nil
		for _, raw := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/raw=%t", test.name, raw), func(t *testing.T) {
				var err error
				n := peak(func() { _, err = countRows(Source{Path: path, MaxDocument: memoryDocument}, raw) })
				if n > memoryBound {
					t.Errorf("%d MiB of memory, want at most %d", n>>20, memoryBound>>20)
				}
				if wrongError(err, test.wrong) {
					t.Errorf("error %v, want %q", err, test.wrong)
				}
				t.Logf("%d MiB, %v", n>>20, err)
			})
		}
	}
}

// A window of zstd is held whole, so one that is too large is an error.
func TestMemoryWindow(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(128<<20))
	if err == nil {
		_, err = w.Write(bytes.Repeat([]byte("a line\n"), 1<<20))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	src := Source{Path: "-", Format: "lines", Input: bytes.NewReader(b.Bytes()), MaxDocument: memoryDocument}
	if _, err := countRows(src, false); wrongError(err, "window size exceeded") {
		t.Errorf("error %v, want that the window is too large", err)
	}
	src.Input, src.MaxDocument = bytes.NewReader(b.Bytes()), 0
	if n, err := countRows(src, false); n != 1<<20 || err != nil {
		t.Errorf("%d rows, error %v with the default limit", n, err)
	}
}

// cancelling is a stream without end that cancels its context and counts what
// is read from it afterwards.
type cancelling struct {
	io.Reader
	left   int64
	cancel context.CancelCauseFunc
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.left -= int64(n); c.left <= 0 {
		c.cancel(errStop)
	}
	return n, err
}

var errStop = errors.New("stop")

// A reader whose context is done ends within a million bytes, wherever it is.
func TestReadersCancel(t *testing.T) {
	for i, h := range hostile {
		if h.pack != "" || h.size > 0 || strings.HasPrefix(h.wrong, "more than") {
			continue // what is read of packed files says nothing of what comes out; the others end sooner
		}
		for _, raw := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(context.Background())
			src := hostileSource(t, i, 1<<40)
			c := &cancelling{Reader: src.Input, left: 3 << 20, cancel: cancel}
			src.Input, src.Context = c, ctx
			_, err := countRows(src, raw)
			if !errors.Is(err, errStop) || strings.Contains(err.Error(), "damaged") {
				t.Errorf("%s/%s/raw=%t: error %v, want that of the context", h.format, h.name, raw, err)
			}
			if c.left < -sniffed {
				t.Errorf("%s/%s/raw=%t: %d bytes read after the end", h.format, h.name, raw, -c.left)
			}
		}
	}
}
