package redis_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/docs/reliability/load"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// A master of three, each with a replica, is killed while writers add and a reader asks: whatever
// was acknowledged is there afterwards, and no call fails.
func TestMasterKilled(t *testing.T) {
	indextest.Long(t)
	indextest.Need(t, "redis-server", "redis-cli")
	running.Lock()
	nodes := startCluster(t, 3*time.Second)
	running.Unlock()
	ctx := t.Context()
	s := open(t, "redis+cluster://"+addrs(nodes), redis.Options{Documents: 20_000, Name: "fault"})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	traffic := load.StartTraffic(t, s)
	defer traffic.Stop()
	indextest.Eventually(t, "documents are added", func() bool { return traffic.Acked() >= 1000 })
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
	before := traffic.Acked()
	nodes[victim].kill()
	killed := time.Now()
	indextest.Eventually(t, "all slots have a master again", func() bool {
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
	at := traffic.Acked()
	indextest.Eventually(t, "documents are added again", func() bool { return traffic.Acked() >= at+1000 })
	traffic.Stop()
	t.Logf("%d documents before the kill, %d after; the cluster was whole again after %.1f s, the longest pause of a writer was %.1f s",
		before, traffic.Acked()-before, over.Seconds(), traffic.Pause().Seconds())
	traffic.Check()
}

// cutter passes on what a client and a server say to each other. Where scripts is
// 1, it closes the connection on which the next script is called when the server
// has answered, and keeps the answer to itself; where it is 2, the one after it.
type cutter struct {
	net.Listener
	scripts atomic.Int64 // not cut if 0
	cuts    atomic.Int64
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
				if bytes.Contains(chunk, []byte("evalsha")) && c.scripts.Load() > 0 && c.scripts.Add(-1) == 0 {
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
	s := open(t, "redis://"+c.Addr().String(), redis.Options{Documents: 100, Name: fmt.Sprintf("lost-%d", rand.Uint64()), Patience: 2 * time.Minute})
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
			indextest.Check(t, s, batch[i])
		}
	}
	add([]index.Entry{indextest.RandomEntry(rng, "first")}, true, index.Added) // which gives the server the scripts
	documents := int64(1)
	for script, name := range []string{"claim", "mark", "commit"} {
		for _, ifNew := range []bool{true, false} {
			batch := []index.Entry{indextest.RandomEntry(rng, fmt.Sprint("a-", name, ifNew)), indextest.RandomEntry(rng, fmt.Sprint("b-", name, ifNew))}
			before := c.cuts.Load()
			c.scripts.Store(int64(script + 1))
			add(batch, ifNew, index.Added)
			if got := c.cuts.Load() - before; got != 1 {
				t.Fatalf("%s: %d connections were cut, want 1", name, got)
			}
			add(batch, ifNew, index.Same)
			documents += 2
		}
	}
	// Postings whose reply was lost may be there twice, until a merge.
	if err := s.Merge(ctx); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(ctx); err != nil || int64(st.Documents) != documents || int64(st.Postings) != 4*documents {
		t.Errorf("stats %+v, %v, want %d documents with 4 postings each, none twice", st, err, documents)
	}
}

// A cluster behind one address takes documents as one that is known as such.
func TestOneDoor(t *testing.T) {
	indextest.Need(t, "redis-server")
	ctx := t.Context()
	running.Lock()
	node := start(t, "--cluster-enabled", "yes")
	running.Unlock()
	c := goredis.NewClient(&goredis.Options{Addr: node.addr()})
	defer c.Close()
	if err := c.ClusterAddSlotsRange(ctx, 0, 16383).Err(); err != nil {
		t.Fatal(err)
	}
	indextest.Eventually(t, "the cluster is whole", func() bool {
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
		batch = append(batch, indextest.RandomEntry(rng, fmt.Sprint(i)))
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
			indextest.Check(t, s, batch[i])
		}
	}
	if n, err := s.Delete(ctx, batch); n != len(batch) || err != nil {
		t.Errorf("deleted %d, %v, want %d", n, err, len(batch))
	}
}
