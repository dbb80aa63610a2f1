package disk

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
)

// A log of version 1 has no header, and batches without a magic and a number:
//
//	length of the operations (4 bytes) ‖ CRC-32C (4 bytes) ‖ operations
//
// Such logs are only read: new batches go to a log of the present version.
const oldHead = 4 + sumSize

// nextOld returns the offset of the first whole batch from an offset on, or the
// size of the file if there is none.
func (r *logReader) nextOld(from int64) (int64, error) {
	if r.size-from > mostLogBytes {
		return r.size, nil // longer than any log that is not damaged
	}
	rest := make([]byte, max(0, r.size-from))
	if ok, err := r.readAt(rest, from); !ok && len(rest) > 0 {
		return r.size, err
	}
	for off := 0; off+oldHead < len(rest); off++ {
		head, body := rest[off:off+oldHead], rest[off+oldHead:]
		n := int64(binary.LittleEndian.Uint32(head))
		if n == 0 || n > int64(len(body)) || body[0] != opAdd && body[0] != opRemove {
			continue
		}
		// The operations are checked first, because that fails early at most offsets.
		if body = body[:n]; readOps(body, nil, nil) && crc32.Checksum(body, castagnoli) == binary.LittleEndian.Uint32(head[4:]) {
			return from + int64(off), nil
		}
	}
	return r.size, nil
}

// isOldLog reports whether a file is a log of version 1, which does not begin with
// logMagic.
func isOldLog(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	start := make([]byte, len(logMagic))
	n, err := io.ReadFull(f, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	return n == 0 || !bytes.HasPrefix([]byte(logMagic), start[:n]), nil
}
