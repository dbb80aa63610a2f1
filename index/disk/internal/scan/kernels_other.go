//go:build !amd64 || noasm

package scan

// Kernel names the instructions in use.
func Kernel() string { return "Go" }

func near(dst []uint32, words []byte, q uint64, k int) int { return nearGo(dst, words, q, k) }

func prefetch([]byte) {}
