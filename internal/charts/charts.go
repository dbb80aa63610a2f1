// Package charts says how methods look in charts: one palette and one symbol
// for each method, in the files of eval/plots, in reports and on the pages of
// serve.
//
// looks.json states colours, dashes, symbols and which method has which of
// them. The same folder holds what the scripts of both kinds of pages share:
// looks.mjs assigns looks by the same rule as [Looks], draw.mjs draws charts, and
// passages.mjs shows a View of package passages. Nothing that knows what a chart
// shows belongs here.
package charts

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed looks.json
var looksJSON []byte

// table is what looks.json states.
type table struct {
	Methods []string // method i has look i
	Colours []struct{ Light, Dark string }
	Dashes  [][]float64 // lengths of dashes and gaps; none is a solid line
	Symbols []struct {
		Name    string
		Corners [][2]float64
	}
}

var looks = sync.OnceValue(func() (t table) {
	if err := json.Unmarshal(looksJSON, &t); err != nil {
		panic("charts: looks.json: " + err.Error())
	}
	return t
})

// Looks returns the number of a look for each label: the spec of a method,
// which may be followed by a space and more. A method without settings has the
// same look everywhere. Its variants have its colour with other dashes and
// symbols, in the order of the labels, until the dashes run out. Methods that
// the table does not name share the last colour. The looks of the first 32
// labels differ, then all come again.
func Looks(labels []string) map[string]int {
	t := looks()
	out, taken := map[string]int{}, map[int]bool{}
	take := func(label string, look int) {
		out[label], taken[look] = look, true
	}
	for i, m := range t.Methods {
		if slices.Contains(labels, m) {
			take(m, i)
		}
	}
	colours, all := len(t.Colours), len(t.Colours)*len(t.Dashes)
	for _, label := range labels {
		if _, ok := out[label]; ok {
			continue
		}
		if len(taken) == all {
			clear(taken)
		}
		first := colours - 1
		if i := slices.Index(t.Methods, label[:strings.IndexAny(label+":", ": ")]); i >= 0 {
			first = i
		}
		look := first
		for look < all && taken[look] {
			look += colours
		}
		if look >= all { // no dashes are left in this colour: leave other methods theirs while possible
			for look = colours - 1; taken[look]; {
				look = (look + 1) % all
			}
		}
		take(label, look)
	}
	return out
}

// Colours returns how many colours there are.
func Colours() int { return len(looks().Colours) }

// Light returns the colour of a look on white.
func Light(look int) color.RGBA { return parse(looks().Colours[look%Colours()].Light) }

// Dark returns the colour of a look on a dark ground.
func Dark(look int) color.RGBA { return parse(looks().Colours[look%Colours()].Dark) }

func parse(hex string) color.RGBA {
	c := color.RGBA{A: 0xff}
	if _, err := fmt.Sscanf(hex, "#%02x%02x%02x", &c.R, &c.G, &c.B); err != nil {
		panic("charts: looks.json: " + err.Error())
	}
	return c
}

// Dashes returns the lengths of the dashes and gaps of a look's line; none
// means a solid line.
func Dashes(look int) []float64 {
	t := looks()
	return t.Dashes[look/len(t.Colours)%len(t.Dashes)]
}

// Symbol returns the corners of a look's symbol in units of its radius, with Y
// pointing up.
func Symbol(look int) [][2]float64 {
	t := looks()
	return t.Symbols[(look+look/len(t.Colours))%len(t.Symbols)].Corners
}

// Grouped returns a number with a comma at every thousand.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Short returns a number with three digits and a unit prefix, such as 1.23k or 45.6M.
// It returns nothing for NaN and infinities.
func Short(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	prefix := ""
	for _, p := range []string{"k", "M", "G"} {
		if math.Abs(v) < 999.5 {
			break
		}
		v, prefix = v/1000, p
	}
	decimals := 0
	switch {
	case v < 9.995:
		decimals = 2
	case v < 99.95:
		decimals = 1
	}
	return strconv.FormatFloat(v, 'f', decimals, 64) + prefix
}
