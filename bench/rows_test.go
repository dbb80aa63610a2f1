package main

import (
	"errors"
	"testing"
)

// TestRows builds every row on few documents, which checks every contender's answers, and
// runs each contender.
func TestRows(t *testing.T) {
	in := NewInput(120, 1)
	in.Limit = 600
	t.Cleanup(in.Close)
	for _, b := range Builders() {
		t.Run(b.Area, func(t *testing.T) {
			row, err := b.Build(in)
			if errors.Is(err, errAbsent) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			if row.Area != b.Area {
				t.Errorf("the row is called %s, its builder %s", row.Area, b.Area)
			}
			names := map[string]bool{}
			for _, c := range append([]Contender{row.Ours}, row.Rivals...) {
				if names[c.Name] {
					t.Errorf("two contenders are called %s", c.Name)
				}
				names[c.Name] = true
				switch {
				case c.Seconds != nil:
					if c.Seconds() <= 0 {
						t.Errorf("%s takes no time", c.Name)
					}
				case row.Unit != ByteSize:
					c.Run()
				case c.Size <= 0:
					t.Errorf("%s has the size %g", c.Name, c.Size)
				}
			}
			for _, bound := range row.Bounds {
				if !names[bound.Rival] {
					t.Errorf("a bound on %s, which does not take part", bound.Rival)
				}
				if bound.Floor <= 0 || bound.Goal < bound.Floor {
					t.Errorf("floor %g, goal %g", bound.Floor, bound.Goal)
				}
			}
		})
	}
}
