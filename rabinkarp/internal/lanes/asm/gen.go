// Command asm writes the assembly of package lanes; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	data()
	for _, m := range []machine{&avx2{}, &avx512{}} {
		begin(m)
		roll(m)
	}
	Generate()
}

// machine is a way to compute with eight numbers of 64 bits.
type machine interface {
	name() string

	// slow reports whether waiting for a multiplication costs more than doing another.
	slow() bool

	// constant returns eight times a number, ready to be multiplied by.
	constant(m Mem) factor

	// limit returns eight times a number, ready to be compared with.
	limit(m Mem) reg.VecVirtual

	load(m Mem) vector
	store(v vector, m Mem)
	zero() vector

	// strides prepares to fetch from eight places.
	strides(stride reg.GPVirtual)

	// fetch returns the 8 bytes at base plus 0 to 7 strides.
	fetch(base reg.GPVirtual) vector

	// pick returns byte i of each number.
	pick(v vector, i int) vector

	add(a, b vector) vector
	sum(dst, a, b vector)
	times(v vector, f factor) vector

	// timesByte is times for a number below 256.
	timesByte(v vector, f factor) vector

	// below stores one bit for each number below the limit.
	below(v vector, limit reg.VecVirtual, m Mem)
}

type (
	vector []reg.VecVirtual
	factor []reg.VecVirtual
)

var shuffles, signs Mem

// data lays out, for each byte, the shuffle that brings it to the front of a number
// and clears the rest; and the signs of numbers.
func data() {
	shuffles = GLOBL("shuffles", RODATA|NOPTR)
	for i := range 8 {
		for half := range 8 {
			DATA(64*i+8*half, U64(0x8080808080808000|uint64(i+8*(half%2))))
		}
	}
	signs = GLOBL("signs", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(1<<63))
	}
}

func lanes() (p, stride reg.GPVirtual) {
	return Load(Param("text"), GP64()).(reg.GPVirtual), Load(Param("stride"), GP64()).(reg.GPVirtual)
}

// begin writes the function that hashes the first window of each lane.
func begin(m machine) {
	TEXT("begin"+m.name(), NOSPLIT, "func(h *[8]uint64, text *byte, stride, w int, powers *[9]uint64)")
	Pragma("noescape")
	Doc("begin"+m.name()+" sets h[k] to the sum of text[k*stride+i] p^(w-1-i) for i below w, given the",
		"powers of p from 0 to 8. It reads whole groups of 8 bytes.")
	hp := Load(Param("h"), GP64())
	text, stride := lanes()
	w := Load(Param("w"), GP64())
	powers := Load(Param("powers"), GP64())
	power := func(i int) factor { return m.constant(Mem{Base: powers, Disp: 8 * i}) }
	m.strides(stride)
	h := m.zero()

	// First what is more than a multiple of 8, byte by byte.
	rest := GP64()
	MOVQ(w, rest)
	ANDQ(Imm(7), rest)
	JZ(LabelRef("groups"))
	p := power(1)
	bytes := m.fetch(text)
	for i := range 7 {
		m.sum(h, m.times(h, p), m.pick(bytes, i))
		CMPQ(rest, Imm(uint64(i+1)))
		JE(LabelRef("moved"))
	}
	Label("moved")
	ADDQ(rest, text)

	// Then eight at a time, so that only one multiplication waits for the one before.
	Label("groups")
	SHRQ(Imm(3), w)
	JZ(LabelRef("done"))
	eighth := power(8)
	Label("eight")
	bytes = m.fetch(text)
	sum := m.pick(bytes, 7)
	for i := range 7 {
		sum = m.add(sum, m.timesByte(m.pick(bytes, i), power(7-i)))
	}
	m.sum(h, m.times(h, eighth), sum)
	ADDQ(Imm(8), text)
	DECQ(w)
	JNZ(LabelRef("eight"))
	Label("done")
	m.store(h, Mem{Base: hp})
	VZEROUPPER()
	RET()
}

