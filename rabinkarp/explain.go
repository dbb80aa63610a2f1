package rabinkarp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alike-go/alike/feature"
	"github.com/alike-go/alike/internal/intersect"
	"github.com/alike-go/alike/similarity"
)

// document is a folded text with its chosen windows and the way back to the original.
type document struct {
	folded  []byte
	offsets []int
	places  []place
	width   int
}

func (m *method) open(text string, once bool) document {
	var d document
	d.folded, d.offsets = m.fold.NormalizeMap(text)
	d.width = m.width(d.folded)
	d.places = m.choose(nil, &scratch{once: once}, d.folded)
	return d
}

// span returns the range of the original text that folded[from:to] came from. A
// range that ends within a character takes all of it.
func (d *document) span(from, to int) feature.Span {
	for to > from && to < len(d.folded) && d.offsets[to] == d.offsets[to-1] {
		to++
	}
	return feature.Span{Start: d.offsets[from], End: d.offsets[to]}
}

// Fingerprints returns the fingerprints of a text with their places in the
// original text, in ascending order, repeats included.
func (m *method) Fingerprints(text string) []feature.Located {
	d := m.open(text, false)
	out := make([]feature.Located, len(d.places))
	for i, q := range d.places {
		out[i] = feature.Located{Hash: q.hash, Span: d.span(q.at, q.at+d.width)}
	}
	return out
}

// first returns the first place of each fingerprint.
func first(places []place) map[uint64]int {
	out := make(map[uint64]int, len(places))
	for _, q := range places {
		if _, ok := out[q.hash]; !ok {
			out[q.hash] = q.at
		}
	}
	return out
}

// Explain scores the texts and lists the passages that shared fingerprints lie
// in: each shared window at its first place in both texts, grown to both sides
// while the folded texts agree. Fingerprints inside a passage listed already
// add to its weight, so the weights sum to the number of shared fingerprints.
func (m *method) Explain(a, b string) similarity.Explanation {
	sa, sb := m.Sketch(a), m.Sketch(b)
	e := similarity.Explanation{Score: m.Score(sa, sb)}
	n := intersect.Count(sa.Prints, sb.Prints)
	e.Note = fmt.Sprintf("%d fingerprints shared, of %d and %d", n, len(sa.Prints), len(sb.Prints))
	if sa.Size > 0 && equal(sa, sb) {
		e.Note += "; equal checksum and size"
	}
	if n == 0 {
		return e
	}
	da, db := m.open(a, true), m.open(b, true)
	inB := first(db.places)
	seen := make(map[uint64]bool, n)
	start, end := 0, 0 // of the last passage in folded a
	for _, q := range da.places {
		at, ok := inB[q.hash]
		if !ok || seen[q.hash] {
			continue
		}
		seen[q.hash] = true
		if last := len(e.Evidence) - 1; last >= 0 && start <= q.at && q.at+da.width <= end {
			e.Evidence[last].Weight++
			continue
		}
		ev := similarity.Evidence{Kind: "passage", Hash: q.hash, Weight: 1}
		var i int
		start, i, end = grow(da.folded, db.folded, q.at, at, da.width, db.width)
		sp := da.span(start, end)
		ev.Text = a[sp.Start:sp.End]
		ev.A = []feature.Span{sp}
		ev.B = []feature.Span{db.span(i, min(i+end-start, len(db.folded)))}
		e.Evidence = append(e.Evidence, ev)
	}
	slices.SortStableFunc(e.Evidence, func(x, y similarity.Evidence) int {
		return cmp.Or(cmp.Compare(y.Weight, x.Weight), cmp.Compare(x.A[0].Start, y.A[0].Start))
	})
	return e
}

// grow widens the window at a[i:] and b[j:] to the longest common passage around
// it and returns its start in a, its start in b and its end in a. Windows that
// only collide are not widened.
func grow(a, b []byte, i, j, width, widthB int) (startA, startB, endA int) {
	end := i + width
	if width != widthB || string(a[i:end]) != string(b[j:j+width]) {
		return i, j, end
	}
	for k := j + width; end < len(a) && k < len(b) && a[end] == b[k]; k++ {
		end++
	}
	for i > 0 && j > 0 && a[i-1] == b[j-1] {
		i--
		j--
	}
	return i, j, end
}
