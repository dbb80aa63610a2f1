package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// shuffled is the order in which VSHUFPS leaves the starts and the ends of eight spans.
var shuffled = [8]byte{0, 1, 4, 5, 2, 3, 6, 7}

func sums() {
	TEXT("sumsAVX2", NOSPLIT, "func(dst *uint64, buf *byte, spans *uint32, n int, keys *uint64, lists *uint16) (long int)")
	Pragma("noescape")
	Doc("sumsAVX2 hashes n tokens, at most Batch, but for the long ones, whose number it returns.")
	counts := AllocLocal(3 * 8)
	listByClass(counts)
	hashLists(counts)
	RET()
}

// listByClass writes the numbers of the spans to the lists of their classes.
func listByClass(counts Mem) {
	// For each set of eight spans, their numbers, those in the set first.
	numbers := GLOBL("numbers", readOnly)
	for set := range 256 {
		at := 8 * set
		for j, number := range shuffled {
			if set>>j&1 != 0 {
				DATA(at, U8(number))
				at++
			}
		}
		for ; at < 8*set+8; at++ {
			DATA(at, U8(0))
		}
	}
	places := make([]uint32, 8)
	for j, number := range shuffled {
		places[j] = uint32(number)
	}
	place := table32("places", places...)
	bounds := [3]Mem{table32("most3", 3-1), table32("most8", 8-1), table32("most16", 16-1)}
	four := GLOBL("upTo4", readOnly)
	for i := range 4 {
		DATA(8*i, U64(i))
	}

	lists := Load(Param("lists"), GP64())
	var count [4]reg.GPVirtual
	for class := range count {
		count[class] = GP64()
		XORQ(count[class], count[class])
	}
	lut := GP64()
	LEAQ(numbers, lut)
	at, left := GP64(), GP64()
	Load(Param("spans"), at)
	Load(Param("n"), left)
	minusOne, first, eight := YMM(), XMM(), XMM()
	VPCMPEQD(minusOne, minusOne, minusOne)
	VPXOR(first, first, first)
	{
		t := GP32()
		MOVL(U32(8), t)
		VMOVD(t, eight)
		VPBROADCASTW(eight, eight)
	}

	// eightSpans lists the spans in a and b. Those that are there at all are given
	// by the mask; where it is nil all are.
	eightSpans := func(a, b, there reg.VecVirtual, after string) {
		starts, sizes, t := YMM(), YMM(), YMM()
		VSHUFPS(U8(0x88), b, a, starts)
		VSHUFPS(U8(0xdd), b, a, sizes)
		VPSUBD(starts, sizes, sizes)
		VPADDD(minusOne, sizes, sizes) // so that an empty one counts as long
		var set [4]reg.GPVirtual       // by greatest length, then by class
		for i, most := range bounds {
			set[i] = GP32()
			VPMINUD(most, sizes, t)
			VPCMPEQD(sizes, t, t)
			VMOVMSKPS(t, set[i])
		}
		set[3] = GP32()
		if there == nil {
			MOVL(U32(0xff), set[3])
		} else {
			VMOVMSKPS(there, set[3])
		}
		for class := 3; class > 0; class-- {
			XORL(set[class-1], set[class])
		}
		for class := range set {
			if class == 3 {
				TESTL(set[3], set[3])
				JZ(LabelRef(after))
			}
			which, n := XMM(), GP32()
			VPMOVZXBW(Mem{Base: lut, Index: set[class].As64(), Scale: 8}, which)
			VPADDW(first, which, which)
			VMOVDQU(which, Mem{Base: lists, Disp: 2 * list * class, Index: count[class], Scale: 2})
			POPCNTL(set[class], n)
			ADDQ(n.As64(), count[class])
		}
		Label(after)
	}

	Label("eight")
	CMPQ(left, U8(8))
	JL(LabelRef("fewer"))
	a, b := YMM(), YMM()
	VMOVDQU(Mem{Base: at}, a)
	VMOVDQU(Mem{Base: at, Disp: 32}, b)
	eightSpans(a, b, nil, "listed")
	VPADDW(eight, first, first)
	ADDQ(U8(64), at)
	SUBQ(U8(8), left)
	JMP(LabelRef("eight"))

	Label("fewer")
	TESTQ(left, left)
	JZ(LabelRef("all"))
	there := YMM()
	VMOVD(left.As32(), there.AsX())
	VPBROADCASTD(there.AsX(), there)
	VPCMPGTD(place, there, there)
	for _, v := range []reg.VecVirtual{a, b} {
		k := YMM()
		VMOVQ(left, k.AsX())
		VPBROADCASTQ(k.AsX(), k)
		VPCMPGTQ(four, k, k)
		VPMASKMOVQ(Mem{Base: at}, k, v)
		ADDQ(U8(32), at)
		SUBQ(U8(4), left)
	}
	eightSpans(a, b, there, "all")

	VZEROUPPER()
	for class := range 3 {
		MOVQ(count[class], counts.Offset(8*class))
	}
	Store(count[3], ReturnIndex(0))
}

