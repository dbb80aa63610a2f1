//go:build amd64 && !noasm

package scan

import "testing"

// everyKernel runs a test under each kernel.
func everyKernel(t *testing.T, f func(t *testing.T)) {
	underEach(func(name string) { t.Run(name, f) })
}

// underEach calls f under each kernel that the processor has.
func underEach(f func(name string)) {
	had512, had2 := hasAVX512, hasAVX2
	defer func() { hasAVX512, hasAVX2 = had512, had2 }()
	if had512 {
		f("AVX-512")
	}
	hasAVX512 = false
	if had2 {
		f("AVX2")
	}
	hasAVX2 = false
	f("Go")
}
