package segment

import "testing"

// BenchmarkLoad makes the dictionary ready.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := loadEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
}
