//go:build amd64 && !noasm

package popcount

import "golang.org/x/sys/cpu"

// variants are the ways to count that this processor has.
func variants() []variant {
	out := []variant{{"go", andGo, rowsGo}}
	if cpu.X86.HasPOPCNT {
		out = append(out, variant{"popcnt", andPOPCNT, rowsGo})
	}
	if hasAVX2 {
		out = append(out, variant{"avx2", andAVX2, rowsAVX2})
	}
	if hasAVX512 {
		out = append(out, variant{"avx512", andAVX512, rowsAVX512})
	}
	return out
}
