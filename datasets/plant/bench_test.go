package plant

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/alike-go/alike/datasets"
)

func BenchmarkMake(b *testing.B) {
	for _, lang := range []Lang{English, Chinese} {
		for _, topics := range []int{0, 20} {
			b.Run(fmt.Sprintf("lang=%s/topics=%d", lang, topics), func(b *testing.B) {
				m := newMaker(b, MakeOptions{Lang: lang, Topics: topics, OneLength: true})
				var text []byte
				n, size := uint64(0), 0
				b.ReportAllocs()
				for b.Loop() {
					text = m.AppendText(text[:0], n)
					size += len(text)
					n++
				}
				b.SetBytes(int64(size / int(n)))
			})
		}
	}
}

func BenchmarkApply(b *testing.B) {
	for _, s := range samples(b) {
		for _, kind := range Kinds() {
			b.Run(fmt.Sprintf("lang=%s/edit=%s", s.name, kind), func(b *testing.B) {
				r := NewRand(1)
				b.SetBytes(int64(len(s.text)))
				b.ReportAllocs()
				for b.Loop() {
					Apply(r, Edit{kind, 0.05}, s.text, s.words, Auto)
				}
			})
		}
	}
}

// BenchmarkPlant is the workload of the yardsticks, made, planted and thrown away
// or written.
func BenchmarkPlant(b *testing.B) {
	text, o := Yardstick(1)
	m, p := newMaker(b, text), newPlanter(b, o)
	const n = 2100
	b.Run("to=memory", func(b *testing.B) {
		size := 0
		b.ReportAllocs()
		for b.Loop() {
			size = 0
			for d, err := range p.Plant(m.Docs(0, n)) {
				if err != nil {
					b.Fatal(err)
				}
				size += len(d.Text)
			}
		}
		b.SetBytes(int64(size))
	})
	b.Run("to=copies", func(b *testing.B) { // without making the documents
		var docs []datasets.Doc
		size := 0
		for d := range m.Docs(0, n) {
			docs = append(docs, d)
		}
		b.ReportAllocs()
		for b.Loop() {
			size = 0
			for d := range p.Plant(Docs(docs)) {
				size += len(d.Text)
			}
		}
		b.SetBytes(int64(size))
	})
	for _, compress := range []string{"", "gz", "zst"} {
		b.Run("to=files/compress="+compress, func(b *testing.B) {
			dir, i := b.TempDir(), 0
			var stats Stats
			for b.Loop() {
				var err error
				if stats, err = Write(filepath.Join(dir, fmt.Sprint(i)), p.Plant(m.Docs(0, n)), WriteOptions{Compress: compress}); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.SetBytes(stats.Bytes)
		})
	}
}
