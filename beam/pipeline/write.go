package pipeline

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/jsonl"
)

// totals returns the sums of all counts.
func totals(next func(*string, *int64) bool) map[string]int64 {
	out := map[string]int64{}
	var name string
	var n int64
	for next(&name, &n) {
		out[name] += n
	}
	return out
}

// stopped reports whether nothing is written, for a reason that Options.refuse then
// gives.
func (t *tools) stopped(n map[string]int64) bool {
	documents := n["rows"] - n["unreadable"]
	removed := n["equal"] + n["alike"] + n["first"] + n["judged"]
	return n["unreadable"]+n["old unreadable"] > int64(t.SkipBad) || documents > 0 && float64(removed)/float64(documents) > t.MaxDrop ||
		lacking(t.Limits, t.keep, n, func() []string { return nil }) != nil ||
		t.judged != nil && n["judged texts"] == 0 && documents > 0
}

// start is where a piece begins, once all are read, with what is known of it.
type start struct {
	rows     int // of the source, before the piece
	lines    int // of the file, before the piece
	clusters int // before the piece
	size     size
	name     string // of its first file
}

// measured is what is known of a piece that was read.
type measured struct {
	Source, Part, Rows, Lines int
	Sum                       uint64
	Name                      string
}

func (t *tools) takeSizes(sizes func(*[]byte) bool) ([]measured, error) {
	var out []measured
	err := t.decodeAll(sizes, func(d *decoder) {
		out = append(out, measured{d.uint(), d.uint(), d.uint(), d.uint(), d.uint64(), d.string()})
	})
	slices.SortFunc(out, func(a, b measured) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Part, b.Part)) })
	return out, err
}

// starts returns the starts of pieces, by key. The pieces are in order. own are the
// clusters of each piece.
func starts(all []measured, own map[string]int) map[string]start {
	out := map[string]start{}
	rows, lines, clusters := 0, 0, 0
	for i, m := range all {
		if i > 0 && m.Source != all[i-1].Source {
			rows, lines = 0, 0
		}
		if i > 0 && m.Name != all[i-1].Name {
			lines = 0
		}
		key := string(pieceKey(m.Source, m.Part))
		out[key] = start{rows, lines, clusters, size{m.Rows, m.Lines, m.Sum}, m.Name}
		rows, lines, clusters = rows+m.Rows, lines+m.Lines, clusters+own[key]
	}
	return out
}

// pack makes one element of a piece and all that is known of its rows. In some
// runners a step with side inputs begins a stage of its own, which cannot take
// groups.
type pack struct{}

// ProcessElement takes a piece and the elements of its rows.
func (*pack) ProcessElement(key []byte, pieces, elements func(*[]byte) bool, emit func([]byte, []byte)) {
	var out encoder
	var b []byte
	for _, next := range []func(*[]byte) bool{pieces, elements} {
		for next(&b) {
			out = out.bytes(b)
		}
	}
	emit(key, out)
}

// unpack returns the piece, and the elements as an iterator.
func unpack(packed []byte) (*piece, func(*[]byte) bool, error) {
	d := decoder{b: packed}
	p, err := pieceOfJSON(d.string())
	if err != nil {
		return nil, nil, err
	}
	return p, func(b *[]byte) bool {
		if len(d.b) == 0 {
			return false
		}
		*b = d.bytes()
		return true
	}, nil
}

// decision is what becomes of a row that is in a cluster.
type decision struct {
	reason  byte
	score   float64
	leader  string // piece and row of the document that is kept
	cluster int
}

// id returns the id of a document. Its place in the file may be its id.
func (p *piece) id(doc *datasets.Row, file, line int, like *datasets.Source) string {
	f := p.Files[file]
	if p.Format == "text" {
		return f.ID
	}
	switch {
	case p.states(doc, like):
		return doc.Doc.ID
	case p.Many || like.PathIDs:
		return f.ID + ":" + strconv.Itoa(line)
	}
	return strconv.Itoa(line)
}

// states reports whether a document of a table states its id.
func (p *piece) states(doc *datasets.Row, like *datasets.Source) bool {
	if like.ID != "" {
		return true
	}
	id, _ := doc.Get("id")
	return id != ""
}

// found is where a row was found, as the outputs say it. Its piece tells its source.
type found struct {
	row, line int // of the source, of the file
	file      int // of the piece
	id        string
}

func (e encoder) found(f found) encoder { return e.uint(f.row).uint(f.line).uint(f.file).string(f.id) }

func (d *decoder) found() found { return found{d.uint(), d.uint(), d.uint(), d.string()} }

