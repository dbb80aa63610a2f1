//go:build !cgo

package gojieba

import "github.com/alike-go/alike/feature"

func cutter(Mode) (func(string) []feature.Span, error) { return nil, ErrNoCgo }
