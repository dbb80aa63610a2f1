//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A signal ends the command with what its method has started, even what ignores
// signals and has a session of its own.
func TestSignalEndsExec(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGKILL} {
		t.Run(s.String(), func(t *testing.T) {
			if signal.Ignored(s) {
				t.Skipf("%v is ignored here, as under nohup, and so by the command", s)
			}
			file := filepath.Join(t.TempDir(), "pids")
			script := strings.ReplaceAll(`trap "" HUP INT QUIT TERM; echo $$ >>FILE; setsid sh -c "echo \$\$ >>FILE; exec sleep 3600" & echo '{"alike":1,"name":"mute","kind":"set"}'; exec sleep 3600`, "FILE", file)
			cmd := command("eval", "--data", "en", "--repeat", "-1", "-m", "exec:"+script)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			var pids []int
			for start := time.Now(); len(pids) < 2; time.Sleep(time.Millisecond) {
				if time.Since(start) > 30*time.Second {
					t.Fatalf("the method has not started: %s", stderr.String())
				}
				pids = nil
				data, _ := os.ReadFile(file)
				for line := range strings.Lines(string(data)) {
					var pid int
					if _, err := fmt.Sscanf(line, "%d\n", &pid); err == nil && pid > 1 {
						pids = append(pids, pid)
					}
				}
			}
			for _, pid := range pids {
				defer syscall.Kill(pid, syscall.SIGKILL)
			}
			start := time.Now()
			cmd.Process.Signal(s)
			cmd.Wait()
			t.Logf("ended after %v", time.Since(start))
			if code := cmd.ProcessState.ExitCode(); s != syscall.SIGKILL && (code != 130 || !strings.HasPrefix(stderr.String(), "alike: cancelled; ")) {
				t.Errorf("exit code %d, stderr %q", code, stderr.String())
			}
			for _, pid := range pids {
				for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
					if time.Since(start) > 30*time.Second {
						t.Errorf("process %d of %v is still there", pid, pids)
						break
					}
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
}
