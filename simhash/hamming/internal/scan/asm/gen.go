// Command asm writes the assembly of package scan; see the go:generate line there.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	near512("nearAVX512", false)
	near512("near128AVX512", true)
	tile512()
	counts := GLOBL("counts", RODATA|NOPTR)
	for half := range 2 {
		DATA(16*half, U64(0x0302020102010100))
		DATA(16*half+8, U64(0x0403030203020201))
	}
	near256("nearAVX2", false, counts)
	near256("near128AVX2", true, counts)
	tile256(counts)
	Generate()
}

func nearSignature(name string, wide bool, rest ...string) {
	if wide {
		TEXT(name, NOSPLIT, "func(dst []uint32, lo, hi []uint64, qlo, qhi, k uint64) int")
		Doc(append([]string{name + " stores the positions of the codes within k bits of the code qhi and qlo and returns",
			"their number. Both dst and hi are at least as long as lo."}, rest...)...)
		return
	}
	TEXT(name, NOSPLIT, "func(dst []uint32, lo []uint64, qlo, k uint64) int")
	Doc(append([]string{name + " stores the positions of the codes within k bits of qlo and returns their number.",
		"dst is at least as long as lo."}, rest...)...)
}

// positions stores base + i for each bit i of a mask and moves dst on.
func positions(name string, mask reg.GPVirtual, dst, at reg.Register, offset int) {
	i := GP64()
	Label(name)
	TESTQ(mask, mask)
	JZ(LabelRef(name + "done"))
	TZCNTQ(mask, i)
	LEAQ(Mem{Base: at, Index: i, Scale: 1, Disp: offset}, i)
	MOVL(i.As32(), Mem{Base: dst})
	ADDQ(Imm(4), dst)
	// Clear the lowest bit.
	LEAQ(Mem{Base: mask, Disp: -1}, i)
	ANDQ(i, mask)
	JMP(LabelRef(name))
	Label(name + "done")
}

// broadcast fills a register from an argument in memory: moving it through a general
// register would take an SSE instruction, which stalls once upper halves are in use.
func broadcast(param string) reg.VecVirtual {
	arg, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	y := YMM()
	VPBROADCASTQ(arg.Addr, y)
	return y
}

// count returns what was stored, as a number.
func count(dst reg.Register) {
	start := Load(Param("dst").Base(), GP64())
	SUBQ(start, dst)
	SHRQ(Imm(2), dst)
	VZEROUPPER()
	Store(dst, ReturnIndex(0))
	RET()
}

func near512(name string, wide bool) {
	nearSignature(name, wide)
	dst := Load(Param("dst").Base(), GP64())
	lo := Load(Param("lo").Base(), GP64())
	n := Load(Param("lo").Len(), GP64())
	qlo, k := ZMM(), ZMM()
	var hi reg.Register
	var qhi reg.VecVirtual
	q := Load(Param("qlo"), GP64())
	VPBROADCASTQ(q, qlo)
	if wide {
		hi = Load(Param("hi").Base(), GP64())
		qhi = ZMM()
		VPBROADCASTQ(Load(Param("qhi"), GP64()), qhi)
	}
	VPBROADCASTQ(Load(Param("k"), GP64()), k)
	at, mask := GP64(), GP64()
	XORQ(at, at)

	distance := func(i int) reg.VecVirtual {
		x := ZMM()
		VPXORQ(Mem{Base: lo, Index: at, Scale: 8, Disp: 64 * i}, qlo, x)
		VPOPCNTQ(x, x)
		if wide {
			y := ZMM()
			VPXORQ(Mem{Base: hi, Index: at, Scale: 8, Disp: 64 * i}, qhi, y)
			VPOPCNTQ(y, y)
			VPADDQ(y, x, x)
		}
		return x
	}
	// Four vectors at a time share one test, for hits are rare.
	const unroll = 4
	Label("many")
	CMPQ(n, Imm(8*unroll))
	JL(LabelRef("one"))
	var d [unroll]reg.VecVirtual
	for i := range d {
		d[i] = distance(i)
	}
	least, other := ZMM(), ZMM()
	VPMINUQ(d[0], d[1], least)
	VPMINUQ(d[2], d[3], other)
	VPMINUQ(least, other, least)
	hit := K()
	VPCMPUQ(Imm(2), k, least, hit)
	KORTESTW(hit, hit)
	JZ(LabelRef("next"))
	for i := range d {
		VPCMPUQ(Imm(2), k, d[i], hit)
		KMOVW(hit, mask.As32())
		positions(fmt.Sprintf("hit%d", i), mask, dst, at, 8*i)
	}
	Label("next")
	ADDQ(Imm(8*unroll), at)
	SUBQ(Imm(8*unroll), n)
	JMP(LabelRef("many"))

	// The rest a vector at a time, the last one under a mask.
	Label("one")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	lanes, some := GP64(), K()
	MOVQ(U32(0xff), lanes)
	CMPQ(n, Imm(8))
	JGE(LabelRef("lanes"))
	full, shift := GP64(), reg.RCX
	MOVQ(U32(8), shift)
	SUBQ(n, shift)
	MOVQ(lanes, full)
	SHRQ(reg.CL, full)
	MOVQ(full, lanes)
	Label("lanes")
	KMOVW(lanes.As32(), some)
	x := ZMM()
	VMOVDQU64_Z(Mem{Base: lo, Index: at, Scale: 8}, some, x)
	VPXORQ(x, qlo, x)
	VPOPCNTQ(x, x)
	if wide {
		y := ZMM()
		VMOVDQU64_Z(Mem{Base: hi, Index: at, Scale: 8}, some, y)
		VPXORQ(y, qhi, y)
		VPOPCNTQ(y, y)
		VPADDQ(y, x, x)
	}
	VPCMPUQ(Imm(2), k, x, some, hit)
	KMOVW(hit, mask.As32())
	positions("rest", mask, dst, at, 0)
	ADDQ(Imm(8), at)
	SUBQ(Imm(8), n)
	JG(LabelRef("one"))
	Label("done")
	count(dst)
}

