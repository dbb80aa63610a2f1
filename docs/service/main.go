// Command service measures alike serve under load: it sends queries to an index of
// fingerprints at a constant rate and prints the latencies.
//
//	go run ./docs/service                                  1 million fingerprints, 2,000 requests a second, 30 s
//	go run ./docs/service -quick                           a few seconds, answers checked
//	go run ./docs/service -soak 10m -write docs/service.md
//
// The index is made in a temporary folder. The server is a process of its own with
// one thread (GOMAXPROCS=1), on another core than this one if there are two.
//
// Requests are sent when they are due, whether or not earlier ones are answered (an
// open loop), and a latency counts from the time a request was due. So a late answer
// delays the latencies behind it and is not hidden by requests that were never sent
// (coordinated omission). One loop over epoll sends and receives and parses as
// little as it can, because it shares the machine with the server it measures.
//
// A third of the requests are fingerprints within three bits of a stored one; their
// answers are checked. A third are fingerprints near none, a third are texts of a
// kilobyte. Afterwards some comparisons of two texts are timed, one after the other.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/eval"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/internal/durable"
	"github.com/alike-go/alike/serve"
)

type settings struct {
	docs, rate, conns int
	length, soak      time.Duration
	quick             bool
	write, server     string
	profile           string
	seed              uint64
}

func main() {
	var s settings
	flag.IntVar(&s.docs, "docs", 1_000_000, "fingerprints in the index")
	flag.IntVar(&s.rate, "rate", 2000, "requests a second")
	flag.IntVar(&s.conns, "conns", 32, "connections")
	flag.DurationVar(&s.length, "for", 30*time.Second, "how long to ask")
	flag.DurationVar(&s.soak, "soak", 0, "how long to ask, instead of -for, to see whether memory stays")
	flag.BoolVar(&s.quick, "quick", false, "20,000 fingerprints, 500 requests a second, 3 seconds: whether it works")
	flag.StringVar(&s.write, "write", "", "put the figures into `PAGE`, between <!-- load --> and <!-- end -->")
	flag.Uint64Var(&s.seed, "seed", 1, "of fingerprints and requests")
	flag.StringVar(&s.server, "server", "", "be the server, of the index in `DIR`")
	flag.StringVar(&s.profile, "profile", "", "write a profile of the server's processor time to `FILE`")
	flag.Parse()
	if s.quick {
		s.docs, s.rate, s.length = 20_000, 500, 3*time.Second
	}
	if s.soak > 0 {
		s.length = s.soak
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	run := s.run
	if s.server != "" {
		run = s.serve
	}
	if err := run(ctx); err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted") // whatever broke with it
		}
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(2)
	}
}

// The index holds fingerprints of 64 bits, found within 3 bits, as in the literature on
// crawling.
const (
	method   = "simhash"
	distance = 3
)

// serve runs the server process.
func (s *settings) serve(ctx context.Context) error {
	store, err := disk.Open(ctx, s.server, disk.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	m, err := catalog.Parse(method)
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, store, m)
	if err != nil {
		return err
	}
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
	}
	serve.TuneMemory()
	server, err := serve.New(serve.Options{Index: x, Log: slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	return server.Serve(ctx, l)
}

// request is a request ready to be sent, and what its answer must contain.
type request struct {
	bytes []byte
	want  []byte // nil if the answer is not known
	none  bool   // the answer has no match
}

func (s *settings) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "alike-load-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(os.Stderr, "load: index of %d fingerprints\n", s.docs)
	requests, err := s.fill(ctx, dir)
	if err != nil {
		return err
	}
	p, err := s.startServer(dir)
	if err != nil {
		return err
	}
	defer p.kill()
	fmt.Fprintf(os.Stderr, "load: %d requests a second for %v\n", s.rate, s.length)
	// Wait until the heap has reached its steady size and all caches are warm.
	warm := min(20*time.Second, s.length/3)
	if _, err := ask(ctx, p.addr, requests, s.rate, s.conns, warm); err != nil {
		return err
	}
	before, err := p.look(ctx)
	if err != nil {
		return err
	}
	memory := p.watch(ctx)
	o, err := ask(ctx, p.addr, requests, s.rate, s.conns, s.length)
	if err != nil {
		return err
	}
	samples := memory()
	after, err := p.look(ctx)
	if err != nil {
		return err
	}
	compared, err := p.compare(ctx, s.seed)
	if err != nil {
		return err
	}
	if err := p.end(); err != nil {
		return err
	}
	page := s.report(o, before, after, samples, compared)
	fmt.Print(page)
	if o.wrong > 0 {
		return fmt.Errorf("%d answers of %d are wrong, the first: %s", o.wrong, len(o.latencies), o.first)
	}
	if s.write != "" {
		return write(s.write, page)
	}
	return nil
}

