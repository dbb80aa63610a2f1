package disk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/alike-go/alike/index"
)

// logReader reads a log whose bytes may be damaged anywhere.
type logReader struct {
	f      io.ReaderAt
	size   int64
	header []byte // that the log must have; nil in version 1
	open   bool   // it is the last log: a killed writer may have left a torn end
	least  uint64 // minimum number of batches, as the manifest has it
	buf    []byte // holds the body of the last batch
}

// gap is a place in a log without a whole batch.
type gap struct {
	from, to int64

	// Batches first to after-1 are lost. after is 0 if their number is unknown.
	first, after uint64

	torn bool   // the file ends inside its last batch
	why  string // "" if bytes are damaged
}

func (g gap) String() string {
	lost := fmt.Sprintf("batch %d is lost, perhaps others too", g.first)
	switch {
	case g.after != 0 && g.first+1 == g.after:
		lost = fmt.Sprintf("batch %d is lost", g.first)
	case g.after != 0 && g.first >= g.after:
		lost = "no batch is lost"
	case g.after != 0:
		lost = fmt.Sprintf("batches %d to %d are lost", g.first, g.after-1)
	}
	switch {
	case g.why != "":
		return g.why + ": " + lost
	case g.from == g.to:
		return fmt.Sprintf("ends at byte %d: %s", g.to, lost)
	}
	return fmt.Sprintf("bytes %d to %d are damaged: %s", g.from, g.to, lost)
}

// batch is what a log has at an offset.
type batch struct {
	number uint64 // 0 in version 1
	body   []byte // valid until the next read
	end    int64
	whole  bool
	cut    bool // it is not whole because the file ends inside it
}

// readAt fills b from an offset and reports whether the file is long enough.
func (r *logReader) readAt(b []byte, off int64) (bool, error) {
	n, err := r.f.ReadAt(b, off)
	if n == len(b) {
		return true, nil
	}
	if err == io.EOF {
		return false, nil // a writer has cut off a torn end meanwhile
	}
	return false, err
}

// at reads the batch at an offset.
func (r *logReader) at(off int64) (b batch, err error) {
	var raw [batchHead]byte
	head := raw[:]
	if r.header == nil {
		head = raw[:oldHead]
	}
	start := off + int64(len(head))
	if start > r.size {
		return batch{cut: true}, nil
	}
	if ok, err := r.readAt(head, off); !ok {
		return batch{cut: err == nil}, err
	}
	var n int64
	var sum uint32
	if r.header == nil {
		n, sum = int64(binary.LittleEndian.Uint32(head)), binary.LittleEndian.Uint32(head[4:])
		if n == 0 {
			return b, nil
		}
	} else {
		if string(head[:len(batchMagic)]) != batchMagic || sumOfHead(r.header, head) != binary.LittleEndian.Uint32(head[batchHead-sumSize:]) {
			return b, nil
		}
		n = int64(binary.LittleEndian.Uint32(head[4:]))
		b.number = binary.LittleEndian.Uint64(head[8:])
		sum = binary.LittleEndian.Uint32(head[16:])
	}
	b.end = start + n
	if b.end > r.size {
		if r.header != nil {
			b.cut = true
		} else if r.size-start <= mostLogBytes {
			// The length has no checksum of its own. If the rest of the file has the
			// checksum of the batch, the length is damaged.
			rest, err := r.bytes(start, r.size)
			if err != nil {
				return batch{}, err
			}
			b.cut = crc32.Checksum(rest, castagnoli) != sum
		}
		return b, nil
	}
	if b.body, err = r.bytes(start, b.end); err != nil {
		return batch{}, err
	}
	if b.whole = b.body != nil && crc32.Checksum(b.body, castagnoli) == sum; !b.whole {
		b.cut = b.body == nil
	}
	return b, nil
}

// bytes reads part of the file. It returns nil if the file has become shorter.
func (r *logReader) bytes(from, to int64) ([]byte, error) {
	if int64(cap(r.buf)) < to-from {
		r.buf = make([]byte, to-from)
	}
	b := r.buf[:to-from]
	if ok, err := r.readAt(b, from); !ok {
		return nil, err
	}
	return b, nil
}

// next returns the offset of the first whole batch from an offset on, or the
// size of the file if there is none.
func (r *logReader) next(from int64) (int64, error) {
	if r.header == nil {
		return r.nextOld(from)
	}
	chunk := make([]byte, 64<<10)
	for pos := from; pos < r.size; pos += int64(len(chunk) - len(batchMagic) + 1) {
		part := chunk[:min(int64(len(chunk)), r.size-pos)]
		if ok, err := r.readAt(part, pos); !ok {
			return r.size, err
		}
		for i := 0; ; i++ {
			k := bytes.Index(part[i:], []byte(batchMagic))
			if k < 0 {
				break
			}
			i += k
			if b, err := r.at(pos + int64(i)); b.whole || err != nil {
				return pos + int64(i), err
			}
		}
	}
	return r.size, nil
}

