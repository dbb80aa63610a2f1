//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime returns the CPU time that the process has used, its garbage collector
// included. On a machine shared with other work it moves less than the clock does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("bench: getrusage: " + err.Error())
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
