package external

import (
	"strings"
	"sync"
)

// tail keeps the last that was written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// tailBytes is what a tail keeps, tailShown what String shows of it.
const (
	tailBytes = 8 << 10
	tailShown = 400
)

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-tailBytes):]...)
	if over := len(t.buf) - tailBytes; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// String returns the end of what was written, on one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(t.buf), "\uFFFD")), " ")
	if len(s) > tailShown {
		s = "..." + strings.ToValidUTF8(s[len(s)-tailShown:], "")
	}
	return s
}
