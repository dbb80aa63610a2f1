// Package redis keeps an index in Redis, on one server or in a cluster. Many
// processes can add to it and query it at the same time.
//
// Postings lie in packed strings, one for each group of buckets: the bucket and
// its table are mixed one to one into 40 bits. The top bits name the string, and
// the others stand in a record of 16 bytes with the word and the number. Adding is
// APPEND, and scanning is GET. Redis gives a growing string spare room; Merge
// writes it anew without. Documents lie with their ids in hashes of at most 32,
// small enough that Redis keeps them in one piece. Options.Documents sizes both.
// An index with ten times as many documents still works, with larger strings.
//
//	NAME:meta   header and layout
//	NAME:{g}p   the postings of group g
//	NAME:{s}d   of shard s: ids and documents, how many there are, the last number
//	            that was given, and the last that a merge has closed
//	NAME:{s}h   of shard s: content hashes
//
// # What holds
//
// What Add acknowledges is kept as the server keeps it: by its settings for
// append-only files and snapshots, and by Options.Replicas, the replicas that
// have it before Add returns: one in a cluster. So a master that dies loses
// nothing acknowledged. A network that splits may: a master that has lost its
// replicas goes on alone unless Options.Strict is set. While a cluster fails
// over, operations keep trying for Options.Patience.
//
// The row of a document ends with a checksum, and each hash counts its
// documents. So Verify finds keys that were evicted and rows that were changed,
// and a query that meets a posting of a lost document fails.
//
// A batch can be repeated without harm. Add claims a place for each document,
// writes its postings and then its row, so nobody sees what an interrupted
// batch has left, and Merge removes it. Merge runs beside readers and writers.
// An Add that it overtakes begins again by itself.
//
// If several processes add the same content at the same time by Index.AddIfNew,
// exactly one adds it: they meet at the hash of the content, which the first
// marks as its own. The mark of a process that died is void after
// Options.Lease. Near-duplicates that are added at the same time meet nowhere.
// Both are added, and a query finds both.
//
// The command alike opens it by a URL. What it shares with package hbase is in
// index/internal/remote.
package redis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// Options say how an index is laid out, which matters when it is created, and
// how its servers are talked to. The zero value is a sound default.
type Options struct {
	// Name begins all keys of the index: letters, digits, and any of ".:_-".
	// Empty means "alike".
	Name string

	// Documents is how many documents are expected. Zero means a million. Only
	// Create reads it.
	Documents int64

	// Postings is how many postings a document is expected to have. Zero means 4. Only
	// Create reads it.
	Postings int

	// TTL is how long a document stays, in whole seconds by the writer's clock.
	// Zero is for ever. Only Create reads it. Postings of groups that nobody
	// writes to vanish by themselves, the rest of what is over is removed by
	// Merge.
	TTL time.Duration

	// Replicas is how many replicas have what was acknowledged. Zero means 1 in
	// a cluster and none otherwise, -1 none.
	Replicas int

	// Strict refuses to write while a master has fewer replicas than Replicas.
	Strict bool

	// ReplicaWait is how long replicas are waited for at a time. Zero means a second.
	ReplicaWait time.Duration

	// Patience is how long an operation goes on trying while servers fail. Zero
	// means 30 seconds, negative not at all.
	Patience time.Duration

	// Lease is how long the mark of a process that adds new content keeps others
	// from it. Zero means 30 seconds.
	Lease time.Duration
}

func (o Options) check() (Options, error) {
	o.Name = cmp.Or(o.Name, "alike")
	o.Documents = cmp.Or(o.Documents, 1_000_000)
	o.Postings = cmp.Or(o.Postings, 4)
	o.ReplicaWait = cmp.Or(o.ReplicaWait, time.Second)
	o.Patience = cmp.Or(o.Patience, 30*time.Second)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	if err := cmp.Or(remote.CheckName("redis", o.Name, ".:_-", false), remote.CheckTTL("redis", o.TTL)); err != nil {
		return o, err
	}
	if o.Documents < 1 || o.Documents > 1<<40 {
		return o, fmt.Errorf("redis: Documents is %d, want 1 to %d", o.Documents, int64(1)<<40)
	}
	if o.Postings < 1 || o.Postings > 1<<16 {
		return o, fmt.Errorf("redis: Postings is %d, want 1 to %d", o.Postings, 1<<16)
	}
	if o.Replicas < -1 {
		return o, fmt.Errorf("redis: Replicas is %d, want -1 or more", o.Replicas)
	}
	if o.ReplicaWait < time.Millisecond || o.ReplicaWait > 2*time.Second {
		return o, fmt.Errorf("redis: ReplicaWait is %v, want a millisecond to two seconds", o.ReplicaWait)
	}
	if o.Lease < time.Second {
		return o, fmt.Errorf("redis: Lease is %v, want at least a second", o.Lease)
	}
	return o, nil
}

