//go:build amd64 && !noasm

package scan

import "testing"

// everyKernel runs a test under each kernel that the processor has.
func everyKernel(t *testing.T, f func(t *testing.T)) {
	benchKernels(func(name string) { t.Run(name, f) })
}

func benchKernels(f func(name string)) {
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
