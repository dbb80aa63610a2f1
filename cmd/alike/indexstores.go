package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/hbase"
	"github.com/alike-go/alike/index/redis"
	"github.com/alike-go/alike/similarity"
)

// An indexOpener opens the store that a URL of its scheme names. readOnly says
// that nothing will be written, which a store with one writer needs to know.
type indexOpener func(ctx context.Context, url string, readOnly bool) (index.Store, error)

// indexStores are the backends by the scheme of their URLs, what stands before
// the first colon.
var indexStores = map[string]indexOpener{
	"disk": opener(func(ctx context.Context, url string, readOnly bool) (*disk.Store, error) {
		s, err := disk.Open(ctx, strings.TrimPrefix(url, "disk:"), disk.Options{ReadOnly: readOnly})
		if errors.Is(err, similarity.ErrFormat) {
			err = fmt.Errorf("%w (alike index repair says what is lost)", err)
		}
		return s, err
	}),
	"hbase": opener(func(ctx context.Context, url string, _ bool) (*hbase.Store, error) {
		hbase.Quiet()
		return hbase.Open(ctx, url, hbase.Options{})
	}),
	"redis": openRedis, "rediss": openRedis, "redis+cluster": openRedis, "rediss+cluster": openRedis,
}

var openRedis = opener(func(ctx context.Context, url string, _ bool) (*redis.Store, error) {
	redis.Quiet()
	return redis.Open(ctx, url, redis.Options{})
})

// opener returns open with a nil interface for its nil pointer.
func opener[S index.Store](open func(ctx context.Context, url string, readOnly bool) (S, error)) indexOpener {
	return func(ctx context.Context, url string, readOnly bool) (index.Store, error) {
		s, err := open(ctx, url, readOnly)
		if err != nil {
			return nil, err
		}
		return s, nil
	}
}

// openStore opens the store that a URL names. It prints the notes of the store to
// stderr.
func openStore(ctx context.Context, stderr io.Writer, url string, readOnly bool) (index.Store, error) {
	scheme, rest, ok := strings.Cut(url, ":")
	schemes := slices.Sorted(maps.Keys(indexStores))
	open := indexStores[scheme]
	if !ok || open == nil || rest == "" {
		return nil, fmt.Errorf("index: no store at %q, want a URL that begins with %s:%s", url, strings.Join(schemes, ": or "), hint("", scheme, schemes))
	}
	s, err := open(ctx, url, readOnly)
	if err != nil {
		return nil, err
	}
	if noted, ok := s.(interface{ Notes() []string }); ok {
		for _, note := range noted.Notes() {
			fmt.Fprintf(stderr, "alike: index: %s\n", note)
		}
	}
	return s, nil
}
