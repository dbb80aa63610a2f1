//go:build !race

package cosine

const underRace = false
