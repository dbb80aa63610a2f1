package eval

import (
	"runtime"
	"runtime/debug"

	"github.com/klauspost/cpuid/v2"
)

// Machine is what speeds were measured on and what made the record.
type Machine struct {
	Commit string `json:"commit"` // of the program, with "+changed" if its tree was; "" where unknown
	Go     string `json:"go"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	CPU    string `json:"cpu"` // brand; "" where unknown
	CPUs   int    `json:"cpus"`
}

// ThisMachine returns what this process runs on, and the commit that it was built of.
func ThisMachine() Machine { return machine("") }

func machine(commit string) Machine {
	m := Machine{
		Commit: commit, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpuid.CPU.BrandName, CPUs: runtime.NumCPU(),
	}
	info, ok := debug.ReadBuildInfo()
	if m.Commit != "" || !ok {
		return m
	}
	changed := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			m.Commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changed"
		}
	}
	if m.Commit != "" {
		m.Commit += changed
	}
	return m
}
