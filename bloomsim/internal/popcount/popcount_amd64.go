//go:build amd64 && !noasm

package popcount

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../and_amd64.s -stubs ../and_amd64.go -pkg popcount"

func and(a, b []uint64) int {
	if !cpu.X86.HasPOPCNT {
		return andGo(a, b)
	}
	return andPOPCNT(a, b)
}
