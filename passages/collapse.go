package passages

import (
	"math/bits"
	"sort"

	"github.com/alike-go/alike/rabinkarp"
)

// A run is a stretch of text that repeats itself with some period: a ruler of
// dashes, zeros, a line a thousand times. A passage within a run starts at each
// of its periods, and is part of a longer one each time, so that a run of n
// periods would have n passages with n occurrences. Folding therefore makes
// runs short, as it does with white space.

// cut says that bytes were taken out of a text in front of a place.
type cut struct {
	at    int // in the text that is left
	n     int // bytes taken out, here and before
	reach int // a passage with this end or a later one has what was taken out
}

// leastRun is how many bytes of a run stay at least beside a period, so that a
// whole character stands on either side of the cut.
const leastRun = 16

// collapse takes whole periods out of the middle of runs. What stays of a run
// has a period more than the shortest passage, and therefore all parts of the
// run of that length. Windows of a text that repeat show where a run may be.
func (o *Options) collapse(text []byte, windows []rabinkarp.Window) (short []byte, cuts []cut) {
	seen := make([]int32, 1<<bits.Len(uint(len(windows)))) // by hash, the number of the last window, from 1 on
	from, taken := 0, 0                                    // end of what was taken out last, bytes taken out
	period, until := 0, 0                                  // of the run looked at last, and its end
	for i, w := range windows {
		last := &seen[w.Hash%uint64(len(seen))]
		n := *last
		*last = int32(i + 1)
		if n == 0 || windows[n-1].Hash != w.Hash || windows[n-1].At < from {
			continue
		}
		p := w.At - windows[n-1].At
		if p == period && w.At < until {
			continue
		}
		start, end := windows[n-1].At, w.At
		for start > from && text[start-1] == text[start-1+p] {
			start--
		}
		for end < len(text) && text[end] == text[end-p] {
			end++
		}
		period, until = p, end
		if end-start < 2*p {
			continue
		}
		excess := (end - start - o.keptOf(text[start:start+2*p])) / p * p
		if excess <= 0 {
			continue
		}
		at2 := start + (end-start-excess)/2
		for !border(text, at2) {
			at2++
		}
		if at2+excess+4 > end {
			continue
		}
		short = append(short, text[from:at2]...)
		// In a long period no passage may lie over the cut. One with the
		// shortest passage that starts in the last period before it has as many
		// repeats in what was taken out.
		at := len(short)
		from = at2 + excess
		taken += excess
		cuts = append(cuts, cut{at, taken, min(at+1, at-min(p, at2-start)+o.leastBytes())})
	}
	if taken == 0 {
		return text, nil
	}
	return append(short, text[from:]...), cuts
}

// keptOf returns how many bytes of a run stay at least, given two periods of
// it.
func (o *Options) keptOf(twice []byte) int {
	p := len(twice) / 2
	// A run without words may stand within a passage. It is cut wherever it
	// stands, or nowhere: from leastBytes and a period on, windows show it.
	kept := max(leastRun, o.leastBytes())
	if n := o.count(twice) - o.count(twice[:p]); n > 0 {
		kept = max(kept, (o.least()+n-1)/n*p)
	}
	return p + kept
}

// uncut returns where a passage of a text stood before cuts were made. Both at
// and reach of the cuts ascend.
func uncut(cuts []cut, start, end int) (int, int) {
	before := func(n int) int {
		if n == 0 {
			return 0
		}
		return cuts[n-1].n
	}
	s := sort.Search(len(cuts), func(i int) bool { return cuts[i].at > start })
	e := sort.Search(len(cuts), func(i int) bool { return cuts[i].reach > end })
	return start + before(s), end + before(e)
}

// EachEqual calls do with the parts, from the first byte to the one behind the last,
// of two spans of n bytes that Text has, which are equal there: those that are equal in
// the original texts too. Runs may differ in length.
func (f *Finder) EachEqual(docA, a, docB, b, n int, do func(from, to int)) {
	cutsA, cutsB := f.cuts[uint32(docA)], f.cuts[uint32(docB)]
	for from, to := 0, n; from < to; {
		left, right, differ := difference(cutsA, cutsB, a, b, from, to)
		if differ {
			f.EachEqual(docA, a+from, docB, b+from, left-from, func(f, t int) { do(from+f, from+t) })
			from = right
			continue
		}
		do(from, to)
		return
	}
}

// difference finds the first run of which two spans, from a and b on, have not had as
// much taken out. A span that ends at left, or starts at right, has none of that run.
func difference(cutsA, cutsB []cut, a, b, from, to int) (left, right int, differ bool) {
	next := func(cuts []cut, i, start int) (at, reach, n int, ok bool) {
		if i == len(cuts) || cuts[i].reach > start+to {
			return 0, 0, 0, false
		}
		n = cuts[i].n
		if i > 0 {
			n -= cuts[i-1].n
		}
		return cuts[i].at - start, cuts[i].reach - start, n, true
	}
	i := sort.Search(len(cutsA), func(i int) bool { return cutsA[i].at > a+from })
	j := sort.Search(len(cutsB), func(j int) bool { return cutsB[j].at > b+from })
	for ; ; i, j = i+1, j+1 {
		atA, reachA, nA, okA := next(cutsA, i, a)
		atB, reachB, nB, okB := next(cutsB, j, b)
		switch {
		case !okA && !okB:
			return 0, 0, false
		case okA && okB && atA == atB && nA == nB:
		case okA && (!okB || atA <= atB):
			return max(from, min(atA, reachA)-1), min(to, atA), true
		default:
			return max(from, min(atB, reachB)-1), min(to, atB), true
		}
	}
}
