//go:build !unix

package external

import (
	"os/exec"
	"runtime"
)

// shell returns the command; what it starts itself is not held together.
func shell(command string) *exec.Cmd {
	if runtime.GOOS == "windows" {
		return exec.Command("cmd", "/C", command)
	}
	return exec.Command("sh", "-c", command)
}

// killGroup ends the process.
func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
