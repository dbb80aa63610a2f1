// Command asm writes the assembly of package scatter; see the go:generate line there.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("!noasm")
	scatter("scatter64", 8)
	scatter("scatter32", 4)
	Generate()
}

// scatter writes the loop for words of some bytes.
func scatter(name string, size int) {
	TEXT(name, NOSPLIT, fmt.Sprintf("func(dst, src []uint%d, places []uint32)", 8*size))
	Pragma("noescape")
	Doc(name+" sets dst[places[i]] to src[i] for each i and asks for the cache line behind.",
		"No place may lie outside dst, and places may not be longer than src.")
	dst := Load(Param("dst").Base(), GP64())
	src := Load(Param("src").Base(), GP64())
	places := Load(Param("places").Base(), GP64())
	n := Load(Param("places").Len(), GP64())
	i, at := GP64(), GP64()
	XORQ(i, i)
	one := func(offset int) {
		MOVL(Mem{Base: places, Index: i, Scale: 4, Disp: 4 * offset}, at.As32())
		from := Mem{Base: src, Index: i, Scale: uint8(size), Disp: size * offset}
		to := Mem{Base: dst, Index: at, Scale: uint8(size)}
		word := GP64()
		if size == 8 {
			MOVQ(from, word)
			MOVQ(word, to)
		} else {
			MOVL(from, word.As32())
			MOVL(word.As32(), to)
		}
		PREFETCHT0(Mem{Base: dst, Index: at, Scale: uint8(size), Disp: 64})
	}
	const unroll = 4
	Label("many")
	CMPQ(n, Imm(unroll))
	JL(LabelRef("one"))
	for k := range unroll {
		one(k)
	}
	ADDQ(Imm(unroll), i)
	SUBQ(Imm(unroll), n)
	JMP(LabelRef("many"))
	Label("one")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	one(0)
	INCQ(i)
	DECQ(n)
	JMP(LabelRef("one"))
	Label("done")
	RET()
}
