package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

// arena is where one attack runs: its folder, its random stream, its time and what
// it has seen. Its methods may be called concurrently. rand is for one goroutine.
//
// Most methods end the attack if it cannot be carried out, as those of testing.T
// end a test. A goroutine calls them in a kit.Try of its own.
type arena struct {
	*lab
	dir   string
	rand  *rand.Rand
	until time.Time
	round int
	fuzz  []target

	mu     sync.Mutex
	counts []count
	broken []string
}

// rounds yields 0, 1, ... until the time of the attack is over or a promise was
// broken. It yields at least one round.
func (a *arena) rounds(ctx context.Context) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; a.round == 0 || time.Now().Before(a.until); a.round++ {
			if ctx.Err() != nil || a.isBroken() || !yield(a.round) {
				return
			}
		}
	}
}

// count adds n to what is counted under a name, such as "kills".
func (a *arena) count(name string, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.counts {
		if a.counts[i].Name == name {
			a.counts[i].N += n
			return
		}
	}
	a.counts = append(a.counts, count{name, n})
}

// broke records that a promise did not hold, and how.
func (a *arena) broke(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.broken) < 20 { // more would say the same
		a.broken = append(a.broken, fmt.Sprintf("round %d: ", a.round)+fmt.Sprintf(format, args...))
	}
}

func (a *arena) isBroken() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.broken) > 0
}

// at returns the path of a name in the folder of the attack.
func (a *arena) at(name string) string { return filepath.Join(a.dir, name) }

// upTo returns a random time from 0 to d.
func (a *arena) upTo(d time.Duration) time.Duration {
	return time.Duration(a.rand.Int64N(int64(d) + 1))
}

// result is how a process ended.
type result struct {
	args           []string
	code           int // the exit code, -1 if the process was killed
	stdout, stderr []byte
	took           time.Duration
	peak           int64 // bytes of resident memory, 0 where the system does not say
}

func (r result) String() string {
	return fmt.Sprintf("%s: exit code %d: %s", strings.Join(r.args, " "), r.code, excerpt(r.stderr))
}

func excerpt(b []byte) string {
	if len(b) > 600 {
		b = slices.Concat(b[:300], []byte(" ... "), b[len(b)-300:])
	}
	return strings.TrimSpace(string(b))
}

// patience is how long a command may take before it counts as hanging.
const patience = 2 * time.Minute

// alikeRuns runs the alike command to its end.
func (a *arena) alikeRuns(ctx context.Context, args ...string) result {
	return kit.Must(a.process(ctx, exec.Command(a.alike, args...), nil))
}

// alikeKilled runs the alike command and kills it after a time, unless it has
// ended before.
func (a *arena) alikeKilled(ctx context.Context, after time.Duration, args ...string) result {
	return kit.Must(a.process(ctx, exec.Command(a.alike, args...), time.After(after)))
}

// process runs a command until it ends. If kill yields, it sends SIGKILL. A crash
// of Go's runtime and a process that does not end break a promise in every attack.
// The error means that the attack cannot go on.
func (a *arena) process(ctx context.Context, cmd *exec.Cmd, kill <-chan time.Time) (result, error) {
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	cmd.Stderr = &stderr
	cmd.WaitDelay = 5 * time.Second
	r := result{args: append([]string{filepath.Base(cmd.Path)}, cmd.Args[1:]...)}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	hung := time.NewTimer(patience)
	defer hung.Stop()
	select {
	case <-ended:
	case <-kill:
		_ = cmd.Process.Kill()
		<-ended
	case <-ctx.Done():
		_ = cmd.Process.Kill()
		<-ended
		return r, ctx.Err()
	case <-hung.C:
		_ = cmd.Process.Signal(syscall.SIGQUIT) // so that its goroutines are in the report
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		a.broke("%s hangs: %s", strings.Join(r.args, " "), excerpt(stderr.Bytes()))
	}
	r.took, r.code = time.Since(began), cmd.ProcessState.ExitCode()
	r.stdout, r.stderr = stdout.Bytes(), stderr.Bytes()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && runtime.GOOS == "linux" { // elsewhere the unit is another
		r.peak = u.Maxrss << 10
	}
	if crashed(r.stderr) && !a.isBroken() {
		a.broke("crashed: %v", r)
	}
	return r, nil
}

// crashed reports whether the process that wrote this ended by a crash of Go's
// runtime.
func crashed(stderr []byte) bool {
	return bytes.Contains(stderr, []byte("\ngoroutine ")) && (bytes.Contains(stderr, []byte("panic: ")) || bytes.Contains(stderr, []byte("fatal error: ")))
}

// must runs the alike command and ends the attack unless its exit code is 0.
func (a *arena) must(ctx context.Context, args ...string) result {
	r := a.alikeRuns(ctx, args...)
	if r.code != 0 {
		kit.Check(errors.New(r.String()))
	}
	return r
}

// corpus writes n documents in JSON lines, with ids from prefix-0 on. A third of
// them are copies of earlier ones, most with a word changed.
func (a *arena) corpus(name, prefix string, n int) (texts []string) {
	var b bytes.Buffer
	for i := range n {
		words := make([]string, 20+a.rand.IntN(80))
		for k := range words {
			words[k] = fmt.Sprintf("w%d", a.rand.IntN(5000))
		}
		if i > 0 && a.rand.IntN(3) == 0 {
			words = strings.Fields(texts[a.rand.IntN(i)])
			if a.rand.IntN(3) > 0 {
				words[a.rand.IntN(len(words))] = "changed"
			}
		}
		texts = append(texts, strings.Join(words, " "))
		fmt.Fprintf(&b, `{"id":"%s-%d","n":%d,"text":%q}`+"\n", prefix, i, a.rand.IntN(9), texts[i])
	}
	kit.Check(os.WriteFile(a.at(name), b.Bytes(), 0o666))
	return texts
}