// roll writes the function that rolls over the windows of each lane.
func roll(m machine) {
	TEXT("roll"+m.name(), NOSPLIT, "func(x *uint64, below *byte, steps int, h *[8]uint64, text *byte, stride, w int, p, square, out, limit uint64)")
	Pragma("noescape")
	Doc("roll"+m.name()+" stores, for each of a multiple of 8 steps, the hash x = h p of a window of each",
		"lane, and in the bits of a byte of below which of them are below the limit; and sets h",
		"to p h + text[w] + out text[0], with text one byte further on each time.")
	x, below := Load(Param("x"), GP64()), Load(Param("below"), GP64())
	steps := Load(Param("steps"), GP64())
	hp := Load(Param("h"), GP64())
	leaving, stride := lanes()
	entering := GP64()
	MOVQ(leaving, entering)
	w := Load(Param("w"), GP64())
	ADDQ(w, entering)
	m.strides(stride)
	p, out, limit := m.constant(param("p")), m.constant(param("out")), m.limit(param("limit"))
	var square factor
	if m.slow() {
		square = m.constant(param("square"))
	}
	h := m.load(Mem{Base: hp})

	Label("eight")
	in, gone := m.fetch(entering), m.fetch(leaving)
	change := func(i int) vector {
		// In this order sixteen registers are enough: AVX2 has no more, and what names another is
		// an instruction of AVX-512.
		product := m.timesByte(m.pick(gone, i), out)
		return m.add(m.pick(in, i), product)
	}
	put := func(i int, hash vector) {
		m.store(hash, Mem{Base: x, Disp: 64 * i})
		m.below(hash, limit, Mem{Base: below, Disp: i})
	}
	for i := 0; i < 8; i++ {
		hash := m.times(h, p)
		put(i, hash)
		if m.slow() {
			// Two steps with one multiplication in the chain: p h' = p² h + p d.
			d := change(i)
			i++
			hash = m.add(m.times(h, square), m.times(d, p))
			put(i, hash)
		}
		m.sum(h, hash, change(i))
	}
	ADDQ(U32(8*64), x)
	ADDQ(Imm(8), below)
	ADDQ(Imm(8), entering)
	ADDQ(Imm(8), leaving)
	SUBQ(Imm(8), steps)
	JNZ(LabelRef("eight"))
	m.store(h, Mem{Base: hp})
	VZEROUPPER()
	RET()
}

func param(name string) Mem {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// avx2 has four numbers in a register.
type avx2 struct{ stride, three, four reg.GPVirtual }

func (*avx2) name() string { return "AVX2" }
func (*avx2) slow() bool   { return false }

func ymm() reg.VecVirtual { return YMM() }

// each calls f for both halves.
func each(f func(k int) reg.VecVirtual) vector { return vector{f(0), f(1)} }

// constant returns the number and its upper half.
func (*avx2) constant(m Mem) factor {
	f := factor{YMM(), YMM()}
	VPBROADCASTQ(m, f[0])
	VPSRLQ(Imm(32), f[0], f[1])
	return f
}

func (*avx2) limit(m Mem) reg.VecVirtual {
	y := ymm()
	VPBROADCASTQ(m, y)
	return y
}

func (*avx2) load(m Mem) vector {
	return each(func(k int) reg.VecVirtual {
		y := ymm()
		VMOVDQU(m.Offset(32*k), y)
		return y
	})
}

func (*avx2) store(v vector, m Mem) {
	for k := range v {
		VMOVDQU(v[k], m.Offset(32*k))
	}
}

func (*avx2) zero() vector {
	return each(func(int) reg.VecVirtual {
		y := ymm()
		VPXOR(y, y, y)
		return y
	})
}

func (a *avx2) strides(stride reg.GPVirtual) {
	a.stride, a.three, a.four = stride, GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, a.three)
	MOVQ(stride, a.four)
	SHLQ(Imm(2), a.four)
}

func (a *avx2) fetch(base reg.GPVirtual) vector {
	b := GP64()
	MOVQ(base, b)
	return each(func(k int) reg.VecVirtual {
		if k == 1 {
			ADDQ(a.four, b)
		}
		low, high, y := XMM(), XMM(), ymm()
		VMOVQ(Mem{Base: b}, low)
		VPINSRQ(Imm(1), Mem{Base: b, Index: a.stride, Scale: 1}, low, low)
		VMOVQ(Mem{Base: b, Index: a.stride, Scale: 2}, high)
		VPINSRQ(Imm(1), Mem{Base: b, Index: a.three, Scale: 1}, high, high)
		VINSERTI128(Imm(1), high, low.AsY(), y)
		return y
	})
}

