//go:build !linux

package local

import "runtime"

// peakMemory returns what the Go runtime has obtained from the system, in bytes.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
