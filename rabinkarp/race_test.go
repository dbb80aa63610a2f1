//go:build race

package rabinkarp

// underRace says that the race detector runs, under which sync.Pool forgets at random.
const underRace = true
