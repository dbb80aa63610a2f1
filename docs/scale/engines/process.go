//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

func pidIn(name string) (int, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(b)))
}

// process returns the processor seconds and the peak memory of a process. Both
// are 0 for the number 0, which stands for no process.
func process(pid int) (cpu float64, peak int64, err error) {
	if pid == 0 {
		return 0, 0, nil
	}
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0, 0, err
	}
	// The name in parentheses may contain anything. Fields 14 and 15 are the times, in
	// hundredths of a second.
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0, 0, fmt.Errorf("%s/stat: %d fields", dir, len(f))
	}
	for _, ticks := range f[11:13] {
		n, err := strconv.ParseInt(ticks, 10, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("%s/stat: %w", dir, err)
		}
		cpu += float64(n) / 100
	}
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return 0, 0, err
	}
	_, rest, _ = strings.Cut(string(status), "\nVmHWM:")
	if f = strings.Fields(rest); len(f) > 0 {
		peak, err = strconv.ParseInt(f[0], 10, 64)
	}
	return cpu, peak << 10, err
}

// peakOf returns the peak resident memory of a process that has ended.
func peakOf(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// load returns the load average of the last five minutes.
func load() (float64, error) {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, err
	}
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0, fmt.Errorf("/proc/loadavg: %q", b)
	}
	return strconv.ParseFloat(f[1], 64)
}
