package redis_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
)

// random returns an entry of four random postings.
func random(rng *rand.Rand, id string) index.Entry {
	e := index.Entry{Document: index.Document{ID: id, Sketch: []byte(fmt.Sprintf("%016x", rng.Uint64()))}}
	e.Hash = index.ContentHash(string(e.Sketch))
	for table := range uint8(4) {
		e.Postings = append(e.Postings, index.Posting{Bucket: rng.Uint32(), Table: table, Word: rng.Uint64()})
	}
	slices.SortFunc(e.Postings, index.Posting.Compare)
	return e
}

// A master of three, each with a replica, is killed while writers add and a reader asks: whatever
// was acknowledged is there afterwards, and no call fails.
func TestMasterKilled(t *testing.T) {
	long(t)
	need(t, "redis-server", "redis-cli")
	running.Lock()
	nodes := startCluster(t, 3*time.Second)
	running.Unlock()
	ctx := t.Context()
	s := open(t, "redis+cluster://"+addrs(nodes), redis.Options{Documents: 20_000, Name: "fault"})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var acked []index.Entry
	var pauses []time.Duration // between two acknowledgements of a writer
	load, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	for w := range 2 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			last := time.Now()
			for n := 0; load.Err() == nil; n++ {
				var batch []index.Entry
				for i := range 50 {
					batch = append(batch, random(rng, fmt.Sprintf("%d-%d-%d", w, n, i)))
				}
				out, err := s.Add(ctx, batch, n%2 == 0)
				if err != nil {
					t.Errorf("add: %v", err)
					return
				}
				mu.Lock()
				for i, o := range out {
					batch[i].Number = o.Number
				}
				acked = append(acked, batch...)
				pauses, last = append(pauses, time.Since(last)), time.Now()
				mu.Unlock()
			}
		})
	}
	wg.Go(func() {
		rng := rand.New(rand.NewPCG(9, 9))
		for load.Err() == nil {
			mu.Lock()
			n := len(acked)
			var e index.Entry
			if n > 0 {
				e = acked[rng.IntN(n)]
			}
			mu.Unlock()
			if n == 0 {
				continue
			}
			check(t, s, e)
			time.Sleep(time.Millisecond)
		}
	})
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(acked)
	}
	eventually(t, "documents are added", func() bool { return count() >= 1000 })
	victim := -1
	for i, n := range nodes {
		c := goredis.NewClient(&goredis.Options{Addr: n.addr()})
		info, err := c.Info(ctx, "replication").Result()
		c.Close()
		if err == nil && strings.Contains(info, "role:master") {
			victim = i
			break
		}
	}
	before := count()
	nodes[victim].kill()
	killed := time.Now()
	eventually(t, "all slots have a master again", func() bool {
		c := goredis.NewClient(&goredis.Options{Addr: nodes[(victim+1)%6].addr()})
		defer c.Close()
		info, err := c.ClusterInfo(ctx).Result()
		shards, err2 := c.ClusterShards(ctx).Result()
		if err != nil || err2 != nil || !strings.Contains(info, "cluster_state:ok") {
			return false
		}
		return !slices.ContainsFunc(shards, func(s goredis.ClusterShard) bool {
			return len(s.Slots) > 0 && slices.ContainsFunc(s.Nodes, func(n goredis.Node) bool {
				return n.Role == "master" && fmt.Sprintf("%s:%d", n.IP, n.Port) == nodes[victim].addr() && n.Health == "online"
			})
		})
	})
	over := time.Since(killed)
	at := count()
	eventually(t, "documents are added again", func() bool { return count() >= at+1000 })
	stop()
	wg.Wait()
	t.Logf("%d documents before the kill, %d after; the cluster was whole again after %.1f s, the longest pause of a writer was %.1f s",
		before, len(acked)-before, over.Seconds(), slices.Max(pauses).Seconds())
	for _, e := range acked {
		check(t, s, e)
	}
	if problems, err := s.Verify(ctx); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}

// cutter passes on what a client and a server say to each other. Where it is armed, it closes the connection
// on which the next script is called when the server has answered, and keeps the answer to itself.
type cutter struct {
	net.Listener
	armed atomic.Bool
	cuts  atomic.Int64
}

