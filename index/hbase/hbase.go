// Package hbase keeps an index in HBase. Many processes can add to it and query
// it at the same time.
//
// It has two tables. Rows begin with a salt, one byte of a hash of what
// follows, so that writes spread over regions. All rows of a bucket have the
// same salt, so that a bucket is one prefix scan.
//
//	NAME_postings   salt ‖ bucket ‖ table ‖ word    a column for each document, named by its number
//	NAME_documents  salt ‖ 'd' ‖ number             r: the document, x: that there is none and never will be
//	                salt ‖ 'i' ‖ id                 a column for each number that was claimed for the id
//	                salt ‖ 'h' ‖ content hash       a column for each document, and the mark of who adds one
//	                salt ‖ 'b' ‖ number             the numbers of a batch whose Add is under way or was interrupted
//	                0 ‖ 'M'                         header, layout and the last number that was given
//
// Rows are changed in batches, by HBase's multi: one per region and
// Options.Batch rows. A row that several writers may change is changed only if
// it is as it was read.
//
// # What holds
//
// What Add acknowledges is in the write-ahead log of a region server. That is
// as safe as the file system under it: HDFS keeps it in three places. While a
// region server dies and its regions move to others, operations wait, for
// Options.Patience.
//
// HBase changes one row at a time. A document is there when its row has r and
// not x, and r is written last. A writer first writes its number in the row of
// the id, and then reads the row. The writer with the greatest number wins, and
// writes x in the rows of the other numbers it has read. A writer with a
// smaller number that comes later begins again. While a document is replaced,
// the old one and the new one are both there for a moment.
//
// The row of a document ends with a checksum. A number that has postings, but
// no row and no note of its batch, was lost: Verify names it, and a query that
// meets it fails.
//
// If several processes add the same content at the same time by Index.AddIfNew,
// exactly one adds it: they meet at the row of the hash, which the first marks
// as its own. The mark of a process that died is void after Options.Lease.
// Near-duplicates that are added at the same time meet nowhere. Both are added,
// and a query finds both.
//
// It needs HBase 2.4 or later, because earlier versions of multi take no
// conditions. Kerberos is not supported.
//
// The command alike opens it by a URL. What it shares with package redis is in
// index/internal/remote.
package hbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tsuna/gohbase"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
)

// Options say how an index is laid out, which matters when it is created, and
// how its servers are talked to. The zero value is a sound default.
type Options struct {
	// Name begins the names of both tables: letters, digits, and any of "_-.",
	// the first a letter or a digit. Empty means "alike".
	Name string

	// Regions is how many regions each table begins with, 1 to 256, one or two
	// for each region server at least; HBase divides them further when they
	// grow. Zero means 8. Only Create reads it.
	Regions int

	// TTL is how long a document stays, in whole seconds by the writer's clock.
	// Zero is for ever. Only Create reads it. HBase drops what is over by
	// itself: postings an hour later, and documents another day later.
	TTL time.Duration

	// Batch is how many rows are sent to a region at a time. Zero means 1000.
	Batch int

	// Patience is how long an operation waits for servers. Zero means 2
	// minutes: that is what a cluster may take to notice that a server is gone,
	// by its zookeeper.session.timeout.
	Patience time.Duration

	// ReadTimeout is how long a server may be silent before its connection is
	// given up. Zero means 20 seconds.
	ReadTimeout time.Duration

	// Lease is how long the mark of one who adds new content keeps others from
	// it. Zero means 30 seconds. The clocks of the writers and the servers
	// should differ by less.
	Lease time.Duration

	// Root is where HBase has its nodes in ZooKeeper. Empty means "/hbase".
	Root string

	// User is the name that servers are told. Empty means "alike".
	User string
}

func (o Options) check() (Options, error) {
	o.Name = cmp.Or(o.Name, "alike")
	o.Regions = cmp.Or(o.Regions, 8)
	o.Batch = cmp.Or(o.Batch, 1000)
	o.Patience = cmp.Or(o.Patience, 2*time.Minute)
	o.ReadTimeout = cmp.Or(o.ReadTimeout, 20*time.Second)
	o.Lease = cmp.Or(o.Lease, 30*time.Second)
	o.Root = cmp.Or(o.Root, "/hbase")
	o.User = cmp.Or(o.User, "alike")
	if err := remote.CheckName("hbase", o.Name, "_-.", true); err != nil {
		return o, err
	}
	if o.Regions < 1 || o.Regions > mostSalts {
		return o, fmt.Errorf("hbase: Regions is %d, want 1 to %d", o.Regions, mostSalts)
	}
	if o.Batch < 1 || o.Batch > 1<<16 {
		return o, fmt.Errorf("hbase: Batch is %d, want 1 to %d", o.Batch, 1<<16)
	}
	if err := remote.CheckTTL("hbase", o.TTL); err != nil {
		return o, err
	}
	if o.TTL > 60*365*24*time.Hour {
		return o, fmt.Errorf("hbase: TTL is %v, want at most 60 years", o.TTL)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"Patience", o.Patience}, {"ReadTimeout", o.ReadTimeout}, {"Lease", o.Lease}} {
		if d.value < time.Second {
			return o, fmt.Errorf("hbase: %s is %v, want at least a second", d.name, d.value)
		}
	}
	return o, nil
}

