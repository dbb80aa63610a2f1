package serve

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits bound what one request and one client may ask for. The zero value is a sound
// default.
type Limits struct {
	// Body is the maximum length of a request, in bytes. Zero means 8 MiB.
	Body int64

	// Sample is the maximum length of a request with a sample for a job. Zero
	// means 64 MiB.
	Sample int64

	// Text is the maximum length of a text, in bytes. Zero means 1 MiB.
	Text int

	// Batch is the maximum number of texts in a request. Zero means 1,000.
	Batch int

	// Rate is the maximum number of requests per second of one client that work on texts.
	// Bursts may have twice as many. Zero means 200. The limit is 100 times as high for
	// queries and additions, and a fiftieth for requests that take seconds.
	Rate float64

	// Time is the maximum time of an answer. Zero means ten seconds.
	Time time.Duration

	// Jobs is the maximum number of jobs that wait, run or are done. Zero means 32. One
	// runs at a time.
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

// slowText is the maximum length of a text, in bytes, for methods on demand. Their time
// grows with the product of two lengths.
const slowText = 1 << 16

// class says how costly a route is.
type class int

const (
	light class = iota // reads memory only
	hot                // queries and additions
	work               // works on texts
	heavy              // takes seconds
	classes
)

// clients holds the request rates of clients, by address.
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

// maxClients is the maximum number of addresses that are remembered. Beyond it,
// those that sent nothing for the longest time are forgotten, with their rates.
const maxClients = 10_000

type clientKey struct{}

// connContext stores the client of a connection, so that requests need no lookup.
func (c *clients) connContext(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, clientKey{}, c.at(conn.RemoteAddr().String()))
}

// of returns the client of a request.
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

// forget drops the older half, so that it is called rarely.
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
