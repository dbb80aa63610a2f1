package datasets

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func BenchmarkLoad(b *testing.B) {
	for _, name := range Inside() {
		b.Run("data="+name, func(b *testing.B) {
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				s, err := Load(name)
				if err != nil {
					b.Fatal(err)
				}
				size = 0
				for _, d := range s.Docs {
					size += len(d.Text)
				}
			}
			b.SetBytes(int64(size))
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	set, err := Load("en")
	if err != nil {
		b.Fatal(err)
	}
	for _, format := range []string{"jsonl", "csv", "tsv", "parquet"} {
		var file bytes.Buffer
		w, err := NewWriter(&file, format)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range set.Docs {
			d.Text = strings.Join(strings.Fields(d.Text), " ")
			if err := w.WriteDoc(d); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		b.Run("raw/format="+format, func(b *testing.B) {
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				r, err := OpenRaw(Source{Path: "-", Format: format, Input: bytes.NewReader(file.Bytes())})
				for err == nil {
					if _, err = r.Next(); err == nil {
						n++
					}
				}
				if err != io.EOF || n != len(set.Docs) {
					b.Fatal(n, err)
				}
			}
		})
		b.Run("format="+format, func(b *testing.B) {
			b.SetBytes(int64(file.Len()))
			b.ReportAllocs()
			for b.Loop() {
				rows, err := readAll(Source{Path: "-", Format: format, Input: bytes.NewReader(file.Bytes())})
				if err != nil || len(rows) != len(set.Docs) {
					b.Fatal(len(rows), err)
				}
			}
		})
	}
}
