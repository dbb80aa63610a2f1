package hbase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/sirupsen/logrus"
	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
	"google.golang.org/protobuf/proto"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/internal/parallel"
)

const (
	zkTimeout     = 10 * time.Second
	lookupTimeout = 5 * time.Second        // for a region's server and a connection to it
	firstNap      = 10 * time.Millisecond  // before the first repetition
	longestNap    = 500 * time.Millisecond // before the later ones
)

// What comes of calls beside what servers say.
var (
	errUnsent = errors.New("the region does not have the row")
	errOld    = errors.New("HBase is older than 2.4: it does not say whether a condition was met")
	errJava   = errors.New("HBase says")
)

// do carries out ops, in no order, and repeats those that failed because of servers. What came of them
// is read only where it returns nil.
func (s *Store) do(ctx context.Context, ops []*op) error {
	nap := remote.Nap{Next: firstNap, Longest: longestNap}
	end := time.Now().Add(s.o.Patience)
	for len(ops) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.round(ctx, ops, end)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			return nil
		}
		if s.state.Closed() {
			return index.ErrClosed
		}
		if !passing(err) || !time.Now().Before(end) {
			return s.impatient(err)
		}
		if ops = slices.DeleteFunc(slices.Clone(ops), func(o *op) bool { return o.err == nil }); !errors.Is(err, errUnsent) {
			if err := nap.Take(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// impatient says how long was waited, where that is why it ended.
func (s *Store) impatient(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no server answered in %v: %w", s.o.Patience, err)
	}
	return err
}

// round sends all ops once, in calls of at most Options.Batch ops of one salt, and returns one of their errors, one that does
// not pass if there is any.
func (s *Store) round(ctx context.Context, ops []*op, end time.Time) error {
	ctx, stop := context.WithDeadline(ctx, end)
	defer stop()
	type place struct {
		table string
		salt  byte
	}
	of := map[place][]*op{}
	var places []place
	for _, o := range ops {
		p := place{string(o.table), o.row[0]}
		if of[p] == nil {
			places = append(places, p)
		}
		of[p] = append(of[p], o)
	}
	var wg sync.WaitGroup
	for _, p := range places {
		for part := range slices.Chunk(of[p], s.o.Batch) {
			wg.Go(func() {
				m := newMulti(ctx, part)
				msg, err := s.send(m)
				m.take(msg, err)
				s.awaken(ctx, part)
			})
		}
	}
	wg.Wait()
	var first error
	for _, o := range ops {
		if o.err != nil && (first == nil || passing(first) && !passing(o.err)) {
			first = o.err
		}
	}
	return first
}

// send sends a call, of which a store has some under way at a time.
func (s *Store) send(call hrpc.Call) (proto.Message, error) {
	select {
	case s.slots <- struct{}{}:
	case <-call.Context().Done():
		return nil, call.Context().Err()
	}
	defer func() { <-s.slots }()
	return s.rpc.SendRPC(call)
}

// awaken asks for a row of a region that is said not to be there, which makes the client look where it
// is, and waits until it is back: the client does not look into what multis return.
func (s *Store) awaken(ctx context.Context, ops []*op) {
	for _, o := range ops {
		if o.err == nil || !errors.Is(o.err, errJava) || !passing(o.err) {
			continue
		}
		g, err := hrpc.NewGet(ctx, o.table, o.row, hrpc.SkipBatch())
		if err != nil {
			return
		}
		g.ExistsOnly()
		_, _ = s.send(g)
		return
	}
}

// passing reports whether an error is one that servers get over. Of exceptions all are but those that say that
// the request makes no sense.
func passing(err error) bool {
	if errors.Is(err, gohbase.TableNotFound) || errors.Is(err, gohbase.ErrClientClosed) || errors.Is(err, errOld) || errors.Is(err, context.Canceled) {
		return false
	}
	return !names(err, "DoNotRetryIOException", "NoSuchColumnFamilyException", "TableNotFoundException", "TableNotEnabledException", "AccessDeniedException",
		"IllegalArgumentException", "UnsupportedOperationException", "FatalConnectionException", "InvalidProtocolBufferException")
}

// names reports whether an error names one of some classes of exceptions.
func names(err error, classes ...string) bool {
	text := err.Error()
	return slices.ContainsFunc(classes, func(class string) bool { return strings.Contains(text, class) })
}

// each calls do for all of n, callsAtOnce at a time, and returns the first error in order.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	parallel.For(context.Background(), callsAtOnce, n, func(_, i int) { errs[i] = do(i) })
	return cmp.Or(errs...)
}

// Quiet keeps the client, in all of the program, from writing to standard error: what comes of failures is an
// error of the operation.
func Quiet() {
	logrus.SetOutput(io.Discard)
	zk.DefaultLogger = stdlog.New(io.Discard, "", 0)
}
