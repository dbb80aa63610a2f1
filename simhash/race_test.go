//go:build race

package simhash

// raced says that the race detector is on, under which pools drop what they hold at random.
const raced = true
