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

	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/internal/parallel"
)

const (
	zkTimeout     = 10 * time.Second
	lookupTimeout = 5 * time.Second        // for a region's server and a connection to it
	longestPause  = 500 * time.Millisecond // between attempts
)

// Errors of calls that do not come from servers, and the prefix of those that do.
var (
	errUnsent = errors.New("the region does not have the row")
	errOld    = errors.New("HBase is older than 2.4: it does not say whether a condition was met")
	errJava   = errors.New("HBase says")
)

// retry repeats what failed with an error that passes.
func (s *Store) retry(passes func(error) bool) *remote.Retry {
	return &remote.Retry{Patience: s.o.Patience, Longest: longestPause, Passing: passes, Closed: s.state.Closed}
}

// do carries out ops, in no order, and repeats those that failed because of
// servers. Callers read the results only if it returns nil.
func (s *Store) do(ctx context.Context, ops []*op) error {
	retry := s.retry(passing)
	end := retry.Restart()
	for len(ops) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.round(ctx, ops, end)
		if err == nil {
			return nil
		}
		if errors.Is(err, errUnsent) {
			retry.AtOnce()
		}
		if err := retry.After(ctx, err); err != nil {
			return s.impatient(ctx, err)
		}
		ops = slices.DeleteFunc(slices.Clone(ops), func(o *op) bool { return o.err == nil })
	}
	return nil
}

// impatient adds to an error how long the store waited, if patience has ended
// rather than the context.
func (s *Store) impatient(ctx context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no server answered in %v: %w", s.o.Patience, err)
	}
	return err
}

// round sends all ops once, in calls of at most Options.Batch ops of one salt. It
// returns one of their errors, if possible one that does not pass.
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

// send sends a call. A store has at most callsAtOnce of them under way.
func (s *Store) send(call hrpc.Call) (proto.Message, error) {
	select {
	case s.slots <- struct{}{}:
	case <-call.Context().Done():
		return nil, call.Context().Err()
	}
	defer func() { <-s.slots }()
	return s.rpc.SendRPC(call)
}

// awaken reads a row of a region that a server does not have. The client then looks
// for the region and waits until it is back. It does not do so by itself, because it
// ignores the errors inside a multi.
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

// passing reports whether servers get over an error. They do, unless an exception says
// that the request makes no sense.
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

// each calls do for 0 to n-1, callsAtOnce at a time, and returns the first error in
// order.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	parallel.For(context.Background(), callsAtOnce, n, func(_, i int) { errs[i] = do(i) })
	return cmp.Or(errs...)
}

// Quiet keeps the client from writing to standard error, in the whole program.
// Failures are errors of the operations.
func Quiet() {
	logrus.SetOutput(io.Discard)
	zk.DefaultLogger = stdlog.New(io.Discard, "", 0)
}
