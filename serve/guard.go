package serve

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// route is what is kept of each operation.
type route struct {
	pattern string // method and path, as metrics name it
	class   class
	open    bool  // answered without a token
	body    int64 // greatest length of a request
	limit   time.Duration
	seconds [6]observer // by the first digit of the status
	stream  bool        // ends when its client leaves
	handler http.HandlerFunc
}

// answer is a response that is being written. Answers are pooled.
type answer struct {
	http.ResponseWriter
	status int
	id     string
	over   bool // complete: what its handler still writes is dropped
}

func (a *answer) WriteHeader(status int) {
	if a.over {
		return
	}
	if a.status == 0 {
		a.status = status
	}
	if status == http.StatusRequestTimeout {
		// The rest of the request must not be read as the next one.
		a.Header().Set("Connection", "close")
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.over {
		return len(b), nil
	}
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController find the writer, which sse needs to stream.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

var answers = sync.Pool{New: func() any { return &answer{} }}

// routes is a mux that puts a guard before each operation registered with it.
type routes struct{ s *Server }

func (m routes) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	rt := m.s.pending
	m.s.pending = nil
	m.s.handle(rt, pattern, h)
}

func (m routes) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.s.mux.ServeHTTP(w, r) }

// handle puts a handler behind the guard of its route.
func (s *Server) handle(rt *route, pattern string, h http.HandlerFunc) {
	if rt == nil {
		rt = &route{}
	}
	rt.pattern, rt.handler = pattern, h
	if rt.body == 0 {
		rt.body = s.o.Limits.Body
	}
	if rt.limit == 0 {
		rt.limit = s.o.Limits.Time
	}
	s.metrics.curry(rt)
	s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.guard(rt, w, r) })
}

// guard calls the handler of a route, unless the request is not allowed.
func (s *Server) guard(rt *route, w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	a := answers.Get().(*answer)
	a.ResponseWriter, a.status, a.over = w, 0, false
	a.id = s.requestID(r)
	defer s.finish(rt, a, r, start)
	h := w.Header()
	h["X-Request-Id"] = []string{a.id}
	h["X-Content-Type-Options"] = noSniff
	if !s.allowed(rt, a, r) {
		return
	}
	if rt.stream {
		rt.handler(a, r)
		return
	}
	// Slow clients are disconnected.
	control := http.NewResponseController(w)
	control.SetReadDeadline(start.Add(rt.limit))
	control.SetWriteDeadline(start.Add(rt.limit + taking))
	ctx, cancel := context.WithTimeout(r.Context(), rt.limit)
	defer cancel()
	if r.Body != nil && r.Body != http.NoBody {
		if r.ContentLength > rt.body {
			writeProblem(a, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request of %d bytes, want at most %d", r.ContentLength, rt.body))
			return
		}
		if rt.class != hot { // hot routes limit what they read
			r.Body = &requestBody{http.MaxBytesReader(w, r.Body, rt.body), a}
		}
	}
	rt.handler(a, r.WithContext(ctx))
}

// requestBody answers a request that breaks off, because huma reports it as a
// fault of the server.
type requestBody struct {
	io.ReadCloser
	a *answer
}

func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	var long *http.MaxBytesError
	if err != nil && err != io.EOF && !b.a.over && !errors.Is(err, os.ErrDeadlineExceeded) && !errors.As(err, &long) {
		writeProblem(b.a, http.StatusBadRequest, "the request broke off")
		b.a.over = true
	}
	return n, err
}

// taking is how long a client may take to read an answer.
const taking = 30 * time.Second

var noSniff = []string{"nosniff"}

// finish counts and logs a request, and answers one whose handler panicked.
func (s *Server) finish(rt *route, a *answer, r *http.Request, start time.Time) {
	if p := recover(); p != nil {
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.metrics.panics.Inc()
		s.o.Log.Error("panic", "request", a.id, "route", rt.pattern, "what", fmt.Sprint(p), "stack", string(debug.Stack()))
		if a.status == 0 {
			writeProblem(a, http.StatusInternalServerError, "something went wrong here; the log says more under the request id "+a.id)
		}
	}
	took := time.Since(start)
	status := a.status
	if status == 0 {
		status = http.StatusOK
	}
	rt.seconds[min(max(status/100, 0), 5)].Observe(took.Seconds())
	level := slog.LevelInfo
	switch {
	case status >= 500:
		level = slog.LevelError
	case rt.open && status < 400, rt.class == hot && status < 400 && took < 100*time.Millisecond:
		level = slog.LevelDebug
	}
	if ctx := r.Context(); s.o.Log.Enabled(ctx, level) {
		s.o.Log.LogAttrs(ctx, level, "request", slog.String("request", a.id), slog.String("route", rt.pattern), slog.String("path", r.URL.Path),
			slog.Int("status", status), slog.Float64("seconds", took.Seconds()), slog.String("client", r.RemoteAddr))
	}
	a.ResponseWriter = nil
	answers.Put(a)
}

