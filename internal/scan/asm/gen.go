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
	near512("nearAVX512", words)
	near512("nearBytesAVX512", bytes)
	near512("near128AVX512", halves)
	next512("next64AVX512", 64)
	next512("next32AVX512", 32)
	tile512()
	corner512()

	counts := GLOBL("counts", RODATA|NOPTR)
	for half := range 2 {
		DATA(16*half, U64(0x0302020102010100))
		DATA(16*half+8, U64(0x0403030203020201))
	}
	ones := GLOBL("ones", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64(0x0101010101010101))
	}
	for i := range 4 {
		DATA(32+8*i, U64(0x0001000100010001))
	}
	near256("nearAVX2", words, counts)
	near256("nearBytesAVX2", bytes, counts)
	near256("near128AVX2", halves, counts)
	next256("next64AVX2", 64, counts, ones)
	next256("next32AVX2", 32, counts, ones)
	tile256(counts, ones)
	for k := range 4 {
		tileFew256(k)
	}
	turns := GLOBL("turns", RODATA|NOPTR)
	for turn := range 8 {
		for lane := range 4 {
			lo, hi := (2*lane+turn)%8, (2*lane+1+turn)%8
			DATA(32*turn+8*lane, U64(uint64(lo)|uint64(hi)<<32))
		}
	}
	corner256(counts, ones, turns)
	prefetch()
	Generate()
}

// A layout is how the codes lie that one is compared with.
type layout int

const (
	words  layout = iota // each a word
	bytes                // each eight bytes, little-endian, at any address
	halves               // each two words, one here and one there
)

func nearSignature(name string, codes layout, rest ...string) {
	signature := "func(dst []uint32, lo []uint64, qlo, k uint64) int"
	doc := []string{name + " stores the positions of the codes within k bits of qlo and returns their number.",
		"dst is at least as long as lo."}
	switch codes {
	case bytes:
		signature = "func(dst []uint32, lo []byte, qlo, k uint64) int"
		doc[1] = "A code is eight bytes; dst has room for all."
	case halves:
		signature = "func(dst []uint32, lo, hi []uint64, qlo, qhi, k uint64) int"
		doc = []string{name + " stores the positions of the codes within k bits of the code qhi and qlo and returns",
			"their number. Both dst and hi are at least as long as lo."}
	}
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(append(doc, rest...)...)
}

