package main

import "time"

// Report is what a run of the command found.
type Report struct {
	Machine
	Command string
	Date    time.Time
	Rounds  int
	Procs   int
	Docs    int
	Bytes   int
	Corpus  string
	Lines   []Line
	Notes   []string // by row: what a reader should know, and what was left out
}

// Line is one row beside one rival, under its bound if there is one.
type Line struct {
	Area    string  `json:"area"`
	Unit    Unit    `json:"unit"`
	Ours    string  `json:"ours"`
	Value   Spread  `json:"value"`
	Rival   string  `json:"rival"`
	Theirs  Spread  `json:"theirs"`
	Ratio   Spread  `json:"ratio"` // how many times as fast ours is, or as small
	Floor   float64 `json:"floor,omitempty"`
	Goal    float64 `json:"goal,omitempty"`
	Via     string  `json:"via,omitempty"` // see Bound.Via
	Verdict string  `json:"verdict,omitempty"`
	Rounds  int     `json:"rounds,omitempty"` // none for sizes
	Share   float64 `json:"share,omitempty"`  // of the work that the rival did; the time for all is extrapolated
	Finds   string  `json:"finds,omitempty"`  // see Contender.Finds
}

// Lines makes the lines of a row, those of rivals with a bound first. Where
// several bounds rest on one rival the strictest holds.
func (r Result) Lines() []Line {
	var bounded, rest []Line
	for i, rival := range r.Row.Rivals {
		line := Line{
			Area: r.Row.Area, Unit: r.Row.Unit, Ours: r.Row.Ours.Name, Value: r.Ours,
			Rival: rival.Name, Theirs: r.Rivals[i].Value, Ratio: r.Rivals[i].Ratio,
			Rounds: r.Rounds, Share: rival.Share, Finds: rival.Finds,
		}
		for _, b := range r.Row.Bounds {
			if b.Rival == rival.Name && b.Floor > line.Floor {
				line.Floor, line.Goal, line.Via = b.Floor, b.Goal, b.Via
				line.Verdict = verdict(line.Ratio, b)
			}
		}
		if line.Floor > 0 {
			bounded = append(bounded, line)
		} else {
			rest = append(rest, line)
		}
	}
	return append(bounded, rest...)
}

const (
	belowFloor = "below floor"

	// Sizes meet their bounds exactly; the small allowance is for the division.
	rounding = 1e-9
)

// verdict holds a ratio against a bound. A "~" says that the border lies
// within the quartiles of the ratio, so that another run may find otherwise.
func verdict(ratio Spread, b Bound) string {
	near := func(border float64) string {
		if ratio.Low < border && border < ratio.High {
			return " ~"
		}
		return ""
	}
	switch {
	case ratio.Median < b.Floor-rounding:
		return belowFloor + near(b.Floor)
	case ratio.Median < b.Goal-rounding:
		return "floor" + near(b.Floor) + near(b.Goal)
	}
	return "goal" + near(b.Goal)
}

// Missed returns how many lines are below their floor, of how many that have one.
func (r *Report) Missed() (missed, floors int) {
	for _, line := range r.Lines {
		if line.Floor > 0 {
			floors++
			if line.Ratio.Median < line.Floor-rounding {
				missed++
			}
		}
	}
	return missed, floors
}