// walk calls do with each whole batch of the log and its offset, in order, and
// lost with each gap. The gap at the end is torn only if the log is open, the file
// ends inside the batch, and the manifest does not require the batch.
func (r *logReader) walk(do func(off int64, b batch) error, lost func(gap) error) error {
	var open *gap // ends at the next whole batch
	next, off := uint64(1), int64(0)
	if r.header != nil {
		head := make([]byte, logHeader)
		if ok, err := r.readAt(head, 0); err != nil {
			return err
		} else if off = int64(logHeader); !ok || !bytes.Equal(head, r.header) {
			if off, err = r.next(0); err != nil {
				return err
			}
			open = &gap{to: off, first: next, why: r.strange(head)}
		}
	}
	close := func(after uint64) error {
		g := open
		open, g.after = nil, after
		g.torn = g.torn && after == 0
		return lost(*g)
	}
	for off < r.size {
		b, err := r.at(off)
		if err != nil {
			return err
		}
		if r.header == nil {
			b.number = next // version 1 has no numbers, so how many a gap has lost is unknown
		}
		if !b.whole || b.number < next { // damaged, or a copy of an earlier batch
			if !b.whole {
				if b.end, err = r.next(off + 1); err != nil {
					return err
				}
			}
			if open != nil {
				open.to, open.torn = b.end, false
			} else {
				open = &gap{from: off, to: b.end, first: next, torn: r.open && b.cut && b.end == r.size}
			}
			off = b.end
			continue
		}
		if open == nil && b.number > next {
			open = &gap{from: off, to: off, first: next, why: fmt.Sprintf("bytes are missing at %d", off)}
		}
		if open != nil {
			after := b.number
			if r.header == nil {
				after = 0
			}
			if err := close(after); err != nil {
				return err
			}
		}
		if err := do(off, b); err != nil {
			return err
		}
		next, off = b.number+1, b.end
	}
	if next <= r.least {
		if open == nil {
			open = &gap{from: r.size, to: r.size, first: next}
		}
		return close(r.least + 1)
	}
	if open != nil {
		return close(0)
	}
	return nil
}

// strange says which log the file is if its header is that of another log.
func (r *logReader) strange(head []byte) string {
	body, ok := unseal(head)
	if !ok || string(body[:len(logMagic)]) != logMagic {
		return ""
	}
	if !bytes.Equal(body[:len(logMagic)+8], r.header[:len(logMagic)+8]) {
		return "is a log of another index"
	}
	return "is " + logName(binary.LittleEndian.Uint64(body[len(logMagic)+8:])) + " of this index under another name"
}

// openLog opens a log that the manifest names. The caller closes the file.
func (m *manifest) openLog(dir string, i int) (*logReader, *os.File, error) {
	ref := m.Logs[i]
	f, err := os.Open(filepath.Join(dir, logName(ref.File)))
	if err != nil {
		return nil, nil, fmt.Errorf("disk: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("disk: %w", err), f.Close())
	}
	r := &logReader{f: f, size: info.Size(), open: i == len(m.Logs)-1, least: ref.Batches}
	if !ref.Old {
		r.header = logIdentity{m.ID, ref.File}.header()
	}
	return r, f, nil
}

// logEnd is where a log ends.
type logEnd struct {
	size    int64 // bytes of whole batches, with the header
	batches uint64
	torn    int64 // bytes behind them
}

// replay calls add and remove with the operations of a log that the manifest
// names. A gap is an error, except a torn end.
func (m *manifest) replay(dir string, i int, add func(*index.Entry), remove func(number uint64)) (end logEnd, err error) {
	path := filepath.Join(dir, logName(m.Logs[i].File))
	r, f, err := m.openLog(dir, i)
	if err != nil {
		return end, missing(err, path, m.Logs[i].holds())
	}
	defer f.Close()
	end.size = int64(len(r.header))
	err = r.walk(func(off int64, b batch) error {
		if !readOps(b.body, add, remove) {
			return damaged("batch %d at byte %d is damaged", b.number, off)
		}
		end.size, end.batches = b.end, b.number
		return nil
	}, func(g gap) error {
		if g.torn {
			end.torn = g.to - g.from
			return nil
		}
		return damage(g.String())
	})
	if err != nil {
		return end, fmt.Errorf("disk: %s: %w", path, err)
	}
	return end, nil
}
