package disk

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/similarity"
)

// The log is a file of batches, each of them
//
//	length (4 bytes) ‖ CRC-32C (4 bytes) ‖ operations
//
// An operation is a byte that says which, a document's number, and where it is
// added the document with its postings. A batch counts if it is whole, and it is made durable before it is
// acknowledged; so a process that ends in the middle of one leaves a tail that
// is cut off.
const (
	logHead  = 8
	opAdd    = 1
	opRemove = 2
)

// appendAdd appends the operation that adds a document.
func appendAdd(dst []byte, e *index.Entry) []byte {
	dst = append(dst, opAdd)
	dst = binary.AppendUvarint(dst, e.Number)
	dst = binary.AppendUvarint(dst, uint64(len(e.ID)))
	dst = append(dst, e.ID...)
	dst = binary.AppendUvarint(dst, uint64(len(e.Sketch)))
	dst = append(dst, e.Sketch...)
	dst = append(dst, e.Hash[:]...)
	dst = binary.AppendVarint(dst, e.Time)
	dst = binary.AppendUvarint(dst, uint64(len(e.Postings)))
	for _, p := range e.Postings {
		dst = p.AppendKey(dst)
	}
	return dst
}

// appendRemove appends the operation that deletes a document.
func appendRemove(dst []byte, number uint64) []byte {
	return binary.AppendUvarint(append(dst, opRemove), number)
}

// readOps calls add and remove with the operations of a batch; ok is false where it is damaged.
func readOps(batch []byte, add func(*index.Entry), remove func(number uint64)) (ok bool) {
	p := parser{batch, true}
	for p.ok && len(p.rest) > 0 {
		op := p.rest[0]
		p.rest = p.rest[1:]
		number := p.uvarint()
		switch op {
		case opRemove:
			if p.ok {
				remove(number)
			}
		case opAdd:
			e := &index.Entry{Document: index.Document{Number: number}}
			e.ID = string(p.bytes(p.uvarint()))
			e.Sketch = append([]byte{}, p.bytes(p.uvarint())...)
			copy(e.Hash[:], p.bytes(uint64(len(e.Hash))))
			e.Time = p.varint()
			n := p.uvarint()
			if !p.ok || n > uint64(len(p.rest))/index.KeySize {
				return false
			}
			e.Postings = make([]index.Posting, n)
			for i := range e.Postings {
				e.Postings[i], _ = index.ParseKey(p.bytes(index.KeySize))
			}
			add(e)
		default:
			return false
		}
	}
	return p.ok
}

// log is one that is open for appending.
type log struct {
	f    *os.File
	size int64
	err  error // of an earlier append, after which the end of the file is not known
}

// append makes a batch durable. The first logHead bytes of batch are for the head.
func (l *log) append(batch []byte) error {
	if l.err != nil {
		return l.err
	}
	body := batch[logHead:]
	binary.LittleEndian.PutUint32(batch, uint32(len(body)))
	binary.LittleEndian.PutUint32(batch[4:], crc32.Checksum(body, castagnoli))
	_, err := l.f.Write(batch)
	if err == nil {
		err = datasync(l.f)
	}
	if err != nil {
		l.err = fmt.Errorf("disk: log: %w", err)
		return l.err
	}
	l.size += int64(len(batch))
	return nil
}

// replay calls add and remove with the operations of a log and returns how many bytes of it are whole
// batches. A tail that is none is passed over; a batch that is damaged in
// front of others is an error.
func replay(path string, add func(*index.Entry), remove func(number uint64)) (whole int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, fmt.Errorf("disk: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, fmt.Errorf("disk: %w", err)
	}
	size := info.Size()
	var head [logHead]byte
	var batch []byte
	for whole+logHead <= size {
		if _, err := f.ReadAt(head[:], whole); err != nil {
			return whole, fmt.Errorf("disk: %w", err)
		}
		n := int64(binary.LittleEndian.Uint32(head[:]))
		end := whole + logHead + n
		if n == 0 || end > size {
			return whole, nil // the head or the tail of a batch did not get to disk
		}
		if int64(cap(batch)) < n {
			batch = make([]byte, n)
		}
		batch = batch[:n]
		if _, err := f.ReadAt(batch, whole+logHead); err != nil && err != io.EOF {
			return whole, fmt.Errorf("disk: %w", err)
		}
		if crc32.Checksum(batch, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
			if end == size {
				return whole, nil
			}
			return whole, fmt.Errorf("disk: %s: batch at byte %d: %w", path, whole, similarity.ErrFormat)
		}
		if !readOps(batch, add, remove) {
			return whole, fmt.Errorf("disk: %s: batch at byte %d: %w", path, whole, similarity.ErrFormat)
		}
		whole = end
	}
	return whole, nil
}
