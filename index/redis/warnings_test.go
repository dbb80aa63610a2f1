package redis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// Settings that lose documents are named, and no others.
func TestWarnings(t *testing.T) {
	indextest.Need(t, "redis-server")
	const evicts, forgets = "maxmemory-policy", "neither appendonly nor save"
	for _, c := range []struct {
		name string
		args []string
		ttl  time.Duration
		want []string
	}{
		{"nothing is kept", nil, 0, []string{forgets}},
		{"append-only file", []string{"--appendonly", "yes"}, 0, nil},
		{"snapshots", []string{"--save", "3600 1"}, 0, nil},
		{"evicts all", []string{"--save", "3600 1", "--maxmemory-policy", "allkeys-lru"}, 0, []string{evicts}},
		{"evicts at a limit", []string{"--save", "3600 1", "--maxmemory-policy", "allkeys-random", "--maxmemory", "100mb"}, 0, []string{evicts}},
		{"evicts what expires", []string{"--save", "3600 1", "--maxmemory-policy", "volatile-ttl"}, 0, nil},
		{"evicts what expires, as the index does", []string{"--save", "3600 1", "--maxmemory-policy", "volatile-ttl"}, time.Hour, []string{evicts}},
		{"both", []string{"--maxmemory-policy", "allkeys-lfu"}, 0, []string{evicts, forgets}},
		{"CONFIG is forbidden", []string{"--maxmemory-policy", "allkeys-lfu", "--rename-command", "CONFIG", ""}, 0, []string{evicts}},
	} {
		t.Run(c.name, func(t *testing.T) {
			running.Lock()
			node := start(t, c.args...)
			running.Unlock()
			defer node.kill()
			s := open(t, "redis://"+node.addr(), redis.Options{Documents: 100, TTL: c.ttl})
			defer s.Close()
			if err := s.Create(t.Context(), []byte("header")); err != nil {
				t.Fatal(err)
			}
			checkWarnings(t, s, node.addr(), c.want)
		})
	}
	t.Run("cluster", func(t *testing.T) {
		nodes := cluster(t)
		s := open(t, "redis+cluster://"+addrs(nodes), redis.Options{Documents: 100, Name: "warnings"})
		defer s.Close()
		if err := s.Create(t.Context(), []byte("header")); err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, n := range nodes {
			c := goredis.NewClient(&goredis.Options{Addr: n.addr()})
			defer c.Close()
			info, err := c.Info(t.Context(), "replication").Result()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(info, "role:master") {
				last = n.addr()
			}
		}
		c := goredis.NewClient(&goredis.Options{Addr: last})
		defer c.Close()
		checkWarnings(t, s, last, []string{forgets})
		if err := c.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err(); err != nil {
			t.Fatal(err)
		}
		checkWarnings(t, s, last, []string{evicts, forgets})
		if err := c.ConfigSet(t.Context(), "maxmemory-policy", "noeviction").Err(); err != nil {
			t.Fatal(err)
		}
	})
}

// checkWarnings fails unless a store has as many warnings as want, each of which
// names the server and contains one of them.
func checkWarnings(t *testing.T, s *redis.Store, addr string, want []string) {
	t.Helper()
	got := s.Warnings(t.Context())
	if len(got) != len(want) {
		t.Errorf("warnings %q, want %q", got, want)
	}
	for _, w := range want {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, w) && strings.Contains(g, addr) }) {
			t.Errorf("warnings %q, want %q of %s", got, w, addr)
		}
	}
}
