//go:build !race

package disk_test

const raced = false
