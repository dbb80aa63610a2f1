//go:build !unix

package main

import (
	"os"
	"time"
)

// cpuTime returns the time by the clock where the CPU time is not to be had.
func cpuTime() time.Duration { return wallTime() }

// peakMemory returns 0: the system does not tell.
func peakMemory(*os.ProcessState) int64 { return 0 }
