package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// hanRun looks at ten ideographs at a time, of three bytes each.
func hanRun() {
	leads := GLOBL("leads", readOnly)
	for i := range 32 {
		v := byte(0)
		if i%3 == 0 {
			v = 0xff
		}
		DATA(i, U8(v))
	}
	// Bytes are compared as signed ones.
	e4, eA, b7, c0 := table("e4", 0xe4), table("eA", 0xea), table("b7", 0xb7), table("c0", 0xc0)

	TEXT("hanRunAVX2", NOSPLIT, "func(text string) int")
	Pragma("noescape")
	Doc("hanRunAVX2 returns the length of the run of ideographs that text starts with, as far",
		"as it lies in front of the last 32 bytes.")
	at, left := Load(Param("text").Base(), GP64()), GP64()
	Load(Param("text").Len(), left)
	lead, first, above := YMM(), YMM(), YMM()
	VMOVDQU(leads, lead)
	VMOVDQU(e4, first)
	VMOVDQU(eA, above)
	after, cont := YMM(), YMM()
	VMOVDQU(b7, after)
	VMOVDQU(c0, cont)
	run, bad := GP64(), GP64()
	XORQ(run, run)

	Label("ten")
	CMPQ(left, I8(33))
	JL(LabelRef("hanDone"))
	x, y, ok, t := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: at, Index: run, Scale: 1}, x)
	VMOVDQU(Mem{Base: at, Index: run, Scale: 1, Disp: 1}, y)
	VPCMPGTB(after, y, y)
	VPCMPEQB(first, x, t)
	VPAND(t, y, y) // E4 before B8 or more
	VPCMPGTB(first, x, ok)
	VPCMPGTB(x, above, t)
	VPAND(t, ok, ok) // E5 to E9
	VPOR(y, ok, ok)
	VPCMPGTB(x, cont, t)
	VPBLENDVB(lead, ok, t, ok)
	VPMOVMSKB(ok, bad.As32())
	NOTL(bad.As32())
	ANDL(U32(1<<30-1), bad.As32())
	JNZ(LabelRef("end"))
	ADDQ(I8(30), run)
	SUBQ(I8(30), left)
	JMP(LabelRef("ten"))

	Label("end")
	TZCNTL(bad.As32(), bad.As32())
	third := GP64()
	IMUL3Q(I32(171), bad, third) // a third of up to 30 is 171/512 of it
	SHRQ(U8(9), third)
	LEAQ(Mem{Base: third, Index: third, Scale: 2}, third)
	ADDQ(third, run)

	Label("hanDone")
	VZEROUPPER()
	Store(run, ReturnIndex(0))
	RET()
}
