package feature

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"
)

// A saved model is the magic, the version, and the body behind its length
// and its checksum. The body is the settings, then all numbers as varints, hashes as the
// differences of ascending ones.
const (
	modelMagic   = "alikefit"
	modelVersion = 1
)

// WriteTo saves the model under a versioned header of the settings it was fitted
// under. Equal models give equal bytes.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	body := m.appendBody(nil)
	head := append([]byte(modelMagic), modelVersion)
	head = binary.LittleEndian.AppendUint64(head, uint64(len(body)))
	head = binary.LittleEndian.AppendUint64(head, xxh3.Hash(body))
	n, err := w.Write(head)
	if err != nil {
		return int64(n), fmt.Errorf("feature: write model: %w", err)
	}
	k, err := w.Write(body)
	if err != nil {
		err = fmt.Errorf("feature: write model: %w", err)
	}
	return int64(n + k), err
}

func (m *Model) appendBody(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.settings)))
	b = append(b, m.settings...)
	b = binary.AppendUvarint(b, uint64(m.docs))
	b = appendAscending(b, m.phrases)
	b = appendAscending(b, m.hashes)
	for _, n := range m.df {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func appendAscending(b []byte, s []uint64) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	last := uint64(0)
	for _, v := range s {
		b = binary.AppendUvarint(b, v-last)
		last = v
	}
	return b
}

// ReadModel reads what WriteTo wrote, and nothing behind it. Damaged input is an error that wraps ErrFormat.
func ReadModel(r io.Reader) (*Model, error) {
	m, err := readModel(r)
	if err != nil {
		return nil, fmt.Errorf("feature: read model: %w", err)
	}
	return m, nil
}

func readModel(r io.Reader) (*Model, error) {
	head := make([]byte, len(modelMagic)+1+16)
	if _, err := io.ReadFull(r, head); err != nil || string(head[:len(modelMagic)]) != modelMagic {
		return nil, fmt.Errorf("no header, want %q: %w", modelMagic, ErrFormat)
	}
	head = head[len(modelMagic):]
	if head[0] != modelVersion {
		return nil, fmt.Errorf("version %d, want %d: %w", head[0], modelVersion, ErrFormat)
	}
	size, sum := binary.LittleEndian.Uint64(head[1:]), binary.LittleEndian.Uint64(head[9:])
	if size > 1<<40 {
		return nil, fmt.Errorf("body of %d bytes: %w", size, ErrFormat)
	}
	// ReadAll grows as bytes arrive, so that a false size allocates nothing.
	body, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return nil, err
	}
	if uint64(len(body)) != size || xxh3.Hash(body) != sum {
		return nil, fmt.Errorf("cut short or changed: %w", ErrFormat)
	}
	return decodeModel(body)
}

func decodeModel(body []byte) (*Model, error) {
	d := decoder{b: body}
	m := &Model{}
	m.settings = d.string()
	m.docs = int(d.uint(1<<32-1, "number of documents"))
	m.phrases = d.ascending("phrase")
	m.hashes = d.ascending("feature")
	m.df = make([]uint32, len(m.hashes))
	for i := range m.df {
		if m.df[i] = uint32(d.uint(uint64(m.docs), "document frequency")); m.df[i] == 0 && d.err == nil {
			d.err = fmt.Errorf("document frequency 0: %w", ErrFormat)
		}
		if d.err != nil {
			break
		}
	}
	if d.err == nil && len(d.b) > 0 {
		d.err = fmt.Errorf("%d bytes too many: %w", len(d.b), ErrFormat)
	}
	if d.err != nil {
		return nil, d.err
	}
	return m.seal(), nil
}

// decoder reads varints until the first error, which it keeps.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) uint(most uint64, what string) uint64 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > most {
		d.err = fmt.Errorf("bad %s: %w", what, ErrFormat)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) string() string {
	n := d.uint(uint64(len(d.b)), "length of settings")
	if n > uint64(len(d.b)) {
		d.err = fmt.Errorf("settings cut short: %w", ErrFormat)
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

// ascending reads a list of hashes; every one takes a byte at least, so the bytes left bound it.
func (d *decoder) ascending(what string) []uint64 {
	n := d.uint(uint64(len(d.b)), "number of hashes")
	if n == 0 {
		return nil
	}
	s := make([]uint64, n)
	last := uint64(0)
	for i := range s {
		v := last + d.uint(^uint64(0), what)
		if v <= last && d.err == nil {
			d.err = fmt.Errorf("%s %d not ascending: %w", what, i, ErrFormat)
		}
		if d.err != nil {
			return nil
		}
		s[i], last = v, v
	}
	return s
}
