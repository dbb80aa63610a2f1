// Command asm writes the assembly of package popcount; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	TEXT("andPOPCNT", NOSPLIT, "func(a, b []uint64) int")
	Doc("andPOPCNT counts the bits set in both slices, of which b is at least as long as a.")
	a := Load(Param("a").Base(), GP64())
	n := Load(Param("a").Len(), GP64())
	b := Load(Param("b").Base(), GP64())

	// Four sums, so that no addition waits for the one before.
	const unroll = 4
	var sums [unroll]reg.GPVirtual
	for i := range sums {
		sums[i] = GP64()
		XORQ(sums[i], sums[i])
	}
	count := func(i int, sum reg.GPVirtual) {
		w := GP64()
		MOVQ(operand.Mem{Base: a, Disp: 8 * i}, w)
		ANDQ(operand.Mem{Base: b, Disp: 8 * i}, w)
		POPCNTQ(w, w)
		ADDQ(w, sum)
	}

	Label("four")
	CMPQ(n, operand.Imm(unroll))
	JL(operand.LabelRef("one"))
	for i, sum := range sums {
		count(i, sum)
	}
	ADDQ(operand.Imm(8*unroll), a)
	ADDQ(operand.Imm(8*unroll), b)
	SUBQ(operand.Imm(unroll), n)
	JMP(operand.LabelRef("four"))

	Label("one")
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	count(0, sums[0])
	ADDQ(operand.Imm(8), a)
	ADDQ(operand.Imm(8), b)
	DECQ(n)
	JMP(operand.LabelRef("one"))

	Label("done")
	for _, sum := range sums[1:] {
		ADDQ(sum, sums[0])
	}
	Store(sums[0], ReturnIndex(0))
	RET()
	Generate()
}