// Store is an index in HBase. It is safe for concurrent use, by any number of
// processes.
type Store struct {
	o         Options
	quorum    string
	client    gohbase.Client
	rpc       gohbase.RPCClient // the same
	documents []byte            // name of the table
	postings  []byte
	state     remote.State[layout]
	slots     chan struct{} // of calls at a time

	numbers struct {
		sync.Mutex
		next, end uint64 // reserved and not given yet
	}
}

var _ index.Store = (*Store)(nil)

// callsAtOnce is how many calls a store has under way. HBase has 30 handlers a
// server unless told otherwise.
const callsAtOnce = 16

// newStore returns the store in the cluster of a ZooKeeper quorum, HOST:PORT of one
// or more, with commas. Nothing is sent yet.
func newStore(quorum string, o Options) (*Store, error) {
	o, err := o.check()
	if err != nil {
		return nil, err
	}
	c := gohbase.NewClient(quorum, gohbase.ZookeeperRoot(o.Root), gohbase.EffectiveUser(o.User), gohbase.ZookeeperTimeout(zkTimeout),
		gohbase.RegionLookupTimeout(lookupTimeout), gohbase.RegionReadTimeout(o.ReadTimeout))
	return &Store{
		o: o, state: remote.State[layout]{Backend: "hbase"}, quorum: quorum, client: c, rpc: c.(gohbase.RPCClient),
		documents: []byte(o.Name + "_documents"), postings: []byte(o.Name + "_postings"),
		slots: make(chan struct{}, callsAtOnce),
	}, nil
}

// Create makes an index under the header, with its tables.
func (s *Store) Create(ctx context.Context, header []byte) error {
	_, err := s.Header(ctx)
	if errors.Is(err, index.ErrNone) {
		l := newLayout(s.o)
		tables, longer := [][]byte{s.postings, s.documents}, []time.Duration{postingsLonger, documentsLonger}
		if err := each(len(tables), func(i int) error { return s.createTable(ctx, tables[i], l, longer[i]) }); err != nil {
			return fmt.Errorf("hbase: create tables: %w", err)
		}
		o := casOp(s.documents, metaRow, layoutColumn, nil, l.stays(put(metaRow, headerColumn, header)), l.stays(put(metaRow, layoutColumn, l.encode())),
			l.stays(put(metaRow, counterColumn, numberBytes(0))))
		err = s.do(ctx, []*op{o})
	}
	if err != nil {
		return wrapped(err)
	}
	there, err := s.Header(ctx)
	if err != nil {
		return err
	}
	if string(there) != string(header) {
		return fmt.Errorf("hbase: %w", index.ErrExists)
	}
	return nil
}

// wrapped puts the package in front of an error that does not begin with it.
func wrapped(err error) error {
	if strings.HasPrefix(err.Error(), "hbase: ") {
		return err
	}
	return fmt.Errorf("hbase: %w", err)
}

// Header returns the header.
func (s *Store) Header(ctx context.Context) ([]byte, error) {
	if err := s.state.Check(ctx); err != nil {
		return nil, err
	}
	o := getOp(s.documents, metaRow, "")
	err := s.do(ctx, []*op{o})
	if errors.Is(err, gohbase.TableNotFound) {
		return nil, fmt.Errorf("hbase: %w", index.ErrNone)
	}
	if err != nil {
		return nil, fmt.Errorf("hbase: %w", err)
	}
	stored := o.cell(layoutColumn)
	if stored == nil {
		return nil, fmt.Errorf("hbase: %w", index.ErrNone)
	}
	l, err := parseLayout(stored.Value)
	if err != nil {
		return nil, err
	}
	s.state.Learn(l)
	header := []byte{}
	if c := o.cell(headerColumn); c != nil {
		header = append(header, c.Value...)
	}
	if l.TTL > 0 {
		// An earlier version of alike wrote cells so that they would vanish. What keeps them
		// from being written again does not keep them from being read.
		_ = s.do(ctx, s.stayOps(l, o))
	}
	return header, nil
}

// stayOps writes the cells of the first row that would vanish again so that they
// stay, unless they have changed since.
func (s *Store) stayOps(l layout, o *op) (ops []*op) {
	for _, column := range []string{headerColumn, layoutColumn, counterColumn} {
		if c := o.cell(column); c != nil && c.GetTimestamp() < never {
			ops = append(ops, casOp(s.documents, metaRow, column, c.Value, l.stays(put(metaRow, column, c.Value))))
		}
	}
	return ops
}

// begin returns the layout, or an error if there is no index.
func (s *Store) begin(ctx context.Context) (layout, error) { return s.state.Begin(ctx, s.Header) }

// Serial returns false: other processes may add.
func (s *Store) Serial() bool { return false }

// Close closes the connections.
func (s *Store) Close() error {
	if s.state.Close() {
		s.client.Close()
	}
	return nil
}
