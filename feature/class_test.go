package feature

import "testing"

// The ideographs that the fast paths do not look up are of the class they assume.
func TestHanClass(t *testing.T) {
	for r := rune(hanRune); r <= 0x9fff; r++ {
		if c := classOf(r); c != hanClass {
			t.Errorf("%U is of class %b, want %b", r, c, hanClass)
		}
	}
	if n := hanRun("我爱北京"); n != 12 {
		t.Errorf("run of %d bytes, want 12", n)
	}
}
