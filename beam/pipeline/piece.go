package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
)

// piece is what a worker reads at a time: a range of a file whose rows are lines,
// a whole file of another format, or some files with one document each.
type piece struct {
	Source int // that it belongs to
	Part   int // which of the source, in input order
	Format string
	Files  []pieceFile
	From   int64 // in the one file
	To     int64 // 0 for its end
	Many   bool  // the source has several files
	Index  int   // which of all pieces
	Of     int   // how many there are
}

// pieceFile is a file of a source.
type pieceFile struct {
	Path string // to open: a path, or what a file system of Beam knows, such as gs://bucket/name
	Name string // as the outputs and errors call it
	ID   string // of documents that state none, without their lines
	Goes string // where a text goes in the folders of kept and removed ones, and where Restore puts the file
}

// MarshalJSON keeps the bytes of names. Strings in JSON must be UTF-8, names need
// not be.
func (f pieceFile) MarshalJSON() ([]byte, error) {
	return json.Marshal([4][]byte{[]byte(f.Path), []byte(f.Name), []byte(f.ID), []byte(f.Goes)})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *pieceFile) UnmarshalJSON(b []byte) error {
	var names [4][]byte
	err := json.Unmarshal(b, &names)
	*f = pieceFile{string(names[0]), string(names[1]), string(names[2]), string(names[3])}
	return err
}

// The number of a row is the number of its piece in the source and its number in
// the piece. So rows are in input order before the sizes of pieces are known.
const (
	partBits = 14
	rowBits  = 26
)

// defaultPieceBytes is the size of a piece of a file that can be cut. Pieces are
// larger if the file would make more than a source can have.
const defaultPieceBytes = 64 << 20

// pieceFiles is the maximum number of files in a piece of one document each.
const pieceFiles = 1000

// ref returns the reference of a row until the outputs are written.
func (p *piece) ref(row int) (dedup.Ref, error) {
	if row >= 1<<rowBits {
		return dedup.Ref{}, fmt.Errorf("beam: %s: more than 2²⁶ rows in one piece: cut the file", p.Files[0].Name)
	}
	return dedup.Ref{Source: p.Source, Row: p.Part<<rowBits | row}, nil
}

// place takes a reference apart.
func place(r dedup.Ref) (part, row int) { return r.Row >> rowBits, r.Row & (1<<rowBits - 1) }

// key names a piece. Keys are in input order.
func (p *piece) key() []byte { return pieceKey(p.Source, p.Part) }

// pieceKeyLen is the length of such a key.
const pieceKeyLen = 6

func pieceKey(source, part int) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32(nil, uint32(source)), uint16(part))
}

// pieceOf returns the key of the piece that a document stands in.
func pieceOf(r dedup.Rank) []byte {
	ref := r.Ref()
	part, _ := place(ref)
	return pieceKey(ref.Source, part)
}

// pieceNumber returns the number of the piece that a document stands in.
func pieceNumber(r dedup.Rank) uint64 { return r.Number() >> rowBits }

// pieceOfNumber returns the key of the piece of a number.
func pieceOfNumber(n uint64) []byte { return pieceKey(int(n>>partBits), int(n&(1<<partBits-1))) }

// rowOf returns the number of a document in its piece.
func rowOf(r dedup.Rank) int {
	_, row := place(r.Ref())
	return row
}

// remote reports whether a path belongs to one of Beam's file systems.
func remote(path string) bool { return strings.Contains(path, "://") }

// pieces cuts the sources, old ones first, each piece of about so many bytes.
func pieces(old, fresh []datasets.Source, bytes int64) ([]piece, error) {
	var out []piece
	sources := slices.Concat(old, fresh)
	for i := range sources {
		of, err := cut(i, &sources[i], bytes)
		if err != nil {
			return nil, err
		}
		if len(of) > 1<<partBits {
			return nil, fmt.Errorf("beam: %s makes %d pieces, want at most %d: name its files as several inputs", sources[i].Path, len(of), 1<<partBits)
		}
		for p := range of {
			of[p].Part = p
		}
		out = append(out, of...)
	}
	goes := local.FileNames(fresh) // old texts go nowhere
	for i := range out {
		p := &out[i]
		if p.Index, p.Of = i, len(out); p.Source < len(old) {
			continue
		}
		for f := range p.Files {
			p.Files[f].Goes = goes(p.Files[f].Name)
		}
	}
	return out, nil
}

