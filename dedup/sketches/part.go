package sketches

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

func halves(h dedup.Hash) (high, low int64) {
	return int64(binary.BigEndian.Uint64(h[:8])), int64(binary.BigEndian.Uint64(h[8:]))
}

// hashOf is the inverse of halves.
func hashOf(high, low int64) (h dedup.Hash) {
	binary.BigEndian.PutUint64(h[:8], uint64(high))
	binary.BigEndian.PutUint64(h[8:], uint64(low))
	return h
}

// part is some documents of a shard that are written together.
type part struct {
	documents  []Document
	sketches   []Sketch
	verify     []Sketch
	keys       []key
	memory     int // bytes that all of these take
	unreadable int
	missing    int64
	text       int64            // bytes
	files      map[string]int64 // that have been written, see partMarker
}

// key is a bucket key of a document.
type key struct {
	similarity.Key
	document int // its place in the part
	sketch   int // the place of its sketch
}

func (p *part) rows() int { return len(p.documents) }

func (p *part) reset() {
	*p = part{documents: p.documents[:0], sketches: p.sketches[:0], verify: p.verify[:0], keys: p.keys[:0]}
}

// The memory of a row without its lists, in bytes.
const (
	documentBytes = 160
	sketchBytes   = 80
	keyBytes      = 32
)

func (s *Sketch) size() int { return sketchBytes + 8*(len(s.Words)+len(s.Weights)) }

func newSketch(number int64, r Row) Sketch { return Sketch{number, r.Words, r.Weights, r.Sum, r.Size} }

func (p *part) add(m *mapped, i int) {
	d := m.documents[i]
	p.documents = append(p.documents, d)
	p.memory += documentBytes + len(d.ID) + len(d.Rank) + len(d.Error)
	if i == 0 {
		p.missing += m.missing
	}
	if m.bad[i] != nil {
		return
	}
	p.text += d.Length
	if d.Empty {
		return
	}
	p.sketches = append(p.sketches, newSketch(d.Number, m.sketches[i]))
	p.memory += p.sketches[len(p.sketches)-1].size()
	for _, k := range m.keys[i] {
		p.keys = append(p.keys, key{k, len(p.documents) - 1, len(p.sketches) - 1})
		p.memory += keyBytes
	}
	if v := m.verify[i]; len(v.Words) > 0 || v.Size > 0 {
		p.verify = append(p.verify, newSketch(d.Number, v))
		p.memory += p.verify[len(p.verify)-1].size()
	}
}

// fileName returns the name of a file of a part.
func fileName(shard, part int, ending string) string {
	return fmt.Sprintf("part-%05d-%05d.%s", shard, part, ending)
}

// write writes the files of the part.
func (p *part) write(o *Options, number int) error {
	name := fileName(o.Shard, number, "parquet")
	p.files = make(map[string]int64)
	err := writeTable(p, o, filepath.Join(documentsDir, name), p.documents, func(d *Document) int {
		return documentBytes + len(d.ID) + len(d.Rank) + len(d.Error)
	})
	if err != nil {
		return err
	}
	layout := o.Columns.Layout()
	if !layout.Inline() {
		if err := writeTable(p, o, filepath.Join(sketchesDir, name), p.sketches, (*Sketch).size); err != nil {
			return err
		}
	}
	if o.Verify != nil {
		if err := writeTable(p, o, filepath.Join(verifyDir, name), p.verify, (*Sketch).size); err != nil {
			return err
		}
	}
	return p.writeKeys(o, name, layout.Inline())
}

// writeTable writes a file of the part. name is its path in the folder.
func writeTable[T any](p *part, o *Options, name string, rows []T, size func(*T) int) error {
	bytes, err := table(filepath.Join(o.Out, name), rows, size)
	p.files[filepath.ToSlash(name)] = bytes
	return err
}

