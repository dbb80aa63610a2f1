package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
)

// outage is what was seen while a server of a backend was killed, by two writers that add batches of 50
// documents and a reader that asks for documents which were acknowledged.
type outage struct {
	Backend string  `json:"backend"`
	Event   string  `json:"event"`
	Before  int     `json:"before"`  // documents acknowledged before
	After   int     `json:"after"`   // and after
	Whole   float64 `json:"whole"`   // seconds until the servers said that all is served again
	Pause   float64 `json:"pause"`   // seconds, the longest between two acknowledgements of a writer
	Usual   float64 `json:"usual"`   // the median of them
	Query   float64 `json:"query"`   // seconds, the longest query
	Queries int     `json:"queries"` // of the reader
	Failed  int     `json:"failed"`  // calls that returned an error
	Lost    int     `json:"lost"`    // acknowledged documents that are not found afterwards
}

func measureOutage(ctx context.Context, l *lab) (out []record, err error) {
	for _, o := range []struct {
		backend string
		measure func(context.Context, *lab) (outage, error)
	}{{"redis cluster", redisOutage}, {"hbase", hbaseOutage}} {
		if !slices.Contains(l.backends, o.backend) {
			continue
		}
		seen, err := o.measure(ctx, l)
		if errors.Is(err, errAbsent) {
			log.Printf("%s is passed over: %v", o.backend, err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.backend, err)
		}
		log.Printf("%s: %s: whole again in %.1f s, the longest pause of a writer %.1f s, %d of %d lost", o.backend, seen.Event, seen.Whole, seen.Pause, seen.Lost, seen.Before+seen.After)
		out = append(out, record{Outage: &seen})
	}
	return out, nil
}

// redisOutage kills a master of three with a replica each.
func redisOutage(ctx context.Context, l *lab) (outage, error) {
	if !hasRedis() {
		return outage{}, fmt.Errorf("redis-server or redis-cli: %w", errAbsent)
	}
	nodes, err := l.servers.startCluster(ctx, 3, 1)
	if err != nil {
		return outage{}, err
	}
	s, err := redis.Open(ctx, "redis+cluster://"+addrs(nodes), redis.Options{Documents: 100_000, Patience: 2 * time.Minute})
	if err != nil {
		return outage{}, err
	}
	var victim *server
	kill := func() error {
		for _, n := range nodes {
			c := n.client()
			info, err := c.Info(ctx, "replication").Result()
			c.Close()
			if err == nil && strings.Contains(info, "role:master") {
				victim = n
				n.kill()
				return nil
			}
		}
		return errors.New("no master")
	}
	whole := func() bool {
		for _, n := range nodes {
			if n == victim {
				continue
			}
			c := n.client()
			info, err := c.ClusterInfo(ctx).Result()
			all, err2 := c.ClusterNodes(ctx).Result()
			c.Close()
			if err != nil || err2 != nil || !strings.Contains(info, "cluster_state:ok") {
				return false
			}
			for line := range strings.Lines(all) {
				if strings.Contains(line, victim.addr()+"@") && (!strings.Contains(line, "fail") || strings.Contains(line, "fail?")) {
					return false // it has not been noticed yet
				}
			}
		}
		return true
	}
	return watch(ctx, outage{Backend: "redis cluster", Event: "one of three masters killed, each with a replica"}, s, kill, whole)
}

// watch fills an index in a store while kill kills a server, until whole and some more.
func watch(ctx context.Context, o outage, s index.Store, kill func() error, whole func() bool) (_ outage, err error) {
	method, err := newMethod()
	if err != nil {
		return o, errors.Join(err, s.Close())
	}
	x, err := index.Create(ctx, s, method, index.Options{Threshold: threshold})
	if err != nil {
		return o, errors.Join(err, s.Close())
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	const batch = 50
	var mu sync.Mutex
	var acked []int64
	var pauses []time.Duration
	load, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		log.Printf("%s: %v", o.Backend, err)
		o.Failed++
	}
	for w := range int64(writers) {
		wg.Go(func() {
			last := time.Now()
			for from := w * batch; load.Err() == nil; from += writers * batch {
				var docs []index.Doc
				var numbers []int64
				for i := from; i < from+batch; i++ {
					docs, numbers = append(docs, (made{}).doc(i)), append(numbers, i)
				}
				// An error is no acknowledgement; the batch is not tried again here.
				if _, err := x.Add(ctx, docs); err != nil {
					fail(err)
					continue
				}
				mu.Lock()
				acked = append(acked, numbers...)
				pauses, last = append(pauses, time.Since(last)), time.Now()
				mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		for n := uint64(0); load.Err() == nil; n++ {
			mu.Lock()
			i := int64(-1)
			if len(acked) > 0 {
				i = acked[mix(n)%uint64(len(acked))]
			}
			mu.Unlock()
			if i >= 0 {
				start := time.Now()
				if got, err := x.Query(ctx, (made{}).doc(i), index.QueryOptions{}); err != nil {
					fail(err)
				} else if !holds(got, i) {
					fail(fmt.Errorf("document %d was acknowledged and is not found", i))
				}
				o.Queries, o.Query = o.Queries+1, max(o.Query, time.Since(start).Seconds())
			}
			time.Sleep(time.Millisecond)
		}
	})
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acked)
	}
	if err := eventually(ctx, "documents are added", func() bool { return count() >= 2000 }); err != nil {
		return o, err
	}
	o.Before = count()
	if err := kill(); err != nil {
		return o, err
	}
	killed := time.Now()
	if err := eventually(ctx, "all is served again", whole); err != nil {
		return o, err
	}
	o.Whole = time.Since(killed).Seconds()
	at := count()
	if err := eventually(ctx, "documents are added again", func() bool { return count() >= at+2000 }); err != nil {
		return o, err
	}
	stop()
	wg.Wait()
	o.After = len(acked) - o.Before
	slices.Sort(pauses)
	o.Pause, o.Usual = pauses[len(pauses)-1].Seconds(), pauses[len(pauses)/2].Seconds()
	for part := range slices.Chunk(acked, batchSize) {
		var docs []index.Doc
		for _, i := range part {
			docs = append(docs, (made{}).doc(i))
		}
		got, err := x.QueryBatch(ctx, docs, index.QueryOptions{})
		if err != nil {
			return o, err
		}
		for k, i := range part {
			if !holds(got[k], i) {
				o.Lost++
			}
		}
	}
	return o, nil
}

func holds(matches []index.Match, i int64) bool {
	return slices.ContainsFunc(matches, func(m index.Match) bool { return m.ID == id(i) })
}
