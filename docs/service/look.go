package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/serve"
)

// look is the state of the server at one time.
type look struct {
	cpu     time.Duration
	bounds  []float64 // seconds
	buckets []float64 // answers up to each bound
}

// look reads the server's histogram and its processor time.
func (p *process) look(ctx context.Context) (look, error) {
	var l look
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+p.addr+"/metrics", nil)
	if err != nil {
		return l, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return l, err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), `alike_request_seconds_bucket{route="POST /v1/index/query",status="2xx",le="`)
		if !ok {
			continue
		}
		bound, count, _ := strings.Cut(rest, `"} `)
		b, err1 := strconv.ParseFloat(bound, 64)
		n, err2 := strconv.ParseFloat(count, 64)
		if err1 != nil || err2 != nil {
			return l, fmt.Errorf("metrics: %q", lines.Text())
		}
		l.bounds, l.buckets = append(l.bounds, b), append(l.buckets, n)
	}
	if err := lines.Err(); err != nil {
		return l, err
	}
	if len(l.bounds) == 0 {
		return l, fmt.Errorf("no histogram of queries at /metrics, status %d", resp.StatusCode)
	}
	l.cpu, err = p.cpu()
	return l, err
}

// cpu returns the processor time of the server, which Linux reports in hundredths of a
// second.
func (p *process) cpu() (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/PID/stat: %q", b)
	}
	user, err1 := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("/proc/PID/stat: %q", b)
	}
	return time.Duration(user+system) * 10 * time.Millisecond, nil
}

// minus returns the answers since an earlier look.
func (l look) minus(o look) look {
	l.buckets = slices.Clone(l.buckets)
	for i := range l.buckets {
		l.buckets[i] -= o.buckets[i]
	}
	return l
}

// quantile returns the latency that a share q of the answers does not exceed. It
// assumes that latencies are spread evenly within a bucket.
func (l look) quantile(q float64) time.Duration {
	want := q * l.buckets[len(l.buckets)-1]
	i := slices.IndexFunc(l.buckets, func(n float64) bool { return n >= want })
	below, from := 0., 0.
	if i > 0 {
		below, from = l.buckets[i-1], l.bounds[i-1]
	}
	if math.IsInf(l.bounds[i], 1) || l.buckets[i] == below {
		return time.Duration(from * 1e9)
	}
	return time.Duration((from + (l.bounds[i]-from)*(want-below)/(l.buckets[i]-below)) * 1e9)
}

// comparisons is the number of timed comparisons. The server lets one client make twice
// as many at once.
const comparisons = 200

// compare has the server compare two texts of ten kilobytes by all default methods,
// and returns the time of each answer.
func (p *process) compare(ctx context.Context, seed uint64) ([]time.Duration, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	var a, b strings.Builder
	for word := 0; a.Len() < 10_000; word++ {
		w := fmt.Sprint("word", r.IntN(5000), " ")
		a.WriteString(w)
		if word%25 != 0 {
			b.WriteString(w)
		}
	}
	body, err := json.Marshal(serve.CompareRequest{A: a.String(), B: b.String()})
	if err != nil {
		return nil, err
	}
	var took []time.Duration
	for range comparisons {
		start := time.Now()
		r, err := http.NewRequestWithContext(ctx, "POST", "http://"+p.addr+"/v1/compare", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return nil, err
		}
		answer, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
		var got serve.CompareResponse
		if err := json.Unmarshal(answer, &got); err != nil || len(got.Methods) != len(catalog.Defaults()) {
			return nil, fmt.Errorf("compare: status %d, %v: %.300s", resp.StatusCode, err, answer)
		}
		for _, m := range got.Methods {
			if m.Score <= 0 {
				return nil, fmt.Errorf("compare: %s finds nothing in common in texts of which one lacks a word in 25", m.Method)
			}
		}
	}
	return took, nil
}

// watch samples the server's own memory every second until the returned function is
// called.
func (p *process) watch(ctx context.Context) func() []int64 {
	ctx, stop := context.WithCancel(ctx)
	var samples []int64
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			if v := p.memory(); v > 0 {
				samples = append(samples, v)
			}
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
				return
			}
		}
	})
	return func() []int64 {
		stop()
		wg.Wait()
		return samples
	}
}

// memory returns the anonymous resident bytes of the server, or 0 if they are unknown.
func (p *process) memory() int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(b), "RssAnon:")
	if !ok {
		return 0
	}
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.ParseInt(kb, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}
