//go:build !amd64 || noasm

package popcount

func and(a, b []uint64) int { return andGo(a, b) }
