// Package remote has the rules that the backends on servers share, index/redis
// and index/hbase: how a document is written to a row and how long it lives,
// what an option or a parameter of a URL may be, and how a store waits and is
// closed.
//
// What depends on how a server works does not belong here: keys, commands, and
// which errors a server gets over.
package remote

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alike-go/alike/index"
)

// CheckName checks the name that the keys or tables of an index begin with: letters,
// digits and marks. If alnum is true, the first must be a letter or a digit.
func CheckName(backend, name, marks string, alnum bool) error {
	strange := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(marks, r))
	}
	first := ""
	if alnum {
		first = ", the first a letter or a digit"
	}
	if strings.ContainsFunc(name, strange) || len(name) > 64 || alnum && strings.ContainsRune(marks, rune(name[0])) {
		return fmt.Errorf("%s: name %q, want at most 64 letters, digits and any of %s%s", backend, name, marks, first)
	}
	return nil
}

// CheckTTL checks a time to live.
func CheckTTL(backend string, ttl time.Duration) error {
	if ttl < 0 || ttl%time.Second != 0 {
		return fmt.Errorf("%s: TTL is %v, want whole seconds", backend, ttl)
	}
	return nil
}

// State is whether a store is closed, and the layout of its index as soon as it is
// known. It is safe for concurrent use.
type State[L any] struct {
	Backend string // begins errors

	layout atomic.Pointer[L]
	closed atomic.Bool
}

// Learn keeps the layout.
func (s *State[L]) Learn(l L) { s.layout.Store(&l) }

// Close closes the store. It returns false if the store was closed before.
func (s *State[L]) Close() bool { return !s.closed.Swap(true) }

// Closed reports whether the store is closed.
func (s *State[L]) Closed() bool { return s.closed.Load() }

// Check returns an error if the context is done or the store is closed.
func (s *State[L]) Check(ctx context.Context) error {
	err := ctx.Err()
	if err == nil && s.Closed() {
		err = index.ErrClosed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.Backend, err)
	}
	return nil
}

// Begin returns the layout. If it is not known yet, Begin calls header, which has
// to Learn it or to return an error.
func (s *State[L]) Begin(ctx context.Context, header func(context.Context) ([]byte, error)) (l L, err error) {
	if err := s.Check(ctx); err != nil {
		return l, err
	}
	if l := s.layout.Load(); l != nil {
		return *l, nil
	}
	if _, err := header(ctx); err != nil {
		return l, err
	}
	return *s.layout.Load(), nil
}
