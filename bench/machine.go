package main

import (
	"os/exec"
	"runtime"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// Machine is where and with what a report was made.
type Machine struct {
	Commit string `json:"commit"` // short hash, with "+" where tracked files differ from it; "unknown" outside a clone
	Go     string `json:"go"`
	CPU    string `json:"cpu"`
	CPUs   int    `json:"cpus"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
}

// NewMachine describes this one.
func NewMachine() Machine {
	cpu := cpuid.CPU.BrandName
	if cpu == "" {
		cpu = "unknown CPU"
	}
	return Machine{Commit: commit(), Go: runtime.Version(), CPU: cpu, CPUs: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH}
}

func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=10", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	hash := strings.TrimSpace(string(out))
	if exec.Command("git", "diff", "--quiet", "HEAD").Run() != nil {
		hash += "+"
	}
	return hash
}