func startCutter(t *testing.T, server string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{Listener: l}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			back, err := net.Dial("tcp", server)
			if err != nil {
				client.Close()
				continue
			}
			var cut atomic.Bool
			pass := func(to, from net.Conn, look func(chunk []byte) bool) {
				defer to.Close()
				defer from.Close()
				chunk := make([]byte, 1<<16)
				for {
					n, err := from.Read(chunk)
					if err != nil || !look(chunk[:n]) {
						return
					}
					if _, err := to.Write(chunk[:n]); err != nil {
						return
					}
				}
			}
			go pass(back, client, func(chunk []byte) bool {
				if bytes.Contains(chunk, []byte("evalsha")) && c.armed.CompareAndSwap(true, false) {
					cut.Store(true)
				}
				return true
			})
			go pass(client, back, func([]byte) bool {
				if cut.Load() {
					c.cuts.Add(1)
				}
				return !cut.Load()
			})
		}
	}()
	return c
}

// An Add whose connection breaks after the server has carried it out says what it did, and does it once.
func TestReplyLost(t *testing.T) {
	c := startCutter(t, single(t).addr())
	ctx := t.Context()
	for _, sets := range []bool{false, true} {
		s := open(t, "redis://"+c.Addr().String(), redis.Options{Documents: 100, Name: fmt.Sprintf("lost-%d", rand.Uint64()), Sets: sets, Patience: 2 * time.Minute})
		defer s.Close()
		if err := s.Create(ctx, []byte("header")); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(3, 3))
		add := func(batch []index.Entry, ifNew bool, want index.State) {
			t.Helper()
			out, err := s.Add(ctx, batch, ifNew)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range out {
				if o.State != want {
					t.Errorf("%s, only if new %v: %v, want %v", batch[i].ID, ifNew, o.State, want)
				}
				batch[i].Number = o.Number
				check(t, s, batch[i])
			}
		}
		add([]index.Entry{random(rng, "first")}, true, index.Added) // which gives the server the scripts
		for _, ifNew := range []bool{true, false} {
			batch := []index.Entry{random(rng, fmt.Sprint("a-", ifNew)), random(rng, fmt.Sprint("b-", ifNew))}
			before := c.cuts.Load()
			c.armed.Store(true)
			add(batch, ifNew, index.Added)
			if got := c.cuts.Load() - before; got != 1 {
				t.Fatalf("%d connections were cut, want 1", got)
			}
			add(batch, ifNew, index.Same)
		}
		if st, err := s.Stats(ctx); err != nil || st.Documents != 5 || st.Postings != 20 {
			t.Errorf("stats %+v, %v, want 5 documents with 4 postings each, none twice", st, err)
		}
	}
}

// A cluster behind one address takes documents as one that is known as such.
func TestOneDoor(t *testing.T) {
	need(t, "redis-server")
	ctx := t.Context()
	running.Lock()
	node := start(t, "--cluster-enabled", "yes")
	running.Unlock()
	c := goredis.NewClient(&goredis.Options{Addr: node.addr()})
	defer c.Close()
	if err := c.ClusterAddSlotsRange(ctx, 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the cluster is whole", func() bool {
		info, err := c.ClusterInfo(ctx).Result()
		return err == nil && strings.Contains(info, "cluster_state:ok")
	})
	s := open(t, "redis://"+node.addr(), redis.Options{Documents: 100})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	var batch []index.Entry
	for i := range 50 {
		batch = append(batch, random(rng, fmt.Sprint(i)))
	}
	for _, want := range []index.State{index.Added, index.Same} {
		out, err := s.Add(ctx, batch, true)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range out {
			if o.State != want {
				t.Errorf("%s: %v, want %v", batch[i].ID, o.State, want)
			}
			batch[i].Number = o.Number
			check(t, s, batch[i])
		}
	}
	if n, err := s.Delete(ctx, batch); n != len(batch) || err != nil {
		t.Errorf("deleted %d, %v, want %d", n, err, len(batch))
	}
}

// check fails unless an entry is there with all its postings.
func check(t *testing.T, s *redis.Store, e index.Entry) {
	t.Helper()
	docs, err := s.Documents(t.Context(), []uint64{e.Number})
	if err != nil {
		t.Errorf("documents: %v", err)
		return
	}
	if docs[0].ID != e.ID || string(docs[0].Sketch) != string(e.Sketch) {
		t.Errorf("document %d is %+v, want %s", e.Number, docs[0], e.ID)
	}
	for _, p := range e.Postings {
		numbers, err := s.Scan(t.Context(), nil, []index.Posting{p}, 0)
		if err != nil || !slices.Contains(numbers, e.Number) {
			t.Errorf("%s is missing from %+v: %v, %v", e.ID, p, numbers, err)
		}
	}
}