// nibbles holds what counting bits with AVX2 needs: the counts of the sixteen
// nibbles (Muła, Kurz, Lemire, The Computer Journal 2018).
type nibbles struct{ table, low, zero reg.VecVirtual }

func newNibbles(counts Mem) nibbles {
	p := nibbles{YMM(), YMM(), YMM()}
	VMOVDQU(counts, p.table)
	VPCMPEQD(p.low, p.low, p.low)
	VPSRLW(Imm(12), p.low, p.low)
	t := YMM()
	VPSLLW(Imm(8), p.low, t)
	VPOR(t, p.low, p.low)
	VPXOR(p.zero, p.zero, p.zero)
	return p
}

// bytes replaces x by the number of bits in each of its bytes.
func (p nibbles) bytes(x, t reg.VecVirtual) {
	VPSRLW(Imm(4), x, t)
	VPAND(p.low, x, x)
	VPAND(p.low, t, t)
	VPSHUFB(x, p.table, x)
	VPSHUFB(t, p.table, t)
	VPADDB(t, x, x)
}

func near256(name string, wide bool, counts Mem) {
	nearSignature(name, wide, "It passes over the last len(lo) modulo 4 codes.")
	dst := Load(Param("dst").Base(), GP64())
	lo := Load(Param("lo").Base(), GP64())
	n := Load(Param("lo").Len(), GP64())
	p := newNibbles(counts)
	qlo, k := broadcast("qlo"), broadcast("k")
	var hi reg.Register
	var qhi reg.VecVirtual
	if wide {
		hi = Load(Param("hi").Base(), GP64())
		qhi = broadcast("qhi")
	}
	at, mask := GP64(), GP64()
	XORQ(at, at)
	t, u := YMM(), YMM()
	distance := func(i int) reg.VecVirtual {
		x := YMM()
		VPXOR(Mem{Base: lo, Index: at, Scale: 8, Disp: 32 * i}, qlo, x)
		p.bytes(x, t)
		if wide {
			VPXOR(Mem{Base: hi, Index: at, Scale: 8, Disp: 32 * i}, qhi, u)
			p.bytes(u, t)
			VPADDB(u, x, x)
		}
		VPSADBW(p.zero, x, x)
		return x
	}
	unroll := 4
	Label("many")
	CMPQ(n, Imm(uint64(4*unroll)))
	JL(LabelRef("one"))
	d := make([]reg.VecVirtual, unroll)
	for i := range d {
		d[i] = distance(i)
	}
	// A lane is within k where it does not exceed k.
	VPMINUD(d[0], d[1], t)
	VPMINUD(d[2], d[3], u)
	VPMINUD(t, u, t)
	VPCMPGTQ(k, t, t)
	VMOVMSKPD(t, mask.As32())
	CMPL(mask.As32(), Imm(15))
	JE(LabelRef("next"))
	for i := range d {
		VPCMPGTQ(k, d[i], t)
		VMOVMSKPD(t, mask.As32())
		XORQ(Imm(15), mask)
		positions(fmt.Sprintf("hit%d", i), mask, dst, at, 4*i)
	}
	Label("next")
	ADDQ(Imm(uint64(4*unroll)), at)
	SUBQ(Imm(uint64(4*unroll)), n)
	JMP(LabelRef("many"))

	Label("one")
	CMPQ(n, Imm(4))
	JL(LabelRef("done"))
	x := distance(0)
	VPCMPGTQ(k, x, t)
	VMOVMSKPD(t, mask.As32())
	XORQ(Imm(15), mask)
	positions("rest", mask, dst, at, 0)
	ADDQ(Imm(4), at)
	SUBQ(Imm(4), n)
	JMP(LabelRef("one"))
	Label("done")
	count(dst)
}

