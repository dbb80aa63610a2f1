//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpu returns the processor time that this process has taken, which other processes on the
// machine disturb less than they do the clock.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return time.Since(began)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
