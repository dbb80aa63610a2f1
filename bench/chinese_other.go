//go:build !cgo

package main

import "fmt"

// chineseRows need cgo, since the rival does.
var chineseRows = []Builder{{Area: "chinese/cut", Build: func(*Input) (*Row, error) {
	return nil, fmt.Errorf("yanyiwu/gojieba %w: built without cgo", errAbsent)
}}}
