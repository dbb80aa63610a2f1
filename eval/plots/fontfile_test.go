package plots

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// fontOf returns a font file in which the given characters are drawn as an A: the
// library's own font with another table of characters. Tests need no font of the
// system then.
func fontOf(runes ...rune) []byte {
	var source bytes.Buffer
	if _, err := font.NewCache(liberation.Collection()).Lookup(sans(0), 12).Face.WriteSourceTo(nil, &source); err != nil {
		panic(err) // the library's own font, held in memory
	}
	data := source.Bytes()
	const glyphOfA = 36 // in Liberation Sans, as in most fonts after the order of Windows
	groups := make([]byte, 0, 12*len(runes))
	slices.Sort(runes)
	for _, r := range runes {
		for _, v := range []uint32{uint32(r), uint32(r), glyphOfA} {
			groups = binary.BigEndian.AppendUint32(groups, v)
		}
	}
	// A cmap table of version 0 with one subtable, for Windows and all of Unicode, of
	// format 12 (OpenType specification, "cmap").
	var table []byte
	for _, v := range []uint16{0, 1, 3, 10, 0, 12, 12, 0} {
		table = binary.BigEndian.AppendUint16(table, v)
	}
	for _, v := range []uint32{uint32(16 + len(groups)), 0, uint32(len(runes))} {
		table = binary.BigEndian.AppendUint32(table, v)
	}
	table = append(table, groups...)
	for at := 12; ; at += 16 { // the directory of tables
		if string(data[at:at+4]) == "cmap" {
			binary.BigEndian.PutUint32(data[at+8:], uint32(len(data)))
			binary.BigEndian.PutUint32(data[at+12:], uint32(len(table)))
			return append(data, table...)
		}
	}
}

// collectionOf returns fonts as a TrueType collection.
func collectionOf(fonts ...[]byte) []byte {
	out := []byte("ttcf\x00\x01\x00\x00")
	out = binary.BigEndian.AppendUint32(out, uint32(len(fonts)))
	at := uint32(len(out) + 4*len(fonts))
	for _, f := range fonts {
		out = binary.BigEndian.AppendUint32(out, at)
		at += uint32(len(f))
	}
	for _, f := range fonts {
		f, start := bytes.Clone(f), uint32(len(out))
		for i := range int(binary.BigEndian.Uint16(f[4:])) {
			offset := f[12+16*i+8:]
			binary.BigEndian.PutUint32(offset, binary.BigEndian.Uint32(offset)+start)
		}
		out = append(out, f...)
	}
	return out
}

func writeFile(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
		t.Fatal(err)
	}
}
