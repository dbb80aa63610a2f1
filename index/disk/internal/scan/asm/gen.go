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
	near512()
	counts := GLOBL("counts", RODATA|NOPTR)
	for half := range 2 {
		DATA(16*half, U64(0x0302020102010100))
		DATA(16*half+8, U64(0x0403030203020201))
	}
	near256(counts)
	prefetch()
	Generate()
}

func nearSignature(name string, rest ...string) {
	TEXT(name, NOSPLIT, "func(dst []uint32, words []byte, q, k uint64) int")
	Pragma("noescape")
	Doc(append([]string{name + " stores the positions of the words within k bits of q and returns their number.",
		"dst has room for all."}, rest...)...)
}

// args loads the arguments: where positions go, the words and their number.
func args() (dst, words, n reg.Register) {
	dst = Load(Param("dst").Base(), GP64())
	words = Load(Param("words").Base(), GP64())
	n = Load(Param("words").Len(), GP64())
	SHRQ(Imm(3), n)
	return dst, words, n
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

func near512() {
	nearSignature("nearAVX512")
	dst, words, n := args()
	q, k := ZMM(), ZMM()
	VPBROADCASTQ(Load(Param("q"), GP64()), q)
	VPBROADCASTQ(Load(Param("k"), GP64()), k)
	at, mask := GP64(), GP64()
	XORQ(at, at)

	// Four vectors at a time share one test, for hits are rare.
	const unroll = 4
	Label("many")
	CMPQ(n, Imm(8*unroll))
	JL(LabelRef("one"))
	var d [unroll]reg.VecVirtual
	for i := range d {
		d[i] = ZMM()
		VPXORQ(Mem{Base: words, Index: at, Scale: 8, Disp: 64 * i}, q, d[i])
		VPOPCNTQ(d[i], d[i])
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
	some, lanes := K(), GP64()
	MOVQ(U32(0xff), lanes)
	KMOVW(lanes.As32(), some)
	CMPQ(n, Imm(8))
	JGE(LabelRef("lanes"))
	MOVQ(U32(8), reg.RCX)
	SUBQ(n, reg.RCX)
	SHRQ(reg.CL, lanes)
	KMOVW(lanes.As32(), some)
	Label("lanes")
	x := ZMM()
	VMOVDQU64_Z(Mem{Base: words, Index: at, Scale: 8}, some, x)
	VPXORQ(x, q, x)
	VPOPCNTQ(x, x)
	VPCMPUQ(Imm(2), k, x, some, hit)
	KMOVW(hit, mask.As32())
	positions("rest", mask, dst, at, 0)
	ADDQ(Imm(8), at)
	SUBQ(Imm(8), n)
	JG(LabelRef("one"))
	Label("done")
	count(dst)
}

// near256 counts bits by a table of the counts of the sixteen nibbles (Muła, Kurz, Lemire, The
// Computer Journal 2018).
func near256(counts Mem) {
	nearSignature("nearAVX2", "It passes over the last words that fill no vector of four.")
	dst, words, n := args()
	table, low, zero := YMM(), YMM(), YMM()
	VMOVDQU(counts, table)
	VPCMPEQD(low, low, low)
	VPSRLW(Imm(12), low, low)
	t, u := YMM(), YMM()
	VPSLLW(Imm(8), low, t)
	VPOR(t, low, low)
	VPXOR(zero, zero, zero)
	q, k := broadcast("q"), broadcast("k")
	at, mask := GP64(), GP64()
	XORQ(at, at)
	distance := func(i int) reg.VecVirtual {
		x := YMM()
		VPXOR(Mem{Base: words, Index: at, Scale: 8, Disp: 32 * i}, q, x)
		VPSRLW(Imm(4), x, t)
		VPAND(low, x, x)
		VPAND(low, t, t)
		VPSHUFB(x, table, x)
		VPSHUFB(t, table, t)
		VPADDB(t, x, x)
		VPSADBW(zero, x, x)
		return x
	}
	const unroll = 4
	Label("many")
	CMPQ(n, Imm(4*unroll))
	JL(LabelRef("one"))
	var d [unroll]reg.VecVirtual
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
	ADDQ(Imm(4*unroll), at)
	SUBQ(Imm(4*unroll), n)
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

func prefetch() {
	TEXT("prefetch", NOSPLIT, "func(b []byte)")
	Pragma("noescape")
	Doc("prefetch asks for each 64th byte, whether or not it is there.")
	at := Load(Param("b").Base(), GP64())
	n := Load(Param("b").Len(), GP64())
	Label("loop")
	CMPQ(n, Imm(0))
	JLE(LabelRef("done"))
	PREFETCHT0(Mem{Base: at})
	ADDQ(Imm(64), at)
	SUBQ(Imm(64), n)
	JMP(LabelRef("loop"))
	Label("done")
	RET()
}
