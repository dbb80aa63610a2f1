package local

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// Restore writes what a run read from what it wrote to the folder dir, at once or in pieces: the same rows,
// fields and order, the same bytes for all formats but Parquet, whose values are the
// same, and for rows that were converted to another format. One file is written to dest; where there were
// several, dest is a new folder for them. Either appears when it is complete. It
// returns the files written, which are checked against the sums of the run.
func Restore(dir, dest string) (paths []string, err error) {
	dest = filepath.Clean(dest)
	l, err := readLayout(dir)
	if err != nil {
		return nil, err
	}
	if l.Dropped {
		return nil, fmt.Errorf("dedup: %s does not hold the removed documents: they were dropped", dir)
	}
	if _, err := os.Lstat(dest); err == nil {
		return nil, fmt.Errorf("dedup: %s exists already", dest)
	}
	made, err := os.MkdirTemp(filepath.Dir(dest), "."+filepath.Base(dest)+".*")
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	defer os.RemoveAll(made)
	switch {
	case l.Tree:
		err = l.restoreTree(dir, made)
	case l.Pieces != nil:
		paths, err = l.restorePieces(dir, made)
	default:
		paths, err = l.restoreFiles(dir, made)
	}
	if err != nil {
		return nil, err
	}
	from := made
	if len(paths) == 1 {
		from = filepath.Join(made, paths[0])
		paths[0] = dest
	} else {
		for i, p := range paths {
			paths[i] = filepath.Join(dest, p)
		}
		err = os.Chmod(made, 0o755)
	}
	if err = errors.Join(err, os.Rename(from, dest)); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return paths, nil
}

func readLayout(dir string) (*layout, error) {
	b, err := os.ReadFile(filepath.Join(dir, LayoutFile))
	if err != nil {
		return nil, fmt.Errorf("dedup: %s is not what a run has made: %w", dir, err)
	}
	var l layout
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("dedup: %s/%s: %w", dir, LayoutFile, err)
	}
	if l.Version != layoutVersion && l.Version != piecesVersion {
		return nil, fmt.Errorf("dedup: %s/%s has version %d, want %d or %d", dir, LayoutFile, l.Version, layoutVersion, piecesVersion)
	}
	return &l, nil
}

// restoreTree puts the files of both folders back together. A file that was given twice
// is in both.
func (l *layout) restoreTree(dir, dest string) error {
	for _, part := range []string{"kept", "removed"} {
		from := filepath.Join(dir, part)
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			return writeOnce(filepath.Join(dest, name), content)
		})
		if err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
	}
	return nil
}

// restorer puts the rows of all files back together, or those of a piece.
type restorer struct {
	l             *layout
	kept, removed *datasets.RawReader // removed is nil where there is none
	reasons       *reasons
}

// open opens what a run has written of rows that stood in files like one. The names are those of Piece.
func (l *layout) open(dir, infix, ending string, like datasets.Layout) (_ *restorer, err error) {
	if like.Format == "csv" || like.Format == "tsv" {
		like.Quoted = like.Quoted || like.Format == "csv"
		if l.Format != "" {
			like.Header = []byte("there is one")
		}
	}
	r := &restorer{l: l}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.close())
		}
	}()
	if r.kept, err = datasets.OpenLike(filepath.Join(dir, "kept"+infix+ending), &like); err != nil {
		return nil, err
	}
	r.removed, err = datasets.OpenLike(filepath.Join(dir, "removed"+infix+ending), &like)
	switch {
	case err == nil:
	case l.Format != "parquet" || !errors.Is(err, os.ErrNotExist): // without a row it is no file
		return nil, err
	default:
		r.removed = nil
	}
	r.reasons, err = openReasons(filepath.Join(dir, "why"+infix+".jsonl"))
	return r, err
}

func (r *restorer) close() (err error) {
	for _, from := range []*datasets.RawReader{r.kept, r.removed} {
		if from != nil {
			err = errors.Join(err, from.Close())
		}
	}
	if r.reasons != nil {
		err = errors.Join(err, r.reasons.close())
	}
	return err
}