// fill makes the index and the requests.
func (s *settings) fill(ctx context.Context, dir string) ([]request, error) {
	m, err := catalog.Parse(method)
	if err != nil {
		return nil, err
	}
	threshold, err := catalog.ScoreAt(m, distance)
	if err != nil {
		return nil, err
	}
	store, err := disk.Open(ctx, dir, disk.Options{})
	if err != nil {
		return nil, err
	}
	x, err := index.Create(ctx, store, m, index.Options{Threshold: threshold})
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	r := rand.New(rand.NewPCG(s.seed, 0))
	prints := make([]uint64, s.docs)
	for i := range prints {
		prints[i] = r.Uint64() | 1 // 0 is no fingerprint
	}
	i := 0
	_, _, err = x.Load(ctx, func() (index.Doc, bool, error) {
		if i == len(prints) {
			return index.Doc{}, false, ctx.Err()
		}
		i++
		return index.Doc{ID: fmt.Sprintf("doc-%d", i-1), Sketch: binary.BigEndian.AppendUint64(nil, prints[i-1]), Time: 1}, true, nil
	})
	if err = errors.Join(err, x.Close()); err != nil {
		return nil, err
	}
	known := make(map[uint64]bool, len(prints))
	for _, p := range prints {
		known[p] = true
	}
	var out []request
	for range 2000 {
		n := r.IntN(len(prints))
		near := prints[n]
		for range r.IntN(distance + 1) {
			near ^= 1 << (1 + r.IntN(63))
		}
		// The nearest of a million random fingerprints is some 13 bits away. One within 3
		// bits has a chance of 10^-9.
		far := r.Uint64() | 1
		out = append(out,
			request{bytes: post(fmt.Sprintf(`{"sketch":%q}`, sketch(near))), want: fmt.Appendf(nil, `"id":"doc-%d"`, n)},
			request{bytes: post(fmt.Sprintf(`{"sketch":%q}`, sketch(far))), none: true},
			request{bytes: post(fmt.Sprintf(`{"text":%q}`, text(r)))})
	}
	return out, nil
}

func sketch(v uint64) string {
	return base64.StdEncoding.EncodeToString(binary.BigEndian.AppendUint64(nil, v))
}

// text returns a kilobyte of words.
func text(r *rand.Rand) string {
	var b strings.Builder
	for b.Len() < 1000 {
		b.WriteString("word")
		fmt.Fprint(&b, r.IntN(5000), " ")
	}
	return b.String()
}

