package datasets

import (
	"errors"
	"testing"
)

// endlessText is a text without an end. It counts what was read of it.
type endlessText struct{ read int64 }

func (e *endlessText) Read(p []byte) (int, error) {
	if e.read += int64(len(p)); e.read > 2*maxLine {
		return 0, errors.New("read on after the largest text that any limit allows")
	}
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// Where no row can follow, a reader does not look for the end of a text that is
// too large.
func TestEndlessText(t *testing.T) {
	src := Source{Path: "-", Input: &endlessText{}, Format: "text", MaxDocument: 1 << 20}
	r, err := Open(src)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var large *SizeError
	if _, err := r.Next(); !errors.As(err, &large) {
		t.Errorf("error %v, want a *SizeError", err)
	}
}