func (l *layout) restoreFiles(dir, dest string) (paths []string, err error) {
	like := datasets.Layout{Format: l.Format}
	if l.Format == "" {
		like = l.Files[0].Layout
	}
	r, err := l.open(dir, "", l.Ending, like)
	if err != nil {
		return nil, err
	}
	defer r.close()
	files := l.Files
	if l.Format != "" {
		files = l.converted(r.kept.Layout())
	}
	for len(files) > 0 {
		n := 1
		for n < len(files) && files[n].Source == files[0].Source {
			n++
		}
		sum := xxh3.New()
		for i := range files[:n] {
			f := &files[i]
			path := filepath.FromSlash(f.Name)
			if l.Format != "" {
				path = fmt.Sprintf("%d.%s", f.Source+1, l.Format)
			}
			if err := l.restoreFile(dir, dest, path, func(out io.Writer) error { return r.file(out, f, sum) }); err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
		source := l.Sources[files[0].Source]
		if l.Format == "" {
			if err := checkSum(sum, source.Sum, &files[0].Layout, source.Path, dir); err != nil {
				return nil, err
			}
		}
		files = files[n:]
	}
	return paths, r.end()
}

// converted returns one file for each source, in the format that rows were converted to.
func (l *layout) converted(kept *datasets.Layout) []file {
	var out []file
	for i, s := range l.Sources {
		out = append(out, file{Source: i, Layout: datasets.Layout{File: s.Path, Format: l.Format, Header: kept.Header, Rows: s.Rows}})
	}
	return out
}

// restorePieces restores files whose rows were written in pieces.
func (l *layout) restorePieces(dir, dest string) (paths []string, err error) {
	for pieces := l.Pieces; len(pieces) > 0; {
		n := 1
		for n < len(pieces) && pieces[n].Source == pieces[0].Source && pieces[n].Name == pieces[0].Name {
			n++
		}
		path := filepath.FromSlash(pieces[0].Name)
		err := l.restoreFile(dir, dest, path, func(out io.Writer) error {
			for i := range pieces[:n] {
				if err := l.restorePiece(dir, out, &pieces[i]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
		pieces = pieces[n:]
	}
	return paths, nil
}

func (l *layout) restorePiece(dir string, out io.Writer, p *Piece) (err error) {
	if name := p.Infix + p.Ending; strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("dedup: %s/%s names the piece %q", dir, LayoutFile, name)
	}
	r, err := l.open(dir, p.Infix, p.Ending, p.Layout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	sum := xxh3.New()
	if err := r.file(out, &file{Layout: p.Layout, Source: p.Source, First: p.First}, sum); err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	return checkSum(sum, p.Sum, &p.Layout, fmt.Sprintf("%s from row %d on", p.File, p.First+1), dir)
}

// checkSum reports an error unless what was restored has the sum of the run. There is none of a Parquet file, whose bytes
// come out others.
func checkSum(sum *xxh3.Hasher, want string, like *datasets.Layout, what, dir string) error {
	if got := fmt.Sprintf("%x", sum.Sum128().Bytes()); like.Format != "parquet" && got != want {
		return fmt.Errorf("dedup: what is restored of %s has the sum %s, want %s: the files of %s have been changed", what, got, want, dir)
	}
	return nil
}

// restoreFile makes the file of a path in dest.
func (l *layout) restoreFile(dir, dest, path string, write func(io.Writer) error) (err error) {
	if !filepath.IsLocal(path) {
		return fmt.Errorf("dedup: %s/%s names the file %q", dir, LayoutFile, path)
	}
	path = filepath.Join(dest, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	out, err := create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	return write(out)
}

// file restores one file, or a piece of one as if it were.
func (r *restorer) file(out io.Writer, f *file, sum io.Writer) error {
	c, err := datasets.NewFileCopier(out, sum, r.kept, &f.Layout)
	if err != nil {
		return err
	}
	for i := range f.Rows {
		ref := dedup.Ref{Source: f.Source, Row: f.First + i}
		why, removed, err := r.reasons.next(ref)
		if err != nil {
			return err
		}
		if removed && why.Raw != nil {
			if r.l.Format == "" {
				err = c.WriteBytes(why.Raw)
			}
			if err != nil {
				return err
			}
			continue
		}
		from := r.kept
		if removed {
			from = r.removed
		}
		if from == nil {
			return fmt.Errorf("dedup: row %d of %s is missing: it was removed, and the file of those is not there", ref.Row+1, f.File)
		}
		row, err := from.Next()
		if err == io.EOF {
			return fmt.Errorf("dedup: row %d of %s is missing: %s holds fewer rows than were written", ref.Row+1, f.File, from.Layout().File)
		}
		if err == nil {
			err = c.Write(row)
		}
		if err != nil {
			return err
		}
	}
	return c.Close()
}

// end reports rows that are left over.
func (r *restorer) end() error {
	for _, from := range []*datasets.RawReader{r.kept, r.removed} {
		if from == nil {
			continue
		}
		if _, err := from.Next(); err != io.EOF {
			return fmt.Errorf("dedup: %s holds more rows than were written", from.Layout().File)
		}
	}
	return nil
}

// reasons reads why.jsonl row by row.
type reasons struct {
	f  *os.File
	in *json.Decoder
	at Removal // of the next row removed
	ok bool
}

func openReasons(path string) (*reasons, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	r := &reasons{f: f, in: json.NewDecoder(bufio.NewReaderSize(f, 1<<16))}
	if err := r.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

func (r *reasons) read() error {
	r.at = Removal{}
	switch err := r.in.Decode(&r.at); {
	case err == io.EOF:
		r.ok = false
	case err != nil:
		return fmt.Errorf("dedup: %s: %w", r.f.Name(), err)
	default:
		r.ok = true
	}
	return nil
}

// next reports whether the row, which is behind that of the call before, was removed, and why.
func (r *reasons) next(row dedup.Ref) (Removal, bool, error) {
	if !r.ok || r.at.Ref.Compare(row) > 0 {
		return Removal{}, false, nil
	}
	if r.at.Ref != row {
		return Removal{}, false, fmt.Errorf("dedup: %s names row %v out of order", r.f.Name(), r.at.Ref)
	}
	w := r.at
	return w, true, r.read()
}

func (r *reasons) close() error { return r.f.Close() }
