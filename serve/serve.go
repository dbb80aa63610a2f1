// Package serve answers over HTTP what the command answers in a terminal: how
// alike two texts are and why, which documents of an index are alike to one,
// and what is in data sets, results and records.
//
// The API is described by OpenAPI at /openapi.json, and for people at /docs.
// Both are made from the types of this package. Its routes are under /v1,
// except /health, /ready and /metrics.
//
// Errors are problem details (RFC 9457): 401 without the token, 404, 408 if a
// request comes too slowly, 413 if a text, batch or request is too long, 422 if
// a value is invalid, 429 if a client sends too many requests, 503 if the
// Server is full or stopping, 504 if an answer takes too long.
//
// # What it trusts
//
// Anyone who can reach the address may use it. Without a token a Server answers
// only requests for a loopback name, so no page of another site can reach it by
// a name of its own. It refuses browsers' requests from other sites. Names in
// paths are looked up among the names given at the start and never reach the
// file system. Specs of commands (exec:) are refused. Pages run under a policy
// that allows scripts of this server alone.
//
// Anyone who can add to an index and knows its hash function can make documents
// that share a bucket. Every query then reads all of them. So `alike serve
// --create` draws a secret seed for features (and for permutations of MinHash);
// answers and logs leave it out. Manber fingerprints and winnowing roll a fixed
// polynomial and have no seed: do not offer an index of those to strangers.
//
// The command alike serve runs it. What is computed belongs to the packages
// that it calls, pages to package web.
package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/alike-go/alike/index"
)

// Options configures a Server. The zero value compares and offers the data sets that lie
// inside the program, without an index.
type Options struct {
	// Index is asked and added to. Nil means that there is none. Whoever opened it closes it,
	// after Serve has returned.
	Index *index.Index

	// ReadOnly refuses what would change the index.
	ReadOnly bool

	// Data are data sets, by name or path, files of documents, and folders that alike dedup
	// made. They are read when they are asked for. Nil means the sets inside the program.
	Data []string

	// Records is a folder whose files *.jsonl are records of alike eval; empty means none.
	Records string

	// Labels is a folder where judgements are kept, a file for each data set, which is made
	// when there is something to keep; empty means that none are.
	Labels string

	// Token, where not empty, must come with every request of the API as "Authorization:
	// Bearer TOKEN".
	Token string

	// Limits bound what a request may ask for.
	Limits Limits

	// Pages are the files of the pages; nil means that there are none.
	Pages fs.FS

	// Version is that of the program.
	Version string

	// Log takes a line for each request: of queries and additions only those that failed or
	// took longer than a tenth of a second, unless debugging is enabled. Nil means none.
	Log *slog.Logger
}

// A Server answers requests. Make one with New.
type Server struct {
	o       Options
	api     huma.API
	mux     *http.ServeMux
	metrics *metrics
	clients clients
	methods specs
	data    catalogue
	records recordFiles
	jobs    jobs
	labels  labels
	stats   statsCache
	slots   chan struct{} // who works on texts
	heavy   chan struct{} // who works for seconds

	prefix  string // of request ids
	counter atomic.Uint64
	state   atomic.Int32
	pending *route // the route that is being registered

	ctx  context.Context // of jobs
	stop context.CancelFunc
	wg   sync.WaitGroup // of work that outlives its request
}

// What state a server is in.
const (
	starting = iota
	ready
	stopping
)

// New returns a server, or an error that names the option that makes no sense. Nothing is
// read of data sets yet.
func New(o Options) (*Server, error) {
	o.Limits = o.Limits.withDefaults()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Version == "" {
		o.Version = "(devel)"
	}
	s := &Server{o: o, mux: http.NewServeMux(), prefix: randomHex(4)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	cpus := runtime.GOMAXPROCS(0)
	s.slots = make(chan struct{}, 2*cpus)
	s.heavy = make(chan struct{}, max(1, cpus/2))
	s.clients.limits = o.Limits
	s.metrics = newMetrics(s)
	if err := s.data.open(o.Data); err != nil {
		return nil, err
	}
	if err := s.records.open(o.Records); err != nil {
		return nil, err
	}
	s.labels.dir = o.Labels
	s.jobs.init(s)
	s.api = huma.NewAPI(apiConfig(o.Version), humago.NewAdapter(routes{s}, ""))
	s.register()
	if err := s.pages(); err != nil {
		return nil, err
	}
	return s, nil
}

// Handler returns the handler of all requests.
func (s *Server) Handler() http.Handler { return s.mux }

// OpenAPI returns the description of the API as JSON.
func (s *Server) OpenAPI() ([]byte, error) { return s.api.OpenAPI().MarshalJSON() }

// grace is how long requests may take to end when the server does.
const grace = 15 * time.Second

// Serve answers requests on a listener until the context is done. Then it takes no more
// connections, lets the requests that it has begun end, cancels jobs, and returns nil:
// what it has acknowledged is done. Another error ends it at once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if s.o.Token == "" && !loopback(l.Addr()) {
		return fmt.Errorf("serve: %s is not loopback, want a token (--token-file)", l.Addr())
	}
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    1 << 14,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
		ConnContext:       s.clients.connContext,
	}
	s.state.Store(ready)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		s.close()
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.state.Store(stopping)
	s.stop() // of jobs, and with them of those who watch them
	timeout, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(timeout)
	if errors.Is(err, context.DeadlineExceeded) {
		s.o.Log.Warn("requests were cut off", "after", grace)
		err = server.Close()
	}
	s.close()
	if err != nil {
		return fmt.Errorf("serve: end: %w", err)
	}
	return nil
}

// close waits for what requests have left behind.
func (s *Server) close() {
	s.stop()
	s.wg.Wait()
}

// loopback reports whether an address can be reached from this machine alone.
func loopback(a net.Addr) bool {
	switch a := a.(type) {
	case *net.TCPAddr:
		return a.IP.IsLoopback()
	case *net.UnixAddr:
		return true
	}
	return false
}

// TuneMemory lets the heap of this process grow to several times what is alive, which is
// little: an index on disk lies outside. Collecting is then a matter of a millisecond
// every few seconds. GOGC and GOMEMLIMIT overrule it.
func TuneMemory() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(800)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(4 << 30) // from here on it is collected as often as need be
	}
}

// randomHex returns so many random bytes as hexadecimal digits.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
