package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var serveAttacks = []attack{
	{"serve: judgements", "several clients post judgements of documents while the server is killed; between two servers the file of judgements is cut: every judgement that was acknowledged and not cut is listed, and a cut never damages a later one", labelsKilled},
	{"serve: documents", "clients add documents to an index of a server that is killed: every acknowledged document is found after the restart, equal texts once", addsKilled},
	{"serve: jobs", "jobs are started, cancelled and left behind by a server that is killed; too many are started: a cancelled job ends, one too many is refused, the next server begins without any", jobsKilled},
	{"serve: hostile requests", "random bytes, mutated JSON, deep nesting, wrong lengths and types, huge bodies and long ids at every route: answers of 4xx or 2xx, never 5xx, no crash, bounded memory", requestsHostile},
	{"serve: slow clients", "10,000 connections send a byte now and then or nothing: others are answered within two seconds, memory stays bounded, and the slow ones are cut off", clientsSlow},
}

// server is an alike serve that was started here.
type server struct {
	cmd    *exec.Cmd
	url    string
	ended  chan struct{}
	stderr bytes.Buffer
	client *http.Client
}

// serve starts a server and waits until it is ready.
func (a *arena) serve(ctx context.Context, args ...string) *server {
	s := &server{ended: make(chan struct{}), client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	s.cmd = exec.Command(a.alike, append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "warn", "--rate", "1e6"}, args...)...)
	s.cmd.Stderr = &s.stderr
	out := kit.Must(s.cmd.StdoutPipe())
	kit.Check(s.cmd.Start())
	line := make(chan string, 1)
	go func() {
		r := bufio.NewReader(out)
		first, _ := r.ReadString('\n')
		line <- strings.TrimSpace(first)
		io.Copy(io.Discard, r)
		s.cmd.Wait()
		close(s.ended)
	}()
	select {
	case s.url = <-line:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	if !strings.HasPrefix(s.url, "http://") {
		s.kill()
		kit.Check(fmt.Errorf("alike serve said %q: %s: %w", s.url, excerpt(s.stderr.Bytes()), cmp.Or(ctx.Err(), errors.New("no address"))))
	}
	s.url = strings.TrimSuffix(s.url, "/")
	return s
}

// kill ends the server as a crash of the machine would.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
	s.client.CloseIdleConnections()
}

// stop interrupts the server as an operator would, and checks that it ends without
// an error.
func (a *arena) stop(s *server) {
	_ = s.cmd.Process.Signal(os.Interrupt)
	select {
	case <-s.ended:
		if code := s.cmd.ProcessState.ExitCode(); code != 0 {
			a.broke("alike serve: exit code %d after an interrupt: %s", code, excerpt(s.stderr.Bytes()))
		}
	case <-time.After(30 * time.Second):
		s.kill()
		a.broke("alike serve does not end 30 s after an interrupt")
	}
	s.client.CloseIdleConnections()
	if crashed(s.stderr.Bytes()) || bytes.Contains(s.stderr.Bytes(), []byte("panic")) {
		a.broke("alike serve: %s", excerpt(s.stderr.Bytes()))
	}
}

// ask sends a request and returns the status and the answer. The error means that
// the server is gone.
func (s *server) ask(ctx context.Context, method, path string, body any) (int, []byte, error) {
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case []byte:
		in = bytes.NewReader(b)
	default:
		j, err := json.Marshal(b)
		if err != nil {
			return 0, nil, err
		}
		in = bytes.NewReader(j)
	}
	q, err := http.NewRequestWithContext(ctx, method, s.url+path, in)
	if err != nil {
		return 0, nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	r, err := s.client.Do(q)
	if err != nil {
		return 0, nil, err
	}
	defer r.Body.Close()
	out, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	return r.StatusCode, out, err
}

// resident returns the peak memory of a server in bytes, 0 if the system does not
// report it.
func (s *server) resident() int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil || runtime.GOOS != "linux" {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "VmHWM:")
	var kb int64
	fmt.Sscan(rest, &kb)
	return kb << 10
}

// judgement is what the API takes and gives.
type judgement struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Alike bool   `json:"alike"`
}

