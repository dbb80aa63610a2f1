package local

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
)

// members are the rows of clusters and those removed for another reason, in
// ascending order, with what the outputs say of them.
type members struct {
	rows  []uint32
	lines []uint32
	files []uint32 // numbers in names
	names []string
	ids   []byte
	ends  []int // of the ids
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

func (m *members) at(i int) string { return fmt.Sprintf("%s:%d", m.names[m.files[i]], m.lines[i]) }

// find returns the place of a row that is a member.
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
	if err = errors.Join(err, kept.close(), removed.close()); err != nil {
		return err
	}
	if err := r.writeTables(m); err != nil {
		return err
	}
	return r.writeLayout(ending)
}

// writeTables writes the files that say what became of which row.
func (r *run) writeTables(m *members) error {
	if err := r.writeWhy(m); err != nil {
		return err
	}
	return r.writeClusters(m)
}

// route sends the rows of new sources to the sinks, and notes those that the other outputs
// tell of. With only the others are not read.
func (r *run) route(ctx context.Context, kept, removed sink, only bool) (*members, error) {
	type named struct {
		chunk *chunk
		ids   []string // by row, of members
	}
	m := &members{}
	var p datasets.Parser
	want := func(row int) bool {
		if row >= r.oldRows && !only {
			return true
		}
		k, reason, _ := r.kept(row)
		return reason != "" || r.cluster(k) > 0
	}
	err := inOrder(ctx, r.workers, func(ctx context.Context, emit func(*chunk) error) error {
		return r.in.read(ctx, want, emit)
	}, func(c *chunk) (named, error) {
		p := r.parsers.Get().(*datasets.Parser)
		defer r.parsers.Put(p)
		out := named{c, make([]string, len(c.rows))}
		for i, row := range c.numbers {
			if k, reason, _ := r.kept(row); reason == reasonBad || reason == "" && r.cluster(k) == 0 {
				continue
			}
			parsed, err := p.Row(c.rows[i])
			if err != nil {
				return out, err
			}
			out.ids[i] = parsed.Doc.ID
		}
		return out, nil
	}, func(n named) error {
		for i, raw := range n.chunk.rows {
			row := n.chunk.numbers[i]
			k, reason, _ := r.kept(row)
			if reason != "" || r.cluster(k) > 0 {
				m.add(row, n.ids[i], raw.File(), raw.Line)
			}
			to := kept
			switch {
			case row < r.oldRows:
				continue
			case reason == reasonBad && r.o.DropText:
				continue
			case reason == reasonBad && !treeOrParquet(raw, kept):
				r.badBytes[row] = bytes.Clone(raw.Bytes)
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
	return m, err
}

// treeOrParquet reports whether a bad row can stand in a file beside sound ones.
func treeOrParquet(row datasets.RawRow, s sink) bool {
	_, files := s.(*tree)
	return files || row.Bytes == nil
}

// whyFile says of each removed row why it was.
const whyFile = "why.jsonl"

// why is a line of it.
type why struct {
	ID string `json:"id,omitempty"`
	dedup.Ref
	At      string     `json:"at"` // file and line
	Reason  string     `json:"reason"`
	Score   float64    `json:"score,omitempty"`
	Method  string     `json:"method,omitempty"`
	Cluster int        `json:"cluster,omitempty"`
	Kept    *keptPlace `json:"kept,omitempty"`
	Error   string     `json:"error,omitempty"`

	// Raw is the bytes of a row that is no document: beside sound ones it could make them
	// unreadable.
	Raw []byte `json:"raw,omitempty"`
}

type keptPlace struct {
	ID string `json:"id"`
	dedup.Ref
	At string `json:"at"`
}

func (r *run) writeWhy(m *members) error {
	f, err := create(filepath.Join(r.made, whyFile))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<16)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	method := r.o.settings().Verify
	if r.o.Verify == nil {
		method = r.o.Method.String()
	}
	for i, row := range m.rows {
		k, reason, score := r.kept(int(row))
		if reason == "" {
			continue
		}
		w := why{ID: m.id(i), Ref: r.ref(int(row)), At: m.at(i), Reason: reason}
		if reason == reasonBad {
			w.Error, w.Raw = r.badRows[int(row)].Error(), r.badBytes[int(row)]
		} else {
			j := m.find(k)
			w.Score, w.Cluster = score, r.cluster(k)
			w.Kept = &keptPlace{m.id(j), r.ref(int(k)), m.at(j)}
		}
		if reason == reasonAlike {
			w.Method = method
		}
		if err := enc.Encode(&w); err != nil {
			return errors.Join(fmt.Errorf("dedup: %w", err), f.close())
		}
	}
	return errors.Join(out.Flush(), f.close())
}

// writeClusters writes the table that package datasets reads as the truth of a set.
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
