package local

import (
	"bytes"
	"fmt"
	"os"
)

// peakMemory returns the greatest resident memory of the process so far, in bytes.
func peakMemory() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, b, _ = bytes.Cut(b, []byte("VmHWM:"))
	var kb int64
	if _, err := fmt.Sscan(string(b[:min(len(b), 32)]), &kb); err != nil {
		return 0
	}
	return kb << 10
}