// Store is an index in Redis. It is safe for concurrent use, by any number of
// processes.
type Store struct {
	o       Options
	single  *goredis.Client        // or else
	cluster *goredis.ClusterClient // this
	state   remote.State[layout]
	slots   atomic.Bool    // the one server turns out to be the door of a cluster
	few     sync.Map       // by client, of masters with too few replicas
	sending sync.WaitGroup // of what was sent and perhaps given up
}

var _ index.Store = (*Store)(nil)

// newStore returns the store of a single server or of a cluster. Close closes the
// client.
func newStore(single *goredis.Client, cluster *goredis.ClusterClient, o Options) (*Store, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	if o.Replicas == 0 && cluster != nil {
		o.Replicas = 1
	}
	return &Store{o: o, single: single, cluster: cluster, state: remote.State[layout]{Backend: "redis"}}, nil
}

// Create makes an index under the header.
func (s *Store) Create(ctx context.Context, header []byte) error {
	if err := s.state.Check(ctx); err != nil {
		return err
	}
	l := newLayout(s.o)
	c := evalKeys(ctx, createScript, []string{l.metaKey()}, header, l.encode())
	if err := s.do(ctx, []op{c}, true); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	there, err := c.StringSlice()
	if err != nil || len(there) != 2 {
		return fmt.Errorf("redis: create: reply %v, %v", there, err)
	}
	if there[0] != string(header) {
		return fmt.Errorf("redis: %w", index.ErrExists)
	}
	return s.learn(there[1])
}

// Header returns the header.
func (s *Store) Header(ctx context.Context) ([]byte, error) {
	if err := s.state.Check(ctx); err != nil {
		return nil, err
	}
	c := goredis.NewSliceCmd(ctx, "hmget", newLayout(s.o).metaKey(), "header", "layout")
	if err := s.do(ctx, []op{c}, false); err != nil {
		return nil, fmt.Errorf("redis: %w", err)
	}
	header, ok := c.Val()[0].(string)
	layout, ok2 := c.Val()[1].(string)
	if !ok || !ok2 {
		return nil, fmt.Errorf("redis: %w", index.ErrNone)
	}
	return []byte(header), s.learn(layout)
}

// learn keeps the layout that was stored.
func (s *Store) learn(stored string) error {
	l, err := parseLayout([]byte(stored), s.o.Name)
	if err == nil {
		s.state.Learn(l)
	}
	return err
}

// begin returns the layout. It returns an error if there is no index, or if the
// index has a layout that is only exported.
func (s *Store) begin(ctx context.Context) (layout, error) {
	l, err := s.beginExport(ctx)
	if err == nil && l.Sets {
		err = errSets
	}
	return l, err
}

// beginExport is begin for what an export reads: the header and the documents.
func (s *Store) beginExport(ctx context.Context) (layout, error) {
	return s.state.Begin(ctx, s.Header)
}

// Serial returns false: other processes may add.
func (s *Store) Serial() bool { return false }

// Close closes the connections. It waits for cancelled operations that are
// still under way.
func (s *Store) Close() error {
	if !s.state.Close() {
		return nil
	}
	s.sending.Wait()
	var err error
	if s.cluster != nil {
		err = s.cluster.Close()
	} else {
		err = s.single.Close()
	}
	if err != nil && !errors.Is(err, goredis.ErrClosed) {
		return fmt.Errorf("redis: close: %w", err)
	}
	return nil
}
