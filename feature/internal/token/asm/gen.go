// Command asm writes the assembly of package token; see the go:generate line there.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func main() {
	ConstraintExpr("!noasm")
	cut()
	sums()
	hanRun()
	Generate()
}

// Words of package token.
const (
	batch = 512       // Batch
	block = 64        // Block
	list  = batch + 8 // length of one of Lists
)

const readOnly = 8 | 16 // RODATA | NOPTR

// table is 32 bytes of constants, the given ones repeated.
func table(name string, values ...byte) Mem {
	m := GLOBL(name, readOnly)
	for i := range 32 {
		DATA(i, U8(values[i%len(values)]))
	}
	return m
}

// table32 is eight constants of 32 bits, the given ones repeated.
func table32(name string, values ...uint32) Mem {
	m := GLOBL(name, readOnly)
	for i := range 8 {
		DATA(4*i, U32(values[i%len(values)]))
	}
	return m
}
