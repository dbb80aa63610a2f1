//go:build race

package cosine

// underRace says that the race detector runs, under which sync.Pool forgets at random.
const underRace = true
