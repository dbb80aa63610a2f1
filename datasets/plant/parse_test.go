package plant

import "testing"

func TestParse(t *testing.T) {
	for _, s := range []string{"mixed:0.05", "quote:3", "mixed:0.05*3,move:0.2", FormatMix(DefaultMix())} {
		mix, err := ParseMix(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		} else if got := FormatMix(mix); got != s {
			t.Errorf("%s comes back as %s", s, got)
		}
	}
	for s, want := range map[string]string{
		"":                `plant: the edit is "", want a kind and a rate as in mixed:0.05`,
		"mixed":           `plant: the edit is "mixed", want a kind and a rate as in mixed:0.05`,
		"mixed:x":         `plant: the edit is "mixed:x", want a kind and a rate as in mixed:0.05`,
		"blur:0.1":        `plant: no edit is called "blur", want one of insert, delete, substitute, mixed, move, case, width, punct, ocr, boilerplate, truncate, quote`,
		"mixed:0":         "plant: the rate of mixed is 0, want above 0 and at most 1",
		"mixed:NaN":       "plant: the rate of mixed is NaN, want above 0 and at most 1",
		"move:0.6":        "plant: the rate of move is 0.6, want above 0 and at most 0.5",
		"mixed:0.1*x":     `plant: the weight of mixed:0.1 is "x", want a number above 0`,
		"mixed:0.1*-1":    "plant: the weight of mixed:0.1 is -1, want a number above 0",
		"mixed:0.1,":      `plant: the edit is "", want a kind and a rate as in mixed:0.05`,
		"mixed:0.1*1*2":   `plant: the weight of mixed:0.1 is "1*2", want a number above 0`,
		"mixed:0.1*+Inf":  "plant: the weight of mixed:0.1 is +Inf, want a number above 0",
		"boilerplate:101": "plant: the rate of boilerplate is 101, want above 0 and at most 100",
	} {
		if _, err := ParseMix(s); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}
