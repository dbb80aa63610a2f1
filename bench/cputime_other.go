//go:build !unix

package main

import "time"

var start = time.Now()

// cpuTime returns the time by the clock where the CPU time is not to be had.
func cpuTime() time.Duration { return time.Since(start) }
