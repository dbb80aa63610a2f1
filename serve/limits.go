package serve

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what one request may ask for, and one client. The zero value is a sound default.
type Limits struct {
	// Body is the greatest length of a request in bytes. Zero means 8 MiB.
	Body int64

	// Sample is that of a sample for a job. Zero means 64 MiB.
	Sample int64

	// Text is the greatest length of a text in bytes. Zero means 1 MiB.
	Text int

	// Batch is the greatest number of texts of a request. Zero means 1,000.
	Batch int

	// Rate is how many requests a second a client may make that work on texts, twice as many at once. Zero means 200. Queries
	// and additions may be a hundred times as many, and what takes seconds a fiftieth.
	Rate float64

	// Time is how long an answer may take. Zero means ten seconds.
	Time time.Duration

	// Jobs is how many jobs are kept, waiting, running or done. Zero means 32; one runs at a time.
	Jobs int
}

func (l Limits) withDefaults() Limits {
	l.Body = positive(l.Body, 8<<20)
	l.Sample = positive(l.Sample, 64<<20)
	l.Text = positive(l.Text, 1<<20)
	l.Batch = positive(l.Batch, 1000)
	l.Rate = positive(l.Rate, 200)
	l.Time = positive(l.Time, 10*time.Second)
	l.Jobs = positive(l.Jobs, 32)
	return l
}

// positive returns v, or otherwise where v is not above 0.
func positive[T int | int64 | float64 | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}

// slowText is the longest text, in bytes, for methods on demand, whose time grows with the
// product of two lengths.
const slowText = 1 << 16

// class says how costly a route is.
type class int

const (
	light class = iota // no more than a look at memory
	hot                // queries and additions
	work               // works on texts
	heavy              // takes seconds
	classes
)

// clients holds the rates of those who ask, by address.
type clients struct {
	limits Limits
	mu     sync.Mutex
	known  map[string]*client
}

// client is one address.
type client struct {
	rates [classes]*rate.Limiter
	seen  time.Time
}

// maxClients is how many addresses are remembered; beyond it those that have been quiet for longest are
// forgotten, with the debts they had.
const maxClients = 10_000

type clientKey struct{}

// connContext notes the client of a connection, so that no request has to look it up.
func (c *clients) connContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, clientKey{}, c.at(conn.RemoteAddr().String()))
}

// of returns who sent a request.
func (c *clients) of(r *http.Request) *client {
	if k, ok := r.Context().Value(clientKey{}).(*client); ok {
		return k
	}
	return c.at(r.RemoteAddr)
}

func (c *clients) at(addr string) *client {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.known[host]
	now := time.Now()
	if k == nil {
		if c.known == nil {
			c.known = map[string]*client{}
		}
		if len(c.known) >= maxClients {
			c.forget(now)
		}
		k = &client{}
		for i, factor := range [classes]float64{light: 10, hot: 100, work: 1, heavy: 1. / 50} {
			r := c.limits.Rate * factor
			k.rates[i] = rate.NewLimiter(rate.Limit(r), max(2, int(2*r)))
		}
		c.known[host] = k
	}
	k.seen = now
	return k
}

// forget drops the older half, so that it is seldom called.
func (c *clients) forget(now time.Time) {
	var oldest time.Duration
	for _, k := range c.known {
		oldest = max(oldest, now.Sub(k.seen))
	}
	for host, k := range c.known {
		if now.Sub(k.seen) >= oldest/2 {
			delete(c.known, host)
		}
	}
}