// writeKeys writes a file for each slice of each table that has keys.
func (p *part) writeKeys(o *Options, file string, inline bool) error {
	slices.SortFunc(p.keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.document, b.document))
	})
	shift := 64 - bits.TrailingZeros(uint(o.Slices))
	sliceOf := func(k key) uint64 { return k.Bucket >> shift } // 0 where it is shifted by 64
	for from := 0; from < len(p.keys); {
		to := from + 1
		for to < len(p.keys) && p.keys[to].Table == p.keys[from].Table && sliceOf(p.keys[to]) == sliceOf(p.keys[from]) {
			to++
		}
		name := filepath.Join(bucketsDir, fmt.Sprintf("bucket_table=%d", p.keys[from].Table), fmt.Sprintf("slice=%d", sliceOf(p.keys[from])), file)
		if err := p.writeSlice(o, name, p.keys[from:to], inline); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func (p *part) writeSlice(o *Options, name string, keys []key, inline bool) error {
	if !inline {
		rows := make([]Key, len(keys))
		for i, k := range keys {
			rows[i] = Key{int64(k.Bucket), p.documents[k.document].Number}
		}
		return writeTable(p, o, name, rows, func(*Key) int { return keyBytes })
	}
	rows := make([]InlineKey, len(keys))
	for i, k := range keys {
		words := p.sketches[k.sketch].Words
		rows[i] = InlineKey{Bucket: int64(k.Bucket), Number: p.documents[k.document].Number, Word: words[0]}
		if len(words) > 1 {
			rows[i].High = words[1]
		}
	}
	return writeTable(p, o, name, rows, func(*InlineKey) int { return keyBytes })
}

// Counts are the numbers of a part or of a shard.
type Counts struct {
	Unreadable int   `json:"unreadable"`
	Keys       int   `json:"keys"`
	Bytes      int64 `json:"bytes"` // of text
	Missing    int64 `json:"missing_values"`

	// Sketches and Verify count the rows of those tables. Sketches that lie beside
	// keys count too.
	Sketches int `json:"sketches"`
	Verify   int `json:"verify"`
}

func (c *Counts) add(o *Counts) {
	c.Unreadable += o.Unreadable
	c.Keys += o.Keys
	c.Bytes += o.Bytes
	c.Missing += o.Missing
	c.Sketches += o.Sketches
	c.Verify += o.Verify
}

// partMarker is the marker of a part that is complete.
type partMarker struct {
	Rows int `json:"rows"`
	Counts

	// Files are the files of the part and their bytes.
	Files map[string]int64 `json:"files"`
}

func (p *part) marker() *partMarker {
	return &partMarker{p.rows(), Counts{p.unreadable, len(p.keys), p.text, p.missing, len(p.sketches), len(p.verify)}, p.files}
}

// there reports whether the files of a part are there, as they were written.
func (p *partMarker) there(dir string) bool {
	for name, bytes := range p.Files {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil || info.Size() != bytes {
			return false
		}
	}
	return true
}

// Shard is the marker of a shard that is complete.
type Shard struct {
	Parts     int `json:"parts"`
	Documents int `json:"documents"` // rows of the shard, unreadable ones included
	Counts

	// Rows is the number of rows of each source that was read, with the rows of
	// other shards.
	Rows map[int]int `json:"rows"`
}

func (s *Shard) add(p *partMarker) {
	s.Parts++
	s.Documents += p.Rows
	s.Counts.add(&p.Counts)
}

// The names of the markers.
func partName(shard, part int) string { return fileName(shard, part, "json") }
func shardName(shard int) string      { return fmt.Sprintf("shard-%05d.json", shard) }

func readMarker[T partMarker | Shard](dir, name string) (*T, error) {
	path := filepath.Join(dir, doneDir, name)
	v := new(T)
	b, err := os.ReadFile(path)
	if err == nil {
		if err = json.Unmarshal(b, v); err != nil {
			err = fmt.Errorf("%w: remove it to have the part made again", err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sketches: %s: %w", path, err)
	}
	return v, nil
}

func writeMarker(dir, name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("sketches: %w", err)
	}
	return aside(filepath.Join(dir, doneDir, name), func(f *file) error {
		_, err := f.Write(append(b, '\n'))
		return err
	})
}
