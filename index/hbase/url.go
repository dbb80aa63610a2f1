package hbase

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Scheme is that of the URLs that Open reads.
const Scheme = "hbase"

// Open connects to the cluster whose ZooKeeper a URL names, of which some servers are given:
//
//	hbase://HOST:PORT,HOST:PORT?name=NAME&regions=16&ttl=720h
//
// Without a port it is 2181. The parameters name, regions, ttl, batch, patience, read_timeout, lease, root and user set the
// fields of Options, before those given. The error says so where no HBase answers.
func Open(ctx context.Context, rawURL string, o Options) (*Store, error) {
	rest, ok := strings.CutPrefix(rawURL, Scheme+"://")
	if !ok {
		return nil, fmt.Errorf("hbase: %q does not begin with %s://", rawURL, Scheme)
	}
	hosts, query, _ := strings.Cut(rest, "?")
	params, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("hbase: parameters %q: %w", query, err)
	}
	if err := o.take(params); err != nil {
		return nil, err
	}
	for name := range params {
		return nil, fmt.Errorf("hbase: parameter %q, want one of name, regions, ttl, batch, patience, read_timeout, lease, root and user", name)
	}
	hosts = strings.TrimSuffix(hosts, "/")
	if hosts == "" || strings.ContainsAny(hosts, "/@ ") {
		return nil, fmt.Errorf("hbase: %q names no host of ZooKeeper, want hbase://HOST:PORT", rawURL)
	}
	s, err := New(hosts, o)
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

// take moves the parameters to the fields of Options.
func (o *Options) take(params url.Values) error {
	duration := func(d *time.Duration) func(string) error {
		return func(v string) (err error) { *d, err = time.ParseDuration(v); return err }
	}
	number := func(n *int) func(string) error {
		return func(v string) (err error) { *n, err = strconv.Atoi(v); return err }
	}
	text := func(s *string) func(string) error {
		return func(v string) error { *s = v; return nil }
	}
	for name, set := range map[string]func(string) error{
		"name": text(&o.Name), "root": text(&o.Root), "user": text(&o.User),
		"regions": number(&o.Regions), "batch": number(&o.Batch),
		"ttl": duration(&o.TTL), "patience": duration(&o.Patience), "read_timeout": duration(&o.ReadTimeout), "lease": duration(&o.Lease),
	} {
		if !params.Has(name) {
			continue
		}
		if err := set(params.Get(name)); err != nil {
			return fmt.Errorf("hbase: parameter %s is %q: %w", name, params.Get(name), err)
		}
		params.Del(name)
	}
	return nil
}
