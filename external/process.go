package external

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// A batch ends with so many documents, bytes of text or pairs, and window
// batches may wait for their answers. These bounds limit memory and keep a
// process busy while alike prepares the next batch.
const (
	batchDocs  = 64
	batchBytes = 1 << 20
	batchPairs = 4096
	window     = 4
)

// grace is how long a process may take to end by itself. lastWords is how long
// its pipes are read after it has ended.
const (
	grace     = time.Second
	lastWords = 100 * time.Millisecond
)

// process is a running command. One goroutine writes questions, one reads answers, one
// waits for the end.
type process struct {
	command string
	timeout time.Duration

	cmd     *exec.Cmd
	kill    func() // ends the process and what it has started
	in, out *os.File
	answers *bufio.Reader
	errs    *os.File
	words   tail // of errs

	hello hello         // once ready is closed
	ready chan struct{} // closed when the first line has been read
	queue chan *batch
	sent  chan *batch // written or being written, in the order of their answers

	exited chan struct{} // closed when there is no process any more
	once   sync.Once
	dead   chan struct{} // closed when err is set
	err    error
}

// launch starts a command.
func launch(command string, timeout time.Duration) (*process, error) {
	p := &process{
		command: command, timeout: timeout,
		ready: make(chan struct{}), queue: make(chan *batch), sent: make(chan *batch, window-1),
		exited: make(chan struct{}), dead: make(chan struct{}),
	}
	fail := func(err error) (*process, error) {
		p.in.Close() // a file that is nil has nothing to close
		p.out.Close()
		p.errs.Close()
		err = fmt.Errorf("external: start %s: %w", command, err)
		noteFailure(err)
		return nil, err
	}
	// Pipes of our own, unlike those of exec, outlive Wait: what a process has
	// answered before it ended is read.
	var stdin, stdout, stderr *os.File
	var err error
	if stdin, p.in, err = os.Pipe(); err != nil {
		return fail(err)
	}
	defer stdin.Close()
	if p.out, stdout, err = os.Pipe(); err != nil {
		return fail(err)
	}
	defer stdout.Close()
	if p.errs, stderr, err = os.Pipe(); err != nil {
		return fail(err)
	}
	defer stderr.Close()
	cmd, started, kill, err := prepare(command)
	if err != nil {
		return fail(err)
	}
	defer started()
	p.cmd, p.kill, p.answers = cmd, kill, bufio.NewReaderSize(p.out, 1<<16)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	start := make(chan error)
	go func() {
		// The process may be tied to the thread that starts it, which waits for
		// it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err != nil {
			start <- err
			return
		}
		live.Lock()
		if live.processes == nil {
			live.processes = map[*process]bool{}
		}
		live.processes[p] = true
		live.Unlock()
		start <- nil
		p.wait()
	}()
	if err := <-start; err != nil {
		return fail(err)
	}
	go p.write()
	go p.read()
	return p, nil
}

// wait returns when the process has ended and the processes that it left behind
// are killed.
func (p *process) wait() {
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&p.words, p.errs)
	}()
	p.cmd.Wait()
	p.kill()
	p.errs.SetReadDeadline(time.Now().Add(lastWords)) // what has escaped may hold it open
	<-read
	p.errs.Close()
	live.Lock()
	delete(live.processes, p)
	live.Unlock()
	close(p.exited)
	p.out.SetReadDeadline(time.Now().Add(lastWords)) // ends a read that waits
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// stop sets the error, unless there is one already, and returns when the
// process has ended: by itself after its input was closed, or killed when
// patience is over. Of several calls the one with the least patience decides.
func (p *process) stop(err error, patience time.Duration) {
	p.once.Do(func() {
		p.err = err
		close(p.dead)
		p.in.Close()
		p.out.Close()
	})
	select {
	case <-p.exited:
		return
	case <-time.After(patience):
		p.kill()
	}
	select {
	case <-p.exited:
	case <-time.After(grace): // a supervisor that is stopped, for one
		p.cmd.Process.Kill()
		<-p.exited
	}
}

// failure returns the error that stopped the process, or nil while it runs.
func (p *process) failure() error {
	select {
	case <-p.dead:
		return p.err
	default:
		return nil
	}
}

// submit hands over a batch, and waits while too many are under way.
func (p *process) submit(b *batch) {
	select {
	case p.queue <- b:
	case <-p.dead:
	}
}

// await returns when the batch is answered, or why it never will be.
func (p *process) await(b *batch) error {
	select {
	case <-b.done:
		return nil
	case <-p.dead:
		return p.err
	}
}

func (p *process) write() {
	w := bufio.NewWriterSize(p.in, 1<<16)
	select {
	case <-p.ready:
	case <-p.dead:
		return
	}
	for {
		var b *batch
		select {
		case b = <-p.queue:
		case <-p.dead:
			return
		}
		select {
		case p.sent <- b: // before it is written: the reader's clock runs while a process does not read
		case <-p.dead:
			return
		}
		// An error of writing shows to the reader as the end of the answers.
		b.write(w, p.hello.Flush)
		w.Flush()
	}
}

func (p *process) read() {
	line, err := p.line()
	if err == nil {
		err = p.hello.parse(line)
	}
	if err != nil {
		p.crash("in its first line", err)
		return
	}
	close(p.ready)
	for {
		var b *batch
		select {
		case b = <-p.sent:
		case <-p.dead:
			return
		}
		if what, err := b.read(p); err != nil {
			p.crash(what, err)
			return
		}
		close(b.done)
	}
}
