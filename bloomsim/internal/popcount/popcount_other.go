//go:build !amd64 || noasm

package popcount

func and(a, b []uint64) int { return andGo(a, b) }

func rows(dst []uint32, a, rows []uint64) { rowsGo(dst, a, rows) }
