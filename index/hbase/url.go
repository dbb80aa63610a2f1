package hbase

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/alike-go/alike/index/internal/remote"
)

// Open connects to the cluster whose ZooKeeper a URL names, of which some servers are given:
//
//	hbase://HOST:PORT,HOST:PORT?name=NAME&regions=16&ttl=720h
//
// Without a port it is 2181. The parameters name, regions, ttl, batch, patience, read_timeout, lease, root and user set the
// fields of Options, before those given. The error says so where no HBase answers.
func Open(ctx context.Context, rawURL string, o Options) (*Store, error) {
	rest, ok := strings.CutPrefix(rawURL, "hbase://")
	if !ok {
		return nil, fmt.Errorf("hbase: %q does not begin with hbase://", rawURL)
	}
	hosts, query, _ := strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("hbase: parameters %q: %w", query, err)
	}
	err = remote.Take(values, map[string]any{
		"name": &o.Name, "root": &o.Root, "user": &o.User, "regions": &o.Regions, "batch": &o.Batch,
		"ttl": &o.TTL, "patience": &o.Patience, "read_timeout": &o.ReadTimeout, "lease": &o.Lease,
	})
	if err != nil {
		return nil, fmt.Errorf("hbase: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return nil, fmt.Errorf("hbase: parameter %q, want one of name, regions, ttl, batch, patience, read_timeout, lease, root and user", name)
	}
	hosts = strings.TrimSuffix(hosts, "/")
	if hosts == "" || strings.ContainsAny(hosts, "/@ ") {
		return nil, fmt.Errorf("hbase: %q names no host of ZooKeeper, want hbase://HOST:PORT", rawURL)
	}
	s, err := newStore(hosts, o)
	if err != nil {
		return nil, err
	}
	inner, stop := context.WithTimeout(ctx, min(s.o.Patience, openTimeout))
	defer stop()
	if _, err := s.master(inner); err != nil {
		_ = s.Close()
		if ctx.Err() == nil && inner.Err() != nil {
			err = fmt.Errorf("no answer in %v", min(s.o.Patience, openTimeout))
		}
		return nil, fmt.Errorf("hbase: %s: %w", hosts, err)
	}
	return s, nil
}

// openTimeout is how long ZooKeeper has to answer when a store is opened.
const openTimeout = 20 * time.Second
