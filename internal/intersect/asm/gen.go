// Command asm writes the assembly of package intersect; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lane is a pair of stretches: where they go on, and the last places from which on
// four values are left.
type lane struct {
	i, j, iLast, jLast reg.GPVirtual
	count              reg.VecVirtual
}

func main() {
	ConstraintExpr("!noasm")
	TEXT("countAVX2", NOSPLIT, "func(a, b *uint64, lanes *int) int")
	Pragma("noescape")
	Doc("countAVX2 counts what the stretches of a and b in two lanes share as far as both",
		"have four values left, and moves their starts up to there.")
	a, b := Load(Param("a"), GP64()), Load(Param("b"), GP64())
	state := Load(Param("lanes"), GP64())
	var lanes [2]lane
	for k := range lanes {
		l := &lanes[k]
		l.count = YMM()
		VPXOR(l.count, l.count, l.count)
		for f, r := range []*reg.GPVirtual{&l.i, &l.j, &l.iLast, &l.jLast} {
			*r = GP64()
			MOVQ(Mem{Base: state, Disp: 32*k + 8*f}, *r)
		}
		SUBQ(I8(4), l.iLast)
		SUBQ(I8(4), l.jLast)
	}

	// step compares four values with four, and goes on behind those whose last is less.
	step := func(l lane) {
		x, y, any, r := YMM(), YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: a, Index: l.i, Scale: 8}, x)
		VMOVDQU(Mem{Base: b, Index: l.j, Scale: 8}, y)
		VPCMPEQQ(x, y, any)
		for _, turn := range []uint8{0b00_11_10_01, 0b01_00_11_10, 0b10_01_00_11} {
			VPERMQ(U8(turn), y, r)
			VPCMPEQQ(x, r, r)
			VPOR(r, any, any)
		}
		VPSUBQ(any, l.count, l.count)
		last, di, dj := GP64(), GP64(), GP64()
		XORL(di.As32(), di.As32())
		XORL(dj.As32(), dj.As32())
		MOVQ(Mem{Base: a, Index: l.i, Scale: 8, Disp: 24}, last)
		CMPQ(last, Mem{Base: b, Index: l.j, Scale: 8, Disp: 24})
		SETLS(di.As8())
		SETCC(dj.As8())
		LEAQ(Mem{Base: l.i, Index: di, Scale: 4}, l.i)
		LEAQ(Mem{Base: l.j, Index: dj, Scale: 4}, l.j)
	}
	unlessDone := func(l lane, label string) {
		CMPQ(l.i, l.iLast)
		JG(LabelRef(label))
		CMPQ(l.j, l.jLast)
		JG(LabelRef(label))
	}

	Label("both")
	unlessDone(lanes[0], "first")
	unlessDone(lanes[1], "first")
	step(lanes[0])
	step(lanes[1])
	JMP(LabelRef("both"))
	Label("first")
	unlessDone(lanes[0], "second")
	step(lanes[0])
	JMP(LabelRef("first"))
	Label("second")
	unlessDone(lanes[1], "done")
	step(lanes[1])
	JMP(LabelRef("second"))

	Label("done")
	for k, l := range lanes {
		MOVQ(l.i, Mem{Base: state, Disp: 32 * k})
		MOVQ(l.j, Mem{Base: state, Disp: 32*k + 8})
	}
	sum := lanes[0].count
	VPADDQ(lanes[1].count, sum, sum)
	x, y, n := sum.AsX(), XMM(), GP64()
	VEXTRACTI128(U8(1), sum, y)
	VPADDQ(y, x, x)
	VPSHUFD(U8(0b01001110), x, y)
	VPADDQ(y, x, x)
	VMOVQ(x, n)
	VZEROUPPER()
	Store(n, ReturnIndex(0))
	RET()
	Generate()
}
