// Package spans measures found passages against true ones, character by
// character: precision, recall, granularity and plagdet as Potthast, Stein,
// Barrón-Cedeño and Rosso define them (An Evaluation Framework for Plagiarism
// Detection, COLING 2010), and the intersection over union of spans.
//
// A passage stands in two documents: a span in each. A found passage detects a
// true one if it overlaps with it in both documents. The paper calls true
// passages cases and found passages detections.
//
// Everything is a pure function of values. Packages that read passages decide
// what a character is: eval/score takes Unicode code points, as the evaluation
// scripts of PAN do. Documents, ids and files do not belong here.
package spans

import (
	"cmp"
	"math"
	"slices"
)

// Span is a part of a document: the characters from Start up to, but without,
// End. It is not empty.
type Span struct{ Doc, Start, End int }

func (s Span) overlap(t Span) Span {
	return Span{s.Doc, max(s.Start, t.Start), min(s.End, t.End)}
}

// Passage is a passage that stands in two documents.
type Passage struct{ A, B Span }

// Sorted returns the passage with its spans in ascending order, of documents
// first. A passage means the same in either order.
func (p Passage) Sorted() Passage {
	if compare(p.B, p.A) < 0 {
		p.A, p.B = p.B, p.A
	}
	return p
}

func compare(s, t Span) int {
	return cmp.Or(cmp.Compare(s.Doc, t.Doc), cmp.Compare(s.Start, t.Start), cmp.Compare(s.End, t.End))
}

// Case says how well one true passage was found.
type Case struct {
	// Detections is the number of found passages that detect the case.
	Detections int

	// Recall is the share of the characters of the case that its detections cover,
	// from 0 to 1.
	Recall float64

	// IoU is the intersection over union of the case and its best detection: the
	// number of characters in both, divided by the number in at least one. It is 0
	// for a case without a detection.
	IoU float64
}

// Figures are means over cases: all, or a part of them, such as one kind.
type Figures struct {
	Cases    int `json:"n_cases"`
	Detected int `json:"n_detected"` // cases that have a detection

	// Recall and IoU are the means of the recall and the IoU of the cases:
	// macro-averaged. Both are 0 without cases.
	Recall float64 `json:"recall"`
	IoU    float64 `json:"iou"`

	// Granularity is the mean number of detections of a detected case, at least
	// 1. It is 1 if no case is detected.
	Granularity float64 `json:"granularity"`
}

// Mean returns the figures of cases.
func Mean(cases []Case) Figures {
	f := Figures{Cases: len(cases), Granularity: 1}
	detections := 0
	for _, c := range cases {
		f.Recall += c.Recall
		f.IoU += c.IoU
		if detections += c.Detections; c.Detections > 0 {
			f.Detected++
		}
	}
	if f.Cases > 0 {
		f.Recall /= float64(f.Cases)
		f.IoU /= float64(f.Cases)
	}
	if f.Detected > 0 {
		f.Granularity = float64(detections) / float64(f.Detected)
	}
	return f
}

// Whole has the figures of all cases and all detections. A part of the cases has
// none, as a detection does not say which cases it is meant for.
type Whole struct {
	Detections int `json:"n_detections"`

	// Precision is the mean precision of the detections: macro-averaged. The
	// precision of a detection is the share of its characters that are in cases it
	// detects.
	Precision float64 `json:"precision"`

	// Plagdet is the harmonic mean of Precision and the macro-averaged recall,
	// divided by the binary logarithm of 1 + granularity. PAN ranked by it.
	Plagdet float64 `json:"plagdet"`

	// These are micro-averaged: each character counts once.
	MicroPrecision float64 `json:"micro_precision"`
	MicroRecall    float64 `json:"micro_recall"`
	MicroPlagdet   float64 `json:"micro_plagdet"`
}

