package local

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/internal/durable"
)

// Undone is what Undo did.
type Undone struct {
	// Removal is the one that was undone. First, with the policy none, is that of the
	// first document of its cluster, if it came back because it is alone now.
	Removal Removal
	First   *Removal

	// Others is the number of documents that stay removed in the same cluster.
	Others int

	// Sketches says that the folder had a SketchFile, which the new one lacks.
	Sketches bool
}

// Undo makes the folder dest like the output folder dir of a run, except that one
// document is kept: the one that was removed under an id, or from a place such as
// "news.csv:3". It stands among the kept documents where it stood in the input. No
// other document moves, with one exception (see Undone.First), and nothing is
// compared again: what was removed for the same document stays removed. The report of
// the new folder counts the documents as they are there, and names the removal. Undo
// checks the content as Restore does. The folder dir stays as it is, and dest appears
// when it is complete.
func Undo(ctx context.Context, dir, id, dest string) (*Undone, error) {
	dest = filepath.Clean(dest)
	l, err := readLayout(dir)
	if err != nil {
		return nil, err
	}
	if l.Dropped {
		return nil, fmt.Errorf("dedup: %s does not hold the removed documents: they were dropped", dir)
	}
	if l.Cut {
		return nil, fmt.Errorf("dedup: %s was made below the document: its cuts can only be undone together", dir)
	}
	if l.Counted {
		return nil, fmt.Errorf("dedup: %s has counts of clusters, which would be wrong without one of the removals", dir)
	}
	m, err := OpenMade(dir)
	if err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	u, err := m.undo(id)
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(dest); err == nil {
		return nil, fmt.Errorf("dedup: %s exists already", dest)
	}
	made, err := durable.CreateFolder(dest)
	if err != nil {
		return nil, fmt.Errorf("dedup: restore %s: %w", dest, err)
	}
	defer made.Abort()
	u.dest = made.Dir
	if err := u.write(ctx, l); err != nil {
		return nil, errors.Join(err, u.abandon())
	}
	if err := made.Commit(""); err != nil {
		return nil, fmt.Errorf("dedup: %w", err)
	}
	return &u.Undone, nil
}

// undo is an Undone in the making.
type undo struct {
	Undone
	*Made
	dest  string
	sinks [2]*copied // of the rows kept and removed, while a file of them is read
}

// undo finds the removal to undo.
func (m *Made) undo(id string) (*undo, error) {
	var found []Removal
	err := m.Removals(func(_, _ int, w *Removal) error {
		if w.is(id) {
			found = append(found, *w)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fmt.Errorf("dedup: %s names no removed document %q: want its id, or its file and line as in %s", m.dir, id, whyFile)
	case len(found) > 1:
		return nil, fmt.Errorf("dedup: %d removed documents have the id %q, the first ones at %s and %s: want one of these places instead", len(found), id, found[0].At, found[1].At)
	case found[0].Reason == reasonBad:
		return nil, fmt.Errorf("dedup: %s holds no document that could be kept: %s", found[0].At, found[0].Error)
	}
	u := &undo{Made: m, Undone: Undone{Removal: found[0]}}
	var first *Removal
	err = m.Removals(func(_, _ int, w *Removal) error {
		switch {
		case w.Cluster != found[0].Cluster || w.Ref == found[0].Ref:
		case w.Reason == reasonFirst:
			one := *w
			first = &one
		default:
			u.Others++
		}
		return nil
	})
	if first != nil && u.Others == 0 {
		u.First = first
	} else if first != nil {
		u.Others++
	}
	return u, err
}

// back reports whether a removed row is kept now.
func (u *undo) back(ref dedup.Ref) bool {
	return ref == u.Removal.Ref || u.First != nil && ref == u.First.Ref
}

// write makes all files.
func (u *undo) write(ctx context.Context, l *layout) error {
	var err error
	switch {
	case l.Tree:
		err = u.tree(ctx, l)
	case l.Pieces != nil:
		for i := range l.Pieces {
			if err = l.restorePiece(ctx, u.dir, io.Discard, &l.Pieces[i], u); err != nil {
				break
			}
		}
	default:
		_, err = l.restoreFiles(ctx, u.dir, "", u)
	}
	if err != nil {
		return err
	}
	if err := u.reasons(); err != nil {
		return err
	}
	if err := u.clusters(); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(u.dir, LayoutFile))
	if err == nil {
		err = os.WriteFile(filepath.Join(u.dest, LayoutFile), b, 0o666)
	}
	if err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if _, err := os.Lstat(filepath.Join(u.dir, SketchFile)); err == nil {
		u.Sketches = true
	}
	return u.Report.write(u.dest)
}

// begin has the rows that r reads written. A nil undo does nothing.
func (u *undo) begin(r *restorer, infix, ending string) error {
	if u == nil {
		return nil
	}
	for i, name := range []string{"kept", "removed"} {
		f, err := create(filepath.Join(u.dest, name+infix+ending))
		if err != nil {
			return err
		}
		from := r.kept
		if i == 1 {
			from = r.removed
		}
		if from == nil {
			from = r.rows()
		}
		c, err := datasets.NewCopier(f, from)
		if err != nil {
			return errors.Join(err, f.close())
		}
		u.sinks[i] = &copied{c, f}
	}
	r.to = func(row datasets.RawRow, ref dedup.Ref, removed bool) error {
		if removed && !u.back(ref) {
			return u.sinks[1].write(row, nil)
		}
		return u.sinks[0].write(row, nil)
	}
	return nil
}

// end ends the files of begin.
func (u *undo) end() (err error) {
	if u == nil {
		return nil
	}
	for i, s := range u.sinks {
		if u.sinks[i] = nil; s != nil {
			err = errors.Join(err, s.close())
		}
	}
	return err
}

// abandon closes the files of begin after an error.
func (u *undo) abandon() (err error) {
	for _, s := range u.sinks {
		if s != nil {
			err = errors.Join(err, s.f.close())
		}
	}
	return err
}

// tree copies the folders of texts that were files. It checks them in a folder beside
// these, which it removes again.
func (u *undo) tree(ctx context.Context, l *layout) error {
	check := filepath.Join(u.dest, "check")
	if err := os.Mkdir(check, 0o777); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	if err := l.restoreTree(ctx, u.dir, check); err != nil {
		return err
	}
	if err := os.RemoveAll(check); err != nil {
		return fmt.Errorf("dedup: %w", err)
	}
	var back []string
	for _, w := range []*Removal{&u.Removal, u.First} {
		if w != nil {
			back = append(back, u.File(w.At))
		}
	}
	for _, part := range []string{"kept", "removed"} {
		from := filepath.Join(u.dir, part)
		if err := os.MkdirAll(filepath.Join(u.dest, part), 0o777); err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
		err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			to := part
			if slices.Contains(back, filepath.ToSlash(name)) {
				to = "kept"
			}
			return writeOnce(filepath.Join(u.dest, to, name), content)
		})
		if err != nil {
			return fmt.Errorf("dedup: %w", err)
		}
	}
	for _, name := range back {
		if _, err := os.Stat(filepath.Join(u.dest, "kept", filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("dedup: %s does not hold the removed text %s: run this in the folder of the run", u.dir, name)
		}
	}
	return nil
}