func (*avx2) pick(v vector, i int) vector {
	return each(func(k int) reg.VecVirtual {
		y := ymm()
		VPSHUFB(shuffles.Offset(64*i), v[k], y)
		return y
	})
}

func (*avx2) add(a, b vector) vector {
	return each(func(k int) reg.VecVirtual {
		y := ymm()
		VPADDQ(a[k], b[k], y)
		return y
	})
}

func (*avx2) sum(dst, a, b vector) {
	for k := range dst {
		VPADDQ(a[k], b[k], dst[k])
	}
}

func (*avx2) times(v vector, f factor) vector {
	return each(func(k int) reg.VecVirtual {
		low, cross, high := ymm(), ymm(), ymm()
		VPSRLQ(Imm(32), v[k], high)
		VPMULUDQ(f[0], v[k], low)
		VPMULUDQ(f[1], v[k], cross)
		VPMULUDQ(f[0], high, high)
		VPADDQ(high, cross, cross)
		VPSLLQ(Imm(32), cross, cross)
		VPADDQ(cross, low, low)
		return low
	})
}

func (*avx2) timesByte(v vector, f factor) vector {
	return each(func(k int) reg.VecVirtual {
		low, high := ymm(), ymm()
		VPMULUDQ(f[1], v[k], high)
		VPMULUDQ(f[0], v[k], low)
		VPSLLQ(Imm(32), high, high)
		VPADDQ(high, low, low)
		return low
	})
}

// below compares as signed numbers do, both with the sign turned.
func (*avx2) below(v vector, limit reg.VecVirtual, m Mem) {
	var bits [2]reg.GPVirtual
	for k := range v {
		y := ymm()
		VPXOR(signs, v[k], y)
		VPCMPGTQ(y, limit, y)
		bits[k] = GP32()
		VMOVMSKPD(y, bits[k])
	}
	SHLL(Imm(4), bits[1])
	ORL(bits[1], bits[0])
	MOVB(bits[0].As8(), m)
}

// avx512 has eight numbers in a register.
type avx512 struct{ half avx2 }

func (*avx512) name() string { return "AVX512" }
func (*avx512) slow() bool   { return true }

func (*avx512) constant(m Mem) factor {
	f := factor{ZMM(), ZMM()}
	VPBROADCASTQ(m, f[0])
	VPSRLQ(Imm(32), f[0], f[1])
	return f
}

func (*avx512) limit(m Mem) reg.VecVirtual {
	z := ZMM()
	VPBROADCASTQ(m, z)
	return z
}

func (*avx512) load(m Mem) vector {
	z := ZMM()
	VMOVDQU64(m, z)
	return vector{z}
}

func (*avx512) store(v vector, m Mem) { VMOVDQU64(v[0], m) }

func (*avx512) zero() vector {
	z := ZMM()
	VPXORQ(z, z, z)
	return vector{z}
}

func (a *avx512) strides(stride reg.GPVirtual) { a.half.strides(stride) }

func (a *avx512) fetch(base reg.GPVirtual) vector {
	h := a.half.fetch(base)
	z := ZMM()
	VINSERTI64X4(Imm(1), h[1], h[0].AsZ(), z)
	return vector{z}
}

func (*avx512) pick(v vector, i int) vector {
	z := ZMM()
	VPSHUFB(shuffles.Offset(64*i), v[0], z)
	return vector{z}
}

func (*avx512) add(a, b vector) vector {
	z := ZMM()
	VPADDQ(a[0], b[0], z)
	return vector{z}
}

func (*avx512) sum(dst, a, b vector) { VPADDQ(a[0], b[0], dst[0]) }

func (*avx512) times(v vector, f factor) vector {
	z := ZMM()
	VPMULLQ(f[0], v[0], z)
	return vector{z}
}

func (*avx512) timesByte(v vector, f factor) vector {
	low, high := ZMM(), ZMM()
	VPMULUDQ(f[1], v[0], high)
	VPMULUDQ(f[0], v[0], low)
	VPSLLQ(Imm(32), high, high)
	VPADDQ(high, low, low)
	return vector{low}
}

// below is 1 where the number is less than the limit.
func (*avx512) below(v vector, limit reg.VecVirtual, m Mem) {
	k := K()
	VPCMPUQ(Imm(1), limit, v[0], k)
	KMOVB(k, m)
}
