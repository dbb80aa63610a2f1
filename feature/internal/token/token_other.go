//go:build !amd64 || noasm

package token

func (h *Hasher) sums(dst []uint64, buf []byte, spans []Span, l *Lists) int {
	return h.sumsGo(dst, buf, spans, l)
}

func (c *Cutter) cut(buf []byte, p, blocks int) int { return c.cutGo(buf, p, blocks) }

func hanRun(text string) int { return hanRunGo(text) }
