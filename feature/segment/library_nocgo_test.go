//go:build !cgo

package segment_test

import (
	"testing"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/feature/segment"
)

func theirs(t testing.TB, _ segment.Mode) feature.Segmenter {
	t.Skip("gojieba needs cgo and a C++ compiler: set CGO_ENABLED=1 to compare with it")
	return nil
}
