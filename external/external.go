package external

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alike-go/alike/internal/settings"
	"github.com/alike-go/alike/similarity"
)

// defaultTimeout is how long a process may be silent while it owes an answer.
const defaultTimeout = 60 * time.Second

// Options configures a Method. Command is needed, the rest has defaults.
type Options struct {
	// Command is what runs, by sh -c (on Windows by cmd /C).
	Command string

	// Timeout is how long the process may take for its first line, and be silent while it owes
	// an answer. Zero means 60 seconds.
	Timeout time.Duration
}

// Method is a method that a command carries out. The command is started when the
// method is first used, once, and lives until Close. A Method is safe for concurrent use.
//
// It is a Sketcher and a similarity.Method in one. As a Sketcher it asks for one
// document or pair and waits; a collection sends documents ahead.
type Method struct {
	hidden  // what a method without features, evidence and fit answers
	command string
	timeout time.Duration

	mu     sync.Mutex
	p      *process // nil until it is started
	failed error    // why there is none
}

type hidden = similarity.Method

var (
	_ similarity.Sketcher[*Sketch]  = (*Method)(nil)
	_ similarity.RowKernel[*Sketch] = (*Method)(nil)
	_ similarity.Method             = (*Method)(nil)
	_ io.Closer                     = (*Method)(nil)
)

// errClosed is what a method fails with that was closed.
var errClosed = errors.New("the method is closed")

// New returns a method. It starts nothing.
func New(o Options) (*Method, error) {
	m := &Method{command: strings.TrimSpace(o.Command), timeout: o.Timeout}
	switch {
	case m.command == "":
		return nil, errors.New("external: no command, want one such as python3 method.py")
	case strings.ContainsAny(m.command, "\x00\n"):
		return nil, fmt.Errorf("external: the command %q holds a line break or a zero byte", m.command)
	case m.timeout < 0:
		return nil, fmt.Errorf("external: Timeout is %v, want 0 or more", m.timeout)
	case m.timeout == 0:
		m.timeout = defaultTimeout
	}
	m.hidden = similarity.Hide(m)
	return m, nil
}

// Keys lists the settings of Options.
var Keys = settings.Table[Options]{
	{
		Key: settings.Key{Name: "command", Default: "-", Allowed: "a command line of the shell", Doc: "what runs; exec:COMMAND says the same, commas and all"},
		Set: func(o *Options, v string) error { o.Command = v; return nil },
		Get: func(o *Options) string { return o.Command },
	},
	{
		Key: settings.Key{Name: "timeout", Default: defaultTimeout.String(), Allowed: "a duration such as 90s or 10m", Doc: "how long the process may be silent while it owes an answer"},
		Set: func(o *Options, v string) error {
			d, err := time.ParseDuration(v)
			if err != nil || d <= 0 {
				return errors.New("want a duration such as 90s or 10m")
			}
			o.Timeout = d
			return nil
		},
		Get: func(o *Options) string { return o.Timeout.String() },
	},
}

// ParseSpec reads what stands behind "exec:" in a spec: the command as it is, unless it
// begins with a key.
func ParseSpec(rest string) ([]settings.Pair, error) {
	if namesKey(rest) {
		return settings.Parse(rest)
	}
	return []settings.Pair{{Key: "command", Value: rest}}, nil
}

func namesKey(s string) bool {
	return slices.ContainsFunc(Keys, func(k settings.Setting[Options]) bool { return strings.HasPrefix(s, k.Name+"=") })
}

// String returns the spec: exec: and the command, or the keys where the timeout is not
// the default or the command could be taken for keys.
func (m *Method) String() string {
	if m.timeout == defaultTimeout && !namesKey(m.command) {
		return "exec:" + m.command
	}
	return similarity.Spec("exec", Keys.Changed(&Options{Command: m.command, Timeout: m.timeout}))
}

// Settings returns the command and what it says of itself: it starts the command to
// know that, and returns the command alone where it does not start.
func (m *Method) Settings() string {
	s := similarity.Spec("exec", "command="+strconv.Quote(m.command))
	if p, err := m.process(); err == nil {
		s += "," + p.hello.settings()
	}
	return s
}

// Empty reports whether the command found no features in the text.
func (m *Method) Empty(s *Sketch) bool { return !s.full }

// Bytes returns the size of the sketch that the command answered, or stated.
func (m *Method) Bytes(s *Sketch) int { return s.bytes }

// Sketch asks for the sketch of one text and waits for it. Where the method has
// failed it returns an empty sketch; Err says why.
func (m *Method) Sketch(text string) *Sketch {
	c := m.NewCollection().(*collection)
	c.Add(text)
	if c.Err() != nil {
		return &Sketch{}
	}
	return c.docs[0]
}

// Score returns the likeness of two sketches, and 0 where the method has failed.
func (m *Method) Score(a, b *Sketch) float64 {
	var out [1]float64
	m.scores([]pair{{a, b}}, out[:])
	return out[0]
}

// ScoreRow scores a against each of bs, with one question for many.
func (m *Method) ScoreRow(a *Sketch, bs []*Sketch, dst []float32) {
	pairs, out := make([]pair, len(bs)), make([]float64, len(bs))
	for i, b := range bs {
		pairs[i] = pair{a, b}
	}
	m.scores(pairs, out)
	for i, s := range out {
		dst[i] = float32(s)
	}
}

// Err returns what the method has failed with, nil if it has not.
func (m *Method) Err() error {
	m.mu.Lock()
	p, err := m.p, m.failed
	m.mu.Unlock()
	if err != nil || p == nil {
		return err
	}
	return p.failure()
}

// Close ends the process: it closes its standard input, and kills what is still there
// after a second. A caller that waits for an answer gets an error at once, and so does
// every later use of the method.
func (m *Method) Close() error {
	m.mu.Lock()
	p := m.p
	if p == nil && m.failed == nil {
		m.failed = fmt.Errorf("external: %s: %w", m.command, errClosed)
	}
	m.mu.Unlock()
	if p != nil {
		p.stop(fmt.Errorf("external: %s: %w", m.command, errClosed), grace)
	}
	return nil
}

// process returns the process once it has said what it is.
func (m *Method) process() (*process, error) {
	m.mu.Lock()
	if m.p == nil && m.failed == nil {
		m.p, m.failed = launch(m.command, m.timeout)
	}
	p, err := m.p, m.failed
	m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case <-p.ready:
		return p, p.failure()
	case <-p.dead:
		return nil, p.failure()
	}
}

// Fit returns the method itself.
func (m *Method) Fit(iter.Seq[string]) (similarity.Method, error) { return m, nil }
