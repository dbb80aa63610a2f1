// Command asm writes the assembly of package popcount; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	pair := "func(a, b []uint64) int"
	many := "func(dst []uint32, a, rows []uint64)"

	start("andPOPCNT", pair, "counts the bits set in both slices, of which b is at least as long as a.")
	andScalar()
	start("andAVX2", pair, "does as andPOPCNT.")
	and256()
	start("andAVX512", pair, "does as andPOPCNT.")
	and512()

	start("rowsAVX2", many, "sets dst[i] to the number of bits set in both a and row i of rows,",
		"each as long as a, which is a multiple of 8 words and not empty.")
	rows256()
	start("rowsAVX512", many, "does as rowsAVX2.")
	rows512()
	Generate()
}

func start(name, signature, first string, rest ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(append([]string{name + " " + first}, rest...)...)
}

// words is a loop over the words of a and b.
type words struct{ a, b, n reg.Register }

func load() words {
	return words{
		Load(Param("a").Base(), GP64()),
		Load(Param("b").Base(), GP64()),
		Load(Param("a").Len(), GP64()),
	}
}

func at(base reg.Register, bytes int) Mem { return Mem{Base: base, Disp: bytes} }

// step repeats body while there are n more words.
func (w words) step(label string, n int, body func()) {
	Label(label)
	CMPQ(w.n, Imm(uint64(n)))
	JL(LabelRef(label + "done"))
	body()
	ADDQ(U32(8*n), w.a)
	ADDQ(U32(8*n), w.b)
	SUBQ(Imm(uint64(n)), w.n)
	JMP(LabelRef(label))
	Label(label + "done")
}

// scalar adds the bits of the i-th word to sum.
func (w words) scalar(i int, sum reg.Register) {
	x := GP64()
	MOVQ(at(w.a, 8*i), x)
	ANDQ(at(w.b, 8*i), x)
	POPCNTQ(x, x)
	ADDQ(x, sum)
}

func andScalar() {
	w := load()
	// Four sums, so that no addition waits for the one before.
	var sums [4]reg.GPVirtual
	for i := range sums {
		sums[i] = GP64()
		XORQ(sums[i], sums[i])
	}
	w.step("four", len(sums), func() {
		for i, sum := range sums {
			w.scalar(i, sum)
		}
	})
	w.step("one", 1, func() { w.scalar(0, sums[0]) })
	for _, sum := range sums[1:] {
		ADDQ(sum, sums[0])
	}
	Store(sums[0], ReturnIndex(0))
	RET()
}

// nibbles counts the bits of the bytes of a vector by looking up the count of each
// half byte (Muła, Kurz and Lemire, The Computer Journal 61(1), 2018).
type nibbles struct{ table, low, zero reg.VecVirtual }

func newNibbles() nibbles {
	n := nibbles{YMM(), YMM(), YMM()}
	VMOVDQU(nibbleData(), n.table)
	VMOVDQU(maskData(), n.low)
	VPXOR(n.zero, n.zero, n.zero)
	return n
}

var nibbleGlobal, maskGlobal Mem

func nibbleData() Mem {
	if nibbleGlobal.Base == nil {
		nibbleGlobal = GLOBL("nibbles", RODATA|NOPTR)
		for half := range 2 {
			DATA(16*half, U64(0x0302020102010100))
			DATA(16*half+8, U64(0x0403030203020201))
		}
	}
	return nibbleGlobal
}

func maskData() Mem {
	if maskGlobal.Base == nil {
		maskGlobal = GLOBL("low", RODATA|NOPTR)
		for i := range 4 {
			DATA(8*i, U64(0x0f0f0f0f0f0f0f0f))
		}
	}
	return maskGlobal
}

// bytes returns the counts of the bytes of x, which it overwrites.
func (n nibbles) bytes(x reg.VecVirtual) reg.VecVirtual {
	high := YMM()
	VPSRLW(Imm(4), x, high)
	VPAND(n.low, x, x)
	VPAND(n.low, high, high)
	VPSHUFB(x, n.table, x)
	VPSHUFB(high, n.table, high)
	VPADDB(x, high, x)
	return x
}

