//go:build !race

package simhash

const raced = false
