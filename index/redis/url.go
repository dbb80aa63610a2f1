package redis

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/alike-go/alike/index/internal/remote"
)

// schemes are those of the URLs that Open reads. Those with two s use TLS.
var schemes = []string{"redis", "rediss", "redis+cluster", "rediss+cluster"}

// Open connects to the servers that a URL names, one or a cluster of which some nodes are given:
//
//	redis://USER:PASSWORD@HOST:PORT/DATABASE?name=NAME
//	redis+cluster://HOST:PORT,HOST:PORT?name=NAME&replicas=1
//
// Its parameters name, documents, postings, ttl, replicas, strict, patience and lease set the
// fields of Options, before those given; ca names a file of PEM certificates by which servers
// are known instead of the system's, where the scheme has two s. All others are the client's own, such
// as dial_timeout and pool_size. The error says so where no server answers.
func Open(ctx context.Context, rawURL string, o Options) (*Store, error) {
	scheme, rest, ok := strings.Cut(rawURL, "://")
	plain, cluster := strings.CutSuffix(scheme, "+cluster")
	if !ok || plain != "redis" && plain != "rediss" {
		return nil, fmt.Errorf("redis: %q begins with none of %s", rawURL, strings.Join(schemes, "://, ")+"://")
	}
	query := ""
	rest, query, _ = strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, fmt.Errorf("redis: parameters %q: %w", query, err)
	}
	values.Del("sets") // named the layout of errSets, which the header names too
	err = remote.Take(values, map[string]any{
		"name": &o.Name, "postings": &o.Postings, "ttl": &o.TTL, "replicas": &o.Replicas,
		"strict": &o.Strict, "patience": &o.Patience, "lease": &o.Lease,
		"documents": func(v string) (err error) { o.Documents, err = count(v); return err },
	})
	if err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	ca, err := takeCA(values)
	if err != nil {
		return nil, err
	}
	if ca != nil && plain != "rediss" {
		return nil, fmt.Errorf("redis: parameter ca in a URL of %s, want rediss", plain)
	}
	user, hosts := "", strings.TrimSuffix(rest, "/")
	if at := strings.LastIndexByte(hosts, '@'); at >= 0 {
		user, hosts = hosts[:at+1], hosts[at+1:]
	}
	var s *Store
	if cluster {
		all := strings.Split(hosts, ",")
		values["addr"] = append(values["addr"], all[1:]...)
		c, err := goredis.ParseClusterURL(plain + "://" + user + all[0] + "?" + values.Encode())
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		clusterOptions(c)
		if ca != nil {
			c.TLSConfig.RootCAs = ca
		}
		s, err = newStore(nil, goredis.NewClusterClient(c), o)
		if err != nil {
			return nil, err
		}
	} else {
		c, err := goredis.ParseURL(plain + "://" + user + hosts + "?" + values.Encode())
		if err != nil {
			return nil, fmt.Errorf("redis: %w", err)
		}
		clientOptions(c)
		if ca != nil {
			c.TLSConfig.RootCAs = ca
		}
		s, err = newStore(goredis.NewClient(c), nil, o)
		if err != nil {
			return nil, err
		}
	}
	if err := s.ping(ctx); err != nil {
		_ = s.Close()
		return nil, fmt.Errorf("redis: %s: %w", hosts, err)
	}
	return s, nil
}

func (s *Store) ping(ctx context.Context) error {
	if s.cluster != nil {
		return s.cluster.Ping(ctx).Err()
	}
	return s.single.Ping(ctx).Err()
}

// takeCA removes the parameter ca and returns the certificates of its file, nil where there is none.
func takeCA(values url.Values) (*x509.CertPool, error) {
	if !values.Has("ca") {
		return nil, nil
	}
	name := values.Get("ca")
	values.Del("ca")
	pem, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("redis: parameter ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("redis: parameter ca: %s holds no PEM certificate", name)
	}
	return pool, nil
}

// count reads a number of documents, which may be written 1e8.
func count(v string) (int64, error) {
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err == nil && (f < 1 || f > 1<<40) {
		err = strconv.ErrRange
	}
	return int64(f), err
}

const (
	dialTimeout = 2 * time.Second
	ioTimeout   = 5 * time.Second
	// clusterReload is how often the client asks which master has which slots; it also does
	// so after every failure. The client's own 10 seconds, and its five dials of a dead
	// server for each command, make a minute of an outage of seconds.
	clusterReload = time.Second
)

// clientOptions sets what is not set of a client so that a Store tries again itself.
func clientOptions(o *goredis.Options) {
	o.MaxRetries = -1
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	setDefault(&o.DialTimeout, dialTimeout)
	setDefault(&o.ReadTimeout, ioTimeout)
	setDefault(&o.WriteTimeout, ioTimeout)
	setDefault(&o.DialerRetries, 1)
	setDefault(&o.WriteBufferSize, 64<<10)
	setDefault(&o.ReadBufferSize, 64<<10)
}

// clusterOptions sets what is not set of a cluster's client so that a Store outlives a master
// as quickly as the cluster does.
func clusterOptions(o *goredis.ClusterOptions) {
	o.MaxRetries = -1
	o.ContextTimeoutEnabled = true
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	setDefault(&o.DialTimeout, dialTimeout)
	setDefault(&o.ReadTimeout, ioTimeout)
	setDefault(&o.WriteTimeout, ioTimeout)
	setDefault(&o.DialerRetries, 1)
	setDefault(&o.ClusterStateReloadInterval, clusterReload)
	setDefault(&o.WriteBufferSize, 64<<10)
	setDefault(&o.ReadBufferSize, 64<<10)
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Quiet keeps the client, in all of the program, from writing a line to standard error for every
// connection it does not get: what comes of it is an error of the operation.
func Quiet() { logging.Disable() }