func labelsKilled(ctx context.Context, a *arena) {
	a.corpus("docs.jsonl", "doc", 200)
	const path = "/v1/labels/docs.jsonl"
	acknowledged := map[[2]string]judgement{}
	for round := range a.rounds(ctx) {
		s := a.serve(ctx, "--data", a.at("docs.jsonl"), "--labels", a.at("labels"))
		var wg sync.WaitGroup
		var mu sync.Mutex
		for client := range 6 {
			r := rand.New(rand.NewPCG(a.seed, uint64(round*6+client)))
			wg.Go(func() {
				for {
					// A client judges pairs of its own, so that the last answer is known.
					j := judgement{fmt.Sprintf("c%d-%d", client, r.IntN(400)), "other", r.IntN(2) == 0}
					status, answer, err := s.ask(ctx, "POST", path, j)
					if err != nil {
						mu.Lock()
						delete(acknowledged, [2]string{j.A, j.B}) // it may be there or not
						mu.Unlock()
						return
					}
					if status != http.StatusOK {
						a.broke("POST %s: %d: %s", path, status, excerpt(answer))
						return
					}
					mu.Lock()
					acknowledged[[2]string{j.A, j.B}] = j
					mu.Unlock()
					a.count("judgements acknowledged", 1)
				}
			})
		}
		time.Sleep(a.upTo(300 * time.Millisecond))
		s.kill()
		a.count("kills", 1)
		wg.Wait()
		// The end of the file is lost, as after a full disk or an incomplete copy.
		if files, _ := filepath.Glob(a.at("labels/*.tsv")); len(files) == 1 && round%2 == 1 {
			b := kit.Must(os.ReadFile(files[0]))
			at := max(1, len(b)-1-a.rand.IntN(min(len(b), 60)))
			kit.Check(os.WriteFile(files[0], b[:at], 0o666))
			a.count("files cut", 1)
			for line := range bytes.Lines(b[bytes.LastIndexByte(b[:at], '\n')+1:]) {
				if f := bytes.Split(line, []byte("\t")); len(f) > 2 {
					delete(acknowledged, [2]string{string(f[0]), string(f[1])})
				}
			}
		}
		a.labelsListed(ctx, path, acknowledged)
	}
}

// labelsListed starts another server, which must list all acknowledged judgements
// and accept one more.
func (a *arena) labelsListed(ctx context.Context, path string, acknowledged map[[2]string]judgement) {
	s := a.serve(ctx, "--data", a.at("docs.jsonl"), "--labels", a.at("labels"))
	defer a.stop(s)
	last := judgement{"the last", "of this round", true}
	status, answer, err := s.ask(ctx, "POST", path, last)
	if err != nil || status != http.StatusOK {
		a.broke("POST after a cut: %d: %s: %v", status, excerpt(answer), err)
		return
	}
	acknowledged[[2]string{last.A, last.B}] = last
	status, answer, err = s.ask(ctx, "GET", path, nil)
	var got struct{ Labels []judgement }
	if err == nil {
		err = json.Unmarshal(answer, &got)
	}
	if err != nil || status != http.StatusOK {
		a.broke("GET %s: %d: %s: %v", path, status, excerpt(answer), err)
		return
	}
	listed := map[[2]string]judgement{}
	for _, j := range got.Labels {
		listed[[2]string{j.A, j.B}] = j
	}
	for key, j := range acknowledged {
		if listed[key] != j {
			a.broke("the judgement %v was acknowledged, and listed is %v", j, listed[key])
			break
		}
	}
}

func addsKilled(ctx context.Context, a *arena) {
	acknowledged := map[string]string{} // id by text
	for round := range a.rounds(ctx) {
		s := a.serve(ctx, "--index", "disk:"+a.at("index"), "--create", "simhash", "-k", "3", "--data", "en")
		var wg sync.WaitGroup
		var mu sync.Mutex
		for client := range 6 {
			r := rand.New(rand.NewPCG(a.seed, uint64(round*6+client)))
			wg.Go(func() {
				for n := 0; ; n++ {
					words := make([]string, 30)
					for k := range words {
						words[k] = fmt.Sprintf("w%d", r.IntN(100_000))
					}
					id, text := fmt.Sprintf("doc-%d-%d-%d", round, client, n), strings.Join(words, " ")
					status, answer, err := s.ask(ctx, "POST", "/v1/index/add-if-new", map[string]any{"documents": []map[string]string{{"id": id, "text": text}}})
					if err != nil {
						return
					}
					if status != http.StatusOK {
						a.broke("add-if-new: %d: %s", status, excerpt(answer))
						return
					}
					mu.Lock()
					acknowledged[text] = id
					mu.Unlock()
					a.count("documents acknowledged", 1)
				}
			})
		}
		time.Sleep(a.upTo(500 * time.Millisecond))
		s.kill()
		a.count("kills", 1)
		wg.Wait()
		s = a.serve(ctx, "--index", "disk:"+a.at("index"), "--data", "en")
		n := 0
		for text, id := range acknowledged {
			status, answer, err := s.ask(ctx, "POST", "/v1/index/query", map[string]string{"text": text})
			if err != nil || status != http.StatusOK || bytes.Count(answer, []byte(`"`+id+`"`)) != 1 {
				a.broke("%s was acknowledged, and its text finds %d: %s %v", id, status, excerpt(answer), err)
				break
			}
			if n++; n == 300 {
				break // of a map, so others next time
			}
		}
		a.count("documents asked for", n)
		a.stop(s)
	}
}

