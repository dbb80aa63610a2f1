package disk

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/alike-go/alike/index"
)

// builder writes a segment, its parts in the order in which they lie there:
// every doc, then every posting, then every entry of the ids, then of the
// hashes, and finish. The first error stays and finish returns it.
type builder struct {
	path string
	f    *os.File
	w    *bufio.Writer
	off  int64
	err  error
	foot footer

	block  []byte
	n      int            // documents or entries of the block
	last   index.Document // of the block
	firsts []uint64
	offs   []uint64

	keys    []uint64
	keyOffs []uint64
	before  uint64 // key of the group before in the block
	key     uint64 // of the group that is being filled, the last of words and numbers
	list    []byte // of the groups before it
	grouped int    // postings of those
	words   []byte
	numbers []byte
}

// newBuilder starts a segment whose numbers are base and greater.
func newBuilder(path string, base uint64) (*builder, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	b := &builder{path: path, f: f, w: bufio.NewWriterSize(f, 1<<20)}
	b.foot.Version, b.foot.Base, b.foot.Last = segmentVersion, base, base
	b.write([]byte(segmentMagic))
	return b, nil
}

func (b *builder) write(p []byte) {
	if b.err == nil {
		_, b.err = b.w.Write(p)
	}
	b.foot.Sum = crc32.Update(b.foot.Sum, crc32.IEEETable, p)
	b.off += int64(len(p))
}

// flush writes the block with its checksum.
func (b *builder) flush() {
	b.block = seal(b.block)
	b.write(b.block)
	b.block, b.n = b.block[:0], 0
}

// doc adds a document, whose number is greater than those before.
func (b *builder) doc(d *index.Document) {
	if b.n == 0 {
		b.firsts, b.offs = append(b.firsts, d.Number), append(b.offs, uint64(b.off))
		b.last = index.Document{Number: d.Number}
	}
	b.block = appendDoc(b.block, d, &b.last)
	b.last.Number, b.last.ID, b.last.Time = d.Number, d.ID, d.Time
	b.foot.Docs++
	b.foot.Last = d.Number
	if b.n++; b.n == docsOfBlock || len(b.block) >= mostDocBlock {
		b.flush()
	}
}

// docsDone ends the part of the documents.
func (b *builder) docsDone() {
	if b.n > 0 {
		b.flush()
	}
	b.offs = append(b.offs, uint64(b.off))
	b.foot.DocsEnd = b.off
}

// posting adds a posting, in the order of postings.
func (b *builder) posting(p posting) {
	if p.key != b.key || b.filling() == mostGroup {
		b.group()
		b.key = p.key
	}
	b.words = binary.LittleEndian.AppendUint64(b.words, p.word)
	n := p.number - b.foot.Base
	b.numbers = append(b.numbers, byte(n), byte(n>>8), byte(n>>16))
	b.foot.Postings++
}

// filling is how many postings the last group has.
func (b *builder) filling() int { return len(b.numbers)/numberBytes - b.grouped }

// group ends the group that was being filled, in the block before it or a new one.
func (b *builder) group() {
	n := b.filling()
	if n == 0 {
		return
	}
	if b.grouped > 0 && len(b.list)+len(b.words)+len(b.numbers) > postingBlock {
		b.postingBlock(b.grouped)
	}
	if b.grouped == 0 {
		off := uint64(b.off)
		if len(b.keys) > 0 && b.before == b.key {
			off |= continues
		}
		b.keys, b.keyOffs = append(b.keys, b.key), append(b.keyOffs, off)
		b.before = b.key
	}
	b.list = binary.AppendUvarint(b.list, b.key-b.before)
	b.list = binary.AppendUvarint(b.list, uint64(n))
	b.before = b.key
	b.grouped += n
}

// postingBlock writes a block of the first n postings, those of the list.
func (b *builder) postingBlock(n int) {
	b.block = binary.AppendUvarint(b.block, uint64(len(b.list)))
	b.block = append(b.block, b.list...)
	b.block = append(b.block, b.words[:8*n]...)
	b.block = append(b.block, b.numbers[:numberBytes*n]...)
	b.flush()
	b.list, b.grouped = b.list[:0], 0
	b.words = append(b.words[:0], b.words[8*n:]...)
	b.numbers = append(b.numbers[:0], b.numbers[numberBytes*n:]...)
}

// postingsDone ends the part of the postings.
func (b *builder) postingsDone() {
	b.group()
	if b.grouped > 0 {
		b.postingBlock(b.grouped)
	}
	b.keyOffs = append(b.keyOffs, uint64(b.off))
	b.foot.PostingsEnd = b.off
}

// entry adds an entry to the table that is being written.
func (b *builder) entry(hash, number uint64) {
	n := number - b.foot.Base
	b.block = binary.LittleEndian.AppendUint64(b.block, hash)
	b.block = append(b.block, byte(n), byte(n>>8), byte(n>>16))
	if b.n++; b.n == ofPage {
		b.flush()
	}
}

// tableDone ends a table, and sets where.
func (b *builder) tableDone(end *int64) {
	if b.n > 0 {
		b.flush()
	}
	*end = b.off
}

// finish writes the rest and makes the file durable. gone are the numbers of
// documents of other segments that are deleted, ascending.
func (b *builder) finish(gone []uint64) error {
	for _, part := range []struct {
		values, offs []uint64
		end          *int64
	}{
		{gone, nil, &b.foot.GoneEnd},
		{b.firsts, b.offs, &b.foot.DocDirEnd},
		{b.keys, b.keyOffs, &b.foot.DirEnd},
	} {
		for _, values := range [][]uint64{part.values, part.offs} {
			for _, v := range values {
				b.block = binary.LittleEndian.AppendUint64(b.block, v)
			}
		}
		b.flush()
		*part.end = b.off
	}
	foot, err := json.Marshal(b.foot)
	if err != nil {
		panic("disk: " + err.Error()) // it is numbers alone
	}
	tail := binary.LittleEndian.AppendUint32(seal(foot), uint32(len(foot)))
	b.write(append(tail, segmentMagic...))
	if b.err == nil {
		b.err = b.w.Flush()
	}
	if b.err == nil {
		b.err = b.f.Sync()
	}
	if err := b.f.Close(); b.err == nil {
		b.err = err
	}
	if b.err != nil {
		os.Remove(b.path)
		return fmt.Errorf("disk: %s: %w", b.path, b.err)
	}
	return nil
}

// abandon gives the segment up.
func (b *builder) abandon() {
	b.f.Close()
	os.Remove(b.path)
}