// Only sketches make larger elements than what is said of rows. So names and specs
// are not in them: the pieces and the settings tell these.

// removal is what is said of a removed document.
type removal struct {
	reason  byte
	score   float64
	cluster int
	leader  string // as in decision
	found   found
}

func (e encoder) removal(r removal) encoder {
	e = append(e, r.reason)
	if r.reason == isAlike { // all others score 1
		e = e.float(r.score)
	}
	return e.uint(r.cluster).string(r.leader).found(r.found)
}

func (d *decoder) removal() removal {
	r := removal{reason: d.byte(), score: 1}
	if r.reason == isAlike {
		r.score = d.float()
	}
	r.cluster, r.leader, r.found = d.uint(), d.string(), d.found()
	return r
}

// output is a file that is being written.
type output struct {
	*bufio.Writer
	end func(error) error
}

// create makes a file of the outputs, which appears when it is complete. A killed
// worker leaves no output, and another one writes the same file again.
func (s *settings) create(ctx context.Context, name string) (*output, error) {
	if remote(s.Out) {
		system, err := filesystem.New(ctx, s.Out)
		if err != nil {
			return nil, fmt.Errorf("beam: %w", err)
		}
		w, err := system.OpenWrite(ctx, s.Out+"/"+name)
		if err != nil {
			return nil, fmt.Errorf("beam: write %s: %w", name, errors.Join(err, system.Close()))
		}
		return &output{bufio.NewWriterSize(w, 1<<16), func(err error) error {
			return errors.Join(err, w.Close(), system.Close())
		}}, nil
	}
	to := filepath.Join(s.Out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(to), ".part-*")
	if err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	return &output{bufio.NewWriterSize(f, 1<<16), func(err error) error {
		err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
		if err == nil {
			err = os.Rename(f.Name(), to)
		}
		if err != nil {
			os.Remove(f.Name())
		}
		return err
	}}, nil
}

// close ends the file, which does not appear if there was an error.
func (o *output) close(err error) error { return o.end(errors.Join(err, o.Flush())) }

// writeFile makes a file of the outputs with the content.
func (s *settings) writeFile(ctx context.Context, name string, content []byte) error {
	out, err := s.create(ctx, name)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	if err := out.close(err); err != nil {
		return fmt.Errorf("beam: write %s: %w", name, err)
	}
	return nil
}

// rows is where rows of a piece go.
type rows struct {
	out  *output
	copy *datasets.Copier
	s    *settings
	dir  string // of texts, whose files are copied
}

func (s *settings) rows(ctx context.Context, p *piece, name string, r *datasets.RawReader) (*rows, error) {
	if p.Format == "text" {
		return &rows{s: s, dir: name}, nil
	}
	out, err := s.create(ctx, p.shard(name, r.Extension()))
	if err != nil {
		return nil, err
	}
	c, err := datasets.NewCopier(out, r)
	if err != nil {
		return nil, out.close(err)
	}
	return &rows{out: out, copy: c}, nil
}

func (r *rows) write(ctx context.Context, p *piece, file int, row datasets.RawRow) error {
	if r == nil {
		return nil
	}
	if r.copy != nil {
		return r.copy.Write(row)
	}
	f := p.Files[file]
	in, err := openFile(ctx, f.Path)
	if err != nil {
		return fmt.Errorf("beam: %w", err)
	}
	out, err := r.s.create(ctx, path.Join(r.dir, f.Goes))
	if err == nil {
		_, err = io.Copy(out, in)
		err = out.close(err)
	}
	return errors.Join(err, in.Close())
}

func (r *rows) close(err error) error {
	if r == nil || r.out == nil {
		return err
	}
	if err == nil {
		err = r.copy.Close()
	}
	return r.out.close(err)
}

// write reads a piece once more, writes each row to its output, and says which
// cluster it is in. why.jsonl also names the document that is kept for a row,
// which may stand in another piece.
type write struct{ worker }