// add adds the bits of x, weight times, to the four sums.
func (n nibbles) add(x reg.VecVirtual, weight uint64, sums reg.VecVirtual) {
	c := n.bytes(x)
	VPSADBW(n.zero, c, c)
	if weight > 0 {
		VPSLLQ(Imm(weight), c, c)
	}
	VPADDQ(c, sums, sums)
}

func zero256() reg.VecVirtual {
	y := YMM()
	VPXOR(y, y, y)
	return y
}

// adder is one step of carry-save addition: it adds b and c to a bit by bit, leaves
// the low bits in a and returns the carries.
func adder(a, b, c reg.VecVirtual) (carry reg.VecVirtual) {
	u, carry := YMM(), YMM()
	VPXOR(a, b, u)
	VPAND(a, b, carry)
	VPXOR(u, c, a)
	VPAND(u, c, u)
	VPOR(u, carry, carry)
	return carry
}

// and256 adds eight vectors at a time into bits of weight one, two, four and eight, so
// that only the last have to be counted (Harley and Seal).
func and256() {
	w := load()
	n := newNibbles()
	sums, ones, twos, fours := zero256(), zero256(), zero256(), zero256()
	vector := func(i int) reg.VecVirtual {
		x := YMM()
		VMOVDQU(at(w.a, 32*i), x)
		VPAND(at(w.b, 32*i), x, x)
		return x
	}
	w.step("eight", 32, func() {
		var f [2]reg.VecVirtual
		for i := range f {
			a := adder(ones, vector(4*i), vector(4*i+1))
			b := adder(ones, vector(4*i+2), vector(4*i+3))
			f[i] = adder(twos, a, b)
		}
		n.add(adder(fours, f[0], f[1]), 3, sums)
	})
	n.add(fours, 2, sums)
	n.add(twos, 1, sums)
	w.step("vector", 4, func() { n.add(vector(0), 0, sums) })
	n.add(ones, 0, sums)
	total := total256(sums)
	VZEROUPPER()
	w.step("one", 1, func() { w.scalar(0, total) })
	Store(total, ReturnIndex(0))
	RET()
}

// total256 returns the sum of four 64-bit numbers.
func total256(sums reg.VecVirtual) reg.GPVirtual {
	x, total := XMM(), GP64()
	VEXTRACTI128(Imm(1), sums, x)
	VPADDQ(x, sums.AsX(), x)
	y := XMM()
	VPSHUFD(Imm(0x4e), x, y)
	VPADDQ(x, y, x)
	VMOVQ(x, total)
	return total
}

func and512() {
	w := load()
	var sums [4]reg.VecVirtual
	for i := range sums {
		sums[i] = ZMM()
		VPXORQ(sums[i], sums[i], sums[i])
	}
	count := func(i int, sum reg.VecVirtual) {
		x := ZMM()
		VMOVDQU64(at(w.a, 64*i), x)
		VPANDQ(at(w.b, 64*i), x, x)
		VPOPCNTQ(x, x)
		VPADDQ(x, sum, sum)
	}
	w.step("four", 32, func() {
		for i, sum := range sums {
			count(i, sum)
		}
	})
	w.step("vector", 8, func() { count(0, sums[0]) })
	VPADDQ(sums[1], sums[0], sums[0])
	VPADDQ(sums[3], sums[2], sums[2])
	VPADDQ(sums[2], sums[0], sums[0])
	half := YMM()
	VEXTRACTI64X4(Imm(1), sums[0], half)
	VPADDQ(sums[0].AsY(), half, half)
	total := total256(half)
	VZEROUPPER()
	w.step("one", 1, func() { w.scalar(0, total) })
	Store(total, ReturnIndex(0))
	RET()
}

// table is a loop over rows.
type table struct{ dst, n, a, row, size reg.Register }

func loadTable() table {
	t := table{
		Load(Param("dst").Base(), GP64()),
		Load(Param("dst").Len(), GP64()),
		Load(Param("a").Base(), GP64()),
		Load(Param("rows").Base(), GP64()),
		Load(Param("a").Len(), GP64()),
	}
	SHLQ(Imm(3), t.size)
	return t
}

