//go:build !unix

package main

import "time"

// cpuTime returns the time by the clock where the CPU time is not to be had.
func cpuTime() time.Duration { return wallTime() }
