package local

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/parallel"
)

// members are the rows of clusters and the rows removed for other reasons, in
// ascending order, with what the outputs say about them.
type members struct {
	rows  []uint32
	lines []uint32
	files []uint32 // numbers in names
	names []string
	ids   []byte
	ends  []int       // of the ids
	texts *spool      // nil unless they are explained
	raw   *spool      // the bytes of bad rows that no other file holds, or nil
	bad   map[int]int // by row, its number in raw
}

func (m *members) add(row int, id, file string, line int) {
	if n := len(m.names); n == 0 || m.names[n-1] != file {
		m.names = append(m.names, file)
	}
	m.rows, m.lines = append(m.rows, uint32(row)), append(m.lines, uint32(line))
	m.files = append(m.files, uint32(len(m.names)-1))
	m.ids = append(m.ids, id...)
	m.ends = append(m.ends, len(m.ids))
}

func (m *members) id(i int) string {
	from := 0
	if i > 0 {
		from = m.ends[i-1]
	}
	return string(m.ids[from:m.ends[i]])
}

// at returns file and line, or the name of the index that holds the document.
func (m *members) at(i int) string {
	name := m.names[m.files[i]]
	if m.lines[i] == 0 {
		return name
	}
	return fmt.Sprintf("%s:%d", name, m.lines[i])
}

func (m *members) close() {
	for _, s := range []*spool{m.texts, m.raw} {
		if s != nil {
			s.close()
		}
	}
}

// flush must be called after the last row was added.
func (m *members) flush() error {
	for _, s := range []*spool{m.texts, m.raw} {
		if s == nil {
			continue
		}
		if err := s.flush(); err != nil {
			return err
		}
	}
	return nil
}

// addRaw keeps the bytes of a bad row.
func (m *members) addRaw(row int, raw []byte, dir string) (err error) {
	if m.raw == nil {
		if m.raw, err = newSpool(dir); err != nil {
			return err
		}
		m.bad = make(map[int]int)
	}
	m.bad[row] = len(m.raw.ends)
	return m.raw.add(string(raw))
}

// rawBytes returns the bytes of a bad row, or nil if another file holds the
// row.
func (m *members) rawBytes(row int) ([]byte, error) {
	i, ok := m.bad[row]
	if !ok {
		return nil, nil
	}
	s, err := m.raw.at(i)
	return []byte(s), err
}

// find returns the index of a row. It panics if the row is not a member.
func (m *members) find(row uint32) int {
	i, found := slices.BinarySearch(m.rows, row)
	if !found {
		panic(fmt.Sprintf("local: row %d is no member of a cluster", row))
	}
	return i
}

// write reads the sources once more and writes each row to where it goes.
func (r *run) write(ctx context.Context) error {
	open, ending, err := r.sinks()
	if err != nil {
		return err
	}
	kept, err := open("kept")
	if err != nil {
		return err
	}
	var removed sink = nowhere{}
	if !r.o.DropText {
		if removed, err = open("removed"); err != nil {
			return errors.Join(err, kept.close())
		}
	}
	m, err := r.route(ctx, kept, removed, false)
	if m != nil {
		defer m.close()
	}
	if err = errors.Join(err, kept.close(), removed.close()); err != nil {
		return err
	}
	if err := r.writeTables(ctx, m); err != nil {
		return err
	}
	return r.writeLayout(ending)
}

// writeTables writes the files that say what became of each row.
func (r *run) writeTables(ctx context.Context, m *members) error {
	if err := r.writeWhy(ctx, m); err != nil {
		return err
	}
	return r.writeClusters(m)
}

// route sends the rows of new sources to the sinks, and returns the rows that
// the other outputs describe. With only it reads no other rows.
func (r *run) route(ctx context.Context, kept, removed sink, only bool) (*members, error) {
	type named struct {
		chunk *chunk
		docs  []datasets.Doc // by row, of members
	}
	m := &members{}
	if r.o.Explain {
		var err error
		if m.texts, err = newSpool(r.scratch); err != nil {
			return nil, err
		}
	}
	var p datasets.Parser
	want := func(row int) bool {
		if row >= r.oldRows && !only {
			return true
		}
		k, reason, _ := r.kept(row)
		if row < r.oldRows && reason == reasonBad {
			return false // it is not a row of a new source
		}
		return reason != "" || r.cluster(k) > 0
	}
	err := parallel.Ordered(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, want, emit)
	}, func(c *chunk) (named, error) {
		out := named{c, make([]datasets.Doc, len(c.rows))}
		if c.part != nil {
			for i, row := range c.numbers {
				out.docs[i].ID = c.part.IDs[row-c.first]
			}
			return out, nil
		}
		p := r.parsers.Get().(*datasets.Parser)
		defer r.parsers.Put(p)
		for i, row := range c.numbers {
			if k, reason, _ := r.kept(row); reason == reasonBad || reason == "" && r.cluster(k) == 0 {
				continue
			}
			parsed, err := p.Row(c.rows[i])
			if err != nil {
				return out, err
			}
			out.docs[i].ID = parsed.Doc.ID
			if r.o.Explain {
				out.docs[i].Text = r.cleaner.Clean(parsed.Doc.Text)
			}
		}
		return out, nil
	}, func(n named) error {
		for i, raw := range n.chunk.rows {
			row := n.chunk.numbers[i]
			k, reason, _ := r.kept(row)
			if reason != "" || r.cluster(k) > 0 {
				m.add(row, n.docs[i].ID, n.chunk.file(i), raw.Line)
				if m.texts != nil {
					if err := m.texts.add(n.docs[i].Text); err != nil {
						return err
					}
				}
			}
			to := kept
			switch {
			case row < r.oldRows:
				continue
			case reason == reasonBad && r.o.DropText:
				continue
			case reason == reasonBad && !treeOrParquet(raw, kept):
				if err := m.addRaw(row, raw.Bytes, r.scratch); err != nil {
					return err
				}
				continue
			case reason != "":
				to = removed
			}
			if err := to.write(raw, &p); err != nil {
				return err
			}
		}
		r.o.progress("write", n.chunk.share)
		r.in.release(n.chunk)
		return nil
	})
	if err == nil {
		err = m.flush()
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// treeOrParquet reports whether a bad row can be written to the removed
// documents like any other.
func treeOrParquet(row datasets.RawRow, s sink) bool {
	_, files := s.(*tree)
	return files || row.Bytes == nil
}

// writeClusters writes the table that package datasets reads as the labels of a
// set.
func (r *run) writeClusters(m *members) error {
	f, err := create(filepath.Join(r.made, "clusters.tsv"))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	fmt.Fprintf(out, "id\tcluster\n")
	for i, row := range m.rows {
		if k, reason, _ := r.kept(int(row)); reason != reasonBad {
			fmt.Fprintf(out, "%s\t%d\n", m.id(i), r.cluster(k))
		}
	}
	return errors.Join(out.Flush(), f.close())
}
