package main

import (
	"errors"
	"fmt"
)

// Row is one thing that is measured: ours beside the rivals on the same input.
type Row struct {
	Area string // such as "simhash/words": the method, then what is done
	Unit Unit
	// Work is how much one run does: bytes for MBs, items for the others.
	Work   float64
	Ours   Contender
	Rivals []Contender
	Bounds []Bound
	// Wall rows go by the clock on the wall: for work on several processors, whose CPU
	// time says nothing.
	Wall bool
	// Notes are what a reader of the row should know, such as who is absent and why.
	Notes []string
}

// Contender is one implementation. Its answers have been checked before it gets into a Row.
type Contender struct {
	Name string
	// Run does the row's work once. It is nil where Size holds the answer or Seconds measures.
	Run func()
	// Share is the share of the row's work that Run does, where all of it would take
	// too long: its times are divided by it, those of Seconds are for all. Zero means all.
	Share float64
	// Seconds does the work once and returns the time it took by a clock of its own, as
	// another process does.
	Seconds func() float64
	// Procs is the GOMAXPROCS that Run has; zero means that of the whole run.
	Procs int
	// Size is an exact quantity, for rows in bytes.
	Size float64
	// Finds says what a contender finds or does less than ours; empty where its answers are the same.
	Finds string
}

// Unit is what a row is measured in.
type Unit string

const (
	MBs       Unit = "MB/s"
	NsHash    Unit = "ns/hash"
	NsFeature Unit = "ns/feature"
	NsPair    Unit = "ns/pair"
	NsCode    Unit = "ns/code" // a code is a fingerprint
	MicroPair Unit = "µs/pair"
	MicroDoc  Unit = "µs/doc"
	Query     Unit = "µs/query"
	Seconds   Unit = "s"
	ByteSize  Unit = "B"
)

// value turns the seconds of one run into the unit.
func (u Unit) value(seconds, work float64) float64 {
	switch u {
	case MBs:
		return work / 1e6 / seconds
	case MicroPair, MicroDoc, Query:
		return seconds * 1e6 / work
	case Seconds:
		return seconds
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
	// Heavy rows take seconds and gigabytes, and are left out with -quick.
	Heavy bool
}

// errAbsent is wrapped by the errors of rows that cannot be had on this machine,
// such as those that need Python: they are left out with a line that says so.
var errAbsent = errors.New("left out")

// Builders lists all rows in the order of the report. A new area is a new file
// with its builders, and a line here.
func Builders() []Builder {
	var all []Builder
	for _, area := range [][]Builder{
		simhashRows, hammingRows, minhashRows, lshRows, setRows, joinRows, cosineRows, cosineJoinRows, textRows, bloomRows, bloomJoinRows, rollingRows,
		chineseRows, alignRows, coreRows,
	} {
		all = append(all, area...)
	}
	return all
}