func (w *write) ProcessElement(ctx context.Context, key, packed []byte, sizes, counts func(*[]byte) bool, sums func(*string, *int64) bool, kept, said func([]byte, []byte), laid func([]byte), texts, ids func([]byte, []byte)) error {
	if w.t.stopped(totals(sums)) {
		return nil
	}
	p, decided, err := unpack(packed)
	if err != nil {
		return err
	}
	all, err := w.t.takeSizes(sizes)
	if err != nil {
		return err
	}
	own := map[string]int{}
	err = w.t.decodeAll(counts, func(d *decoder) {
		piece := string(d.take(pieceKeyLen))
		own[piece] = d.uint()
	})
	if err != nil {
		return err
	}
	at := starts(all, own)
	decisions := map[int]decision{}
	err = w.t.decodeAll(decided, func(d *decoder) {
		row, reason, score := d.uint(), d.uint(), 1.0
		if reason == isAlike {
			score = d.float()
		}
		leader := d.bytes()
		own := d.uint()
		cluster := at[string(leader)].clusters + d.uint() + 1
		decisions[row] = decision{byte(reason), score, string(encoder(slices.Clone(leader)).uint(own)), cluster}
	})
	if err != nil {
		return err
	}
	of := &idsOf{}
	piece, err := w.rows(ctx, p, string(key), at[string(key)], decisions, of, kept, said, texts)
	if err == nil {
		of.send(&w.t.settings, p, ids)
	}
	if err != nil || w.t.Annotate || w.t.old(p.Source) || p.Format == "text" { // files of one text need no layout
		return err
	}
	layout, err := json.Marshal(piece)
	laid(layout)
	return err
}

func (w *write) rows(ctx context.Context, p *piece, key string, from start, decisions map[int]decision, ids *idsOf, kept, said, texts func([]byte, []byte)) (laid *local.Piece, err error) {
	var stay, gone *rows
	clusters, err := w.t.create(ctx, p.shard("clusters", ".tsv"))
	if err != nil {
		return nil, err
	}
	if p.Index == 0 {
		clusters.WriteString("id\tcluster\n")
	}
	defer func() { err = clusters.close(gone.close(stay.close(err))) }()
	old := w.t.old(p.Source)
	if old && len(decisions) == 0 {
		return nil, nil // nothing is said of it
	}
	var parser datasets.Parser
	var layout *datasets.Layout
	sum := xxh3.New()
	laid = &local.Piece{Source: p.Source - w.t.Old, First: from.rows, Name: p.Files[0].Goes, Infix: p.infix()}
	n, err := p.each(ctx, &w.t.Read, func(r *datasets.RawReader) error {
		if stay != nil {
			return nil
		}
		if layout = r.Layout(); layout.BOM {
			sum.WriteString("\xef\xbb\xbf")
		}
		sum.Write(layout.Header)
		laid.Ending = r.Extension()
		if w.t.Annotate || old {
			return nil
		}
		return w.Settings.marked(p, layout, func() (err error) {
			if stay, err = w.t.rows(ctx, p, "kept", r); err == nil && !w.t.DropText {
				gone, err = w.t.rows(ctx, p, "removed", r)
			}
			return err
		})
	}, func(row, file int, raw datasets.RawRow) error {
		sum.Write(raw.Bytes)
		name := p.Files[file].Name
		absolute := from.lines + raw.Line
		ref := w.t.place(p.Source, from.rows+row).Ref
		d, is := decisions[row]
		if !is {
			doc, err := parser.Row(raw)
			bad, isBad := isBad(err)
			if err == nil && !old {
				ids.add(p.id(&doc, file, absolute, &w.t.Read), row)
			}
			if !isBad {
				return errors.Join(err, stay.write(ctx, p, file, raw))
			}
			if old {
				return nil // only new rows are reported
			}
			r := local.Removal{Ref: ref, At: placeAt(name, absolute), Reason: "unreadable", Error: (&datasets.BadRow{File: name, Line: absolute, Err: bad.Err}).Error()}
			if !w.t.DropText && p.Format != "text" && raw.Bytes != nil {
				r.Raw = raw.Bytes
			}
			e, err := jsonLine(&r)
			if err != nil {
				return err
			}
			said([]byte(key), append(encoder{isUnreadable}.uint(ref.Row), e...))
			if r.Raw == nil {
				return gone.write(ctx, p, file, raw)
			}
			return nil
		}
		doc, err := parser.Row(raw)
		if err != nil {
			return err
		}
		id := p.id(&doc, file, absolute, &w.t.Read)
		if !old {
			ids.add(id, row)
		}
		fmt.Fprintf(clusters, "%s\t%d\n", id, d.cluster)
		at := found{ref.Row, absolute, file, id}
		if d.reason == isKept || d.reason == isFirst {
			other := ""
			if file > 0 { // the sizes of pieces name their first files
				other = name
			}
			told := encoder{}.found(at).string(other)
			if w.t.Explain {
				told = append(encoder{}.string(w.t.Mask.Apply(doc.Doc.Text)), told...)
			}
			kept([]byte(d.leader), told)
			if d.reason == isFirst {
				said([]byte(key), encoder{}.removal(removal{isFirst, 0, d.cluster, d.leader, at}))
				return gone.write(ctx, p, file, raw)
			}
			if w.t.Annotate && !old {
				said([]byte(key), encoder{isMarked}.uint(at.row).uint(d.cluster))
			}
			return stay.write(ctx, p, file, raw)
		}
		said([]byte(key), encoder{}.removal(removal{d.reason, d.score, d.cluster, d.leader, at}))
		if w.t.Explain {
			text := w.t.Mask.Apply(doc.Doc.Text)
			if d.reason == isEqual { // the text that is kept is the same
				said([]byte(key), w.t.explained(at.row, text, text))
			} else {
				texts(meeting(key, d.leader), append(encoder{}.uint(at.row), text...))
			}
		}
		return gone.write(ctx, p, file, raw)
	})
	if err == nil {
		err = p.same(n, from.size)
	}
	if err != nil {
		return nil, err
	}
	sum.Write(layout.Tail)
	laid.Layout, laid.Sum = *layout, fmt.Sprintf("%x", sum.Sum128().Bytes())
	laid.File = p.Files[0].Name
	return laid, nil
}

