//go:build !noasm

package intersect

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd asm && go run . -out ../avx2_amd64.s -stubs ../avx2_amd64.go -pkg intersect"

func count(a, b []uint64) int {
	const few = 12 // values for which it is not worth to start
	if len(a) < few || !cpu.X86.HasAVX2 {
		return countGo(a, b)
	}
	l := split(a, b)
	n := countAVX2(&a[0], &b[0], &l[0].a)
	for _, l := range l {
		n += merge(a[l.a:l.aEnd], b[l.b:l.bEnd])
	}
	return n
}
