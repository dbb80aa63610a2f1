package redis

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
)

var _ index.Warner = (*Store)(nil)

// Warnings says which settings of the servers lose documents: a policy that evicts
// keys of the index, and neither an append-only file nor snapshots. It asks all
// masters of a cluster. It skips settings that a server does not return, because a
// managed service may forbid CONFIG and INFO.
func (s *Store) Warnings(ctx context.Context) []string {
	l, err := s.begin(ctx)
	if err != nil {
		return nil
	}
	var mu sync.Mutex
	servers := map[string][]string{} // by what is wrong
	ask := func(ctx context.Context, c *goredis.Client) error {
		for _, w := range warningsOf(ctx, c, l.TTL > 0) {
			mu.Lock()
			servers[w] = append(servers[w], c.Options().Addr)
			mu.Unlock()
		}
		return nil
	}
	if s.cluster != nil {
		_ = s.cluster.ForEachMaster(ctx, ask)
	} else {
		_ = ask(ctx, s.single)
	}
	var all []string
	for w, addrs := range servers {
		slices.Sort(addrs)
		all = append(all, fmt.Sprintf("redis: %s: %s", strings.Join(addrs, ", "), w))
	}
	slices.Sort(all)
	return all
}

// warningsOf returns what is wrong with the settings of a server. expires says
// whether the keys of the index expire.
func warningsOf(ctx context.Context, c *goredis.Client, expires bool) []string {
	var all []string
	info := infoOf(ctx, c, "memory")
	// Policies volatile-... evict only keys that expire.
	policy := info["maxmemory_policy"]
	if strings.HasPrefix(policy, "allkeys-") || strings.HasPrefix(policy, "volatile-") && expires {
		limit := "as soon as maxmemory is set"
		if info["maxmemory"] != "0" {
			limit = "when it reaches maxmemory"
		}
		all = append(all, fmt.Sprintf("maxmemory-policy is %s, so that the server drops documents %s; want noeviction", policy, limit))
	}
	if infoOf(ctx, c, "persistence")["aof_enabled"] == "0" {
		if config, err := c.ConfigGet(ctx, "save").Result(); err == nil && config["save"] == "" {
			all = append(all, "neither appendonly nor save is on, so that a restart of the server loses all documents")
		}
	}
	return all
}

// infoOf returns a section of INFO, or nothing if the server does not return it.
func infoOf(ctx context.Context, c *goredis.Client, section string) map[string]string {
	text, err := c.Info(ctx, section).Result()
	if err != nil {
		return nil
	}
	info := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			info[name] = value
		}
	}
	return info
}