// requestID returns the id that the client gave the request if it is valid, or a new one.
func (s *Server) requestID(r *http.Request) string {
	if given := r.Header["X-Request-Id"]; len(given) > 0 && soundID(given[0]) {
		return given[0]
	}
	b := make([]byte, 0, 24)
	b = append(append(b, s.prefix...), '-')
	return string(strconv.AppendUint(b, s.counter.Add(1), 16))
}

func soundID(id string) bool {
	for i := range len(id) {
		if c := id[i]; !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.') {
			return false
		}
	}
	return len(id) > 0 && len(id) <= 64
}

// crossOrigin recognises requests that a browser makes for a page of another site.
var crossOrigin = http.NewCrossOriginProtection()

// allowed reports whether a request may go on to its route. If not, it answers it.
func (s *Server) allowed(rt *route, a *answer, r *http.Request) bool {
	if s.state.Load() == stopping && !rt.open {
		a.Header().Set("Connection", "close")
		a.Header().Set("Retry-After", "5")
		writeProblem(a, http.StatusServiceUnavailable, "the server is ending")
		return false
	}
	if s.o.Token == "" && !localHost(r.Host) {
		writeProblem(a, http.StatusForbidden, fmt.Sprintf("host %q, want a name of this machine such as localhost or 127.0.0.1, since no token is needed", r.Host))
		return false
	}
	if r.Method != http.MethodGet && crossOrigin.Check(r) != nil {
		writeProblem(a, http.StatusForbidden, "a request that a browser makes for a page of another site")
		return false
	}
	if s.o.Token != "" && !rt.open && !sameToken(r.Header.Get("Authorization"), s.o.Token) {
		a.Header().Set("WWW-Authenticate", `Bearer realm="alike"`)
		writeProblem(a, http.StatusUnauthorized, "want the token of this server as Authorization: Bearer TOKEN")
		return false
	}
	if !s.clients.of(r).rates[rt.class].Allow() {
		a.Header().Set("Retry-After", "1")
		s.metrics.refused.Inc()
		writeProblem(a, http.StatusTooManyRequests, "too many requests in a short time")
		return false
	}
	return true
}

// localHost reports whether a request's Host names this machine: localhost, or
// a loopback address as a URL writes it, each with or without a port. Any other
// name may belong to a website whose DNS points here (DNS rebinding).
func localHost(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		if _, err := strconv.ParseUint(host[i+1:], 10, 16); err != nil {
			return false
		}
		host = host[:i]
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	inner, bracketed := strings.CutPrefix(host, "[")
	if bracketed {
		if inner, bracketed = strings.CutSuffix(inner, "]"); !bracketed {
			return false
		}
	}
	ip, err := netip.ParseAddr(inner)
	return err == nil && ip.Is6() == bracketed && ip.Zone() == "" && ip.IsLoopback()
}

// sameToken compares in constant time, so that timing reveals neither the token nor its
// length.
func sameToken(header, token string) bool {
	scheme, given, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return false
	}
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// writeProblem answers with problem details.
func writeProblem(w http.ResponseWriter, status int, detail string) {
	b, err := json.Marshal(&huma.ErrorModel{Title: http.StatusText(status), Status: status, Detail: detail})
	if err != nil {
		b = []byte("{}") // strings and a number do not fail
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(b)
}

// problem returns an error that becomes problem details with the status.
func problem(status int, format string, args ...any) huma.StatusError {
	return huma.NewError(status, fmt.Sprintf(format, args...))
}

// do calls f on another goroutine when there is a slot, and returns its error. If the
// context is done before, it returns an error of status 504. f then goes on and keeps its
// slot until it looks at the context, so f must not touch data of its caller.
func (s *Server) do(ctx context.Context, slots chan struct{}, f func(ctx context.Context) error) error {
	select {
	case slots <- struct{}{}: // a server with a free slot is not full, even if the context is done
	default:
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return huma.ErrorWithHeaders(problem(http.StatusServiceUnavailable, "the server is full"), http.Header{"Retry-After": {"1"}})
		}
	}
	done := make(chan error, 1)
	s.wg.Go(func() {
		defer func() { <-slots }()
		defer func() {
			if p := recover(); p != nil {
				s.metrics.panics.Inc()
				s.o.Log.Error("panic", "what", fmt.Sprint(p), "stack", string(debug.Stack()))
				done <- problem(http.StatusInternalServerError, "something went wrong here; the log says more")
			}
		}()
		done <- f(ctx)
	})
	select {
	case err := <-done:
		return s.failure(ctx, err)
	case <-ctx.Done():
		return tooLong()
	}
}

func tooLong() error {
	return problem(http.StatusGatewayTimeout, "the answer takes too long; want shorter texts, fewer methods or fewer documents")
}

// failure turns an error into problem details. Of an error of the server itself it says
// only that there was one; the log says more.
func (s *Server) failure(ctx context.Context, err error) error {
	var status huma.StatusError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &status):
		return err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return tooLong()
	}
	s.o.Log.ErrorContext(ctx, "failed", "error", err)
	return problem(http.StatusInternalServerError, "something went wrong here; the log says more")
}
