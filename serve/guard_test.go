package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/alike-go/alike/index"
)

// answered sends a request to the handler itself.
func answered(s *Server, method, target, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if method == "POST" {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

func TestLimits(t *testing.T) {
	s, _ := start(t, Options{Index: newIndex(t, "shingle", .5), Limits: Limits{Body: 2000, Text: 1000, Batch: 3, Rate: 1e6, Time: 5 * time.Minute}})
	long, longer := strings.Repeat("a", 1001), strings.Repeat("a", 3000)
	for _, c := range []struct {
		path, body string
		want       int
	}{
		{"/v1/compare", `{"a":"` + long + `","b":""}`, 413},
		{"/v1/compare", `{"a":"` + longer + `","b":""}`, 413},
		{"/v1/compare/matrix", `{"texts":[{"text":"a"},{"text":"` + long + `"}]}`, 413},
		{"/v1/compare/matrix", `{"texts":[{"text":"a"},{"text":"a"},{"text":"a"},{"text":"a"}]}`, 413},
		{"/v1/sketch", `{"texts":[{"text":"a"},{"text":"a"},{"text":"a"},{"text":"a"}]}`, 413},
		{"/v1/passages", `{"texts":[{"text":"a"},{"text":"` + long + `"}]}`, 413},
		{"/v1/passages", `{"texts":[{"text":"a"},{"text":"a"},{"text":"a"},{"text":"a"}]}`, 413},
		{"/v1/features", `{"text":"` + long + `"}`, 413},
		{"/v1/index/query", `{"text":"` + long + `"}`, 413},
		{"/v1/index/query", `{"text":"` + longer + `"}`, 413},
		{"/v1/index/add", `{"documents":[{"id":"a","text":"` + long + `"}]}`, 413},
		{"/v1/index/add", `{"documents":[{"id":"a","text":"a"},{"id":"b","text":"a"},{"id":"c","text":"a"},{"id":"d","text":"a"}]}`, 413},
		{"/v1/index/add-if-new", `{"documents":[{"id":"a","text":"` + longer + `"}]}`, 413},
		{"/v1/index/delete", `{"ids":["` + longer + `"]}`, 413},
		{"/v1/labels/en", `{"a":"` + longer + `","b":"y","alike":true}`, 413},
		{"/v1/compare", `{"a":"a","b":"b"}`, 200},
		{"/v1/index/query", `{"text":"a"}`, 200},
	} {
		for _, known := range []bool{true, false} { // whether the length is stated
			w := answered(s, "POST", "http://localhost"+c.path, c.body, func(r *http.Request) {
				if !known {
					r.ContentLength = -1
				}
			})
			if w.Code != c.want {
				t.Errorf("%s %.60s: status %d, want %d: %s", c.path, c.body, w.Code, c.want, w.Body)
			}
		}
	}
	slow := strings.Repeat("a", slowText+1)
	s, _ = start(t, Options{Limits: Limits{Time: 5 * time.Minute}})
	if w := answered(s, "POST", "http://localhost/v1/compare", `{"a":"`+slow+`","b":"b","methods":["edit"]}`, nil); w.Code != 413 {
		t.Errorf("a slow method on a long text: %d %s", w.Code, w.Body)
	}
	for _, path := range []string{"/v1/compare", "/v1/index/query"} {
		w := answered(s, "POST", "http://localhost"+path, `{"a":"a","b":"b"}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })
		if w.Code != 415 && path == "/v1/compare" || path != "/v1/compare" && w.Code != 404 {
			t.Errorf("%s: a text for JSON: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestRate(t *testing.T) {
	s, _ := start(t, Options{Limits: Limits{Rate: .5}}) // a burst of two, and none for two seconds
	refused := 0
	for range 30 {
		w := answered(s, "POST", "http://localhost/v1/compare", `{"a":"a","b":"b","methods":["shingle"]}`, nil)
		if w.Code == 429 && w.Header().Get("Retry-After") != "" {
			refused++
		} else if w.Code != 200 {
			t.Fatalf("status %d: %s", w.Code, w.Body)
		}
	}
	if refused == 0 {
		t.Error("thirty requests at a time, and none refused")
	}
	if w := answered(s, "POST", "http://localhost/v1/compare", `{"a":"a","b":"b","methods":["shingle"]}`, func(r *http.Request) { r.RemoteAddr = "127.0.0.9:1" }); w.Code != 200 {
		t.Errorf("another client: status %d", w.Code)
	}
	for i := range maxClients + 100 {
		s.clients.at(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255))
	}
	if len(s.clients.known) > maxClients {
		t.Errorf("%d clients remembered, want at most %d", len(s.clients.known), maxClients)
	}
}

// An answer that does not come in time is a 504, what works on it is told, and a server that is full says so.
func TestTime(t *testing.T) {
	s, err := New(Options{Limits: Limits{Time: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan struct{}, 100)
	register(s, operation{method: "GET", path: "/v1/test/slow", id: "slow", tag: "server"}, func(ctx context.Context, _ *nothing) (*health, error) {
		return &health{}, s.do(ctx, s.slots, func(ctx context.Context) error {
			<-ctx.Done()
			told <- struct{}{}
			return ctx.Err()
		})
	})
	if w := answered(s, "GET", "http://localhost/v1/test/slow", "", nil); w.Code != 504 || !strings.Contains(w.Body.String(), `"status":504`) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	<-told
	for range cap(s.slots) {
		s.slots <- struct{}{}
	}
	if w := answered(s, "GET", "http://localhost/v1/test/slow", "", nil); w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("full: status %d, %v: %s", w.Code, w.Header(), w.Body)
	}
}

// A handler that panics answers, and the server goes on.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s, err := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range []func(context.Context, *nothing) (*health, error){
		func(context.Context, *nothing) (*health, error) { panic("one") },
		func(ctx context.Context, _ *nothing) (*health, error) {
			return nil, s.do(ctx, s.slots, func(context.Context) error { panic("two") })
		},
		func(ctx context.Context, _ *nothing) (*health, error) {
			return nil, eachMethod(ctx, 3, func(int) error { panic("three") })
		},
	} {
		path := fmt.Sprintf("/v1/test/panic%d", i)
		register(s, operation{method: "GET", path: path, id: path, tag: "server"}, f)
		if w := answered(s, "GET", "http://localhost"+path, "", nil); w.Code != 500 || strings.Contains(w.Body.String(), "goroutine") {
			t.Errorf("%s: status %d: %s", path, w.Code, w.Body)
		}
	}
	for _, what := range []string{"what=one", "what=two", "what=three"} {
		if !strings.Contains(log.String(), what) {
			t.Errorf("the log lacks %s", what)
		}
	}
}

func TestToken(t *testing.T) {
	s, _ := start(t, Options{Index: newIndex(t, "shingle", .5), Token: "0123456789abcdef", Pages: fstest.MapFS{"index.html": {Data: []byte("<p>page")}}})
	token := func(v string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", v) }
	}
	for path, item := range s.api.OpenAPI().Paths {
		for method, op := range map[string]any{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete} {
			if fmt.Sprint(op) == "<nil>" || path == "/health" || path == "/ready" {
				continue
			}
			for _, wrong := range []string{"", "Bearer", "Bearer ", "Bearer 0123456789abcdeg", "Bearer 0123456789abcde", "Basic 0123456789abcdef", "0123456789abcdef"} {
				w := answered(s, method, "http://example.com"+path, "{}", token(wrong))
				if w.Code != 401 || w.Header().Get("WWW-Authenticate") == "" {
					t.Errorf("%s %s with %q: status %d", method, path, wrong, w.Code)
				}
			}
		}
	}
	for path, want := range map[string]int{"/health": 200, "/": 200, "/docs": 200, "/metrics": 401} {
		if w := answered(s, "GET", "http://example.com"+path, "", nil); w.Code != want {
			t.Errorf("%s without a token: %d, want %d", path, w.Code, want)
		}
	}
	for _, scheme := range []string{"Bearer ", "bearer "} {
		if w := answered(s, "GET", "http://example.com/v1/about", "", token(scheme+"0123456789abcdef")); w.Code != 200 {
			t.Errorf("with the token: status %d: %s", w.Code, w.Body)
		}
	}
}

// Without a token nobody else reaches the server: not by an address, nor by a name that points here, nor by the
// browser of somebody here.
func TestOthersAreKeptOut(t *testing.T) {
	s, _ := start(t, Options{Index: newIndex(t, "shingle", .5)})
	for host, want := range map[string]int{
		"localhost": 200, "localhost:80": 200, "127.0.0.1:8080": 200, "[::1]:8080": 200, "[::1]": 200, "127.9.9.9": 200,
		"example.com": 403, "127.0.0.1:example.com": 403, "10.0.0.1": 403, "": 403,
	} {
		for _, path := range []string{"/v1/about", "/health", "/docs"} {
			if w := answered(s, "GET", "http://localhost"+path, "", func(r *http.Request) { r.Host = host }); w.Code != want {
				t.Errorf("host %q, %s: status %d, want %d", host, path, w.Code, want)
			}
		}
	}
	for _, path := range []string{"/v1/compare", "/v1/index/add", "/v1/labels/en"} {
		w := answered(s, "POST", "http://localhost"+path, "{}", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") })
		if w.Code != 403 {
			t.Errorf("%s from another site: status %d", path, w.Code)
		}
		for _, origin := range []string{"http://example.com", "http://localhost.example.com", "http://localhost:example.com", "http://localhost:80", "null"} {
			w = answered(s, "POST", "http://localhost"+path, "{}", func(r *http.Request) { r.Header.Set("Origin", origin) })
			if w.Code != 403 || w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s from the origin %s: status %d, %v", path, origin, w.Code, w.Header())
			}
		}
	}
	l, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	if err := s.Serve(t.Context(), l); err == nil || !strings.Contains(err.Error(), "token") {
		t.Errorf("at %v without a token: %v", l.Addr(), err)
	}
}

func TestLocalHost(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "LocalHost:8080": true, "localhost:0": true, "localhost:65535": true,
		"127.0.0.1": true, "127.0.0.1:80": true, "127.255.255.254": true, "127.9.9.9:1": true,
		"[::1]": true, "[::1]:80": true, "[0:0:0:0:0:0:0:1]:80": true, "[::ffff:127.0.0.1]:80": true,

		"": false, ":": false, ":80": false, "[]": false, "[]:80": false, "[": false, "]": false, ".": false,
		"example.com": false, "localhost.evil.com": false, "localhost.evil.com:80": false, "evil.localhost": false,
		"127.0.0.1.evil.com": false, "127.0.0.1.evil.com:80": false, "127.0.0.1:evil.com": false, "localhost:evil.com": false,
		"127.0.0.1:80.evil.com": false, "localhost:80:evil.com": false, "localhost:80@evil.com": false, "evil.com@localhost": false,
		"localhost:": false, "localhost:-1": false, "localhost:+80": false, "localhost:65536": false, "localhost: 80": false, "localhost:0x50": false,
		"localhost.": false, "127.0.0.1.": false, " localhost": false, "localhost ": false, "localhost/": false, "local\x00host": false,
		"::1": false, "::1:80": false, "[::1": false, "::1]": false, "[[::1]]": false, "[::1]]": false, "[::1]evil": false, "[::1]evil:80": false, "[::1]:evil": false, "[::1]80": false,
		"[::1%lo]": false, "[::1%25lo]:80": false, "[::1.evil.com]": false, "[::2]": false, "[::]": false, "[fe80::1]": false,
		"[127.0.0.1]": false, "[localhost]": false, "2130706433": false, "0x7f000001": false, "0177.0.0.1": false, "127.0.0.01": false, "127.1": false, "127": false,
		"0.0.0.0": false, "10.0.0.1": false, "128.0.0.1": false, "126.255.255.255": false, "127.0.0.256": false, "１２７.0.0.1": false,
	} {
		if got := localHost(host); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}

func TestPages(t *testing.T) {
	script := strings.Repeat("let x = 1;\n", 100)
	s, _ := start(t, Options{Pages: fstest.MapFS{"index.html": {Data: []byte("<p>page")}, "assets/a.js": {Data: []byte(script)}}})
	w := answered(s, "GET", "http://localhost/", "", nil)
	if w.Code != 200 || w.Body.String() != "<p>page" || w.Header().Get("Content-Security-Policy") != policy || w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		t.Errorf("index: %d %v", w.Code, w.Header())
	}
	for _, bad := range []string{"unsafe-inline", "unsafe-eval", "*", "http:"} {
		if strings.Contains(policy, bad) {
			t.Errorf("the policy has %s", bad)
		}
	}
	w = answered(s, "GET", "http://localhost/assets/a.js", "", func(r *http.Request) { r.Header.Set("Accept-Encoding", "br, gzip") })
	if w.Header().Get("Content-Encoding") != "gzip" || w.Body.Len() >= len(script) {
		t.Errorf("script: %v, %d bytes", w.Header(), w.Body.Len())
	}
	tag := w.Header().Get("ETag")
	w = answered(s, "GET", "http://localhost/assets/a.js", "", func(r *http.Request) { r.Header.Set("If-None-Match", tag) })
	if w.Code != 304 || w.Body.Len() != 0 {
		t.Errorf("a script that is known: %d", w.Code)
	}
	if w := answered(s, "GET", "http://localhost/assets/", "", nil); w.Code != 404 {
		t.Errorf("a folder: %d", w.Code)
	}
	if w := answered(s, "GET", "http://localhost/health", "", func(r *http.Request) { r.Header.Set("X-Request-Id", "mine-1") }); w.Header().Get("X-Request-Id") != "mine-1" {
		t.Errorf("request id %q", w.Header().Get("X-Request-Id"))
	}
	if w := answered(s, "GET", "http://localhost/health", "", func(r *http.Request) { r.Header.Set("X-Request-Id", "a b\"") }); w.Header().Get("X-Request-Id") == "a b\"" {
		t.Error("a request id that is none is taken")
	}
}

// Serve ends when it is told: it is not ready, requests that had begun are answered, and streams end.
func TestServeEnds(t *testing.T) {
	x := newIndex(t, "shingle", .5)
	s, err := New(Options{Index: x, Limits: Limits{Rate: 1e6, Time: 5 * time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	base := "http://" + l.Addr().String()
	for deadline := time.Now().Add(time.Minute); ; { // until it listens
		resp, err := http.Get(base + "/ready")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == 200 {
				break
			}
		}
		if time.Now().After(deadline) {
			t.Fatal("never ready")
		}
	}
	k, err := s.start("choose", func(ctx context.Context, _ *job) error { <-ctx.Done(); return ctx.Err() })
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	for g := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("doc-%d-%d", g, i)
				resp, err := http.Post(base+"/v1/index/add", "application/json", strings.NewReader(fmt.Sprintf(`{"documents":[{"id":%q,"text":"words of %s"}]}`, id, strings.ReplaceAll(id, "-", "x"))))
				if err != nil {
					return // no more connections are taken
				}
				b, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 {
					return
				}
				if !bytes.Contains(b, []byte("added")) {
					t.Errorf("answer %s", b)
				}
				mu.Lock()
				acknowledged[id] = true
				if len(acknowledged) == 100 {
					stop()
				}
				mu.Unlock()
			}
		})
	}
	last := ""
	events(t, base+"/v1/jobs/"+k.state.ID+"/events", func(p jobProgress) { last = p.State })
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	wg.Wait()
	if last != cancelled {
		t.Errorf("the job that was watched is %q", last)
	}
	for id := range acknowledged {
		found, err := x.Query(context.Background(), index.Doc{Text: "words of " + strings.ReplaceAll(id, "-", "x")}, index.QueryOptions{Threshold: 1})
		if err != nil || len(found) != 1 || found[0].ID != id {
			t.Errorf("%s was acknowledged and is not there: %v, %v", id, found, err)
		}
	}
}

// Who begins a request and does not go on with it is told so, at each route that takes one, and cut off; and
// one that breaks off is no fault of the server.
func TestUnfinishedRequests(t *testing.T) {
	s, h := start(t, Options{Index: newIndex(t, "shingle", .5), Limits: Limits{Rate: 1e6, Time: 200 * time.Millisecond}})
	patient, p := start(t, Options{Index: newIndex(t, "shingle", .5), Limits: Limits{Rate: 1e6}})
	var wg sync.WaitGroup
	try := func(at, path string, breaks bool, want string) {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(2 * time.Minute))
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"text\":\"", path)
		if err == nil && breaks {
			err = c.(*net.TCPConn).CloseWrite()
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		answer, err := io.ReadAll(c) // to the end of the connection
		if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 "+want+" ")) || !bytes.Contains(answer, []byte(`"status":`+want)) {
			t.Errorf("%s, breaks off: %v: %v, %q, want status %s and the end", path, breaks, err, answer, want)
		}
	}
	for path, item := range s.api.OpenAPI().Paths {
		if item.Post != nil {
			path = strings.ReplaceAll(path, "{name}", "en")
			wg.Go(func() { try(h.Listener.Addr().String(), path, false, "408") })
			wg.Go(func() { try(p.Listener.Addr().String(), path, true, "400") })
		}
	}
	wg.Wait()
	if w := answered(patient, "GET", "http://localhost/metrics", "", nil); strings.Contains(w.Body.String(), `status="5xx",le="+Inf"} 1`) {
		t.Error("a request that breaks off is counted as a fault of the server")
	}
}

// deadlined is a connection whose deadlines are known.
type deadlined struct {
	net.Conn
	l *deadlines
}

// deadlines are those of the last connection of a listener.
type deadlines struct {
	net.Listener
	mu          sync.Mutex
	read, write time.Time
	conns       int
}

func (l *deadlines) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns++
	l.read, l.write = time.Time{}, time.Time{}
	return &deadlined{c, l}, nil
}

func (c *deadlined) SetReadDeadline(t time.Time) error {
	c.l.mu.Lock()
	c.l.read = t
	c.l.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

func (c *deadlined) SetWriteDeadline(t time.Time) error {
	c.l.mu.Lock()
	c.l.write = t
	c.l.mu.Unlock()
	return c.Conn.SetWriteDeadline(t)
}

// Whatever was asked over a connection, and however it was answered, the connection rests for as long as any: no
// deadline of the request is left on it.
func TestConnectionsRest(t *testing.T) {
	s, err := New(Options{Index: newIndex(t, "shingle", .5), Limits: Limits{Rate: 1e6, Body: 1000, Time: 50 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := s.start("choose", func(context.Context, *job) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &deadlines{Listener: inner}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	for _, c := range []struct {
		method, path, body string
	}{
		{"POST", "/v1/index/query", `{"text":"a b c"}`},
		{"POST", "/v1/index/query", `{"text":`},
		{"POST", "/v1/compare", `{"a":"a","b":"b"}`},
		{"POST", "/v1/compare", `{"a":`},
		{"GET", "/v1/methods", ""},
		{"GET", "/v1/absent", ""},
		{"GET", "/v1/jobs/" + k.state.ID + "/events", ""},
		{"GET", "/docs", ""},
		{"GET", "/metrics", ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+inner.Addr().String()+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || resp.Close {
			t.Errorf("%s %s %s: the connection is closed, %v", c.method, c.path, c.body, err)
		}
		// The server sets what holds for a resting connection after it has answered.
		var read, write time.Time
		for range 60_000 {
			l.mu.Lock()
			read, write = l.read, l.write
			l.mu.Unlock()
			if write.IsZero() && time.Until(read) > time.Minute {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if !write.IsZero() || time.Until(read) <= time.Minute {
			t.Errorf("%s %s %s: then the connection may be read until %v and written until %v, want minutes from now and ever", c.method, c.path, c.body, read, write)
		}
	}
	if l.conns != 1 {
		t.Errorf("%d connections, want 1", l.conns)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Offsets in UTF-16 are those that encoding all that stands before gives.
func TestUnits(t *testing.T) {
	for _, text := range []string{"", "ascii only", "é", "a𠀀b中文é", strings.Repeat("中文 𠀀 text ", 100), strings.Repeat("𠀀", 65), strings.Repeat("a", 63) + "中" + strings.Repeat("b", 64)} {
		u := newUnits(text)
		for i := range text { // the borders of characters
			if got, want := u.of(i), len(utf16.Encode([]rune(text[:i]))); got != want {
				t.Errorf("%.20q: byte %d is unit %d, want %d", text, i, got, want)
			}
		}
		if got, want := u.of(len(text)), len(utf16.Encode([]rune(text))); got != want || u.total != want {
			t.Errorf("%.20q: %d and %d units, want %d", text, got, u.total, want)
		}
	}
}
