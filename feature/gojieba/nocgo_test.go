//go:build !cgo

package gojieba

import (
	"errors"
	"testing"

	"github.com/alike-go/alike/feature/segment"
)

func TestNoCgo(t *testing.T) {
	if s, err := New(segment.Precise); s != nil || !errors.Is(err, ErrNoCgo) {
		t.Errorf("New gives %v, %v, want ErrNoCgo", s, err)
	}
}
