package redis

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index/internal/remote"
)

// op is a command for the server that has its first key.
type op = goredis.Cmder

// keyAt is the place of the first key among the arguments of a command.
var keyAt = map[string]int8{"evalsha": 3, "memory": 2}

// keyOf returns the first key of a command.
func keyOf(o op) string { return o.Args()[max(1, keyAt[o.Name()])].(string) }

// evalKeys returns the call of a script on keys of one slot.
func evalKeys(ctx context.Context, s *goredis.Script, keys []string, args ...any) *goredis.Cmd {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, "evalsha", s.Hash(), len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	c := goredis.NewCmd(ctx, append(all, args...)...)
	c.SetFirstKeyPos(keyAt["evalsha"])
	return c
}

// ask carries out n commands and returns them.
func ask[C op](ctx context.Context, s *Store, n int, write bool, command func(i int) C) ([]C, error) {
	ops, commands := make([]op, n), make([]C, n)
	for i := range n {
		commands[i] = command(i)
		ops[i] = commands[i]
	}
	return commands, s.do(ctx, ops, write)
}

// bySlot reports whether a script may touch keys of one slot only.
func (s *Store) bySlot() bool { return s.cluster != nil || s.slots.Load() }

// calls is one script called for several things, some at a time.
type calls struct {
	each []*goredis.Cmd
	of   [][]int // by call, the things it is for
}

// atomically is the maximum number of things of a call: enough that the call itself
// costs little, and few enough that other clients do not wait long.
const atomically = 32

// callEach prepares the calls of a script for n things, each with a key. In a
// cluster, all things of a call have the same key. The arguments of a call are
// first, and then what args appends for each thing.
func (s *Store) callEach(ctx context.Context, sc *goredis.Script, n int, key func(i int) string, args func(dst []any, i int) []any, first ...any) calls {
	var c calls
	if !s.bySlot() {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		c.of = slices.Collect(slices.Chunk(all, atomically))
	} else {
		last := make(map[string]int, n) // by key, the call that has room
		for i := range n {
			at, ok := last[key(i)]
			if !ok || len(c.of[at]) == atomically {
				at = len(c.of)
				c.of, last[key(i)] = append(c.of, nil), at
			}
			c.of[at] = append(c.of[at], i)
		}
	}
	for _, of := range c.of {
		keys := make([]string, len(of))
		all := append(make([]any, 0, len(first)+3*len(of)), first...)
		for k, i := range of {
			keys[k], all = key(i), args(all, i)
		}
		c.each = append(c.each, evalKeys(ctx, sc, keys, all...))
	}
	return c
}

func (c calls) appendOps(ops []op) []op {
	for _, call := range c.each {
		ops = append(ops, call)
	}
	return ops
}

const (
	atOnce       = 8192                   // commands in a pipeline, between which the context is asked
	longestPause = 200 * time.Millisecond // between attempts
)

// Errors that a cluster may get over.
var (
	errReplicas = errors.New("too few replicas have it")
	errNoMaster = errors.New("no master is known")
	errUnsent   = errors.New("not sent")
)

// do carries out commands, each on the server of its key and in order on each
// server, and repeats those that failed because of the servers. Callers read the
// values of the commands only if it returns nil. If write is true,
// Options.Replicas replicas have the changes at the end.
func (s *Store) do(ctx context.Context, ops []op, write bool) error {
	for len(ops) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(ops), atOnce)
		if err := s.persist(ctx, ops[:n], write); err != nil {
			return err
		}
		ops = ops[n:]
	}
	return nil
}

// persist is do for a pipeline's worth of commands.
func (s *Store) persist(ctx context.Context, ops []op, write bool) error {
	retry := remote.Retry{Patience: s.o.Patience, Longest: longestPause, Passing: passing, Closed: s.state.Closed}
	for {
		var err error
		if ops, err = s.round(ctx, ops, write); err == nil {
			return nil
		}
		if s.cluster != nil {
			s.cluster.ReloadState(ctx)
		}
		if err := retry.After(ctx, err); err != nil {
			return err
		}
	}
}

// group are the commands for one server.
type group struct {
	node *goredis.Client
	ops  []op
	left []op
	err  error
}

// round sends all commands once, and returns those that failed with one of
// their errors.
func (s *Store) round(ctx context.Context, ops []op, write bool) ([]op, error) {
	groups, left, err := s.groups(ctx, ops)
	if len(groups) == 0 {
		return left, err
	}
	done := make(chan *group, len(groups))
	for _, g := range groups {
		// In a goroutine, because a server that hangs ignores the context.
		s.sending.Go(func() {
			g.send(ctx, s, write)
			done <- g
		})
	}
	for range groups {
		select {
		case g := <-done:
			if left = append(left, g.left...); g.err != nil && (err == nil || passing(err)) {
				err = g.err
			}
		case <-ctx.Done():
			return ops, ctx.Err()
		}
	}
	return left, err
}