// eachLine copies the lines of the outputs of a kind that keep accepts.
func (u *undo) eachLine(kind, ending string, keep func(line []byte) (bool, error)) error {
	names, err := pieces(u.dir, kind, ending)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := copyLines(filepath.Join(u.dir, name), filepath.Join(u.dest, name), keep); err != nil {
			return fmt.Errorf("dedup: %s: %w", name, err)
		}
	}
	return nil
}

func copyLines(from, to string, keep func(line []byte) (bool, error)) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := create(to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	r, w := bufio.NewReaderSize(in, 1<<16), bufio.NewWriterSize(out, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if len(line) > 0 {
			ok, err := keep(line)
			if err != nil {
				return err
			}
			if ok {
				w.Write(line)
			}
		}
		if err == io.EOF {
			return w.Flush()
		}
	}
}

// reasons copies why.jsonl without what is undone, and counts that in the report.
func (u *undo) reasons() error {
	r := &u.Report
	err := u.eachLine("why", ".jsonl", func(line []byte) (bool, error) {
		var ref dedup.Ref
		if len(bytes.TrimSpace(line)) == 0 {
			return true, nil
		}
		err := json.Unmarshal(line, &ref)
		return !u.back(ref), err
	})
	for _, w := range []*Removal{&u.Removal, u.First} {
		if w == nil {
			continue
		}
		switch r.Undone = append(r.Undone, *w); w.Reason {
		case reasonEqual:
			r.Equal--
		case reasonFirst:
			r.First--
		case reasonJudged:
			r.Judged--
		case reasonLeaked:
			r.Leaked--
		default:
			r.Alike--
			if w.Score < r.Settings.MinScore() {
				r.Lost--
			}
		}
	}
	r.Kept = r.Documents - r.Removed()
	return err
}

// clusters copies clusters.tsv without the document, and without the cluster if no
// other document is in it. The other clusters keep their numbers.
func (u *undo) clusters() error {
	r, own := &u.Report, u.Removal.Cluster
	leaves := u.Removal.Reason != reasonFirst // the first document stays in its cluster
	alone := u.Others == 0 && leaves
	sizes := map[int]int{}
	line := fmt.Appendf(nil, "%s\t%d\n", u.Removal.ID, own)
	err := u.eachLine("clusters", ".tsv", func(b []byte) (bool, error) {
		_, number, _ := bytes.Cut(b, []byte("\t"))
		n, err := strconv.Atoi(string(bytes.TrimSpace(number)))
		if err != nil {
			return true, nil // the header
		}
		if n == own && (alone || leaves && bytes.Equal(b, line)) {
			line = nil
			return false, nil
		}
		sizes[n]++
		return true, nil
	})
	if err != nil {
		return err
	}
	if alone {
		r.Clusters--
	}
	largest := 0
	for n, size := range sizes {
		if size > sizes[largest] || size == sizes[largest] && n < largest {
			largest = n
		}
	}
	r.Largest, r.LargestAt = sizes[largest], Place{}
	return u.Removals(func(_, _ int, w *Removal) error {
		if w.Cluster == largest && !u.back(w.Ref) && w.Kept != nil {
			r.LargestAt = Place{w.Kept.Ref, w.Kept.Against}
		}
		return nil
	})
}