// shard returns the name of the output of the piece.
func (p *piece) shard(name, ending string) string { return name + p.infix() + ending }

func (p *piece) infix() string { return fmt.Sprintf("-%05d-of-%05d", p.Index, p.Of) }

// cut cuts one source.
func cut(source int, src *datasets.Source, bytes int64) ([]piece, error) {
	if src.Path == "-" {
		return nil, errors.New("beam: the standard input cannot be read by several workers: want files")
	}
	if src.Encoding != "" {
		return nil, fmt.Errorf("beam: %s is in %s, and files are cut as bytes: want it in UTF-8", src.Path, src.Encoding)
	}
	if remote(src.Path) {
		format := cmp.Or(src.Format, datasets.FileFormat(src.Path))
		if format == "" {
			return nil, fmt.Errorf("beam: %s: the name tells no format: put one before it, as in jsonl:%s", src.Path, src.Path)
		}
		f := pieceFile{Path: src.Path, Name: src.Path, ID: path.Base(src.Path)}
		if src.PathIDs {
			f.ID = f.Name
		}
		return []piece{{Source: source, Format: format, Files: []pieceFile{f}}}, nil
	}
	list, format, err := src.Files()
	if err != nil {
		return nil, err
	}
	files, many := make([]pieceFile, len(list)), len(list) > 1
	for i, f := range list {
		files[i] = pieceFile{Path: f.Path, Name: f.Name, ID: f.ID}
		if src.PathIDs {
			files[i].ID = f.Name
		}
	}
	var out []piece
	if format == "text" {
		for some := range slices.Chunk(files, pieceFiles) {
			out = append(out, piece{Source: source, Format: format, Files: some, Many: many})
		}
		return out, nil
	}
	for _, f := range files {
		cuts, err := cutFile(f, src, format, bytes)
		if err != nil {
			return nil, err
		}
		for _, p := range cuts {
			p.Source, p.Many = source, many
			out = append(out, p)
		}
	}
	return out, nil
}

