package local

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
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
	"github.com/alike-go/alike/internal/durable"
)

// Restore rebuilds the input of a run from its output folder dir, whether it
// was written at once or in pieces. The rows, their fields and their order are
// the same. The bytes are the same too, except in three cases: compressed files are
// the same once they are decompressed, Parquet files have the same values, and rows
// that were converted keep their new format. A single
// file is written to dest. For several files or a folder of texts, dest is a
// new folder. It appears when it is complete. Restore checks the content
// against the checksums of the run. It returns the paths of the files, except
// for a folder of texts.
func Restore(ctx context.Context, dir, dest string) (paths []string, err error) {
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
	made, err := durable.CreateFolder(dest)
	if err != nil {
		return nil, fmt.Errorf("dedup: restore %s: %w", dest, err)
	}
	defer made.Abort()
	switch {
	case l.Tree:
		err = l.restoreTree(ctx, dir, made.Dir)
	case l.Pieces != nil:
		paths, err = l.restorePieces(ctx, dir, made.Dir)
	default:
		paths, err = l.restoreFiles(ctx, dir, made.Dir, nil)
	}
	if err != nil {
		return nil, err
	}
	one := ""
	if len(paths) == 1 {
		one, paths[0] = paths[0], dest
	} else {
		for i, p := range paths {
			paths[i] = filepath.Join(dest, p)
		}
	}
	if err := made.Commit(one); err != nil {
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
	if l.Version < layoutVersion || l.Version > cutsVersion {
		return nil, fmt.Errorf("dedup: %s/%s has version %d, want %d to %d", dir, LayoutFile, l.Version, layoutVersion, cutsVersion)
	}
	return &l, l.check(dir)
}

// check returns an error if Restore cannot follow the layout.
func (l *layout) check(dir string) error {
	wrong := func(what string, n int) error {
		return fmt.Errorf("dedup: %s/%s: %s %d, want 0 to %d", dir, LayoutFile, what, n, len(l.Sources)-1)
	}
	for i := range l.Files {
		if s := l.Files[i].Source; s < 0 || s >= len(l.Sources) {
			return wrong("a file of source", s)
		}
	}
	for i := range l.Pieces {
		if s := l.Pieces[i].Source; s < 0 || s >= len(l.Sources) {
			return wrong("a piece of source", s)
		}
	}
	if len(l.Sources) == 0 {
		return fmt.Errorf("dedup: %s/%s names no sources", dir, LayoutFile)
	}
	if !l.Tree && l.Pieces == nil && l.Format == "" && len(l.Files) == 0 {
		return fmt.Errorf("dedup: %s/%s names no files", dir, LayoutFile)
	}
	return nil
}

// restoreTree merges the files of both folders. A file that was given twice is
// in both. A file that was cut is whole among the removed ones.
func (l *layout) restoreTree(ctx context.Context, dir, dest string) error {
	for _, part := range []string{"removed", "kept"} {
		from := filepath.Join(dir, part)
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err = cmp.Or(err, ctx.Err()); err != nil || d.IsDir() {
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
			path = filepath.Join(dest, name)
			if _, err := os.Lstat(path); err == nil && l.Cut {
				return nil
			}
			return writeOnce(path, content)
		})
		if err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
	}
	return l.checkTree(ctx, dir, dest)
}

// checkTree compares the restored texts with the checksums of the run. If there
// are several sources, it checks only sources of a single text, because the
// layout does not say which texts the other sources had. Runs on many machines
// record no checksums.
func (l *layout) checkTree(ctx context.Context, dir, dest string) error {
	there := map[string]bool{} // the sums of texts
	err := filepath.WalkDir(dest, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		_, sum, err := sumOfTexts(ctx, path)
		there[sum] = true
		return err
	})
	if err != nil {
		return err
	}
	changed := func(s Origin) error {
		return fmt.Errorf("dedup: what is restored of %s has other texts than the run read: the files of %s have been changed", s.Path, dir)
	}
	for _, s := range l.Sources {
		if s.Rows == 1 && s.Sum != "" && !there[s.Sum] {
			return changed(s)
		}
	}
	if s := l.Sources[0]; len(l.Sources) == 1 && s.Rows > 1 { // it was a folder
		n, sum, err := sumOfTexts(ctx, dest)
		if err != nil {
			return err
		}
		if n != s.Rows || s.Sum != "" && sum != s.Sum {
			return changed(s)
		}
	}
	return nil
}

// sumOfTexts returns the number of texts in a file or a folder, and their
// checksum as a run records it.
func sumOfTexts(ctx context.Context, path string) (n int, sum string, err error) {
	in := newInput([]datasets.Source{{Path: path, Format: "text"}}, 1, chunkBytes)
	err = in.read(ctx, nil, func(c *chunk) error {
		in.release(c)
		return nil
	})
	if err != nil {
		return 0, "", err
	}
	return in.starts[1], in.sums[0], nil
}

// restorer merges kept and removed rows: of all files, or of one piece.
type restorer struct {
	l             *layout
	kept, removed *datasets.RawReader // nil where there is none, but not both
	reasons       *reasons

	// to, if set, is called with each row and whether it was removed.
	to func(row datasets.RawRow, ref dedup.Ref, removed bool) error
}

