package datasets

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChecksum changes one thing after the other; each must show.
func TestChecksum(t *testing.T) {
	made := func() *Set {
		return &Set{
			Name:     "x",
			Docs:     []Doc{{"a", "one", "en"}, {"b", "two", ""}},
			Pairs:    []Pair{{A: 0, B: 1, Label: 1, Grade: 4.5, Split: Dev, Kind: "k"}},
			Ignore:   []Pair{{A: 1, B: 0}},
			Clusters: []int{0, 0},
		}
	}
	changes := map[string]func(s *Set){
		"id":       func(s *Set) { s.Docs[0].ID = "c" },
		"text":     func(s *Set) { s.Docs[0].Text = "on" },
		"border":   func(s *Set) { s.Docs[0].Text, s.Docs[0].Lang = "onee", "n" },
		"lang":     func(s *Set) { s.Docs[1].Lang = "en" },
		"order":    func(s *Set) { slices.Reverse(s.Docs) },
		"a":        func(s *Set) { s.Pairs[0].A = 1 },
		"b":        func(s *Set) { s.Pairs[0].B = 0 },
		"label":    func(s *Set) { s.Pairs[0].Label = 0 },
		"grade":    func(s *Set) { s.Pairs[0].Grade = 4 },
		"split":    func(s *Set) { s.Pairs[0].Split = Test },
		"kind":     func(s *Set) { s.Pairs[0].Kind = "" },
		"ignore":   func(s *Set) { s.Ignore = nil },
		"moved":    func(s *Set) { s.Pairs, s.Ignore = s.Ignore, s.Pairs },
		"clusters": func(s *Set) { s.Clusters[1] = 1 },
	}
	seen := map[string]string{made().Checksum(): "nothing"}
	for name, change := range changes {
		s := made()
		change(s)
		sum := s.Checksum()
		if other, ok := seen[sum]; ok {
			t.Errorf("changing %s has the same checksum as changing %s", name, other)
		}
		seen[sum] = name
	}
	s := made()
	s.Name, s.Description, s.Licence = "y", "d", "l"
	if s.Checksum() != made().Checksum() {
		t.Error("the name or the description changes the checksum")
	}
}

func TestComponents(t *testing.T) {
	s := &Set{Docs: make([]Doc, 7), Pairs: []Pair{
		{A: 5, B: 1, Label: 1}, {A: 2, B: 3}, {A: 6, B: 5, Label: 1}, {A: 4, B: 4, Label: 1}, {A: 3, B: 0, Label: 0.5},
	}}
	if got, want := s.Components(), []int{0, 1, 2, 0, 3, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("components %v, want %v", got, want)
	}
}

// TestComponentsNaive compares with spreading the lowest number along the pairs
// until nothing changes.
func TestComponentsNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		s := randomSet(r)
		lowest := make([]int, len(s.Docs))
		for i := range lowest {
			lowest[i] = i
		}
		for changed := true; changed; {
			changed = false
			for _, p := range s.Pairs {
				if m := min(lowest[p.A], lowest[p.B]); p.Label == 1 && lowest[p.A]+lowest[p.B] != 2*m {
					lowest[p.A], lowest[p.B], changed = m, m, true
				}
			}
		}
		firsts := slices.Compact(slices.Sorted(slices.Values(lowest)))
		for i, got := range s.Components() {
			if want := slices.Index(firsts, lowest[i]); got != want {
				t.Fatalf("pairs %v: document %d is in component %d, want %d", s.Pairs, i, got, want)
			}
		}
	}
}

func randomSet(r *rand.Rand) *Set {
	s := &Set{Docs: make([]Doc, 1+r.IntN(30))}
	for i := range s.Docs {
		s.Docs[i].ID = string(rune('a' + i))
	}
	for range r.IntN(40) {
		label := float64(r.IntN(2))
		s.Pairs = append(s.Pairs, Pair{A: r.IntN(len(s.Docs)), B: r.IntN(len(s.Docs)), Label: label, Grade: label})
	}
	return s
}
