//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// machine is what runs are made on.
type machine struct {
	Commit string `json:"commit"` // of the program, where it was built in its repository
	Go     string `json:"go"`
	CPU    string `json:"cpu"`
	CPUs   int    `json:"cpus"`
}

func thisMachine() machine {
	m := machine{Commit: "unknown", Go: runtime.Version(), CPU: runtime.GOARCH, CPUs: runtime.NumCPU()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				m.Commit = s.Value
			}
		}
	}
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m
	}
	_, rest, _ := strings.Cut(string(b), "model name")
	line, _, _ := strings.Cut(rest, "\n")
	if _, name, ok := strings.Cut(line, ": "); ok {
		m.CPU = name
	}
	return m
}

func pidIn(name string) (int, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(b)))
}

// process returns the seconds of all processors that a process has taken, and the most memory that it had. There is
// none of the number 0, which took nothing.
func process(pid int) (cpu float64, peak int64, err error) {
	if pid == 0 {
		return 0, 0, nil
	}
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return 0, 0, err
	}
	// The name, in parentheses, may hold anything; times are the 14th and 15th field, in hundredths.
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

// peakOf returns the most resident memory of a process that has ended.
func peakOf(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// load returns how many processes ran or wanted to in the last minutes.
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