func jobsKilled(ctx context.Context, a *arena) {
	a.must(ctx, "datasets", "make", "-n", "400", "--mean", "60", a.at("set"))
	type job struct{ ID, State, Error string }
	for range a.rounds(ctx) {
		s := a.serve(ctx, "--data", a.at("set"))
		ask := func(method, path string, body, into any) int {
			status, answer, err := s.ask(ctx, method, path, body)
			if err == nil && into != nil && status < 300 {
				err = json.Unmarshal(answer, into)
			}
			if err != nil || status >= 500 {
				a.broke("%s %s: %d: %s %v", method, path, status, excerpt(answer), err)
			}
			return status
		}
		var list struct{ Jobs []job }
		if ask("GET", "/v1/jobs", nil, &list); len(list.Jobs) != 0 {
			a.broke("a new server has %d jobs", len(list.Jobs))
		}
		var open []string
		refused := 0
		for range 40 {
			var j job
			switch ask("POST", "/v1/jobs/choose", map[string]any{"data": "set", "budget_seconds": 20}, &j) {
			case http.StatusAccepted:
				open = append(open, j.ID)
			case http.StatusTooManyRequests:
				refused++
			default:
				a.broke("POST /v1/jobs/choose is neither accepted nor refused")
			}
		}
		a.count("jobs", len(open))
		a.count("jobs refused", refused)
		if len(open) > 32 || refused == 0 {
			a.broke("%d jobs are open at once, want at most 32", len(open))
		}
		a.rand.Shuffle(len(open), func(i, k int) { open[i], open[k] = open[k], open[i] })
		cancelled := open[:len(open)/2]
		for _, id := range cancelled {
			ask("DELETE", "/v1/jobs/"+id, nil, nil)
		}
		ended := time.Now().Add(10 * time.Second)
		for _, id := range cancelled {
			var j job
			for j.State != "cancelled" && j.State != "done" {
				if ask("GET", "/v1/jobs/"+id, nil, &j); time.Now().After(ended) {
					a.broke("a job is %s ten seconds after it was cancelled", j.State)
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
		}
		a.count("jobs cancelled", len(cancelled))
		time.Sleep(a.upTo(time.Second))
		if a.rand.IntN(2) == 0 {
			a.stop(s)
			a.count("interrupts", 1)
		} else {
			s.kill()
			a.count("kills", 1)
		}
	}
}

// requestsHostile sends requests that no honest client would send.
func requestsHostile(ctx context.Context, a *arena) {
	a.corpus("docs.jsonl", "doc", 50)
	s := a.serve(ctx, "--data", a.at("docs.jsonl"), "--labels", a.at("labels"), "--index", "disk:"+a.at("index"), "--create", "simhash", "-k", "3")
	defer a.stop(s)
	_, spec, err := s.ask(ctx, "GET", "/openapi.json", nil)
	var api struct {
		Paths map[string]map[string]json.RawMessage
	}
	kit.Check(err)
	kit.Check(json.Unmarshal(spec, &api))
	type route struct{ method, path string }
	var routes []route
	for path, methods := range api.Paths {
		for method := range methods {
			routes = append(routes, route{strings.ToUpper(method), path})
		}
	}
	slices.SortFunc(routes, func(x, y route) int { return cmp.Or(cmp.Compare(x.path, y.path), cmp.Compare(x.method, y.method)) })
	bodies := []string{
		`{"a":"the cat sat on the mat","b":"the cat sat on a mat","methods":["shingle"],"explain":true}`,
		`{"documents":[{"id":"x","text":"one two three"}]}`, `{"text":"one two three","limit":3}`, `{"a":"x","b":"y","alike":true}`,
		`{"text":"我来到北京清华大学","features":"tokens=jieba,weights=jieba,top=20"}`, `{"texts":["a b c","a b d"],"methods":["simhash"]}`,
		`{"ids":["x"]}`, `{"data":"docs.jsonl","goal":"precision>=0.9","budget_seconds":1}`,
	}
	words := []string{"..", "%2e%2e%2f", "%00", "null", "-1", "1e308", "99999999999999999999", strings.Repeat("x", 5000), "%F0%9F%98%80", "a%09b", "docs.jsonl"}
	for range a.rounds(ctx) {
		for _, k := range routes {
			path := k.path
			for strings.Contains(path, "{") {
				before, rest, _ := strings.Cut(path, "{")
				_, after, _ := strings.Cut(rest, "}")
				path = before + words[a.rand.IntN(len(words))] + after
			}
			if a.rand.IntN(3) == 0 {
				path += "?limit=" + words[a.rand.IntN(len(words))] + "&offset=" + words[a.rand.IntN(len(words))] + "&from=" + words[a.rand.IntN(len(words))]
			}
			if strings.HasSuffix(path, "/events") {
				continue
			}
			body := []byte(bodies[a.rand.IntN(len(bodies))])
			switch a.rand.IntN(7) {
			case 0:
				for range 1 + a.rand.IntN(8) {
					body[a.rand.IntN(len(body))] = byte(a.rand.Uint32())
				}
			case 1:
				body = bytes.Replace(body, []byte(`"`), []byte(strings.Repeat(`[{"a":`, 20_000)), 1)
			case 2:
				body = bytes.Replace(body, []byte("three"), bytes.Repeat([]byte("word "), 400_000), 1) // a text beyond the limit
			case 3:
				body = bytes.Repeat([]byte{'['}, 9<<20)
			case 4:
				body = bytes.Replace(body, []byte(`"x"`), []byte(`"`+strings.Repeat("x", 100_000)+`"`), 1)
			case 5:
				body = bytes.Replace(body, []byte(":"), []byte(":"+words[a.rand.IntN(len(words))]), 1)
			}
			status, answer, err := s.ask(ctx, k.method, path, body)
			if err != nil {
				select {
				case <-s.ended:
					a.broke("%s %s ended the server: %s", k.method, path, excerpt(s.stderr.Bytes()))
					return
				default:
					if !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "pipe") && !strings.Contains(err.Error(), "EOF") {
						a.broke("%s %s: %v", k.method, path, err)
					}
					a.count("requests cut off", 1)
					continue
				}
			}
			a.count(fmt.Sprintf("answers of %dxx", status/100), 1)
			if status >= 500 && status != http.StatusServiceUnavailable && status != http.StatusGatewayTimeout {
				a.broke("%s %s with %.200q: %d: %s", k.method, path, body, status, excerpt(answer))
			}
		}
	}
	if peak := s.resident(); peak > 1<<30 {
		a.broke("the server took %d MiB, want at most 1024", peak>>20)
	} else if peak > 0 {
		a.count("MiB at most", int(peak>>20))
	}
}

func clientsSlow(ctx context.Context, a *arena) {
	s := a.serve(ctx, "--data", "en")
	defer a.stop(s)
	_, addr, _ := strings.Cut(s.url, "//")
	n := 10_000
	for range a.rounds(ctx) {
		conns := make([]net.Conn, 0, n)
		for len(conns) < n {
			c, err := net.DialTimeout("tcp", addr, 5*time.Second)
			if err != nil {
				if len(conns) < 200 {
					kit.Check(fmt.Errorf("%w: only %d connections: %w", errSkipped, len(conns), err))
				}
				break // this process may not open more
			}
			conns = append(conns, c)
		}
		a.count("slow connections", len(conns))
		stopSlow, slow := make(chan struct{}), sync.WaitGroup{}
		slow.Go(func() { // each in turn sends a byte of a request that never ends
			head := "POST /v1/compare HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{\"a\":\""
			for i := 0; ; i++ {
				for k, c := range conns {
					select {
					case <-stopSlow:
						return
					default:
					}
					if k%4 > 0 { // a quarter sends nothing at all
						at := min(i*(k%4), len(head)-1)
						if i == 0 && k%4 == 3 {
							c.Write([]byte(head)) // and some are slow in the body
						} else if k%4 < 3 {
							c.Write([]byte{head[at]})
						}
					}
				}
				time.Sleep(200 * time.Millisecond)
			}
		})
		var closed atomic.Int64
		var readers sync.WaitGroup
		for _, c := range conns {
			readers.Go(func() {
				c.SetReadDeadline(time.Now().Add(30 * time.Second))
				if _, err := io.Copy(io.Discard, c); err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
					closed.Add(1)
				}
			})
		}
		for range 20 {
			began := time.Now()
			status, _, err := s.ask(ctx, "POST", "/v1/compare", map[string]string{"a": "the cat sat", "b": "the cat sat down"})
			if took := time.Since(began); err != nil || status != http.StatusOK || took > 2*time.Second {
				a.broke("an honest request among %d slow connections: %d in %v: %v", len(conns), status, took, err)
				break
			}
			a.count("honest answers", 1)
			time.Sleep(100 * time.Millisecond)
		}
		readers.Wait()
		close(stopSlow)
		slow.Wait()
		for _, c := range conns {
			c.Close()
		}
		a.count("cut off by the server", int(closed.Load()))
		if int(closed.Load()) < len(conns) {
			a.broke("%d of %d slow connections are open after 30 s", len(conns)-int(closed.Load()), len(conns))
		}
		if peak := s.resident(); peak > 1<<30 {
			a.broke("the server took %d MiB for %d connections, want at most 1024", peak>>20, len(conns))
		}
	}
	if peak := s.resident(); peak > 0 {
		a.count("MiB at most", int(peak>>20))
	}
}
