//go:build race

package feature

// Under the race detector sync.Pool drops what it is given now and then, so
// that allocations cannot be counted.
const raceEnabled = true

// rounds scales random tests, which the race detector slows down tenfold.
const rounds = 1
