package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// family returns a command whose processes ignore every signal that can be
// ignored: itself, a child, a child in a session of its own, and a daemon that
// has forked twice and left its environment, its folder and its pipes. Each
// writes its number to the file, the command first. Then the command goes on
// with more.
func family(t *testing.T, more string) (command, file string) {
	t.Helper()
	dir := t.TempDir()
	file, script := filepath.Join(dir, "pids"), filepath.Join(dir, "family")
	text := strings.ReplaceAll(`trap "" HUP INT QUIT TERM
echo $$ >>FILE
sh -c 'echo $$ >>FILE; exec sleep 3600' &
setsid sh -c 'echo $$ >>FILE; exec sleep 3600' &
(setsid env -i PATH="$PATH" sh -c 'sh -c "echo \$\$ >>FILE; cd /; exec sleep 3600" & exit' <&- >&- 2>&- &)
until [ "$(wc -l <FILE)" = 4 ]; do sleep 0.01; done
echo '{"alike":1,"name":"family","kind":"set"}'
`, "FILE", file)
	if err := os.WriteFile(script, []byte(text+more), 0o666); err != nil {
		t.Fatal(err)
	}
	return "exec sh " + script, file
}

// members returns the numbers of the processes of a family, and kills what is
// left of them when the test ends.
func members(t *testing.T, file string) []int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, f := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(f)
		if err != nil || pid <= 1 {
			t.Fatalf("%q in %s", f, file)
		}
		pids = append(pids, pid)
		t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	}
	if len(pids) != 4 {
		t.Fatalf("%d processes have said their number, want 4: %v", len(pids), pids)
	}
	for _, pid := range pids {
		if gone(pid) {
			t.Fatalf("process %d of %v has ended too early", pid, pids)
		}
	}
	return pids
}

// gone reports whether a process has ended, whoever takes note of that.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err != nil || strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

// checkGone fails where a process does not end.
func checkGone(t *testing.T, pids []int) {
	t.Helper()
	start := time.Now()
	for i, pid := range pids {
		for !gone(pid) {
			if time.Since(start) > 10*time.Second {
				t.Errorf("process %d of %v is still there", i, pids)
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	t.Logf("gone after %v", time.Since(start))
}

// startParent starts a program that runs the command and waits until the
// command has said its first line.
func startParent(t *testing.T, command string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(append(os.Environ(), parentEnv+"="+command), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		io.Copy(io.Discard, out)
		cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("the program says %q, %v", line, err)
	}
	return cmd
}

// Whatever ends a program, nothing of its command outlives it.
func TestCommandEndsWithProgram(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGKILL, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGSEGV} {
		t.Run(s.String(), func(t *testing.T) {
			if signal.Ignored(s) {
				t.Skipf("%v is ignored here, and so by the program", s)
			}
			command, file := family(t, "exec sleep 3600")
			cmd := startParent(t, command)
			pids := members(t, file)
			cmd.Process.Signal(s)
			checkGone(t, pids)
		})
	}
}

// Without Supervise the kernel ends the command itself, and no more.
func TestPlainCommandEndsWithProgram(t *testing.T) {
	command, file := family(t, "exec sleep 3600")
	cmd := startParent(t, command, plainEnv+"=1")
	pids := members(t, file)
	cmd.Process.Kill()
	checkGone(t, pids[:1])
}

// openFamily starts a family from this process.
func openFamily(t *testing.T, more string) (m *Method, pids []int) {
	t.Helper()
	command, file := family(t, more)
	m, err := New(Options{Command: command})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	if _, err := m.process(); err != nil {
		t.Fatal(err)
	}
	return m, members(t, file)
}

func TestCloseEndsDescendants(t *testing.T) {
	m, pids := openFamily(t, "cat >/dev/null; exec sleep 3600")
	m.Close()
	for _, pid := range pids {
		if !gone(pid) {
			t.Errorf("process %d of %v is still there", pid, pids)
		}
	}
}

// A command that ends leaves nothing behind, and its exit status and last words
// arrive although others hold its standard error open.
func TestEndOfCommandEndsDescendants(t *testing.T) {
	for _, c := range []struct{ end, want string }{
		{"exit 3", "exit status 3"},
		{"exit 0", "the process ended"},
		{"kill -9 $$", "exit status 137"},
	} {
		m, pids := openFamily(t, "read question; echo no more memory >&2; "+c.end)
		m.Sketch("a")
		if err := m.Err(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "it wrote: no more memory") {
			t.Errorf("%s: error %v, want %q and the last words", c.end, err, c.want)
		}
		checkGone(t, pids)
	}
}

// A supervisor that somebody ends takes the command with it.
func TestEndOfSupervisor(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGINT, syscall.SIGKILL} {
		m, pids := openFamily(t, "exec sleep 3600")
		m.p.cmd.Process.Signal(s)
		if s == syscall.SIGKILL {
			pids = pids[:1]
		}
		checkGone(t, pids)
		m.Sketch("a")
		if err := m.Err(); err == nil {
			t.Errorf("%v: no error", s)
		}
	}
}

func TestCloseOfStoppedSupervisor(t *testing.T) {
	m, pids := openFamily(t, "exec sleep 3600")
	m.p.cmd.Process.Signal(syscall.SIGSTOP)
	m.Close()
	checkGone(t, pids[:1])
}

// The kernel ties a process to the thread that has started it, and threads of a
// program come and go.
func TestCommandOutlivesThreads(t *testing.T) {
	for _, supervised := range []bool{true, false} {
		supervising.Store(supervised)
		defer supervising.Store(true)
		m := open(t, "set", 0)
		for range 20 {
			done := make(chan struct{})
			go func() {
				defer close(done)
				runtime.LockOSThread() // the thread ends with the goroutine
				m.Sketch("a b c")
			}()
			<-done
		}
		if s := m.Sketch("a b c"); m.Err() != nil || m.Empty(s) {
			t.Errorf("supervised %v: error %v", supervised, m.Err())
		}
		m.Close()
	}
}

// A command whose input is closed has its time to end by itself, although
// somebody waits for its answer.
func TestCloseLetsCommandEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "end")
	m, err := New(Options{Command: `echo '{"alike":1,"name":"slow","kind":"set"}'; cat >/dev/null; sleep 0.1; echo done >` + file})
	if err != nil {
		t.Fatal(err)
	}
	c := m.NewCollection()
	c.Add("a")
	if _, err := m.process(); err != nil {
		t.Fatal(err)
	}
	m.p.stop(errClosed, time.Minute)
	if data, err := os.ReadFile(file); string(data) != "done\n" {
		t.Errorf("the command did not come to its end: %q, %v", data, err)
	}
}
