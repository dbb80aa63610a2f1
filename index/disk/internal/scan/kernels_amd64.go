//go:build amd64 && !noasm

package scan

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../scan_amd64.s -stubs ../scan_amd64.go -pkg scan"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
	hasAVX2   = cpu.X86.HasAVX2
)

// Kernel names the instructions in use.
func Kernel() string {
	switch {
	case hasAVX512:
		return "AVX-512"
	case hasAVX2:
		return "AVX2"
	}
	return "Go"
}

func near(dst []uint32, words []byte, q uint64, k int) int {
	switch {
	case hasAVX512:
		return nearAVX512(dst, words, q, uint64(k))
	case hasAVX2:
		n, at := nearAVX2(dst, words, q, uint64(k)), len(words)/8&^3
		m := nearGo(dst[n:], words[8*at:], q, k)
		for i := range dst[n : n+m] {
			dst[n+i] += uint32(at)
		}
		return n + m
	}
	return nearGo(dst, words, q, k)
}