// rows returns a reader of rows, for their format.
func (r *restorer) rows() *datasets.RawReader { return cmp.Or(r.kept, r.removed) }

// open opens the outputs of a run that hold rows of files with a layout like
// the given one. Piece describes infix and ending.
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
	for _, of := range []struct {
		part string
		r    **datasets.RawReader
	}{{"kept", &r.kept}, {"removed", &r.removed}} {
		*of.r, err = datasets.OpenLike(filepath.Join(dir, of.part+infix+ending), &like)
		if err == nil {
			continue
		}
		if *of.r = nil; l.Format != "parquet" || !errors.Is(err, os.ErrNotExist) || of.part == "removed" && r.kept == nil {
			return nil, err // without rows there is no Parquet file, but one of the two has some
		}
	}
	if l.Counted && r.kept != nil {
		r.kept.Contract(CountColumn)
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

// restoreFiles makes files in dest. With u it makes them nowhere, and only checks them.
func (l *layout) restoreFiles(ctx context.Context, dir, dest string, u *undo) (paths []string, err error) {
	like := datasets.Layout{Format: l.Format}
	if l.Format == "" {
		like = l.Files[0].Layout
	}
	r, err := l.open(dir, "", l.Ending, like)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := u.begin(r, "", l.Ending); err != nil {
		return nil, err
	}
	files := l.Files
	if l.Format != "" {
		files = l.converted(r.rows().Layout())
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
			write := func(out io.Writer) error { return r.file(ctx, out, f, sum) }
			if u != nil {
				err = write(io.Discard)
			} else {
				err = l.restoreFile(dir, dest, path, write)
			}
			if err != nil {
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
	return paths, cmp.Or(r.end(), u.end())
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
func (l *layout) restorePieces(ctx context.Context, dir, dest string) (paths []string, err error) {
	for pieces := l.Pieces; len(pieces) > 0; {
		n := 1
		for n < len(pieces) && pieces[n].Source == pieces[0].Source && pieces[n].Name == pieces[0].Name {
			n++
		}
		path := filepath.FromSlash(pieces[0].Name)
		err := l.restoreFile(dir, dest, path, func(out io.Writer) error {
			for i := range pieces[:n] {
				if err := l.restorePiece(ctx, dir, out, &pieces[i], nil); err != nil {
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

func (l *layout) restorePiece(ctx context.Context, dir string, out io.Writer, p *Piece, u *undo) (err error) {
	if name := p.Infix + p.Ending; strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("dedup: %s/%s names the piece %q", dir, LayoutFile, name)
	}
	r, err := l.open(dir, p.Infix, p.Ending, p.Layout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.close()) }()
	if err := u.begin(r, p.Infix, p.Ending); err != nil {
		return err
	}
	sum := xxh3.New()
	if err := r.file(ctx, out, &file{Layout: p.Layout, Source: p.Source, First: p.First}, sum); err != nil {
		return err
	}
	if err := cmp.Or(r.end(), u.end()); err != nil {
		return err
	}
	return checkSum(sum, p.Sum, &p.Layout, fmt.Sprintf("%s from row %d on", p.File, p.First+1), dir)
}

// checkSum returns an error unless the restored content has the checksum of the
// run. It does not check Parquet files, because their bytes differ.
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

// file restores one file, or one piece of a file.
func (r *restorer) file(ctx context.Context, out io.Writer, f *file, sum io.Writer) error {
	c, err := datasets.NewFileCopier(out, sum, r.rows(), &f.Layout)
	if err != nil {
		return err
	}
	for i := range f.Rows {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("dedup: restore %s: %w", f.File, err)
		}
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
			return fmt.Errorf("dedup: row %d of %s is missing: the file that should hold it is not there", ref.Row+1, f.File)
		}
		if removed && why.Reason == reasonCut && r.kept != nil {
			if _, err := r.kept.Next(); err != nil && err != io.EOF { // what was left of it
				return err
			}
		}
		row, err := from.Next()
		if err == io.EOF {
			return fmt.Errorf("dedup: row %d of %s is missing: %s holds fewer rows than were written", ref.Row+1, f.File, from.Layout().File)
		}
		if err == nil && r.to != nil {
			err = r.to(row, ref, removed)
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

// end returns an error if rows are left over.
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
	f    *os.File
	in   *bufio.Reader
	at   Removal // of the next row removed
	ok   bool
	line int // of at, from 1; blank lines count
}

func openReasons(path string) (*reasons, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	r := &reasons{f: f, in: bufio.NewReaderSize(f, 1<<16)}
	if err := r.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return r, nil
}

func (r *reasons) read() error {
	r.at, r.ok = Removal{}, false
	for {
		line, err := r.in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("dedup: %w", err)
		}
		r.line++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := json.Unmarshal(line, &r.at); err != nil {
				return fmt.Errorf("dedup: %s:%d: %w", r.f.Name(), r.line, err)
			}
			r.ok = true
			return nil
		}
		if err == io.EOF {
			return nil
		}
	}
}

// next reports whether a row was removed, and why. Rows must come in ascending
// order.
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
