//go:build amd64 && !noasm

package scatter

//go:generate sh -c "cd asm && go run . -out ../loops_amd64.s -stubs ../loops_amd64.go -pkg scatter"

func words64(dst, src []uint64, places []uint32) { scatter64(dst, src, places) }
func words32(dst, src []uint32, places []uint32) { scatter32(dst, src, places) }
