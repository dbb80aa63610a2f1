package redis_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/redis"
)

// What is older than the time to live is gone for every question, can be added again, and a merge
// removes what is left of it.
func TestTimeToLive(t *testing.T) {
	ctx := t.Context()
	s := open(t, "redis://"+single(t).addr(), redis.Options{Name: fmt.Sprintf("ttl-%d", rand.Uint64()), Documents: 100, TTL: time.Second})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	e := random(rand.New(rand.NewPCG(1, 1)), "a")
	first, err := s.Add(ctx, []index.Entry{e}, true)
	if err != nil || first[0].State != index.Added {
		t.Fatalf("add: %v, %v", first, err)
	}
	eventually(t, "the document is gone", func() bool {
		docs, err := s.Documents(ctx, []uint64{first[0].Number})
		return err == nil && docs[0].Number == 0
	})
	numbers, err := s.Find(ctx, []string{"a"})
	hashes, err2 := s.FindHash(ctx, []index.Hash{e.Hash})
	if err != nil || err2 != nil || numbers[0] != 0 || hashes[0] != 0 {
		t.Errorf("found by id %v, %v, by hash %v, %v, want nothing", numbers, err, hashes, err2)
	}
	again, err := s.Add(ctx, []index.Entry{e}, true)
	if err != nil || again[0].State != index.Added || again[0].Number == first[0].Number {
		t.Errorf("again: %v, %v, want added under another number than %d", again, err, first[0].Number)
	}
	time.Sleep(1100 * time.Millisecond)
	if err := s.Merge(ctx); err != nil {
		t.Fatal(err)
	}
	if st, err := s.Stats(ctx); err != nil || st.Documents != 0 || st.Postings != 0 {
		t.Errorf("stats after a merge: %+v, %v, want nothing", st, err)
	}
}

// A store refuses options and URLs that make no sense, before it connects.
func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{
		"", "redis", "http://x", "redis://127.0.0.1:1?name=a{b}", "redis://127.0.0.1:1?documents=-4",
		"redis://127.0.0.1:1?documents=many", "redis://127.0.0.1:1?ttl=5ms", "redis://127.0.0.1:1?replicas=-2",
		"redis://127.0.0.1:1?unheard=of", "redis+cluster://127.0.0.1:1,127.0.0.1:2?lease=1ms",
	} {
		if s, err := redis.Open(t.Context(), url, redis.Options{Patience: -1}); err == nil {
			s.Close()
			t.Errorf("%q was opened", url)
		}
	}
}

// A merge that runs beside adders takes nothing from them.
func TestMergeBesideAdders(t *testing.T) {
	ctx := t.Context()
	s := open(t, "redis://"+single(t).addr(), redis.Options{Name: fmt.Sprintf("beside-%d", rand.Uint64()), Documents: 500})
	defer s.Close()
	if err := s.Create(ctx, []byte("header")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 20 {
			if err := s.Merge(ctx); err != nil {
				t.Errorf("merge: %v", err)
			}
		}
	}()
	rng := rand.New(rand.NewPCG(2, 2))
	var all []index.Entry
	for more := true; more; {
		select {
		case <-done:
			more = false
		default:
		}
		e := random(rng, string(rune('a'+len(all)%26))+time.Duration(len(all)).String())
		out, err := s.Add(ctx, []index.Entry{e}, len(all)%2 == 0)
		if err != nil || out[0].State != index.Added {
			t.Fatalf("add: %v, %v", out, err)
		}
		e.Number = out[0].Number
		all = append(all, e)
	}
	for _, e := range all {
		check(t, s, e)
	}
}
