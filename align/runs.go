package align

import "slices"

// aligner finds which characters a best alignment keeps, by Hirschberg's halving: the second
// text is cut in half, and the last columns of both halves tell where to cut the first.
type aligner struct {
	s            *scratch
	measure      Measure
	a, b         []int32 // numbers of the characters
	backA, backB []int32 // the same from the end
	runs         []run
}

// runs returns the runs that a best alignment of two texts keeps, in ascending order.
func (s *scratch) runs(m Measure, a, b []int32) []run {
	s.letters.reset(len(a))
	x := aligner{s: s, measure: m, a: s.letters.add(nil, a), b: find(nil, &s.letters, Text{wide: b})}
	s.wide.reserve(int(s.letters.size))
	x.backA, x.backB = slices.Clone(x.a), slices.Clone(x.b)
	slices.Reverse(x.backA)
	slices.Reverse(x.backB)
	x.align(0, len(a), 0, len(b))
	return x.runs
}

// keep adds characters that stand in both texts, behind those added before.
func (x *aligner) keep(endA, endB, length int) {
	if length == 0 {
		return
	}
	if n := len(x.runs) - 1; n >= 0 && x.runs[n].endA == endA-length && x.runs[n].endB == endB-length {
		x.runs[n] = run{x.runs[n].length + length, endA, endB}
		return
	}
	x.runs = append(x.runs, run{length, endA, endB})
}

// align aligns a[i:k] with b[j:l].
func (x *aligner) align(i, k, j, l int) {
	start := i
	for i < k && j < l && x.a[i] == x.b[j] {
		i, j = i+1, j+1
	}
	x.keep(i, j, i-start)
	ends := 0
	for i < k-ends && j < l-ends && x.a[k-ends-1] == x.b[l-ends-1] {
		ends++
	}
	defer x.keep(k, l, ends)
	k, l = k-ends, l-ends
	switch {
	case i == k || j == l:
		return
	case l-j == 1:
		if at := slices.Index(x.a[i:k], x.b[j]); at >= 0 {
			x.keep(i+at+1, j+1, 1)
		}
		return
	}
	half := (j + l) / 2
	na, nb := len(x.a), len(x.b)
	upper := x.column(x.a[i:k], x.b[j:half])
	lower := x.column(x.backA[na-k:na-i], x.backB[nb-l:nb-half])
	cut, least := 0, int32(0)
	for c := range upper {
		if cost := upper[c] + lower[k-i-c]; c == 0 || cost < least {
			cut, least = c, cost
		}
	}
	x.align(i, i+cut, j, half)
	x.align(i+cut, k, half, l)
}

// column returns what it costs to align each beginning of the pattern with all of the text: the
// distance, or what a subsequence leaves to be wished for.
func (x *aligner) column(pattern, text []int32) []int32 {
	costs := make([]int32, 1, len(pattern)+1)
	if x.measure == Edit {
		costs[0] = int32(len(text))
	}
	s := x.s
	s.openBorder(x.measure, len(text))
	for len(pattern) > 0 {
		n := min(len(pattern), stripWidth)
		setStrip(s.wide.strips, pattern[:n])
		var up, down strip
		if x.measure == Edit {
			up, down = editStrip(s.wide.strips, text, s.border)
		} else {
			down = subsequenceStrip(s.wide.strips, text, s.border)
			for w := range down {
				down[w] = ^down[w]
			}
		}
		clearStrip(s.wide.strips, pattern[:n])
		for i := range n {
			step := int32(up[i>>6]>>(i&63)&1) - int32(down[i>>6]>>(i&63)&1)
			costs = append(costs, costs[len(costs)-1]+step)
		}
		pattern = pattern[n:]
	}
	return costs
}