// marked calls begin, which begins outputs. Only outputs of the first piece of a
// source may begin with a byte order mark, because pieces are concatenated.
func (s *settings) marked(p *piece, l *datasets.Layout, begin func() error) error {
	was := l.BOM
	l.BOM = was && p.Source == s.Old && p.Part == 0
	defer func() { l.BOM = was }()
	return begin()
}

// placeAt names a place as the outputs do.
func placeAt(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// jsonLine encodes as package local does.
func jsonLine(r *local.Removal) ([]byte, error) {
	var b bytes.Buffer
	err := jsonl.Encode(&b, []*local.Removal{r})
	return b.Bytes(), err
}

// why tells pieces where a document stands that is kept for rows of theirs. Each
// piece is told once, because many rows may be removed for one document.
type why struct{ worker }

// ProcessElement takes a document that is kept and the pieces.
func (w *why) ProcessElement(_ context.Context, leader []byte, kept, pieces func(*[]byte) bool, tell, text func([]byte, []byte)) error {
	var at []byte
	if !kept(&at) { // nothing is written
		return nil
	}
	d := decoder{b: at}
	var whole []byte
	if w.t.Explain {
		whole = d.bytes()
	}
	if err := d.err(); err != nil {
		return err
	}
	told := append(encoder{isKept}.bytes(leader), d.b...)
	return w.t.decodeAll(pieces, func(d *decoder) {
		for len(d.b) > 0 {
			piece := d.bytes()
			tell(slices.Clone(piece), told)
			if w.t.Explain {
				text(meeting(string(piece), string(leader)), whole)
			}
		}
	})
}

// writeWhy writes what is said of the removed rows of a piece, in input order.
type writeWhy struct{ worker }

func (w *writeWhy) ProcessElement(ctx context.Context, _, packed []byte, sizes func(*[]byte) bool, sums func(*string, *int64) bool) (err error) {
	if w.t.stopped(totals(sums)) {
		return nil
	}
	p, reasons, err := unpack(packed)
	if err != nil {
		return err
	}
	all, err := w.t.takeSizes(sizes)
	if err != nil {
		return err
	}
	at := starts(all, nil)
	type said struct {
		row  int
		line []byte
	}
	var lines []said
	var removals []removal
	leaders := map[string]leader{}
	marks := map[int]mark{}
	shared := map[int][]string{}
	err = w.t.decodeAll(reasons, func(d *decoder) {
		whole := d.b
		switch d.byte() {
		case isKept:
			leaders[d.string()] = leader{d.found(), d.string()}
		case isUnreadable:
			row := d.uint()
			lines = append(lines, said{row, d.b})
			marks[row] = mark{unreadable: true}
		case isMarked:
			marks[d.uint()] = mark{cluster: d.uint()}
		case isExplained:
			for row := d.uint(); len(d.b) > 0; {
				shared[row] = append(shared[row], d.string())
			}
		default:
			d.b = whole
			removals = append(removals, d.removal())
		}
	})
	if err != nil {
		return err
	}
	for _, r := range removals {
		say, err := w.removal(p, at, leaders, r)
		if err != nil {
			return err
		}
		say.Shared = shared[r.found.row]
		line, err := jsonLine(&say)
		if err != nil {
			return err
		}
		lines = append(lines, said{r.found.row, line})
		if w.t.Annotate {
			marks[r.found.row] = mark{cluster: r.cluster, removed: &say}
		}
	}
	slices.SortFunc(lines, func(a, b said) int { return cmp.Compare(a.row, b.row) })
	out, err := w.t.create(ctx, p.shard("why", ".jsonl"))
	if err != nil {
		return err
	}
	for _, s := range lines {
		out.Write(s.line)
	}
	if err := out.close(nil); err != nil || !w.t.Annotate || w.t.old(p.Source) {
		return err
	}
	return w.annotate(ctx, p, at[string(p.key())], marks)
}

// leader is where a document stands that is kept. name is that of its file, or empty
// if that is the first of its piece.
type leader struct {
	found found
	name  string
}

// removal returns what why.jsonl says of a row.
func (w *writeWhy) removal(p *piece, at map[string]start, leaders map[string]leader, r removal) (say local.Removal, err error) {
	if r.reason == isFirst {
		return local.Removal{
			ID: r.found.id, Ref: w.t.place(p.Source, r.found.row).Ref, At: placeAt(p.Files[r.found.file].Name, r.found.line),
			Reason: "first", Cluster: r.cluster,
		}, nil
	}
	k, ok := leaders[r.leader]
	if !ok || len(r.leader) < pieceKeyLen || r.found.file >= len(p.Files) {
		return say, errCut
	}
	piece := r.leader[:pieceKeyLen]
	kept := w.t.place(sourceOf([]byte(piece)), k.found.row)
	say = local.Removal{
		ID: r.found.id, Ref: w.t.place(p.Source, r.found.row).Ref, At: placeAt(p.Files[r.found.file].Name, r.found.line),
		Reason: "equal", Score: r.score, Cluster: r.cluster,
		Kept: &local.Kept{ID: k.found.id, Ref: kept.Ref, At: placeAt(cmp.Or(k.name, at[piece].name), k.found.line), Against: kept.Against},
	}
	if r.reason == isAlike {
		say.Reason, say.Method = "alike", cmp.Or(w.t.Verify, w.t.Method)
		if w.t.only(r.score) {
			say.Reason = "judged"
		}
	}
	return say, nil
}

// summary is what the workers leave for Run.
type summary struct {
	Counts  map[string]int64
	Pieces  []measured
	Largest []largest // of the clusters whose kept documents stand in one piece
	Bad     []badRow
	Laid    []local.Piece // in input order; none of texts that are files
	Repeats repeats
}

type largest struct {
	Source, Row, Size int
}

type badRow struct {
	Source, Row, Line int
	File, Error       string
}

const summaryFile = "summary.json"

// summarise writes the summary.
type summarise struct{ worker }

func (w *summarise) ProcessElement(ctx context.Context, _ []byte, sums func(*string, *int64) bool, sizes, best, bad, laid, repeated func(*[]byte) bool) (err error) {
	s := summary{Counts: totals(sums)}
	if err := w.t.decodeAll(repeated, func(d *decoder) { s.Repeats.add(d.repeats()) }); err != nil {
		return err
	}
	if s.Pieces, err = w.t.takeSizes(sizes); err != nil {
		return err
	}
	at := starts(s.Pieces, nil)
	err = w.t.decodeAll(best, func(d *decoder) {
		if key := d.take(pieceKeyLen); key != nil {
			s.Largest = append(s.Largest, largest{sourceOf(key), at[string(key)].rows + d.uint(), d.uint()})
		}
	})
	if err != nil {
		return err
	}
	err = w.t.decodeAll(bad, func(d *decoder) {
		if key := d.take(pieceKeyLen); key != nil {
			from := at[string(key)]
			s.Bad = append(s.Bad, badRow{sourceOf(key), from.rows + d.uint(), from.lines + d.uint(), d.string(), d.string()})
		}
	})
	if err != nil {
		return err
	}
	for _, b := range all(laid) {
		var p local.Piece
		if err := json.Unmarshal(b, &p); err != nil {
			return fmt.Errorf("beam: layout of a piece: %w", err)
		}
		s.Laid = append(s.Laid, p)
	}
	// The number of a piece in its infix has at least five digits.
	slices.SortFunc(s.Laid, func(a, b local.Piece) int {
		return cmp.Or(cmp.Compare(len(a.Infix), len(b.Infix)), cmp.Compare(a.Infix, b.Infix))
	})
	slices.SortFunc(s.Largest, func(a, b largest) int {
		return cmp.Or(-cmp.Compare(a.Size, b.Size), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Row, b.Row))
	})
	s.Largest = s.Largest[:min(1, len(s.Largest))]
	slices.SortFunc(s.Bad, func(a, b badRow) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Row, b.Row)) })
	data, err := json.Marshal(&s)
	if err != nil {
		return err
	}
	return w.t.writeFile(ctx, summaryFile, data)
}

func sourceOf(key []byte) int {
	return int(key[0])<<24 | int(key[1])<<16 | int(key[2])<<8 | int(key[3])
}
