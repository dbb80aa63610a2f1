package redis_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
	"github.com/alike-go/alike/similarity"
)

// An index with a set for each bucket is refused, with the command that makes a
// new one of it. That command works: the documents can be exported.
func TestSetsLayout(t *testing.T) {
	ctx := t.Context()
	addr := single(t).addr()
	url := fmt.Sprintf("redis://%s?name=sets", addr)
	old, err := adderIndex(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	var docs []index.Doc
	for i := range 5 {
		docs = append(docs, index.Doc{ID: fmt.Sprint("doc-", i), Text: indextest.Text(i)})
	}
	if _, err := old.Add(ctx, docs); err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	// The layouts differ in where postings lie, and in this field.
	c := goredis.NewClient(&goredis.Options{Addr: addr})
	defer c.Close()
	stored, err := c.HGet(ctx, "sets:meta", "layout").Result()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.HSet(ctx, "sets:meta", "layout", strings.Replace(stored, "{", `{"sets":true,`, 1)).Err(); err != nil {
		t.Fatal(err)
	}

	s := open(t, url+"&sets=true", redis.Options{}) // as the URL of such an index was
	defer s.Close()
	x, err := indextest.SimHash(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Add(ctx, docs)
	_, err2 := x.Query(ctx, docs[0], index.QueryOptions{})
	_, err3 := x.Delete(ctx, "doc-0")
	_, err4 := x.Verify(ctx)
	for i, err := range []error{err, err2, err3, err4, x.Merge(ctx)} {
		if !errors.Is(err, similarity.ErrSettings) || !strings.Contains(err.Error(), "alike index export URL | alike index import NEW-URL -") {
			t.Errorf("operation %d: %v, want the command that makes a new index", i, err)
		}
	}
	var out bytes.Buffer
	if err := x.Export(ctx, &out); err != nil {
		t.Fatal(err)
	}
	fresh, err := adderIndex(ctx, url+"-new")
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if n, err := fresh.Import(ctx, &out); err != nil || n != 5 {
		t.Fatalf("imported %d, %v, want 5", n, err)
	}
	if v, err := fresh.Verify(ctx); err != nil || v.Documents != 5 || len(v.Problems) > 0 {
		t.Errorf("verify: %+v, %v, want 5 documents and nothing wrong", v, err)
	}
}
