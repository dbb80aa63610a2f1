//go:build amd64 && !noasm

package lanes

// variants are the ways that this processor has.
func variants() []variant {
	var out []variant
	if hasAVX2 {
		out = append(out, variant{"avx2", func(r *Roller, h *[Lanes]uint64, text []byte, stride int) {
			beginAVX2(h, &text[0], stride, r.w, &r.powers)
		}, func(r *Roller, x []uint64, below []byte, h *[Lanes]uint64, text []byte, stride int) {
			rollAVX2(&x[0], &below[0], len(below), h, &text[0], stride, r.w, r.powers[1], r.powers[2], r.out, r.limit^1<<63)
		}})
	}
	if hasAVX512 {
		out = append(out, variant{"avx512", func(r *Roller, h *[Lanes]uint64, text []byte, stride int) {
			beginAVX512(h, &text[0], stride, r.w, &r.powers)
		}, func(r *Roller, x []uint64, below []byte, h *[Lanes]uint64, text []byte, stride int) {
			rollAVX512(&x[0], &below[0], len(below), h, &text[0], stride, r.w, r.powers[1], r.powers[2], r.out, r.limit)
		}})
	}
	return out
}
