package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// startApart starts a command on the first core and keeps this thread off that core, if
// there are two. The command does not outlive this process.
func startApart(cmd *exec.Cmd) error {
	runtime.LockOSThread()                                       // for good: this thread sends the requests
	cmd.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGKILL} // it ends with this thread
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil || all.Count() < 2 {
		return cmd.Start()
	}
	var one, others unix.CPUSet
	for i := 0; i < 1024; i++ {
		switch {
		case !all.IsSet(i):
		case one.Count() == 0:
			one.Set(i)
		default:
			others.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	err := cmd.Start() // from this thread, whose mask it inherits
	return errors.Join(err, unix.SchedSetaffinity(0, &others))
}

// conn is a connection and the request it waits for.
type conn struct {
	fd   int           // -1 if closed
	due  time.Duration // when its request was due, since the start
	ask  *request      // nil while it waits for no answer
	got  []byte
	need int // length of the answer, 0 while unknown
}

// ask sends requests at a constant rate and waits for all answers.
func ask(ctx context.Context, addr string, requests []request, rate, conns int, length time.Duration) (*outcome, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // all memory is allocated at the start
	n := int(length.Seconds() * float64(rate))
	l := &loop{o: &outcome{latencies: make([]time.Duration, 0, n), late: make([]time.Duration, 0, n)}}
	defer l.close()
	if err := l.open(addr, conns); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", addr, err)
	}
	events := make([]unix.EpollEvent, conns+1)
	waiting := make([]int, 0, n) // requests that are due and have no connection
	interval := time.Second / time.Duration(rate)
	start := now() + time.Millisecond
	next := 0
	for len(l.o.latencies) < n {
		at := now() - start
		for next < n && time.Duration(next)*interval <= at {
			waiting = append(waiting, next)
			next++
		}
		for len(waiting) > 0 && len(l.free) > 0 {
			i := waiting[0]
			waiting = waiting[1:]
			// Take the connection that has been idle longest. Otherwise some would stay idle
			// until the server closes them.
			c := l.free[0]
			l.free = slices.Delete(l.free, 0, 1)
			due := time.Duration(i) * interval
			l.o.late = append(l.o.late, max(0, now()-start-due))
			c.ask, c.due = &requests[i%len(requests)], due
			if err := l.send(c); err != nil {
				return nil, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := l.arm(start+time.Duration(next)*interval, next < n); err != nil {
			return nil, err
		}
		k, err := unix.EpollWait(l.epoll, events, 1000)
		if err != nil && err != unix.EINTR {
			return nil, fmt.Errorf("epoll: %w", err)
		}
		for _, e := range events[:max(k, 0)] {
			if int(e.Fd) == l.timer {
				continue // arming it again clears it
			}
			if err := l.receive(l.conns[e.Fd], start); err != nil {
				return nil, err
			}
		}
		if quiet := now() - l.last; quiet > max(60*time.Second, 2*interval) {
			return nil, fmt.Errorf("no answer for %v", quiet)
		}
	}
	return l.o, nil
}

// now is the monotonic clock.
func now() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic("load: " + err.Error())
	}
	return time.Duration(t.Nano())
}

// loop is the state of the event loop.
type loop struct {
	epoll, timer int
	server       unix.SockaddrInet4
	conns        map[int32]*conn
	free         []*conn       // idle connections, the longest idle first
	last         time.Duration // when the last answer came
	o            *outcome
}

func (l *loop) open(addr string, conns int) error {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	l.server = unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}
	if l.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if l.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC); err != nil {
		return err
	}
	if err := l.add(l.timer); err != nil {
		return err
	}
	l.conns = map[int32]*conn{}
	for range conns {
		c := &conn{fd: -1, got: make([]byte, 0, 1<<16)}
		if err := l.connect(c); err != nil {
			return err
		}
		l.free = append(l.free, c)
	}
	l.last = now()
	return nil
}

// connect opens a connection. If it was open before, it closes that one.
func (l *loop) connect(c *conn) error {
	if c.fd >= 0 {
		delete(l.conns, int32(c.fd))
		unix.Close(c.fd)
		c.fd = -1
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	c.fd = fd
	l.conns[int32(fd)] = c
	if err := unix.Connect(fd, &l.server); err != nil {
		return err
	}
	return errors.Join(unix.SetNonblock(fd, true), unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), l.add(fd))
}

func (l *loop) add(fd int) error {
	return unix.EpollCtl(l.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

func (l *loop) close() {
	for fd := range l.conns {
		unix.Close(int(fd))
	}
	unix.Close(l.timer)
	unix.Close(l.epoll)
}

// arm sets the timer to a time, or switches it off.
func (l *loop) arm(at time.Duration, on bool) error {
	var t unix.ItimerSpec
	if on {
		t.Value = unix.NsecToTimespec(int64(at))
	}
	return unix.TimerfdSettime(l.timer, unix.TFD_TIMER_ABSTIME, &t, nil)
}

// send sends the request of a connection.
func (l *loop) send(c *conn) error {
	err := c.write()
	if errors.Is(err, unix.EPIPE) || errors.Is(err, unix.ECONNRESET) {
		return l.again(c)
	}
	return err
}

func (c *conn) write() error {
	c.got, c.need = c.got[:0], 0
	n, err := unix.Write(c.fd, c.ask.bytes)
	if err != nil {
		return fmt.Errorf("send a request: %w", err)
	}
	if n < len(c.ask.bytes) {
		return fmt.Errorf("sent %d bytes of a request of %d", n, len(c.ask.bytes))
	}
	return nil
}

// again reopens a connection that the server has closed, and sends its unanswered request
// again. A server may close an idle connection while a request is on its way.
func (l *loop) again(c *conn) error {
	l.o.reopened++
	if err := l.connect(c); err != nil {
		return fmt.Errorf("connect again: %w", err)
	}
	if c.ask == nil {
		return nil
	}
	return c.write()
}

// receive reads from a connection and records a complete answer.
func (l *loop) receive(c *conn, start time.Duration) error {
	n, err := unix.Read(c.fd, c.got[len(c.got):cap(c.got)])
	if err == unix.EAGAIN || err == unix.EINTR {
		return nil
	}
	if (err == nil && n == 0 || err == unix.ECONNRESET) && (c.ask == nil || len(c.got) == 0) {
		return l.again(c)
	}
	if err != nil || n <= 0 || c.ask == nil {
		return fmt.Errorf("a connection broke: %d bytes behind %d of an answer: %v", n, len(c.got), err)
	}
	c.got = c.got[:len(c.got)+n]
	if c.need == 0 {
		head := bytes.Index(c.got, []byte("\r\n\r\n"))
		if head < 0 {
			return nil
		}
		_, rest, ok := bytes.Cut(c.got[:head+2], []byte("\r\nContent-Length: "))
		length, _, _ := bytes.Cut(rest, []byte("\r\n"))
		body, err := strconv.Atoi(string(length))
		if !ok || err != nil || head+4+body > cap(c.got) {
			return fmt.Errorf("an answer without a sound length: %.300q", c.got)
		}
		c.need = head + 4 + body
	}
	if len(c.got) < c.need {
		return nil
	}
	l.last = now()
	l.o.latencies = append(l.o.latencies, l.last-start-c.due)
	l.o.check(c.ask, c.got)
	c.ask, c.got = nil, c.got[:0]
	l.free = append(l.free, c)
	return nil
}