// nearArgs loads the arguments that all layouts have: where positions go, the codes or
// their lower halves, and the number of codes.
func nearArgs(codes layout) (dst, lo, n reg.Register) {
	dst = Load(Param("dst").Base(), GP64())
	lo = Load(Param("lo").Base(), GP64())
	n = Load(Param("lo").Len(), GP64())
	if codes == bytes {
		SHRQ(Imm(3), n)
	}
	return dst, lo, n
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

func near512(name string, codes layout) {
	nearSignature(name, codes)
	dst, lo, n := nearArgs(codes)
	qlo, k := ZMM(), ZMM()
	var hi reg.Register
	var qhi reg.VecVirtual
	q := Load(Param("qlo"), GP64())
	VPBROADCASTQ(q, qlo)
	if codes == halves {
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
		if codes == halves {
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
	some, lanes := K(), GP64()
	MOVQ(U32(0xff), lanes)
	KMOVW(lanes.As32(), some)
	CMPQ(n, Imm(8))
	JGE(LabelRef("lanes"))
	bitsBelow(n, 8, some)
	Label("lanes")
	x := ZMM()
	VMOVDQU64_Z(Mem{Base: lo, Index: at, Scale: 8}, some, x)
	VPXORQ(x, qlo, x)
	VPOPCNTQ(x, x)
	if codes == halves {
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

func near256(name string, codes layout, counts Mem) {
	nearSignature(name, codes, "It passes over the last codes that fill no vector of four.")
	dst, lo, n := nearArgs(codes)
	p := newNibbles(counts)
	qlo, k := broadcast("qlo"), broadcast("k")
	var hi reg.Register
	var qhi reg.VecVirtual
	if codes == halves {
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
		if codes == halves {
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

// next512 is the search for one code among words of 64 or 32 bits.
func next512(name string, size int) {
	nextSignature(name, size)
	words := Load(Param("words").Base(), GP64())
	n := Load(Param("words").Len(), GP64())
	at, mask := GP64(), GP64()
	XORQ(at, at)
	q, k := ZMM(), ZMM()
	if size == 64 {
		VPBROADCASTQ(Load(Param("q"), GP64()), q)
		VPBROADCASTQ(Load(Param("k"), GP64()), k)
	} else {
		VPBROADCASTD(Load(Param("q"), GP64()).(reg.GPVirtual).As32(), q)
		VPBROADCASTD(Load(Param("k"), GP64()).(reg.GPVirtual).As32(), k)
	}
	lanes := 512 / size
	hit, some := K(), K()
	step := func(masked bool) {
		x, src := ZMM(), Mem{Base: words, Index: at, Scale: uint8(size / 8)}
		switch {
		case size == 64 && masked:
			VMOVDQU64_Z(src, some, x)
			VPXORQ(x, q, x)
			VPOPCNTQ(x, x)
			VPCMPUQ(Imm(2), k, x, some, hit)
		case size == 64:
			VPXORQ(src, q, x)
			VPOPCNTQ(x, x)
			VPCMPUQ(Imm(2), k, x, hit)
		case masked:
			VMOVDQU32_Z(src, some, x)
			VPXORD(x, q, x)
			VPOPCNTD(x, x)
			VPCMPUD(Imm(2), k, x, some, hit)
		default:
			VPXORD(src, q, x)
			VPOPCNTD(x, x)
			VPCMPUD(Imm(2), k, x, hit)
		}
		KMOVW(hit, mask.As32())
		TESTL(mask.As32(), mask.As32())
		JNZ(LabelRef("found"))
		ADDQ(Imm(uint64(lanes)), at)
		SUBQ(Imm(uint64(lanes)), n)
	}
	Label("loop")
	CMPQ(n, Imm(uint64(lanes)))
	JL(LabelRef("rest"))
	step(false)
	JMP(LabelRef("loop"))
	Label("rest")
	CMPQ(n, Imm(0))
	JLE(LabelRef("none"))
	bitsBelow(n, lanes, some)
	step(true)
	Label("none")
	none()
	Label("found")
	TZCNTQ(mask, mask)
	ADDQ(mask, at)
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}

func nextSignature(name string, size int) {
	TEXT(name, NOSPLIT, fmt.Sprintf("func(words []uint%d, q, k uint64) int", size))
	Pragma("noescape")
	Doc(name + " returns the position of the first word within k bits of q, or -1.")
}

// none returns -1.
func none() {
	at := GP64()
	VZEROUPPER()
	MOVQ(I32(-1), at)
	Store(at, ReturnIndex(0))
	RET()
}

// bitsBelow sets the first n, less than lanes, of a mask.
func bitsBelow(n reg.Register, lanes int, some reg.OpmaskVirtual) {
	mask := GP64()
	MOVQ(U32(uint32(lanes)), reg.RCX)
	SUBQ(n, reg.RCX)
	MOVQ(U32(1<<lanes-1), mask)
	SHRQ(reg.CL, mask)
	KMOVW(mask.As32(), some)
}

// next256 is the same with AVX2.
func next256(name string, size int, counts, ones Mem) {
	nextSignature(name, size)
	Doc("It passes over the last words that fill no vector, and then returns -1.")
	words := Load(Param("words").Base(), GP64())
	n := Load(Param("words").Len(), GP64())
	p := newNibbles(counts)
	at, mask := GP64(), GP64()
	XORQ(at, at)
	lanes := 256 / size
	var q, k reg.VecVirtual
	if size == 64 {
		q, k = broadcast("q"), broadcast("k")
	} else {
		q, k = broadcast32("q"), broadcast32("k")
	}
	x, t := YMM(), YMM()
	Label("loop")
	CMPQ(n, Imm(uint64(lanes)))
	JL(LabelRef("none"))
	VPXOR(Mem{Base: words, Index: at, Scale: uint8(size / 8)}, q, x)
	p.bytes(x, t)
	if size == 64 {
		VPSADBW(p.zero, x, x)
		VPCMPGTQ(k, x, t)
		VMOVMSKPD(t, mask.As32())
	} else {
		p.dwords(x, ones)
		VPCMPGTD(k, x, t)
		VMOVMSKPS(t, mask.As32())
	}
	XORL(Imm(uint64(1<<lanes-1)), mask.As32())
	JNZ(LabelRef("found"))
	ADDQ(Imm(uint64(lanes)), at)
	SUBQ(Imm(uint64(lanes)), n)
	JMP(LabelRef("loop"))
	Label("none")
	none()
	Label("found")
	TZCNTQ(mask, mask)
	ADDQ(mask, at)
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	RET()
}

// dwords adds the counts of each four bytes up; ones holds 32 bytes of one, and
// behind them 16 words of one.
func (p nibbles) dwords(x reg.VecVirtual, ones Mem) {
	VPMADDUBSW(ones, x, x)
	VPMADDWD(ones.Offset(32), x, x)
}

// broadcast32 fills a register with the lower half of an argument.
func broadcast32(param string) reg.VecVirtual {
	arg, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	y := YMM()
	VPBROADCASTD(arg.Addr, y)
	return y
}

func tileSignature(name string, rest ...string) {
	TEXT(name, NOSPLIT, "func(rows *[8]uint32, cols []uint32, from int, k uint64) (at int, hits uint32)")
	Pragma("noescape")
	Doc(append([]string{name + " returns the first at = from, from+16, ... such that some of cols[at:at+16] are within",
		"k bits of one of the rows, and which; or no hits."}, rest...)...)
}

func tile512() {
	tileSignature("tileAVX512")
	rp := Load(Param("rows"), GP64())
	cols := Load(Param("cols").Base(), GP64())
	n := Load(Param("cols").Len(), GP64())
	at := Load(Param("from"), GP64())
	k, col := ZMM(), ZMM()
	VPBROADCASTD(Load(Param("k"), GP64()).(reg.GPVirtual).As32(), k)
	var r [rows]reg.VecVirtual
	for i := range r {
		r[i] = ZMM()
		VPBROADCASTD(Mem{Base: rp, Disp: 4 * i}, r[i])
	}
	least := func() reg.VecVirtual {
		var d [rows]reg.VecVirtual
		for i := range d {
			d[i] = ZMM()
			VPXORD(col, r[i], d[i])
			VPOPCNTD(d[i], d[i])
		}
		for step := 1; step < rows; step *= 2 {
			for i := 0; i < rows; i += 2 * step {
				VPMINUD(d[i], d[i+step], d[i])
			}
		}
		return d[0]
	}
	hit, some, hits := K(), K(), GP32()
	SUBQ(at, n) // those to come
	Label("loop")
	CMPQ(n, Imm(16))
	JL(LabelRef("rest"))
	VMOVDQU32(Mem{Base: cols, Index: at, Scale: 4}, col)
	VPCMPUD(Imm(2), k, least(), hit)
	KMOVW(hit, hits)
	TESTL(hits, hits)
	JNZ(LabelRef("done"))
	ADDQ(Imm(16), at)
	SUBQ(Imm(16), n)
	JMP(LabelRef("loop"))

	Label("rest")
	XORL(hits, hits)
	CMPQ(n, Imm(0))
	JLE(LabelRef("done"))
	bitsBelow(n, 16, some)
	VMOVDQU32_Z(Mem{Base: cols, Index: at, Scale: 4}, some, col)
	VPCMPUD(Imm(2), k, least(), some, hit)
	KMOVW(hit, hits)
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	Store(hits, ReturnIndex(1))
	RET()
}

func tile256(counts, ones Mem) {
	tileSignature("tileAVX2", "It stops with no hits before the last columns that fill no sixteen.")
	p := newNibbles(counts)
	k, t := broadcast32("k"), YMM()
	tiles256(func(x reg.VecVirtual) {
		p.bytes(x, t)
		p.dwords(x, ones)
	}, func(least reg.VecVirtual) { VPCMPGTD(k, least, least) })
}

// tileFew256 is the same for one radius of 0 to 3: a word has no more bits than that if
// it is zero after its lowest bit has been cleared so often, which takes fewer
// instructions than counting.
func tileFew256(k int) {
	name := fmt.Sprintf("tile%dAVX2", k)
	TEXT(name, NOSPLIT, "func(rows *[8]uint32, cols []uint32, from int) (at int, hits uint32)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s is tileAVX2 for a radius of %d.", name, k))
	minusOne, zero, t := YMM(), YMM(), YMM()
	VPCMPEQD(minusOne, minusOne, minusOne)
	VPXOR(zero, zero, zero)
	tiles256(func(x reg.VecVirtual) {
		for range k {
			VPADDD(minusOne, x, t)
			VPAND(t, x, x)
		}
	}, func(least reg.VecVirtual) {
		VPCMPEQD(zero, least, least)
		VPXOR(minusOne, least, least)
	})
}

// tiles256 is the loop of both: rate makes of a difference a number that is the less the
// fewer bits it has, far sets the lanes of a number that is too great.
func tiles256(rate, far func(x reg.VecVirtual)) {
	rp := Load(Param("rows"), GP64())
	cols := Load(Param("cols").Base(), GP64())
	n := Load(Param("cols").Len(), GP64())
	at := Load(Param("from"), GP64())
	var r [rows]reg.VecVirtual
	for i := range r {
		r[i] = YMM()
		VPBROADCASTD(Mem{Base: rp, Disp: 4 * i}, r[i])
	}
	x, least := YMM(), YMM()
	half, hits := GP32(), GP32()
	SUBQ(at, n)
	Label("loop")
	XORL(hits, hits)
	CMPQ(n, Imm(16))
	JL(LabelRef("done"))
	for h := range 2 {
		for i := range r {
			d := x
			if i == 0 {
				d = least
			}
			VPXOR(Mem{Base: cols, Index: at, Scale: 4, Disp: 32 * h}, r[i], d)
			rate(d)
			if i > 0 {
				VPMINUD(x, least, least)
			}
		}
		far(least)
		VMOVMSKPS(least, half)
		XORL(Imm(255), half)
		if h == 1 {
			SHLL(Imm(8), half)
		}
		ORL(half, hits)
	}
	TESTL(hits, hits)
	JNZ(LabelRef("done"))
	ADDQ(Imm(16), at)
	SUBQ(Imm(16), n)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	Store(at, ReturnIndex(0))
	Store(hits, ReturnIndex(1))
	RET()
}

// corner512 compares a register with itself turned by 1 to 8 lanes, which brings
// each lane together with each other one.
func corner512() {
	TEXT("cornerAVX512", NOSPLIT, "func(words []uint32, k uint64) bool")
	Pragma("noescape")
	Doc("cornerAVX512 reports whether two of up to 16 words are within k bits of one another.")
	words := Load(Param("words").Base(), GP64())
	n := Load(Param("words").Len(), GP64())
	k, w := ZMM(), ZMM()
	VPBROADCASTD(Load(Param("k"), GP64()).(reg.GPVirtual).As32(), k)
	valid, twice, m := GP32(), GP32(), GP32()
	MOVL(U32(16), reg.ECX)
	SUBL(n.(reg.GPVirtual).As32(), reg.ECX)
	MOVL(U32(0xffff), valid)
	SHRL(reg.CL, valid)
	MOVL(valid, twice)
	SHLL(Imm(16), twice)
	ORL(valid, twice)
	some, hit, any := K(), K(), K()
	KMOVW(valid, some)
	VMOVDQU32_Z(Mem{Base: words}, some, w)
	KXORW(any, any, any)
	for turn := 1; turn <= 8; turn++ {
		x := ZMM()
		VALIGND(Imm(uint64(turn)), w, w, x)
		VPXORD(x, w, x)
		VPOPCNTD(x, x)
		// Both the lane and the one it met must hold a word.
		MOVL(twice, m)
		SHRL(Imm(uint64(turn)), m)
		ANDL(valid, m)
		KMOVW(m, some)
		VPCMPUD(Imm(2), k, x, some, hit)
		KORW(hit, any, any)
	}
	KMOVW(any, m)
	VZEROUPPER()
	result := GP8()
	TESTL(m, m)
	SETNE(result)
	Store(result, ReturnIndex(0))
	RET()
}

// corner256 does so with two registers, each with itself and with the other.
func corner256(counts, ones, turns Mem) {
	TEXT("cornerAVX2", NOSPLIT, "func(words *[16]uint32, k uint64) bool")
	Pragma("noescape")
	Doc("cornerAVX2 reports whether two of 16 words are within k bits of one another.")
	words := Load(Param("words"), GP64())
	p := newNibbles(counts)
	k, a, b, least := broadcast32("k"), YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: words}, a)
	VMOVDQU(Mem{Base: words, Disp: 32}, b)
	VPCMPEQD(least, least, least) // the greatest of all
	x, t, turn := YMM(), YMM(), YMM()
	meet := func(from, to reg.VecVirtual) {
		VPERMD(from, turn, x)
		VPXOR(x, to, x)
		p.bytes(x, t)
		p.dwords(x, ones)
		VPMINUD(x, least, least)
	}
	for i := range 8 {
		VMOVDQU(turns.Offset(32*i), turn)
		if i >= 1 && i <= 4 {
			meet(a, a)
			meet(b, b)
		}
		meet(a, b)
	}
	VPCMPGTD(k, least, x)
	mask, result := GP32(), GP8()
	VMOVMSKPS(x, mask)
	VZEROUPPER()
	CMPL(mask, Imm(255))
	SETNE(result)
	Store(result, ReturnIndex(0))
	RET()
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
