// Command asm writes the assembly of package lanes; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	TEXT("differAVX2", NOSPLIT, "func(a, b *uint64, n int) int")
	Pragma("noescape")
	Doc("differAVX2 returns in how many of their 32-bit values two lists of n vectors differ.")
	a, b, n := Load(Param("a"), GP64()), Load(Param("b"), GP64()), GP64()
	Load(Param("n"), n)
	differ := GP64()
	MOVQ(n, differ)
	SHLQ(U8(3), differ) // all of them, less those that are equal

	// Four counts of each lane, so that no subtraction waits for the one before.
	const unroll = 4
	var counts [unroll]reg.VecVirtual
	for i := range counts {
		counts[i] = YMM()
		VPXOR(counts[i], counts[i], counts[i])
	}
	count := func(i int) {
		v := YMM()
		VMOVDQU(Mem{Base: a, Disp: 32 * i}, v)
		VPCMPEQD(Mem{Base: b, Disp: 32 * i}, v, v)
		VPSUBD(v, counts[i], counts[i])
	}
	advance := func(by int) {
		ADDQ(I32(32*by), a)
		ADDQ(I32(32*by), b)
		SUBQ(I8(by), n)
	}

	SUBQ(I8(unroll), n)
	JL(LabelRef("few"))
	Label("four")
	for i := range counts {
		count(i)
	}
	advance(unroll)
	JGE(LabelRef("four"))
	Label("few")
	ADDQ(I8(unroll), n)
	JZ(LabelRef("sum"))
	Label("one")
	count(0)
	advance(1)
	JNZ(LabelRef("one"))

	Label("sum")
	VPADDD(counts[1], counts[0], counts[0])
	VPADDD(counts[3], counts[2], counts[2])
	VPADDD(counts[2], counts[0], counts[0])
	x, y, equal := counts[0].AsX(), XMM(), GP64()
	VEXTRACTI128(U8(1), counts[0], y)
	VPADDD(y, x, x)
	VPSHUFD(U8(0b01001110), x, y)
	VPADDD(y, x, x)
	VPSHUFD(U8(0b10110001), x, y)
	VPADDD(y, x, x)
	VMOVD(x, equal.As32())
	VZEROUPPER()
	SUBQ(equal, differ)
	Store(differ, ReturnIndex(0))
	RET()
	Generate()
}
