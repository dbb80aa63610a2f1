package similarity

import (
	"encoding/binary"
	"fmt"

	"github.com/alike-go/alike/feature"
)

// The sentinels of errors about persisted data, the same as those of package
// feature, so that a caller need not know which package read the data.
var (
	// ErrSettings is wrapped by errors about data that was made under other
	// settings than the method's.
	ErrSettings = feature.ErrSettings

	// ErrFormat is wrapped by errors about data that is damaged or not what it
	// should be.
	ErrFormat = feature.ErrFormat
)

// The header of everything persisted: magic, a format version that changes
// whenever the encoding or a default setting's meaning does, and the settings.
const (
	magic         = "alike"
	formatVersion = 1
)

// AppendHeader appends a header for data of the given kind ("sketch",
// "collection", "fit") made under the given settings.
func AppendHeader(dst []byte, kind, settings string) []byte {
	dst = append(dst, magic...)
	dst = append(dst, formatVersion)
	dst = binary.AppendUvarint(dst, uint64(len(kind)))
	dst = append(dst, kind...)
	dst = binary.AppendUvarint(dst, uint64(len(settings)))
	return append(dst, settings...)
}

// parseHeader reads a header and returns the settings it names and the bytes
// that follow it. It refuses another kind or version.
func parseHeader(src []byte, kind string) (settings string, rest []byte, err error) {
	if len(src) < len(magic)+1 || string(src[:len(magic)]) != magic {
		return "", nil, fmt.Errorf("similarity: no header, want %q: %w", magic, ErrFormat)
	}
	if v := src[len(magic)]; v != formatVersion {
		return "", nil, fmt.Errorf("similarity: format version %d, want %d: %w", v, formatVersion, ErrSettings)
	}
	src = src[len(magic)+1:]
	got, src, err := parseString(src)
	if err != nil {
		return "", nil, err
	}
	if got != kind {
		return "", nil, fmt.Errorf("similarity: data holds a %q, want a %q: %w", got, kind, ErrFormat)
	}
	return parseString(src)
}

func parseString(src []byte) (string, []byte, error) {
	n, k := binary.Uvarint(src)
	if k <= 0 || n > uint64(len(src)-k) {
		return "", nil, fmt.Errorf("similarity: header cut short: %w", ErrFormat)
	}
	return string(src[k : k+int(n)]), src[k+int(n):], nil
}

// checkHeader reads a header and refuses one whose settings differ from those wanted.
func checkHeader(src []byte, kind, settings string) (rest []byte, err error) {
	got, rest, err := parseHeader(src, kind)
	if err != nil {
		return nil, err
	}
	if got != settings {
		return nil, fmt.Errorf("similarity: %s of %q, want %q: %w", kind, got, settings, ErrSettings)
	}
	return rest, nil
}

// Marshal encodes one sketch with a header of all the method's settings.
func Marshal[S any](m Sketcher[S], s S) []byte {
	return m.AppendSketch(AppendHeader(nil, "sketch", m.Settings()), s)
}

// Unmarshal decodes a sketch that Marshal encoded. It refuses one made under
// other settings (ErrSettings) and damaged or trailing bytes (ErrFormat).
func Unmarshal[S any](m Sketcher[S], data []byte) (S, error) {
	var zero S
	rest, err := checkHeader(data, "sketch", m.Settings())
	if err != nil {
		return zero, err
	}
	s, n, err := m.DecodeSketch(rest)
	if err != nil {
		return zero, err
	}
	if n != len(rest) {
		return zero, fmt.Errorf("similarity: %d bytes after the sketch: %w", len(rest)-n, ErrFormat)
	}
	return s, nil
}
