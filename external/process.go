package external

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Bounds on what is under way: a batch ends with so many documents, bytes of text or
// pairs, and so many batches may wait for their answers. They keep memory within bounds and a
// process busy while alike prepares what comes next.
const (
	batchDocs  = 64
	batchBytes = 1 << 20
	batchPairs = 4096
	window     = 4
)

// grace is how long a process may take to end by itself.
const grace = time.Second

// process is a running command. One goroutine writes questions, one reads answers, one
// waits for the end.
type process struct {
	command string
	timeout time.Duration

	cmd     *exec.Cmd
	in, out *os.File
	answers *bufio.Reader
	words   tail // of its standard error

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
		command: command, timeout: timeout, cmd: shell(command),
		ready: make(chan struct{}), queue: make(chan *batch), sent: make(chan *batch, window-1),
		exited: make(chan struct{}), dead: make(chan struct{}),
	}
	fail := func(err error) (*process, error) {
		err = fmt.Errorf("external: start %s: %w", command, err)
		noteFailure(err)
		return nil, err
	}
	// Pipes of our own, unlike those of exec, outlive Wait: what a process has
	// answered before it ended is read.
	stdin, in, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return fail(err)
	}
	defer stdout.Close()
	p.in, p.out, p.answers = in, out, bufio.NewReaderSize(out, 1<<16)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.words
	p.cmd.WaitDelay = grace // for the standard error, which a child of the process may hold
	if err := p.cmd.Start(); err != nil {
		in.Close()
		out.Close()
		return fail(err)
	}
	live.Lock()
	if live.processes == nil {
		live.processes = map[*process]bool{}
	}
	live.processes[p] = true
	live.Unlock()
	go p.wait()
	go p.write()
	go p.read()
	return p, nil
}

// wait takes leave of the process as soon as it ends, and of what it has left behind.
func (p *process) wait() {
	p.cmd.Wait()
	killGroup(p.cmd)
	live.Lock()
	delete(live.processes, p)
	live.Unlock()
	close(p.exited)
}

// stop sets the error, unless there is one already, and returns when the process has
// ended: by itself after its input was closed, or killed after a while.
func (p *process) stop(err error, patience time.Duration) {
	p.once.Do(func() {
		p.err = err
		close(p.dead)
		p.in.Close()
		p.out.Close()
		select {
		case <-p.exited:
			return
		case <-time.After(patience):
			killGroup(p.cmd)
		}
		<-p.exited
	})
}

// failure returns what the process was stopped for, nil while it was not.
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
