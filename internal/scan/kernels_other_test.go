//go:build !amd64 || noasm

package scan

import "testing"

func everyKernel(t *testing.T, f func(t *testing.T)) { t.Run("Go", f) }

func underEach(f func(name string)) { f("Go") }
