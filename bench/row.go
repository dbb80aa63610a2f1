package main

import "fmt"

// Row is one thing that is measured: ours beside the rivals on the same input.
type Row struct {
	Area string // such as "simhash/words": the method, then what is done
	Unit Unit
	// Work is how much one run does: bytes for MBs, items for the others.
	Work   float64
	Ours   Contender
	Rivals []Contender
	Bounds []Bound
}

// Contender is one implementation. Its answers have been checked before it gets into a Row.
type Contender struct {
	Name string
	// Run does the row's work once. It is nil where Size holds the answer.
	Run func()
	// Size is an exact quantity, for rows in bytes.
	Size float64
}

// Unit is what a row is measured in.
type Unit string

const (
	MBs       Unit = "MB/s"
	NsHash    Unit = "ns/hash"
	NsFeature Unit = "ns/feature"
	NsPair    Unit = "ns/pair"
	ByteSize  Unit = "B"
)

// value turns the seconds of one run into the unit.
func (u Unit) value(seconds, work float64) float64 {
	if u == MBs {
		return work / 1e6 / seconds
	}
	return seconds * 1e9 / work
}

// Bound says how many times as fast as a rival (or as small) ours must and should be.
type Bound struct {
	Rival       string
	Floor, Goal float64
	// Via is empty where Rival itself is the yardstick; otherwise it says from
	// which other tool the bound was carried over, and how.
	Via string
}

// carried is a bound on a tool that is no Go module, moved to a rival that is one: times the
// ratio between the two in the yardsticks' own table.
func carried(tool string, floor, goal, toolToRival float64, rival string) Bound {
	return Bound{
		Rival: rival,
		Floor: floor * toolToRival,
		Goal:  goal * toolToRival,
		Via:   fmt.Sprintf("%g times %s, which is %.3g times %s", floor, tool, toolToRival, rival),
	}
}

// Builder prepares a row: it makes the inputs, runs every contender once, and
// returns an error where one of them gives a wrong answer, since a wrong result
// has no speed.
type Builder struct {
	Area  string
	Build func(in *Input) (*Row, error)
}

// Builders lists all rows in the order of the report. A new area is a new file
// with its builders, and a line here.
func Builders() []Builder {
	var all []Builder
	for _, area := range [][]Builder{
		simhashRows, minhashRows, setRows, cosineRows, bloomRows, rollingRows,
	} {
		all = append(all, area...)
	}
	return all
}
