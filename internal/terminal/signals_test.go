//go:build unix

package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// signalEnv makes the test binary a program that sends itself the signal of the
// number that it holds, and says whether that interrupts it.
const signalEnv = "ALIKE_TEST_SIGNAL"

func TestMain(m *testing.M) {
	var s syscall.Signal
	if _, err := fmt.Sscan(os.Getenv(signalEnv), &s); err != nil {
		os.Exit(m.Run())
	}
	ctx, stop := Interruptible(context.Background())
	defer stop()
	patience := time.Minute
	if signal.Ignored(s) {
		patience = 100 * time.Millisecond // nothing is to come
	}
	syscall.Kill(os.Getpid(), s)
	select {
	case <-ctx.Done():
		fmt.Print("interrupted")
	case <-time.After(patience):
		fmt.Print("not interrupted")
	}
	if len(os.Args) > 1 && os.Args[1] == "twice" {
		for range 6000 { // the first may come before the signal has its old effect again
			syscall.Kill(os.Getpid(), s)
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// The signals that a terminal and an operator send interrupt, unless they are
// ignored from the start as under nohup. A second one ends the program.
func TestInterruptible(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		if signal.Ignored(s) {
			t.Logf("%v is ignored here, and so by the programs that this test starts", s)
			continue
		}
		ignored := "interrupted" // Go looks at no other signals
		if s == syscall.SIGHUP || s == syscall.SIGINT {
			ignored = "not interrupted"
		}
		for _, c := range []struct{ script, want string }{
			{`exec "$0"`, "interrupted"},
			{`trap "" HUP INT TERM QUIT; exec "$0"`, ignored},
		} {
			cmd := exec.Command("sh", "-c", c.script, os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", signalEnv, s))
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != c.want {
				t.Errorf("%v after %s: %q, %v; want %q", s, c.script, out, err, c.want)
			}
		}
		cmd := exec.Command(os.Args[0], "twice")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", signalEnv, s))
		if out, err := cmd.Output(); err == nil || string(out) != "interrupted" {
			t.Errorf("%v twice: %q, %v; want the end", s, out, err)
		}
	}
}
