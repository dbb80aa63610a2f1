//go:build !cgo

package gojieba

import (
	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
)

func cutter(segment.Mode) (func(string) []feature.Span, error) { return nil, ErrNoCgo }
