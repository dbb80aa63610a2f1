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
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/local"
)

func init() {
	beam.RegisterDoFn(&pack{})
	beam.RegisterDoFn(&write{})
	beam.RegisterDoFn(&why{})
	beam.RegisterDoFn(&writeWhy{})
	beam.RegisterDoFn(&summarise{})
	register.Iter2[string, int64]()
}

// totals takes the sums of all counts.
func totals(next func(*string, *int64) bool) map[string]int64 {
	out := map[string]int64{}
	var name string
	var n int64
	for next(&name, &n) {
		out[name] += n
	}
	return out
}

// stopped reports whether nothing is to be written: too many rows are bad, or too many would go.
func (s *settings) stopped(n map[string]int64) bool {
	documents := n["rows"] - n["unreadable"]
	return n["unreadable"]+n["old unreadable"] > int64(s.SkipBad) || documents > 0 && float64(n["equal"]+n["alike"])/float64(documents) > s.MaxDrop
}

// places says where pieces begin, once all are read.
type places struct {
	rows     map[string]int // of a source, before the piece
	lines    map[string]int // of a file, before the piece
	clusters map[string]int // before the piece
	sizes    map[string]size
}

// measured is what is known of a piece that was read.
type measured struct {
	Source, Part, Rows, Lines int
	Sum                       uint64
	Name                      string
}

func (m *measured) size() size { return size{m.Rows, m.Lines, m.Sum} }

func (t *tools) takeSizes(sizes func(*[]byte) bool) ([]measured, error) {
	var out []measured
	err := t.decodeAll(sizes, func(d *decoder) {
		out = append(out, measured{d.uint(), d.uint(), d.uint(), d.uint(), d.uint64(), d.string()})
	})
	slices.SortFunc(out, func(a, b measured) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Part, b.Part)) })
	return out, err
}

// placesOf returns the places of pieces that are in order. own are the clusters
// of each piece.
func placesOf(all []measured, own map[string]int) *places {
	p := &places{map[string]int{}, map[string]int{}, map[string]int{}, map[string]size{}}
	rows, lines, clusters := 0, 0, 0
	for i, m := range all {
		if i > 0 && m.Source != all[i-1].Source {
			rows, lines = 0, 0
		}
		if i > 0 && m.Name != all[i-1].Name {
			lines = 0
		}
		key := string(pieceKey(m.Source, m.Part))
		p.rows[key], p.lines[key], p.clusters[key] = rows, lines, clusters
		p.sizes[key] = m.size()
		rows, lines, clusters = rows+m.Rows, lines+m.Lines, clusters+own[key]
	}
	return p
}

// pack makes one element of a piece and all that is known of its rows: a runner for which a step with side
// inputs begins a stage of its own could not hand it groups.
type pack struct{}

// ProcessElement takes a piece and what goes with it.
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
	leader  string // piece and row of the one that is kept
	cluster int
}

// id returns the id of a document, which may be made of its place in the file.
func (p *piece) id(doc *datasets.Row, file, line int, like *datasets.Source) string {
	f := p.Files[file]
	if p.Format == "text" {
		return f.ID
	}
	if like.ID == "" {
		if id, _ := doc.Get("id"); id == "" {
			if p.Many || like.PathIDs {
				return f.ID + ":" + strconv.Itoa(line)
			}
			return strconv.Itoa(line)
		}
	}
	return doc.Doc.ID
}

// found is where a row was found: what the outputs say of it, but for its source, which its piece tells.
type found struct {
	row, line int // of the source, of the file
	file      int // of the piece
	id        string
}

func (e encoder) found(f found) encoder { return e.uint(f.row).uint(f.line).uint(f.file).string(f.id) }

func (d *decoder) found() found { return found{d.uint(), d.uint(), d.uint(), d.string()} }

// What is said of rows are the largest elements but for sketches. Names and specs, which the pieces and the settings tell,
// are not in them.

// removal is what is said of a row that was removed. A row that is no document has its line of why.jsonl.
type removal struct {
	reason  byte
	score   float64
	cluster int
	leader  string // as decision has it
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

// create makes a file of the outputs, which appears when it is complete: a worker that is killed
// leaves nothing, and one that does the same again writes the same.
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

// close ends the file, which does not appear where there was an error.
func (o *output) close(err error) error { return o.end(errors.Join(err, o.Flush())) }

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
	in, err := openWhole(ctx, f.Path)
	if err != nil {
		return err
	}
	out, err := r.s.create(ctx, path.Join(r.dir, f.Goes))
	if err == nil {
		_, err = io.Copy(out, in)
		err = out.close(err)
	}
	return errors.Join(err, in.Close())
}

