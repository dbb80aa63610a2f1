//go:build !amd64 || noasm

package scatter

func words64(dst, src []uint64, places []uint32) { scatterGo(dst, src, places) }
func words32(dst, src []uint32, places []uint32) { scatterGo(dst, src, places) }
