//go:build !linux

package external

import "os/exec"

// Supervise makes sure that commands end when the program ends. Call it first
// thing in main. It works on Linux only; elsewhere it does nothing. The package
// documentation says what can remain.
func Supervise() {}

// prepare returns the command that launch starts, and kill, which ends it with
// its process group. Call started after the command was started or failed to
// start.
func prepare(command string) (cmd *exec.Cmd, started, kill func(), err error) {
	cmd = shell(command)
	return cmd, func() {}, func() { killGroup(cmd) }, nil
}