// hashLists hashes the tokens of the first three lists.
func hashLists(counts Mem) {
	dst, buf, spans := GP64(), GP64(), GP64()
	Load(Param("dst"), dst)
	Load(Param("buf"), buf)
	Load(Param("spans"), spans)
	key, key2, prime, prime2 := GP64(), GP64(), GP64(), GP64()
	load := func(i int, key reg.GPVirtual) {
		p := Load(Param("keys"), GP64())
		MOVQ(Mem{Base: p, Disp: 8 * i}, key)
	}

	// each hashes the tokens of a list by sum, which is given a token's first and last
	// place and its length and may overwrite them.
	each := func(name string, class int, sum func(from, to, size reg.GPVirtual) (hash reg.GPVirtual)) {
		i, n := GP64(), GP64()
		MOVQ(counts.Offset(8*class), n)
		TESTQ(n, n)
		JZ(LabelRef("no" + name))
		at := Load(Param("lists"), GP64())
		ADDQ(U32(2*list*class), at)
		LEAQ(Mem{Base: at, Index: n, Scale: 2}, n)
		Label(name)
		MOVWQZX(Mem{Base: at}, i)
		from, to, size := GP64(), GP64(), GP64()
		MOVL(Mem{Base: spans, Index: i, Scale: 8}, from.As32())
		MOVL(Mem{Base: spans, Index: i, Scale: 8, Disp: 4}, to.As32())
		MOVQ(to, size)
		SUBQ(from, size)
		h := sum(from, to, size)
		CMPQ(h, U8(1)) // carries where the hash is 0
		ADCQ(U8(0), h)
		MOVQ(h, Mem{Base: dst, Index: i, Scale: 8})
		ADDQ(U8(2), at)
		CMPQ(at, n)
		JNE(LabelRef(name))
		Label("no" + name)
	}
	fold := func(x reg.GPVirtual, by uint8) { // x ^= x>>by
		t := GP64()
		MOVQ(x, t)
		SHRQ(U8(by), t)
		XORQ(t, x)
	}

	load(0, key)
	MOVQ(U64(0xc2b2ae3d27d4eb4f), prime)
	MOVQ(U64(0x165667b19e3779f9), prime2)
	each("small", 0, func(from, to, size reg.GPVirtual) reg.GPVirtual {
		x, last, mid := GP64(), GP64(), GP64()
		MOVBLZX(Mem{Base: buf, Index: from, Scale: 1}, x.As32())
		MOVBLZX(Mem{Base: buf, Index: to, Scale: 1, Disp: -1}, last.As32())
		MOVQ(size, mid)
		SHRQ(U8(1), mid)
		ADDQ(from, mid)
		MOVBLZX(Mem{Base: buf, Index: mid, Scale: 1}, mid.As32())
		SHLL(U8(8), mid.As32())
		ORL(mid.As32(), x.As32())
		SHLL(U8(8), x.As32())
		ORL(size.As32(), x.As32())
		SHLQ(U8(8), x)
		ORQ(last, x)
		XORQ(key, x)
		fold(x, 33)
		IMULQ(prime, x)
		fold(x, 29)
		IMULQ(prime2, x)
		fold(x, 32)
		return x
	})

	load(1, key)
	MOVQ(U64(0x9fb21c651e98df25), prime)
	each("middle", 1, func(from, to, size reg.GPVirtual) reg.GPVirtual {
		x, t := GP64(), GP64()
		MOVL(Mem{Base: buf, Index: from, Scale: 1}, x.As32())
		MOVL(Mem{Base: buf, Index: to, Scale: 1, Disp: -4}, t.As32())
		SHLQ(U8(32), x)
		ORQ(t, x)
		XORQ(key, x)
		RORXQ(U8(64-49), x, t)
		RORXQ(U8(64-24), x, to)
		XORQ(t, x)
		XORQ(to, x)
		IMULQ(prime, x)
		MOVQ(x, t)
		SHRQ(U8(35), t)
		ADDQ(size, t)
		XORQ(t, x)
		IMULQ(prime, x)
		fold(x, 28)
		return x
	})

	load(2, key)
	load(3, key2)
	MOVQ(U64(0x165667919e3779f9), prime)
	each("large", 2, func(from, to, size reg.GPVirtual) reg.GPVirtual {
		x, hi := GP64(), GP64()
		MOVQ(Mem{Base: buf, Index: from, Scale: 1}, x)
		MOVQ(Mem{Base: buf, Index: to, Scale: 1, Disp: -8}, hi)
		XORQ(key, x)
		XORQ(key2, hi)
		MOVQ(x, reg.RDX)
		MULXQ(hi, from, to)
		XORQ(to, from)
		BSWAPQ(x)
		ADDQ(hi, x)
		ADDQ(size, x)
		ADDQ(from, x)
		fold(x, 37)
		IMULQ(prime, x)
		fold(x, 32)
		return x
	})
}
