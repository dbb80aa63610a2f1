//go:build !amd64 || noasm

package lanes

func differ(a, b []uint64) int { return differGo(a, b) }
