package local

import (
	"cmp"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// Lower is what a lower minimum would remove besides. It knows the candidates that
// were compared, so more documents may be alike at that score.
type Lower struct {
	Score float64 `json:"score"`

	// More is the number of kept documents that the minimum Score would remove, if
	// only the kept documents were deduplicated by it.
	More int `json:"more"`

	// Examples are up to three of them: of the least score, of the middle one and of
	// the greatest.
	Examples []Example `json:"examples,omitempty"`
}

// Example is a document that stays, and the one that a lower minimum would remove it
// for.
type Example struct {
	ID    string  `json:"id"`
	At    string  `json:"at"` // file and line
	Kept  Kept    `json:"kept"`
	Score float64 `json:"score"`

	rows [2]int // of the document and of Kept
}

// Miss is a text that a lower minimum would remove, and the one that would stay.
type Miss struct {
	Text, Kept uint32
	Score      float64
}

// looked returns the lowest score that a search for candidates has to find: that of
// Options.Lower if the report tells of it, or else the threshold.
func (c *candidates) looked(rule *dedup.Rule) float64 {
	if c.o.Lower == 0 || c.o.Settings().Cohesion < rule.Threshold {
		return rule.Threshold
	}
	return c.o.Lower
}

// watch returns the rule, which now also notes pairs between Options.Lower and the
// threshold, and a function that returns the misses after dedup.Cluster went by it.
// Cluster asks about candidates that it keeps, in the order of the later one.
func (c *candidates) watch(rule dedup.Rule) (dedup.Rule, func(*dedup.Clustering) []Miss) {
	if c.looked(&rule) == rule.Threshold {
		return rule, func(*dedup.Clustering) []Miss { return nil }
	}
	type miss struct {
		with  uint32
		score float64
	}
	missed := make(map[uint32]miss) // by node, the earlier node that it scores most with
	score := rule.Score
	rule.Score = func(a, b uint32) (float64, error) {
		s, err := score(a, b)
		if _, gone := missed[a]; !gone && s >= c.o.Lower && s < rule.Threshold && s > missed[b].score {
			missed[b] = miss{a, s}
		}
		return s, err
	}
	return rule, func(clusters *dedup.Clustering) (out []Miss) {
		for n, leader := range clusters.Leader {
			node := uint32(n)
			if m, ok := missed[node]; ok && leader == node && n >= c.fixed {
				out = append(out, Miss{c.text(node), c.text(m.with), m.score})
			}
		}
		return out
	}
}

// lower describes the misses.
func (w *writer) lower() {
	if w.o.Lower == 0 || w.o.Keep.None() || w.report.Settings.Cohesion < w.report.Settings.MinScore() {
		return
	}
	l := &Lower{Score: w.o.Lower, More: len(w.Misses)}
	w.report.Lower, w.examples = l, make(map[int]bool)
	misses := slices.Clone(w.Misses)
	slices.SortFunc(misses, func(a, b Miss) int { return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Text, b.Text)) })
	for i := range min(3, len(misses)) {
		m := misses[i*(len(misses)-1)/max(1, min(3, len(misses))-1)]
		rows := [2]int{int(w.Best[m.Text]), int(w.Best[m.Kept])}
		w.examples[rows[0]], w.examples[rows[1]] = true, true
		l.Examples = append(l.Examples, Example{Score: m.Score, rows: rows})
	}
}

// nameExamples completes the examples from the rows that were read again.
func (w *writer) nameExamples(m *members) {
	if w.report.Lower == nil {
		return
	}
	for i := range w.report.Lower.Examples {
		e := &w.report.Lower.Examples[i]
		at, kept := m.find(uint32(e.rows[0])), m.find(uint32(e.rows[1]))
		e.ID, e.At = m.id(at), m.at(at)
		e.Kept = Kept{m.id(kept), w.ref(e.rows[1]), m.at(kept), e.rows[1] < w.oldRows}
	}
}
