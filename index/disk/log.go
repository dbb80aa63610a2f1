package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/index"
)

// A log is a header and batches of operations:
//
//	header: magic (8 bytes) ‖ identity of the index (8) ‖ number of the file (8) ‖ checksum (4)
//	batch:  magic (4) ‖ length of the operations (4) ‖ number of the batch (8) ‖
//	        checksum of the operations (4) ‖ checksum of the head (4) ‖ operations
//
// Numbers are little endian, checksums are CRC-32C, and the batches of a file
// are numbered from 1. The checksum of a head continues the checksum of the
// header, so a batch is valid only in its own log.
//
// An operation is a byte for its kind, the number of a document and, for an
// addition, the document with its postings. A batch is durable before it is
// acknowledged.
const (
	logMagic    = "alikeLG2"
	logHeader   = len(logMagic) + 8 + 8 + sumSize
	batchMagic  = "\xa7alk"
	batchHead   = len(batchMagic) + 4 + 8 + sumSize + sumSize
	mostOfBatch = math.MaxUint32 // bytes of the operations of a batch

	opAdd    = 1
	opRemove = 2
)

// logIdentity says which log a file is.
type logIdentity struct{ index, file uint64 }

// header returns the header of the log.
func (id logIdentity) header() []byte {
	b := binary.LittleEndian.AppendUint64([]byte(logMagic), id.index)
	return seal(binary.LittleEndian.AppendUint64(b, id.file))
}

// sumOfHead returns the checksum of a batch's head, which ends with it.
func sumOfHead(header, head []byte) uint32 {
	// The header ends with its own checksum. A CRC continued over that is the same
	// for every header.
	sum := crc32.Checksum(header[:logHeader-sumSize], castagnoli)
	return crc32.Update(sum, castagnoli, head[:batchHead-sumSize])
}

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

// readOps calls add and remove with the operations of a batch. It returns false
// if the batch is damaged. If add and remove are nil, it only checks the batch.
func readOps(batch []byte, add func(*index.Entry), remove func(number uint64)) (ok bool) {
	p := parser{batch, true}
	for p.ok && len(p.rest) > 0 {
		op := p.rest[0]
		p.rest = p.rest[1:]
		number := p.uvarint()
		switch op {
		case opRemove:
			if p.ok && remove != nil {
				remove(number)
			}
		case opAdd:
			id, sketch := p.bytes(p.uvarint()), p.bytes(p.uvarint())
			hash := p.bytes(uint64(len(index.Hash{})))
			time := p.varint()
			n := p.uvarint()
			if !p.ok || n > uint64(len(p.rest))/index.KeySize {
				return false
			}
			postings := p.bytes(n * index.KeySize)
			if add == nil {
				continue
			}
			e := &index.Entry{Document: index.Document{Number: number, ID: string(id), Hash: index.Hash(hash), Time: time}}
			e.Sketch = append([]byte{}, sketch...)
			e.Postings = make([]index.Posting, n)
			for i := range e.Postings {
				e.Postings[i], _ = index.ParseKey(postings[i*index.KeySize:][:index.KeySize])
			}
			add(e)
		default:
			return false
		}
	}
	return p.ok
}

// log is a log that is open for appending.
type log struct {
	f       *os.File
	file    uint64
	header  []byte
	size    int64
	batches uint64
	err     error // of an earlier append: where the last whole batch ends is unknown
}

// newLog makes a log without batches. The caller makes its name durable.
func newLog(dir string, id logIdentity) (*log, error) {
	f, err := os.OpenFile(filepath.Join(dir, logName(id.file)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("disk: log: %w", err)
	}
	l := &log{f: f, file: id.file, header: id.header(), size: int64(logHeader)}
	if _, err = f.Write(l.header); err == nil {
		err = f.Sync()
	}
	if err != nil {
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		return nil, fmt.Errorf("disk: log: %w", err)
	}
	return l, nil
}

// write appends a batch. Its first batchHead bytes are for the head.
func (l *log) write(batch []byte) error {
	body := batch[batchHead:]
	if int64(len(body)) > mostOfBatch {
		return fmt.Errorf("disk: a batch of %d bytes, want at most %d: add fewer documents at a time", len(body), int64(mostOfBatch))
	}
	b := append(batch[:0], batchMagic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)))
	b = binary.LittleEndian.AppendUint64(b, l.batches+1)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(body, castagnoli))
	binary.LittleEndian.AppendUint32(b, sumOfHead(l.header, b[:batchHead]))
	if _, err := l.f.Write(batch); err != nil {
		l.err = fmt.Errorf("disk: log: %w", err)
		return l.err
	}
	l.size += int64(len(batch))
	l.batches++
	return nil
}

// append writes a batch and makes it durable.
func (l *log) append(batch []byte) error {
	if l.err != nil {
		return l.err
	}
	if err := l.write(batch); err != nil {
		return err
	}
	if err := datasync(l.f); err != nil {
		l.err = fmt.Errorf("disk: log: %w", err)
	}
	return l.err
}
