package redis

import (
	"strconv"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
)

// Damage damages a document, as indextest.Backend wants it.
func Damage(t *testing.T, store index.Store, kind indextest.Damage, e index.Entry) {
	s := store.(*Store)
	ctx := t.Context()
	l, err := s.begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var c goredis.Cmdable = s.single
	if s.cluster != nil {
		c = s.cluster
	}
	check := func(cmd goredis.Cmder) {
		t.Helper()
		if err := cmd.Err(); err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
	}
	n, shard := l.split(e.Number)
	key, place := l.docsKey(shard), strconv.FormatUint(n, 10)
	switch kind {
	case indextest.LoseRow:
		check(c.HDel(ctx, key, place))
	case indextest.LoseID:
		check(c.HDel(ctx, key, place, idField(e.ID)))
	case indextest.LosePostings:
		for _, p := range e.Postings {
			group, _ := l.posting(p, e.Number)
			check(c.Del(ctx, group))
		}
	case indextest.MisleadID:
		check(c.HSet(ctx, key, idField(e.ID), other(t, c.HKeys(ctx, key).Val(), place)))
	case indextest.LoseCounter:
		check(c.HSet(ctx, key, "", 0))
	case indextest.StrayPosting:
		p := e.Postings[0]
		p.Bucket ^= 1 << 31
		e.Postings = []index.Posting{p}
		fallthrough
	case indextest.InterruptedAdd:
		if kind == indextest.InterruptedAdd {
			shard = l.idShard(e.ID)
			claimed := c.HIncrBy(ctx, l.docsKey(shard), "", 1)
			check(claimed)
			e.Number = l.number(uint64(claimed.Val()), shard)
		}
		var ops []op
		for _, p := range e.Postings {
			ops = l.appendPosting(ctx, ops, p, e.Number)
		}
		if err := s.do(ctx, ops, true); err != nil {
			t.Fatal(err)
		}
	default:
		row, err := c.HGet(ctx, key, place).Result()
		if err != nil {
			t.Fatal(err)
		}
		check(c.HSet(ctx, key, place, indextest.Flip(t, []byte(row), kind, e.Document)))
	}
}

// MergeGroups merges postings. It calls between after the census.
func MergeGroups(t *testing.T, s *Store, between func()) {
	ctx := t.Context()
	l, err := s.begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.sweep(ctx, l)
	if err != nil {
		t.Fatal(err)
	}
	between()
	if err := s.mergeGroups(ctx, c); err != nil {
		t.Fatal(err)
	}
}

// other returns a place among fields that is not the one given.
func other(t *testing.T, fields []string, place string) string {
	t.Helper()
	for _, f := range fields {
		if isPlace(f) && f != place {
			return f
		}
	}
	t.Fatal("the shard has no other document")
	return ""
}
