package datasets

import (
	"fmt"
	"strings"
	"testing"
)

// check tells whether a set is sound in itself: unique ids, document numbers in
// range, labels that agree with grades, no positive pair across splits.
func check(t *testing.T, s *Set) {
	t.Helper()
	ids := map[string]bool{}
	for _, d := range s.Docs {
		if d.ID == "" || ids[d.ID] {
			t.Fatalf("id %q is empty or repeated", d.ID)
		}
		ids[d.ID] = true
	}
	ignored := map[[2]int]bool{}
	for _, p := range s.Ignore {
		ignored[ordered(p.A, p.B)] = true
	}
	alike := 0
	for i, p := range s.Pairs {
		if p.A < 0 || p.A >= len(s.Docs) || p.B < 0 || p.B >= len(s.Docs) {
			t.Fatalf("pair %d is %d, %d of %d documents", i, p.A, p.B, len(s.Docs))
		}
		switch {
		case p.Label != 0 && p.Label != 1:
			t.Fatalf("pair %d has the label %g", i, p.Label)
		case !s.Graded && p.Label != p.Grade:
			t.Fatalf("pair %d has the label %g and the grade %g in a set without grades", i, p.Label, p.Grade)
		case s.Graded && (p.Label == 1) != (p.Grade >= s.AlikeFrom):
			t.Fatalf("pair %d has the label %g and the grade %g, alike from %g", i, p.Label, p.Grade, s.AlikeFrom)
		case s.Clusters != nil && (s.Clusters[p.A] == s.Clusters[p.B]) != (p.Label == 1):
			t.Fatalf("pair %d has the label %g against its clusters", i, p.Label)
		case s.Clusters != nil && ignored[ordered(p.A, p.B)]:
			t.Fatalf("pair %d is to be ignored", i)
		}
		alike += int(p.Label)
	}
	if alike == 0 || alike == len(s.Pairs) {
		t.Errorf("%d of %d pairs are alike", alike, len(s.Pairs))
	}
}

// An error about columns stays short, however long and many their names are.
func TestColumnErrorsAreShort(t *testing.T) {
	for _, header := range []string{strings.Repeat("x", 1<<20), strings.Repeat("x,", 1<<17)} {
		in := strings.NewReader(header + "\n")
		r, err := Open(Source{Path: "-", Format: "csv", Input: in, Text: []string{"body"}})
		if err == nil {
			for _, err = range r.Rows() {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), `no column "body"`) || len(err.Error()) > 2000 {
			t.Errorf("an error of %d bytes, want a short one about the column body", len(fmt.Sprint(err)))
		}
	}
}
