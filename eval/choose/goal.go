package choose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alike-go/alike/eval"
)

// Goal is what a threshold is chosen for. The zero value is F1.
type Goal struct {
	// Bound names what must be reached: "precision", "recall", or "" for none, when F1
	// is made as great as can be.
	Bound string

	// Least is the bound, in (0, 1]. The other of precision and recall is made as
	// great as can be where the bound is reached.
	Least float64
}

// ParseGoal reads "f1" (or ""), "precision>=.95" or "recall>=.95".
func ParseGoal(s string) (Goal, error) {
	if s == "" || strings.EqualFold(s, "f1") {
		return Goal{}, nil
	}
	name, bound, ok := strings.Cut(s, ">=")
	name = strings.TrimSpace(name)
	least, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
	if !ok || err != nil || name != "precision" && name != "recall" || !(least > 0 && least <= 1) {
		return Goal{}, fmt.Errorf("choose: goal %q, want f1, precision>=P or recall>=R with a number above 0 and at most 1", s)
	}
	return Goal{name, least}, nil
}

// String returns what ParseGoal reads.
func (g Goal) String() string {
	if g.Bound == "" {
		return "f1"
	}
	return g.Bound + ">=" + strconv.FormatFloat(g.Least, 'g', -1, 64)
}

// Value returns what the goal makes as great as can be: F1, or recall where
// precision is bounded, or precision where recall is; 0 where it is undefined. It does not ask
// whether the bound is reached.
func (g Goal) Value(c eval.Confusion) float64 {
	v := c.F1()
	switch g.Bound {
	case "precision":
		v = c.Recall()
	case "recall":
		v = c.Precision()
	}
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// Reached reports whether the bound holds.
func (g Goal) Reached(c eval.Confusion) bool {
	switch g.Bound {
	case "precision":
		return c.Precision() >= g.Least
	case "recall":
		return c.Recall() >= g.Least
	}
	return true
}
