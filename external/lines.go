package external

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// maxAnswer bounds the length of a line that a process answers.
const maxAnswer = 64 << 20

// line reads a line of the answers. The line is valid until the next call.
func (p *process) line() ([]byte, error) {
	p.out.SetReadDeadline(time.Now().Add(p.timeout))
	if p.ended() { // what it has left may hold the pipe open
		p.out.SetReadDeadline(time.Now().Add(lastWords))
	}
	var long []byte
	for {
		part, err := p.answers.ReadSlice('\n')
		if errors.Is(err, os.ErrDeadlineExceeded) && p.ended() {
			err = io.EOF
		}
		if len(long)+len(part) > maxAnswer {
			return nil, fmt.Errorf("a line of more than %d bytes", maxAnswer)
		}
		switch {
		case err == nil && long == nil:
			return part, nil
		case err == nil:
			return append(long, part...), nil
		case errors.Is(err, bufio.ErrBufferFull):
			long = append(long, part...)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, errSilent
		case errors.Is(err, io.EOF) && len(long)+len(part) > 0:
			return nil, fmt.Errorf("half a line, %.60q: %w", append(long, part...), errEnded)
		case errors.Is(err, io.EOF):
			return nil, errEnded
		default:
			return nil, err
		}
	}
}

var (
	errSilent = errors.New("no answer")
	errEnded  = errors.New("the process ended")
)

// crash stops the process with an error that says where it failed and what it
// wrote last. It does nothing if the process is being stopped already, because
// its pipes are closed then.
func (p *process) crash(what string, err error) {
	if p.failure() != nil {
		return
	}
	patience := time.Duration(0)
	if errors.Is(err, errEnded) {
		// It has closed its output, so it is about to end: how, and with what last words?
		patience = grace
		select {
		case <-p.exited:
			if s := p.cmd.ProcessState; s != nil && !s.Success() {
				err = fmt.Errorf("%w with %s", err, s)
			}
		case <-time.After(grace):
		}
	}
	if err == errSilent {
		err = fmt.Errorf("no answer for %v", p.timeout)
	}
	if words := p.words.String(); words != "" {
		err = fmt.Errorf("%w; it wrote: %s", err, words)
	}
	err = fmt.Errorf("external: %s: %s: %w", p.command, what, err)
	if p.failure() == nil {
		noteFailure(err)
	}
	p.stop(err, patience)
}

// question encodes one line.
func question(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
