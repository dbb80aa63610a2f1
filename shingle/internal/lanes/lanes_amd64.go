//go:build !noasm

package lanes

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg lanes"

func differ(a, b []uint64) int {
	const words = 4 // of a vector
	if !cpu.X86.HasAVX2 || len(a) < words {
		return differGo(a, b)
	}
	n := len(a) &^ (words - 1)
	return differAVX2(&a[0], &b[0], n/words) + differGo(a[n:], b[n:])
}