// Judge measures the passages found against the true ones. It returns the figures,
// and a Case for each true passage, in their order. Neither list may repeat a
// passage.
//
// If both lists are empty, precision, recall, plagdet and IoU are 1. If one is
// empty, they are 0. PAN's scripts do the same.
//
// For n passages it takes time in proportion to (n + k) log n. k is the number of
// true and found passages of the same two documents that overlap in the document
// with the lower number.
func Judge(truth, found []Passage) (Figures, Whole, []Case) {
	cases := make([]Case, len(truth))
	if len(truth) == 0 && len(found) == 0 {
		f := Mean(nil)
		f.Recall, f.IoU = 1, 1
		return f, Whole{Precision: 1, Plagdet: 1, MicroPrecision: 1, MicroRecall: 1, MicroPlagdet: 1}, cases
	}
	matches := match(truth, found)
	overlaps := make([]Span, 0, 2*len(matches))
	for i, of := range groups(matches, len(truth), func(m detection) int { return m.c }) {
		c, size := &cases[i], truth[i].size()
		overlaps = overlaps[:0]
		for _, m := range of {
			overlaps = append(overlaps, m.overlap.A, m.overlap.B)
			both := m.overlap.size()
			c.IoU = max(c.IoU, ratio(both, size+found[m.d].size()-both))
		}
		c.Detections, c.Recall = len(of), ratio(covered(overlaps), size)
	}
	f, w := Mean(cases), Whole{Detections: len(found)}
	for i, of := range groups(matches, len(found), func(m detection) int { return m.d }) {
		overlaps = overlaps[:0]
		for _, m := range of {
			overlaps = append(overlaps, m.overlap.A, m.overlap.B)
		}
		w.Precision += ratio(covered(overlaps), found[i].size())
	}
	if len(found) > 0 {
		w.Precision /= float64(len(found))
	}
	overlaps = overlaps[:0]
	for _, m := range matches {
		overlaps = append(overlaps, m.overlap.A, m.overlap.B)
	}
	both := covered(overlaps)
	w.MicroPrecision, w.MicroRecall = ratio(both, covered(all(found))), ratio(both, covered(all(truth)))
	w.Plagdet = plagdet(w.Precision, f.Recall, f.Granularity)
	w.MicroPlagdet = plagdet(w.MicroPrecision, w.MicroRecall, f.Granularity)
	return f, w, cases
}

func plagdet(precision, recall, granularity float64) float64 {
	if precision+recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall) / math.Log2(1+granularity)
}

// detection is a found passage that detects a case, by their numbers.
type detection struct {
	c, d    int
	overlap Passage
}

// match returns all pairs of a case and a passage found that detects it.
func match(truth, found []Passage) []detection {
	type item struct {
		Passage
		number int
		found  bool
	}
	var items []item
	for i, p := range truth {
		items = append(items, item{p.Sorted(), i, false})
	}
	for i, p := range found {
		items = append(items, item{p.Sorted(), i, true})
	}
	slices.SortFunc(items, func(x, y item) int {
		return cmp.Or(cmp.Compare(x.A.Doc, y.A.Doc), cmp.Compare(x.B.Doc, y.B.Doc), cmp.Compare(x.A.Start, y.A.Start))
	})
	var matches []detection
	var open [2][]item // cases and passages found that may overlap with the next
	for i, x := range items {
		if i > 0 && (x.A.Doc != items[i-1].A.Doc || x.B.Doc != items[i-1].B.Doc) {
			open[0], open[1] = open[0][:0], open[1][:0]
		}
		own, others := &open[0], &open[1]
		if x.found {
			own, others = others, own
		}
		*others = slices.DeleteFunc(*others, func(y item) bool { return y.A.End <= x.A.Start })
		for _, y := range *others {
			m := detection{x.number, y.number, Passage{x.A.overlap(y.A), x.B.overlap(y.B)}}
			if x.found {
				m.c, m.d = m.d, m.c
			}
			if m.overlap.A.Start < m.overlap.A.End && m.overlap.B.Start < m.overlap.B.End {
				matches = append(matches, m)
			}
		}
		*own = append(*own, x)
	}
	return matches
}

// groups sorts the matches by a number below n and returns those of each number.
func groups(matches []detection, n int, number func(detection) int) [][]detection {
	slices.SortStableFunc(matches, func(x, y detection) int { return cmp.Compare(number(x), number(y)) })
	out := make([][]detection, n)
	for i := range out {
		end := 0
		for end < len(matches) && number(matches[end]) == i {
			end++
		}
		out[i], matches = matches[:end], matches[end:]
	}
	return out
}

func (p Passage) size() int { return covered([]Span{p.A, p.B}) }

func all(passages []Passage) []Span {
	var spans []Span
	for _, p := range passages {
		spans = append(spans, p.A, p.B)
	}
	return spans
}

// covered returns how many characters are in at least one of the spans, which it
// sorts.
func covered(spans []Span) int {
	slices.SortFunc(spans, compare)
	total, doc, end := 0, 0, 0
	for i, s := range spans {
		if i == 0 || s.Doc != doc {
			doc, end = s.Doc, s.Start
		}
		total += max(0, s.End-max(s.Start, end))
		end = max(end, s.End)
	}
	return total
}

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
