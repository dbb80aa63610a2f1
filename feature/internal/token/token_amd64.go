//go:build !noasm

package token

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg token"

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

func (h *Hasher) sums(dst []uint64, buf []byte, spans []Span, l *Lists) int {
	if !hasAVX2 || len(buf) == 0 {
		return h.sumsGo(dst, buf, spans, l)
	}
	return sumsAVX2(&dst[0], &buf[0], &spans[0].Start, len(spans), &h.keys[0], &l[0][0])
}

func (c *Cutter) cut(buf []byte, p, blocks int) int {
	if !hasAVX2 {
		return c.cutGo(buf, p, blocks)
	}
	n, open := len(c.Spans), b2i(c.Open)
	room := c.Spans[n:cap(c.Spans)]
	edges := &room[0].Start
	letter, digit := 0, 0
	if c.Open {
		edges = &room[0].End
		letter, digit = b2i(isLetter(buf[p-1])), b2i(isDigit(buf[p-1]))
	}
	_ = c.Spans[:maxEdges/2]
	done, written := cutAVX2(&buf[0], p, blocks, edges, 2*(Batch-n)-open, open, letter, digit, c.KeepCase, c.DropPunct)
	written += open
	c.Spans, c.Open = c.Spans[:n+written/2], written%2 != 0
	return done
}

func hanRun(text string) int {
	const least = 33 // bytes that are looked at
	if len(text) < least || !hasAVX2 {
		return hanRunGo(text)
	}
	n := hanRunAVX2(text)
	if n+least > len(text) {
		n += hanRunGo(text[n:])
	}
	return n
}