func openWhole(ctx context.Context, path string) (io.ReadCloser, error) {
	if !remote(path) {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("beam: %w", err)
		}
		return f, nil
	}
	system, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("beam: %w", err)
	}
	r, err := system.OpenRead(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("beam: %w", errors.Join(err, system.Close()))
	}
	return struct {
		io.Reader
		io.Closer
	}{r, closers{r, system}}, nil
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

// write reads a piece once more and writes each row to where it goes, and which cluster it is in. What
// why.jsonl says of a row needs the one that is kept for it, which may stand in another piece.
type write struct{ worker }

// ProcessElement writes the rows of a piece.
func (w *write) ProcessElement(ctx context.Context, key, packed []byte, sizes, counts func(*[]byte) bool, sums func(*string, *int64) bool, kept, said func([]byte, []byte), laid func([]byte), texts func([]byte, []byte)) error {
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
	at := placesOf(all, own)
	decisions := map[int]decision{}
	err = w.t.decodeAll(decided, func(d *decoder) {
		row, reason, score := d.uint(), d.uint(), 1.0
		if reason == isAlike {
			score = d.float()
		}
		leader := d.bytes()
		own := d.uint()
		cluster := at.clusters[string(leader)] + d.uint() + 1
		decisions[row] = decision{byte(reason), score, string(encoder(slices.Clone(leader)).uint(own)), cluster}
	})
	if err != nil {
		return err
	}
	piece, err := w.rows(ctx, p, string(key), at, decisions, kept, said, texts)
	if err != nil || w.t.Annotate || w.t.old(p.Source) || p.Format == "text" { // whose files need no layout to be put together
		return err
	}
	layout, err := json.Marshal(piece)
	laid(append(encoder{}.uint(p.Index), layout...))
	return err
}

func (w *write) rows(ctx context.Context, p *piece, key string, at *places, decisions map[int]decision, kept, said, texts func([]byte, []byte)) (laid *local.Piece, err error) {
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
		return nil, nil // there is nothing to say of it
	}
	var parser datasets.Parser
	var layout *datasets.Layout
	sum := xxh3.New()
	laid = &local.Piece{Source: p.Source - w.t.Old, First: at.rows[key], Name: p.Files[0].Goes, Infix: p.infix()}
	n, err := p.eachIn(ctx, w.t.like, func(r *datasets.RawReader) error {
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
		absolute := at.lines[key] + raw.Line
		ref := w.t.place(p.Source, at.rows[key]+row).Ref
		d, is := decisions[row]
		if !is {
			_, err := parser.Row(raw)
			bad, isBad := isBad(err)
			if !isBad {
				return errors.Join(err, stay.write(ctx, p, file, raw))
			}
			if old {
				return nil // it is no row of what is removed from
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
		id := p.id(&doc, file, absolute, &w.t.like)
		fmt.Fprintf(clusters, "%s\t%d\n", id, d.cluster)
		at := found{ref.Row, absolute, file, id}
		if d.reason == isKept {
			other := ""
			if file > 0 { // the sizes of pieces name their first files
				other = name
			}
			told := encoder{}.found(at).string(other)
			if w.t.Explain {
				told = append(encoder{}.string(w.t.Mask.Apply(doc.Doc.Text)), told...)
			}
			kept([]byte(d.leader), told)
			if w.t.Annotate && !old {
				said([]byte(key), encoder{isMarked}.uint(at.row).uint(d.cluster))
			}
			return stay.write(ctx, p, file, raw)
		}
		said([]byte(key), encoder{}.removal(removal{d.reason, d.score, d.cluster, d.leader, at}))
		if w.t.Explain {
			text := w.t.Mask.Apply(doc.Doc.Text)
			if d.reason == isEqual { // to the one that is kept, which need not be asked for
				said([]byte(key), w.t.explained(at.row, text, text))
			} else {
				texts(meeting(key, d.leader), append(encoder{}.uint(at.row), text...))
			}
		}
		return gone.write(ctx, p, file, raw)
	})
	if err == nil {
		err = p.same(n, at.sizes[key])
	}
	if err != nil {
		return nil, err
	}
	sum.Write(layout.Tail)
	laid.Layout, laid.Sum = *layout, fmt.Sprintf("%x", sum.Sum128().Bytes())
	laid.File = p.Files[0].Name
	return laid, nil
}

// marked calls what begins outputs, of which only those of the first piece may begin with a mark of the byte order: put
// one behind the other, they would hold it before a row.
func (s *settings) marked(p *piece, l *datasets.Layout, begin func() error) error {
	was := l.BOM
	l.BOM = was && p.Source == s.Old && p.Part == 0
	defer func() { l.BOM = was }()
	return begin()
}

// placeAt says a place as the outputs do.
func placeAt(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// jsonLine encodes as package local does.
func jsonLine(r *local.Removal) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	return b.Bytes(), err
}

// why tells the pieces in which rows are removed for a document where that stands. It is told once to each piece, since
// for one document many may be removed.
type why struct{ worker }

// ProcessElement takes a document that is kept and the pieces.
func (w *why) ProcessElement(_ context.Context, leader []byte, kept, pieces func(*[]byte) bool, tell, text func([]byte, []byte)) error {
	var at []byte
	if !kept(&at) { // nothing is to be written
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

// ProcessElement writes the lines of a piece.
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
	names := map[string]string{}
	for _, m := range all {
		names[string(pieceKey(m.Source, m.Part))] = m.Name
	}
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
			shared[d.uint()] = d.strings()
		default:
			d.b = whole
			removals = append(removals, d.removal())
		}
	})
	if err != nil {
		return err
	}
	for _, r := range removals {
		say, err := w.removal(p, names, leaders, r)
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
	at := placesOf(all, nil)
	return w.annotate(ctx, p, at.rows[string(p.key())], at.sizes[string(p.key())], marks)
}

