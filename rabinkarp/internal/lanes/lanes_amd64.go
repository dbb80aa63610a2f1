//go:build amd64 && !noasm

package lanes

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg lanes"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ
	hasAVX2   = cpu.X86.HasAVX2
)

// Available reports whether the processor can do it.
func Available() bool { return hasAVX512 || hasAVX2 }

func begin(r *Roller, h *[Lanes]uint64, text []byte, stride int) {
	if hasAVX512 {
		beginAVX512(h, &text[0], stride, r.w, &r.powers)
		return
	}
	beginAVX2(h, &text[0], stride, r.w, &r.powers)
}

func roll(r *Roller, x []uint64, below []byte, h *[Lanes]uint64, text []byte, stride int) {
	if hasAVX512 {
		rollAVX512(&x[0], &below[0], len(below), h, &text[0], stride, r.w, r.powers[1], r.powers[2], r.out, r.limit)
		return
	}
	// AVX2 compares signed numbers only, hence the turned sign.
	rollAVX2(&x[0], &below[0], len(below), h, &text[0], stride, r.w, r.powers[1], r.powers[2], r.out, r.limit^1<<63)
}
