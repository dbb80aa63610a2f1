//go:build !cgo

package gojieba

import (
	"errors"
	"testing"
)

func TestNoCgo(t *testing.T) {
	if s, err := New(Precise); s != nil || !errors.Is(err, ErrNoCgo) {
		t.Errorf("New gives %v, %v, want ErrNoCgo", s, err)
	}
}