// leader is where a document stands that is kept, and the file's name where that is not the first of its piece.
type leader struct {
	found found
	name  string
}

// removal returns what why.jsonl says of a row. names are those of the first files of pieces.
func (w *writeWhy) removal(p *piece, names map[string]string, leaders map[string]leader, r removal) (say local.Removal, err error) {
	k, ok := leaders[r.leader]
	if !ok || len(r.leader) < pieceKeyLen || r.found.file >= len(p.Files) {
		return say, errCut
	}
	piece := r.leader[:pieceKeyLen]
	kept := w.t.place(sourceOf([]byte(piece)), k.found.row)
	say = local.Removal{
		ID: r.found.id, Ref: w.t.place(p.Source, r.found.row).Ref, At: placeAt(p.Files[r.found.file].Name, r.found.line),
		Reason: "equal", Score: r.score, Cluster: r.cluster,
		Kept: &local.Kept{ID: k.found.id, Ref: kept.Ref, At: placeAt(cmp.Or(k.name, names[piece]), k.found.line), Against: kept.Against},
	}
	if r.reason == isAlike {
		say.Reason, say.Method = "alike", cmp.Or(w.t.Verify, w.t.Method)
	}
	return say, nil
}

// summary is what the workers leave for who made the pipeline.
type summary struct {
	Counts  map[string]int64
	Pieces  []measured
	Largest []largest // of the clusters whose kept documents stand in one piece
	Bad     []badRow
	Laid    []local.Piece // in input order; none of texts that are files
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

// ProcessElement writes.
func (w *summarise) ProcessElement(ctx context.Context, _ []byte, sums func(*string, *int64) bool, sizes, best, bad, laid func(*[]byte) bool) (err error) {
	s := summary{Counts: totals(sums)}
	if s.Pieces, err = w.t.takeSizes(sizes); err != nil {
		return err
	}
	at := placesOf(s.Pieces, nil)
	err = w.t.decodeAll(best, func(d *decoder) {
		if key := d.take(pieceKeyLen); key != nil {
			s.Largest = append(s.Largest, largest{sourceOf(key), at.rows[string(key)] + d.uint(), d.uint()})
		}
	})
	if err != nil {
		return err
	}
	err = w.t.decodeAll(bad, func(d *decoder) {
		if key := d.bytes(); len(key) != pieceKeyLen {
			d.bad = true
		} else {
			s.Bad = append(s.Bad, badRow{sourceOf(key), at.rows[string(key)] + d.uint(), at.lines[string(key)] + d.uint(), d.string(), d.string()})
		}
	})
	if err != nil {
		return err
	}
	byIndex := map[int]local.Piece{}
	var failed error
	err = w.t.decodeAll(laid, func(d *decoder) {
		index := d.uint()
		var p local.Piece
		if err := json.Unmarshal(d.b, &p); err != nil {
			failed = fmt.Errorf("beam: layout of a piece: %w", err)
		}
		byIndex[index] = p
	})
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	for _, index := range slices.Sorted(maps.Keys(byIndex)) {
		s.Laid = append(s.Laid, byIndex[index])
	}
	slices.SortFunc(s.Largest, func(a, b largest) int {
		return cmp.Or(-cmp.Compare(a.Size, b.Size), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Row, b.Row))
	})
	s.Largest = s.Largest[:min(1, len(s.Largest))]
	slices.SortFunc(s.Bad, func(a, b badRow) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Row, b.Row)) })
	data, err := json.Marshal(&s)
	if err != nil {
		return err
	}
	out, err := w.t.create(ctx, summaryFile)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return out.close(err)
}

func sourceOf(key []byte) int {
	return int(key[0])<<24 | int(key[1])<<16 | int(key[2])<<8 | int(key[3])
}
