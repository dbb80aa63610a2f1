//go:build !amd64 || noasm

package intersect

func count(a, b []uint64) int { return countGo(a, b) }