// cutFile cuts a file at line ends where its rows are lines and it is not compressed.
func cutFile(f pieceFile, src *datasets.Source, format string, size int64) ([]piece, error) {
	like := *src
	like.Path, like.Format = f.Path, format
	r, err := datasets.OpenRaw(like)
	if err != nil {
		return nil, err
	}
	l := *r.Layout()
	if err := r.Close(); err != nil {
		return nil, err
	}
	whole := []piece{{Format: l.Format, Files: []pieceFile{f}}}
	if l.Pack != "" || l.Format != "jsonl" && l.Format != "lines" {
		return whole, nil
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	size = max(size, info.Size()/(1<<(partBits-1)))
	var out []piece
	for from := int64(0); from < info.Size(); {
		to, err := lineEnd(file, max(from+size, 3), info.Size()) // a mark of the byte order is of no row
		for err == nil && to < info.Size() && begins(file, to) {
			to, err = lineEnd(file, to, info.Size())
		}
		if err != nil {
			return nil, fmt.Errorf("beam: %s: %w", f.Name, err)
		}
		out = append(out, piece{Format: l.Format, Files: []pieceFile{f}, From: from, To: to})
		from = to
	}
	if len(out) == 0 {
		return whole, nil
	}
	return out, nil
}

// begins reports whether the bytes at an offset mean something else at the start
// of a file: a byte order mark, or the first bytes of a compressed file. Files
// that were concatenated have such marks in the middle.
func begins(f io.ReaderAt, at int64) bool {
	var b [4]byte
	n, _ := f.ReadAt(b[:], at)
	return slices.ContainsFunc([]string{"\xef\xbb\xbf", "\x1f\x8b", "\x28\xb5\x2f\xfd"}, func(mark string) bool { return strings.HasPrefix(string(b[:n]), mark) }) ||
		b[0]&0xf0 == 0x50 && string(b[1:]) == "\x2a\x4d\x18" // a frame of zstd to be skipped
}

// lineEnd returns the offset behind the first line from an offset on that is not
// blank, or the size. Empty lines go with the row behind them, as in a file that
// is not cut.
func lineEnd(f io.ReaderAt, from, size int64) (int64, error) {
	buf := make([]byte, 1<<16)
	row := false
	for from < size {
		n, err := f.ReadAt(buf, from)
		for i, b := range buf[:n] {
			if b == '\n' && row {
				return from + int64(i) + 1, nil
			}
			row = row || b > ' '
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		from += int64(n)
	}
	return size, nil
}

// opened is a file of a piece being read.
type opened struct {
	*datasets.RawReader
	close func() error
}

// open opens a file of the piece, or the part of it that the piece is.
func (p *piece) open(ctx context.Context, file int, like *datasets.Source) (*opened, error) {
	f := p.Files[file]
	src := *like
	src.Path, src.Format, src.SkipBad, src.OnBad, src.Name, src.Context = f.Path, p.Format, 0, nil, "", ctx
	var in io.Closer
	switch {
	case remote(f.Path):
		r, err := openFile(ctx, f.Path)
		if err != nil {
			return nil, fmt.Errorf("beam: open %s: %w", f.Name, err)
		}
		src.Path, src.Input, in = "-", r, r
	case p.To > 0:
		r, err := os.Open(f.Path)
		if err != nil {
			return nil, fmt.Errorf("beam: %w", err)
		}
		src.Path, src.Input, in = "-", io.NewSectionReader(r, p.From, p.To-p.From), r
	}
	raw, err := datasets.OpenRaw(src)
	if err != nil {
		if in != nil {
			err = errors.Join(err, in.Close())
		}
		return nil, err
	}
	return &opened{raw, func() error {
		err := raw.Close()
		if in != nil {
			err = errors.Join(err, in.Close())
		}
		return err
	}}, nil
}

// openFile opens a file of the disk or of another file system that Beam knows.
func openFile(ctx context.Context, path string) (io.ReadCloser, error) {
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	r, err := system.OpenRead(ctx, path)
	if err != nil {
		return nil, errors.Join(err, system.Close())
	}
	return &systemFile{r, system}, nil
}

// systemFile is an open file with the connection to its file system.
type systemFile struct {
	io.ReadCloser
	system io.Closer
}

// Close closes both.
func (f *systemFile) Close() error { return errors.Join(f.ReadCloser.Close(), f.system.Close()) }

// size is what is known of a piece after it was read.
type size struct {
	rows, lines int
	sum         uint64 // of headers and rows
}

// add adds a row to the sum. Rows of Parquet have no bytes, so their values count.
func (n *size) add(raw datasets.RawRow) error {
	if raw.Bytes != nil {
		n.sum = xxh3.HashSeed(raw.Bytes, n.sum)
		return nil
	}
	var p datasets.Parser
	rec, err := p.Record(raw)
	if _, bad := isBad(err); err != nil && !bad {
		return err
	}
	for _, f := range rec.Fields {
		n.sum = xxh3.HashStringSeed(f.Value, n.sum)
	}
	return nil
}

// same returns an error if a piece has changed since it was read first.
func (p *piece) same(n, first size) error {
	if n != first {
		return fmt.Errorf("beam: %s has changed since it was read first", p.Files[0].Name)
	}
	return nil
}

// each calls do with each row of the piece, its number there and its file. The row
// is valid until do returns. Unless begin is nil, each first calls it with the
// reader of a file.
func (p *piece) each(ctx context.Context, like *datasets.Source, begin func(*datasets.RawReader) error, do func(row, file int, raw datasets.RawRow) error) (n size, err error) {
	for i := range p.Files {
		if err = p.eachOf(ctx, i, like, &n, begin, do); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (p *piece) eachOf(ctx context.Context, file int, like *datasets.Source, n *size, begin func(*datasets.RawReader) error, do func(int, int, datasets.RawRow) error) (err error) {
	r, err := p.open(ctx, file, like)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if begin != nil {
		if err := begin(r.RawReader); err != nil {
			return err
		}
	}
	n.sum = xxh3.HashSeed(r.Layout().Header, n.sum)
	last := 0
	for {
		raw, err := r.Next()
		if err == io.EOF {
			n.lines = last + strings.Count(string(r.Layout().Tail), "\n")
			return nil
		}
		if err != nil {
			return err
		}
		if n.rows%256 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		last = raw.Line
		if err := n.add(raw); err != nil {
			return err
		}
		if err := do(n.rows, file, raw); err != nil {
			return err
		}
		n.rows++
	}
}
