package segment

import "testing"

// BenchmarkLoad makes the dictionary ready: from the embedded file, and from the
// published ones, as for a user's words.
func BenchmarkLoad(b *testing.B) {
	b.Run("from=embedded", func(b *testing.B) {
		for b.Loop() {
			if _, err := loadEmbedded(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("from=published", func(b *testing.B) {
		for b.Loop() {
			if _, err := loadOwn(nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
