package external

import (
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervisorName is the name, argument 0, of a supervisor.
const supervisorName = "alike-exec-supervisor"

// leashFd is the supervisor's end of the pipe that its parent holds open.
const leashFd = 3

// supervising says that this program has called Supervise.
var supervising atomic.Bool

// Supervise makes sure that commands end when the program ends. Call it first
// thing in main: on Linux each command then gets a supervisor process, which is
// the same program started again, and Supervise does not return there. When a
// command ends, its method is closed or the program ends, even by SIGKILL, the
// supervisor kills every process that descends from the command. On other
// systems Supervise does nothing. The package documentation says what can
// remain.
func Supervise() {
	if len(os.Args) == 2 && os.Args[0] == supervisorName {
		runtime.LockOSThread() // see mortal
		new(supervisor).run(os.Args[1])
	}
	_, err := os.Stat("/proc/self/exe")
	supervising.Store(err == nil)
}

// mortal returns the command as a process that ends with the thread that starts
// it.
func mortal(command string) *exec.Cmd {
	cmd := shell(command)
	cmd.SysProcAttr.Pdeathsig = unix.SIGKILL
	return cmd
}

// prepare returns the command that launch starts, and kill, which ends it with
// its descendants. Call started after the command was started or failed to
// start.
func prepare(command string) (cmd *exec.Cmd, started, kill func(), err error) {
	if !supervising.Load() {
		cmd = mortal(command)
		return cmd, func() {}, func() { killGroup(cmd) }, nil
	}
	// The supervisor reads the end of the pipe when this program has closed
	// leash or has ended. Nothing is ever written to it.
	far, leash, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	cmd = exec.Command("/proc/self/exe", command)
	cmd.Args[0] = supervisorName
	cmd.ExtraFiles = []*os.File{far} // leashFd
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd, func() { far.Close() }, func() { leash.Close() }, nil
}

// supervisor is the process between the program and a command. It is a
// subreaper: an orphan among the command's descendants becomes its child, so it
// finds all of them even if they have left the command's process group and
// session.
type supervisor struct {
	child int
	code  atomic.Int32 // exit status of the command, or 128 and its signal as in a shell
}

// run starts the command and ends with its exit status.
func (s *supervisor) run(command string) {
	syscall.CloseOnExec(leashFd)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		s.fail(err)
	}
	// Before the command starts: from then on, who ends the supervisor must end
	// all of the command.
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM)
	cmd := mortal(command)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		s.fail(err)
	}
	s.child = cmd.Process.Pid
	// The program must see the pipes end when the command closes them.
	if null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err == nil {
		for fd := range 3 {
			unix.Dup3(null, fd, 0)
		}
	}
	go func() {
		for {
			if _, err := unix.Read(leashFd, make([]byte, 1)); err != unix.EINTR {
				s.sweep()
			}
		}
	}()
	go func() {
		<-asked
		s.sweep()
	}()
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil: // no child is left
			os.Exit(int(s.code.Load()))
		case pid == s.child:
			if status.Signaled() {
				s.code.Store(128 + int32(status.Signal()))
			} else {
				s.code.Store(int32(status.ExitStatus()))
			}
			go s.sweep()
		}
	}
}

// fail ends a supervisor that has started nothing, with the exit status of a
// shell that cannot start a command.
func (s *supervisor) fail(err error) {
	os.Stderr.WriteString("supervisor: " + err.Error() + "\n")
	os.Exit(126)
}

// sweep kills all descendants, and then those started meanwhile, until it can
// kill no more. Then it ends the supervisor, unless run has done so because no
// child is left.
func (s *supervisor) sweep() {
	for {
		killed := false
		for _, pid := range descendants() {
			killed = unix.Kill(pid, unix.SIGKILL) == nil || killed
		}
		if !killed {
			os.Exit(int(s.code.Load()))
		}
		time.Sleep(time.Millisecond)
	}
}

// descendants returns the living processes that descend from this one.
func descendants() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	children := map[int][]int{}
	dead := map[int]bool{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		data, _ := os.ReadFile("/proc/" + name + "/stat")
		stat := string(data)
		// State and parent follow the name, which stands in brackets and may
		// hold brackets and spaces itself.
		fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue // it has ended since
		}
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
		dead[pid] = fields[0] == "Z" || fields[0] == "X"
	}
	var out []int
	todo := []int{os.Getpid()}
	for len(todo) > 0 {
		more := children[todo[0]]
		todo = append(todo[1:], more...)
		for _, pid := range more {
			if !dead[pid] {
				out = append(out, pid)
			}
		}
	}
	return out
}