const rows = 8

func tile512() {
	TEXT("tileAVX512", NOSPLIT, "func(rows *[8]uint64, cols []uint64, from int, k uint64) int")
	Doc("tileAVX512 returns the first t = from, from+8, ... such that one of the rows is within k of one of",
		"cols[t:t+8], or a number of at least len(cols).")
	rp := Load(Param("rows"), GP64())
	cols := Load(Param("cols").Base(), GP64())
	n := Load(Param("cols").Len(), GP64())
	at := Load(Param("from"), GP64())
	k, col, least := ZMM(), ZMM(), ZMM()
	VPBROADCASTQ(Load(Param("k"), GP64()), k)
	var r [rows]reg.VecVirtual
	for i := range r {
		r[i] = ZMM()
		VPBROADCASTQ(Mem{Base: rp, Disp: 8 * i}, r[i])
	}
	all := func() {
		var d [rows]reg.VecVirtual
		for i := range d {
			d[i] = ZMM()
			VPXORQ(col, r[i], d[i])
			VPOPCNTQ(d[i], d[i])
		}
		for step := 1; step < rows; step *= 2 {
			for i := 0; i < rows; i += 2 * step {
				VPMINUQ(d[i], d[i+step], d[i])
			}
		}
		least = d[0]
	}
	hit, some := K(), K()
	SUBQ(at, n) // those to come
	Label("loop")
	CMPQ(n, Imm(8))
	JL(LabelRef("rest"))
	VMOVDQU64(Mem{Base: cols, Index: at, Scale: 8}, col)
	all()
	VPCMPUQ(Imm(2), k, least, hit)
	KORTESTW(hit, hit)
	JNZ(LabelRef("done"))
	ADDQ(Imm(8), at)
	SUBQ(Imm(8), n)
	JMP(LabelRef("loop"))

	Label("rest")
	CMPQ(n, Imm(0))
	JLE(LabelRef("done"))
	lanes := GP64()
	MOVQ(U32(8), reg.RCX)
	SUBQ(n, reg.RCX)
	MOVQ(U32(0xff), lanes)
	SHRQ(reg.CL, lanes)
	KMOVW(lanes.As32(), some)
	VMOVDQU64_Z(Mem{Base: cols, Index: at, Scale: 8}, some, col)
	all()
	VPCMPUQ(Imm(2), k, least, some, hit)
	KORTESTW(hit, hit)
	JNZ(LabelRef("done"))
	ADDQ(Imm(8), at)
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}

func tile256(counts Mem) {
	TEXT("tileAVX2", NOSPLIT, "func(rows *[8]uint64, cols []uint64, from int, k uint64) int")
	Doc("tileAVX2 returns the first t = from, from+4, ... such that one of the rows is within k of one of",
		"cols[t:t+4], or the first t with no four columns behind it.")
	rp := Load(Param("rows"), GP64())
	cols := Load(Param("cols").Base(), GP64())
	n := Load(Param("cols").Len(), GP64())
	at := Load(Param("from"), GP64())
	p := newNibbles(counts)
	k, x, t, least := broadcast("k"), YMM(), YMM(), YMM()
	var r [rows]reg.VecVirtual
	for i := range r {
		r[i] = YMM()
		VPBROADCASTQ(Mem{Base: rp, Disp: 8 * i}, r[i])
	}
	mask := GP64()
	SUBQ(at, n)
	Label("loop")
	CMPQ(n, Imm(4))
	JL(LabelRef("done"))
	col := Mem{Base: cols, Index: at, Scale: 8}
	for i := range r {
		VPXOR(col, r[i], x)
		p.bytes(x, t)
		if i == 0 {
			VPSADBW(p.zero, x, least)
			continue
		}
		VPSADBW(p.zero, x, x)
		VPMINUD(x, least, least)
	}
	VPCMPGTQ(k, least, t)
	VMOVMSKPD(t, mask.As32())
	CMPL(mask.As32(), Imm(15))
	JNE(LabelRef("done"))
	ADDQ(Imm(4), at)
	SUBQ(Imm(4), n)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}