func (t table) step(label string, rows int, body func()) {
	Label(label)
	CMPQ(t.n, Imm(uint64(rows)))
	JL(LabelRef(label + "done"))
	body()
	for range rows {
		ADDQ(t.size, t.row)
	}
	ADDQ(Imm(uint64(4*rows)), t.dst)
	SUBQ(Imm(uint64(rows)), t.n)
	JMP(LabelRef(label))
	Label(label + "done")
}

// across is a loop over the vectors of a row, of size bytes.
func (t table) across(label string, size int, body func(i reg.Register)) {
	i := GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(Imm(uint64(size)), i)
	CMPQ(i, t.size)
	JL(LabelRef(label))
}

func rows256() {
	t := loadTable()
	n := newNibbles()
	t.step("row", 1, func() {
		sums := zero256()
		t.across("vector", 64, func(i reg.Register) {
			var c [2]reg.VecVirtual
			for k := range c {
				x := YMM()
				VMOVDQU(Mem{Base: t.row, Index: i, Scale: 1, Disp: 32 * k}, x)
				VPAND(Mem{Base: t.a, Index: i, Scale: 1, Disp: 32 * k}, x, x)
				c[k] = n.bytes(x)
			}
			VPADDB(c[1], c[0], c[0])
			VPSADBW(n.zero, c[0], c[0])
			VPADDQ(c[0], sums, sums)
		})
		MOVL(total256(sums).As32(), at(t.dst, 0))
	})
	VZEROUPPER()
	RET()
}

func rows512() {
	t := loadTable()
	next := GP64()
	threeRows := GP64()
	LEAQ(Mem{Base: t.size, Index: t.size, Scale: 2}, threeRows)
	sum := func() reg.VecVirtual {
		z := ZMM()
		VPXORQ(z, z, z)
		return z
	}
	t.step("four", 4, func() {
		sums := [4]reg.VecVirtual{sum(), sum(), sum(), sum()}
		LEAQ(Mem{Base: t.row, Index: t.size, Scale: 1}, next)
		third, fourth := GP64(), GP64()
		LEAQ(Mem{Base: t.row, Index: t.size, Scale: 2}, third)
		LEAQ(Mem{Base: t.row, Index: threeRows, Scale: 1}, fourth)
		rows := [4]reg.Register{t.row, next, third, fourth}
		t.across("vectors", 64, func(i reg.Register) {
			a := ZMM()
			VMOVDQU64(Mem{Base: t.a, Index: i, Scale: 1}, a)
			for k, row := range rows {
				x := ZMM()
				VPANDQ(Mem{Base: row, Index: i, Scale: 1}, a, x)
				VPOPCNTQ(x, x)
				VPADDQ(x, sums[k], sums[k])
			}
		})
		// The sums of two rows share a register, as 32-bit halves.
		for k := 0; k < 4; k += 2 {
			VPSLLQ(Imm(32), sums[k+1], sums[k+1])
			VPADDQ(sums[k+1], sums[k], sums[k])
		}
		low, high := ZMM(), ZMM()
		VPUNPCKLQDQ(sums[2], sums[0], low)
		VPUNPCKHQDQ(sums[2], sums[0], high)
		VPADDQ(high, low, low)
		y, x := YMM(), XMM()
		VEXTRACTI64X4(Imm(1), low, y)
		VPADDQ(low.AsY(), y, y)
		VEXTRACTI128(Imm(1), y, x)
		VPADDQ(y.AsX(), x, x)
		VMOVDQU(x, at(t.dst, 0))
	})
	t.step("row", 1, func() {
		s := sum()
		t.across("vector", 64, func(i reg.Register) {
			x := ZMM()
			VMOVDQU64(Mem{Base: t.row, Index: i, Scale: 1}, x)
			VPANDQ(Mem{Base: t.a, Index: i, Scale: 1}, x, x)
			VPOPCNTQ(x, x)
			VPADDQ(x, s, s)
		})
		half := YMM()
		VEXTRACTI64X4(Imm(1), s, half)
		VPADDQ(s.AsY(), half, half)
		MOVL(total256(half).As32(), at(t.dst, 0))
	})
	VZEROUPPER()
	RET()
}
