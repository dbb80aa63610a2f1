//go:build amd64 && !noasm

package popcount

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg popcount"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512VPOPCNTDQ
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT
)

// From so many words on vectors are faster.
const (
	wide512 = 8
	wide256 = 48
)

func and(a, b []uint64) int {
	switch {
	case hasAVX512 && len(a) >= wide512:
		return andAVX512(a, b)
	case hasAVX2 && len(a) >= wide256:
		return andAVX2(a, b)
	case cpu.X86.HasPOPCNT:
		return andPOPCNT(a, b)
	}
	return andGo(a, b)
}

func rows(dst []uint32, a, rows []uint64) {
	switch {
	case hasAVX512:
		rowsAVX512(dst, a, rows)
	case hasAVX2:
		rowsAVX2(dst, a, rows)
	default:
		rowsGo(dst, a, rows)
	}
}