// groups divides commands by server. It returns in left those without a known
// server.
func (s *Store) groups(ctx context.Context, ops []op) (groups []*group, left []op, err error) {
	if s.single != nil {
		return []*group{{node: s.single, ops: ops}}, nil, nil
	}
	at := map[*goredis.Client]*group{}
	for _, o := range ops {
		node, e := s.cluster.MasterForKey(ctx, keyOf(o))
		if e != nil {
			left, err = append(left, o), fmt.Errorf("%w: %w", errNoMaster, e)
			continue
		}
		g := at[node]
		if g == nil {
			g = &group{node: node}
			at[node] = g
			groups = append(groups, g)
		}
		g.ops = append(g.ops, o)
	}
	return groups, left, err
}

// send carries out the commands of a group in one pipeline, which waits for
// replicas on the same connection: a server knows for each how far it wrote.
func (g *group) send(ctx context.Context, s *Store, write bool) {
	want := 0
	if write && s.o.Replicas > 0 {
		want = s.wanted(ctx, g.node)
	}
	pipe := g.node.Pipeline()
	for _, o := range g.ops {
		// The client leaves commands as they are if it gets no connection.
		o.SetErr(errUnsent)
		_ = pipe.Process(ctx, o)
	}
	var wait *goredis.IntCmd
	if want > 0 {
		wait = goredis.NewIntCmd(ctx, "wait", want, s.o.ReplicaWait.Milliseconds())
		wait.SetErr(errUnsent)
		_ = pipe.Process(ctx, wait)
	}
	_, err := pipe.Exec(ctx)
	lacking := false
	for _, o := range g.ops {
		e := o.Err()
		if e == nil || errors.Is(e, goredis.Nil) {
			continue
		}
		if e == errUnsent && err != nil {
			e = err
		}
		lacking = lacking || goredis.HasErrorPrefix(e, "NOSCRIPT")
		if g.left = append(g.left, o); g.err == nil || passing(g.err) {
			g.err = e
		}
	}
	if lacking {
		for _, script := range scripts {
			if e := script.Load(ctx, g.node).Err(); e != nil {
				g.err = e
				return
			}
		}
	}
	if wait == nil || len(g.left) == len(g.ops) {
		return
	}
	if e := wait.Err(); e != nil {
		g.left, g.err = g.ops, errors.Join(e, err)
		return
	}
	if got := int(wait.Val()); got < want && (s.o.Strict || got < s.lonely(ctx, g.node)) {
		g.left, g.err = g.ops, fmt.Errorf("%w: %d of %d", errReplicas, got, want)
	}
}

// few says that a master had too few replicas.
type few struct {
	replicas int
	until    time.Time // when to ask it again
}

// wanted returns how many replicas a master must wait for: Options.Replicas, or as
// many as it has. Waiting for a missing one would take ReplicaWait each time.
func (s *Store) wanted(ctx context.Context, node *goredis.Client) int {
	if f, ok := s.few.Load(node); ok && !s.o.Strict {
		if f := f.(few); time.Now().Before(f.until) {
			return f.replicas
		}
		return s.lonely(ctx, node)
	}
	return s.o.Replicas
}

// lonely returns how many replicas a master must wait for. If they are too few, it
// remembers that for a second.
func (s *Store) lonely(ctx context.Context, node *goredis.Client) int {
	n := replicas(ctx, node, s.o.Replicas)
	if n >= s.o.Replicas {
		s.few.Delete(node)
		return s.o.Replicas
	}
	s.few.Store(node, few{n, time.Now().Add(time.Second)})
	return n
}

// replicas returns how many replicas a master has, or most if it does not say.
func replicas(ctx context.Context, node *goredis.Client, most int) int {
	if n, err := strconv.Atoi(infoOf(ctx, node, "replication")["connected_slaves"]); err == nil {
		return n
	}
	return most
}

// passing reports whether servers get over an error.
func passing(err error) bool {
	if errors.Is(err, goredis.ErrClosed) {
		return false
	}
	for _, p := range []string{"MOVED", "ASK", "CLUSTERDOWN", "TRYAGAIN", "LOADING", "READONLY", "MASTERDOWN", "NOSCRIPT", "UNBLOCKED", "NOREPLICAS"} {
		if goredis.HasErrorPrefix(err, p) {
			return true
		}
	}
	for _, e := range []error{errReplicas, errNoMaster, errUnsent, io.EOF, io.ErrUnexpectedEOF, goredis.ErrPoolTimeout} {
		if errors.Is(err, e) {
			return true
		}
	}
	var n net.Error
	return errors.As(err, &n)
}
