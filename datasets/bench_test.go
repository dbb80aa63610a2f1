package datasets

import "testing"

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