// post returns a request as it goes over the wire.
func post(body string) []byte {
	return fmt.Appendf(nil, "POST /v1/index/query HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// outcome is the result of a run.
type outcome struct {
	latencies []time.Duration // from the time that a request was due
	late      []time.Duration // how long after that time it was sent
	wrong     int
	first     string // wrong answer
	reopened  int    // connections that the server had closed
}

// check checks an answer with its headers.
func (o *outcome) check(r *request, answer []byte) {
	head, body, _ := bytes.Cut(answer, []byte("\r\n\r\n"))
	good := bytes.HasPrefix(head, []byte("HTTP/1.1 200 ")) && bytes.HasPrefix(body, []byte(`{"matches":[`))
	good = good && (r.want == nil || bytes.Contains(body, r.want))
	good = good && (!r.none || bytes.HasPrefix(body, []byte(`{"matches":[]`)))
	if !good {
		if o.wrong == 0 {
			o.first = fmt.Sprintf("%q for %q", answer[:min(len(answer), 500)], r.bytes[:min(len(r.bytes), 300)])
		}
		o.wrong++
	}
}

// process is the server's process.
type process struct {
	cmd  *exec.Cmd
	addr string
}

func (s *settings) startServer(dir string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(self, "-server", dir, "-profile", s.profile)}
	p.cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := startApart(p.cmd); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("the server did not start: %w", err)
	}
	p.addr = strings.TrimSpace(line)
	return p, nil
}

func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	}
}

// end asks the server to shut down and waits for it.
func (p *process) end() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("the server: %w", err)
	}
	return nil
}

// quantile returns the value that a share q of the values does not exceed.
func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}

// report returns the figures as Markdown.
func (s *settings) report(o *outcome, before, after look, samples []int64, compared []time.Duration) string {
	slices.Sort(compared)
	slices.Sort(o.latencies)
	slices.Sort(o.late)
	var b strings.Builder
	m := eval.ThisMachine()
	fmt.Fprintf(&b, "An index on disk of %d SimHash fingerprints of 64 bits, found within %d; %d requests a second for %v over %d connections, %d in all.\n", s.docs, distance, s.rate, s.length, s.conns, len(o.latencies))
	fmt.Fprintf(&b, "%s, %d cores, %s, %s; the server with GOMAXPROCS=1.\n\n", m.CPU, runtime.NumCPU(), m.Go, time.Now().UTC().Format(time.DateOnly))
	ms := func(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()*1e3) }
	fmt.Fprintf(&b, "| milliseconds | p50 | p90 | p99 | p99.9 | max |\n|---|---:|---:|---:|---:|---:|\n")
	row := func(what string, v []time.Duration) {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", what, ms(quantile(v, .5)), ms(quantile(v, .9)), ms(quantile(v, .99)), ms(quantile(v, .999)), ms(quantile(v, 1)))
	}
	row("answer, seen by the client from when its request was due", o.latencies)
	h := after.minus(before)
	fmt.Fprintf(&b, "| in the server, by its own histogram | %s | %s | %s | %s | |\n", ms(h.quantile(.5)), ms(h.quantile(.9)), ms(h.quantile(.99)), ms(h.quantile(.999)))
	row("request sent late by this generator", o.late)
	row(fmt.Sprintf("afterwards, %d comparisons of two texts of 10 kB by the %d methods, one behind the other", len(compared), len(catalog.Defaults())), compared)
	cpu := after.cpu - before.cpu
	fmt.Fprintf(&b, "\nThe server takes %.0f µs of its core a request (%.0f%% of it)", float64(cpu.Microseconds())/float64(len(o.latencies)), 100*cpu.Seconds()/s.length.Seconds())
	if len(samples) > 0 {
		fmt.Fprintf(&b, " and %.1f MB of memory at the start, %.1f in the middle, %.1f at the end, at most %.1f; the mapped index is not counted", mb(samples[0]), mb(samples[len(samples)/2]), mb(samples[len(samples)-1]), mb(slices.Max(samples)))
	}
	b.WriteString(".\n")
	return b.String()
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }

// write puts figures between the marks of a page.
func write(name, figures string) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	const from, to = "<!-- load -->\n", "<!-- end -->"
	head, rest, ok := strings.Cut(string(page), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		return fmt.Errorf("%s: no %q and %q behind it", name, strings.TrimSpace(from), to)
	}
	return durable.Replace(name, []byte(head+from+"\n"+figures+"\n"+to+tail))
}
