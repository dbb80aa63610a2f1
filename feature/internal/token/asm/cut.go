package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Among ASCII, six characters do not simply separate words. The lower halves of their
// codes differ, so that one table lookup by that half finds the one that a byte could be.
const specials = "'.:,;_"

// What they do: the highest bit of a byte says that letters are joined, the next that
// digits are, the third that it is an underscore.
func kindOf(c byte) byte {
	switch c {
	case '\'', '.':
		return 0xc0
	case ':':
		return 0x80
	case ',', ';':
		return 0x40
	}
	return 0x20
}

func cut() {
	var chars, kinds [16]byte
	for i := range chars {
		chars[i] = 0xff // equal to no byte
	}
	for _, c := range []byte(specials) {
		chars[c&15], kinds[c&15] = c, kindOf(c)
	}
	charTable, kindTable := table("specials", chars[:]...), table("kinds", kinds[:]...)
	caseBit := table("caseBit", 0x20)
	// Shifted so that the last of a range is the greatest signed byte, what
	// lies above is negative, and one comparison is enough.
	toZ, belowA := table("toZ", 0x7f-'z'), table("belowA", 0x7f-'z'+'a'-1)
	to9, below0 := table("to9", 0x7f-'9'), table("below0", 0x7f-'9'+'0'-1)

	TEXT("cutAVX2", NOSPLIT, "func(buf *byte, p, blocks int, edges *uint32, most, before, letter, digit int, keepCase, dropPunct bool) (done, n int)")
	Pragma("noescape")
	Doc("cutAVX2 cuts blocks of buf from p on until one needs care, all are done, or there are",
		"most edges. The byte before p is in a word where before is 1, and there a letter or a",
		"digit where those are. It returns how many blocks it did and how many edges it wrote.")

	// Registers are few: bounds lie on the stack.
	end, last := AllocLocal(8), AllocLocal(8)
	at, pos := GP64(), GP64()
	Load(Param("buf"), at)
	Load(Param("p"), pos)
	ADDQ(pos, at)
	out := Load(Param("edges"), GP64())
	{
		t := Load(Param("blocks"), GP64())
		SHLQ(U8(6), t)
		ADDQ(at, t)
		MOVQ(t, end)
		Load(Param("most"), t)
		LEAQ(Mem{Base: out, Index: t, Scale: 4}, t)
		MOVQ(t, last)
	}
	before, letterBefore, digitBefore := GP64(), GP64(), GP64()
	Load(Param("before"), before)
	Load(Param("letter"), letterBefore)
	Load(Param("digit"), digitBefore)

	lower, upper, kind, char := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(caseBit, lower)
	VMOVDQU(kindTable, kind)
	VMOVDQU(charTable, char)
	VMOVDQU(lower, upper)
	unless := func(param string, v reg.VecVirtual) {
		flag := Load(Param(param), GP8())
		TESTB(flag, flag)
		JZ(LabelRef("not" + param))
		VPXOR(v, v, v)
		Label("not" + param)
	}
	unless("keepCase", upper)
	unless("dropPunct", kind)

	Label("block")
	CMPQ(at, end)
	JAE(LabelRef("done"))
	half := [2]reg.VecVirtual{YMM(), YMM()}
	VMOVDQU(Mem{Base: at}, half[0])
	VMOVDQU(Mem{Base: at, Disp: 32}, half[1])
	{
		t, m := YMM(), GP32()
		VPOR(half[0], half[1], t)
		VPMOVMSKB(t, m)
		TESTL(m, m)
		JNZ(LabelRef("done"))
		TESTB(U8(0x80), Mem{Base: at, Disp: block})
		JNZ(LabelRef("done"))
	}
	var letter, digit, special [2]reg.VecVirtual
	for h, v := range half {
		l, d, s, k := YMM(), YMM(), YMM(), YMM()
		VPOR(lower, v, l)
		VPADDB(toZ, l, l)
		VPCMPGTB(belowA, l, l)
		VPADDB(to9, v, d)
		VPCMPGTB(below0, d, d)
		VPSHUFB(v, char, s)
		VPCMPEQB(v, s, s)
		VPSHUFB(v, kind, k)
		VPAND(s, k, k)
		letter[h], digit[h], special[h] = l, d, k
		VPAND(upper, l, s)
		VPOR(s, v, v)
		VMOVDQU(v, Mem{Base: at, Disp: 32 * h})
	}
	mask := func(v [2]reg.VecVirtual) reg.GPVirtual {
		m, t := GP64(), GP64()
		VPMOVMSKB(v[1], m.As32())
		VPMOVMSKB(v[0], t.As32())
		SHLQ(U8(32), m)
		ORQ(t, m)
		return m
	}
	nextKind := func() {
		for _, v := range special {
			VPADDB(v, v, v)
		}
	}
	letters, digits := mask(letter), mask(digit)
	joinLetters := mask(special)
	nextKind()
	joinDigits := mask(special)
	nextKind()
	unders := mask(special)

	letterAfter, digitAfter, t := GP64(), GP64(), GP64()
	MOVQ(letters, letterAfter)
	SHRQ(U8(1), letterAfter)
	MOVQ(digits, digitAfter)
	SHRQ(U8(1), digitAfter)
	// Only where the last byte may join does it matter what follows the block.
	MOVQ(joinLetters, t)
	ORQ(joinDigits, t)
	JNS(LabelRef("inside"))
	follows := func(after reg.GPVirtual, setBit, first, count uint8) {
		MOVBLZX(Mem{Base: at, Disp: block}, t.As32())
		if setBit != 0 {
			ORL(U8(setBit), t.As32())
		}
		SUBL(U8(first), t.As32())
		CMPL(t.As32(), U8(count))
		SBBQ(t, t)
		SHLQ(U8(63), t)
		ORQ(t, after)
	}
	follows(letterAfter, 0x20, 'a', 26)
	follows(digitAfter, 0, '0', 10)
	Label("inside")

	word := GP64()
	LEAQ(Mem{Base: letterBefore, Index: letters, Scale: 2}, word)
	ANDQ(letterAfter, word)
	ANDQ(joinLetters, word)
	LEAQ(Mem{Base: digitBefore, Index: digits, Scale: 2}, t)
	ANDQ(digitAfter, t)
	ANDQ(joinDigits, t)
	ORQ(t, word)
	ORQ(letters, word)
	ORQ(digits, word)
	ORQ(unders, word)
	LEAQ(Mem{Base: before, Index: word, Scale: 2}, t)
	ANDNQ(unders, t, unders)
	JNZ(LabelRef("done"))
	edges := GP64()
	MOVQ(word, edges)
	XORQ(t, edges)
	JZ(LabelRef("none"))
	for _, m := range []struct{ from, to reg.GPVirtual }{{letters, letterBefore}, {digits, digitBefore}, {word, before}} {
		SHRQ(U8(63), m.from)
		MOVQ(m.from, m.to)
	}

	// Edges are written in groups of a size that most blocks fit in, since a loop
	// would be mispredicted at its end. What is written in vain the next block overwrites.
	n := GP64()
	POPCNTQ(edges, n)
	write := func(to Mem) {
		TZCNTQ(edges, t)
		ADDL(pos.As32(), t.As32())
		MOVL(t.As32(), to)
		BLSRQ(edges, edges)
	}
	for i := range 24 {
		if i == 16 {
			JZ(LabelRef("written"))
		}
		write(Mem{Base: out, Disp: 4 * i})
	}
	JZ(LabelRef("written"))
	rest := GP64()
	LEAQ(Mem{Base: out, Disp: 4 * 24}, rest)
	Label("more")
	write(Mem{Base: rest})
	LEAQ(Mem{Base: rest, Disp: 4}, rest)
	JNZ(LabelRef("more"))
	Label("written")
	LEAQ(Mem{Base: out, Index: n, Scale: 4}, out)
	Label("next")
	ADDQ(U8(block), at)
	ADDQ(U8(block), pos)
	CMPQ(out, last)
	JB(LabelRef("block"))
	JMP(LabelRef("done"))

	// Without an edge the block holds no word, or lies in one.
	Label("none")
	TESTQ(before, before)
	JNZ(LabelRef("done"))
	XORQ(letterBefore, letterBefore)
	XORQ(digitBefore, digitBefore)
	JMP(LabelRef("next"))

	Label("done")
	VZEROUPPER()
	Load(Param("p"), t)
	SUBQ(t, pos)
	SHRQ(U8(6), pos)
	Store(pos, ReturnIndex(0))
	Load(Param("edges"), t)
	SUBQ(t, out)
	SHRQ(U8(2), out)
	Store(out, ReturnIndex(1))
	RET()
}
