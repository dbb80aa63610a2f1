package redis_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	goredis "github.com/redis/go-redis/v9"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/index/redis"
)

// An eviction takes a whole key. Whichever it is, verify finds it, no query
// answers as if nothing had been there, and a merge lets the documents be added
// again.
func TestKeyLost(t *testing.T) {
	node := single(t)
	ctx := t.Context()
	c := goredis.NewClient(&goredis.Options{Addr: node.addr()})
	defer c.Close()
	for _, lose := range []struct {
		name string
		how  func(key string) error
	}{
		{"removed", func(key string) error { return c.Del(ctx, key).Err() }},
		{"others", func(key string) error {
			return errors.Join(c.Del(ctx, key).Err(), c.HSet(ctx, key, "foo", "bar").Err())
		}},
	} {
		t.Run(lose.name, func(t *testing.T) {
			name := "key-lost-" + lose.name
			x, err := adderIndex(ctx, fmt.Sprintf("redis://%s?name=%s", node.addr(), name))
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			var docs []index.Doc
			for i := range adderDocs {
				docs = append(docs, index.Doc{ID: fmt.Sprint(i), Text: indextest.Text(i)})
			}
			if _, err := x.Add(ctx, docs); err != nil {
				t.Fatal(err)
			}
			key := name + ":{3}d"
			rows, err := c.HGetAll(ctx, key).Result()
			if err != nil {
				t.Fatal(err)
			}
			lost := map[string]bool{}
			for field := range rows {
				if id, ok := strings.CutPrefix(field, "="); ok {
					lost[id] = true
				}
			}
			if len(lost) < 5 {
				t.Fatalf("%d documents in %s test nothing", len(lost), key)
			}
			if err := lose.how(key); err != nil {
				t.Fatal(err)
			}
			v, err := x.Verify(ctx)
			if err != nil || v.Documents != int64(adderDocs-len(lost)) || !strings.Contains(strings.Join(v.Problems, "\n"), "lost") {
				t.Errorf("verify: %+v, %v, want %d documents and that the others are lost", v, err, adderDocs-len(lost))
			}
			for _, d := range docs {
				m, err := x.Query(ctx, d, index.QueryOptions{})
				if lost[d.ID] != errors.Is(err, index.ErrLost) || !lost[d.ID] && (err != nil || len(m) != 1) {
					t.Errorf("%s, lost %v: %v, %v", d.ID, lost[d.ID], m, err)
				}
			}
			if err := x.Merge(ctx); !errors.Is(err, index.ErrLost) {
				t.Errorf("merge: %v, want %v", err, index.ErrLost)
			}
			results, err := x.Add(ctx, docs)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range results {
				if want := map[bool]index.State{true: index.Added, false: index.Same}[lost[docs[i].ID]]; r.State != want {
					t.Errorf("%s again: %v, want %v", docs[i].ID, r.State, want)
				}
			}
			want := []string{}
			if lose.name == "others" {
				want = append(want, `shard 3: field "foo" does not belong there`)
			}
			if v, err := x.Verify(ctx); err != nil || v.Documents != adderDocs || v.Stale > 0 || !slices.Equal(append([]string{}, v.Problems...), want) {
				t.Errorf("verify at the end: %+v, %v, want %q", v, err, want)
			}
		})
	}
}

// A shard in which ids and rows do not fit each other keeps the postings of an Add
// that is under way. Verify finds the damage, and a merge mends it.
func TestIDsAndRows(t *testing.T) {
	node := single(t)
	ctx := t.Context()
	c := goredis.NewClient(&goredis.Options{Addr: node.addr()})
	defer c.Close()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, damage := range []string{"no id", "no id, added again", "two ids"} {
		t.Run(damage, func(t *testing.T) {
			name := fmt.Sprintf("ids-%d", rand.Uint64())
			s := open(t, "redis://"+node.addr(), redis.Options{Documents: 1, Postings: 1, Name: name}) // one shard
			defer s.Close()
			if err := s.Create(ctx, []byte("header")); err != nil {
				t.Fatal(err)
			}
			var batch []index.Entry
			for i := range 5 {
				batch = append(batch, indextest.RandomEntry(rng, fmt.Sprint("doc-", i)))
			}
			add := func(batch []index.Entry) {
				t.Helper()
				out, err := s.Add(ctx, batch, false)
				if err != nil {
					t.Fatal(err)
				}
				for i := range out {
					batch[i].Number = out[i].Number
				}
			}
			add(batch)
			key := name + ":{0}d"
			hurt := func() {
				t.Helper()
				var err error
				if damage == "two ids" {
					err = c.HSet(ctx, key, "=doc-9", batch[0].Number).Err()
				} else {
					err = c.HDel(ctx, key, "=doc-0").Err()
				}
				if err != nil {
					t.Fatal(err)
				}
				if damage == "no id, added again" {
					add(batch[:1])
				}
			}
			late := indextest.RandomEntry(rng, "late")
			redis.MergeGroups(t, s, func() {
				hurt()
				redis.Damage(t, s, indextest.InterruptedAdd, late)
			})
			if found, err := indextest.Scan(ctx, s, late.Postings, 0); err != nil || len(found) != len(late.Postings) {
				t.Errorf("an Add under way has postings of %d documents, %v, want %d", len(found), err, len(late.Postings))
			}
			if problems, err := s.Verify(ctx); err != nil || len(problems) != 1 {
				t.Errorf("verify: %q, %v, want one problem", problems, err)
			}
			if err := s.Merge(ctx); !errors.Is(err, index.ErrLost) {
				t.Errorf("merge: %v, want %v", err, index.ErrLost)
			}
			if problems, err := s.Verify(ctx); err != nil || len(problems) > 0 {
				t.Errorf("verify after the merge: %q, %v", problems, err)
			}
			st, err := s.Stats(ctx)
			if err != nil || st.Documents != 5 || st.Postings != 5*int64(len(late.Postings)) {
				t.Errorf("stats %+v, %v, want the postings of 5 documents", st, err)
			}
			for _, e := range batch {
				indextest.Check(t, s, e)
			}
			redis.Damage(t, s, indextest.InterruptedAdd, late)
			found, err := indextest.Scan(ctx, s, late.Postings[:1], 0)
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			if lost, err := s.FindLost(ctx, found); err != nil || lost[0] != "" {
				t.Errorf("an Add under way is said to be lost: %q, %v", lost, err)
			}
			if err := s.Merge(ctx); err != nil {
				t.Errorf("merge again: %v", err)
			}
		})
	}
}

// An index of version 2 of the layout works. The file has the keys of one that
// alike at commit ccab2a7 made for indextest.OldIndex.
func TestOldLayout(t *testing.T) {
	node := single(t)
	ctx := t.Context()
	file, err := os.ReadFile("testdata/layout2.json")
	if err != nil {
		t.Fatal(err)
	}
	var keys struct {
		Strings map[string]string
		Hashes  map[string]map[string]string
	}
	if err := json.Unmarshal(file, &keys); err != nil {
		t.Fatal(err)
	}
	raw := func(s string) string {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	c := goredis.NewClient(&goredis.Options{Addr: node.addr()})
	defer c.Close()
	for key, value := range keys.Strings {
		if err := c.Set(ctx, key, raw(value), 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	for key, fields := range keys.Hashes {
		for field, value := range fields {
			if err := c.HSet(ctx, key, raw(field), raw(value)).Err(); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := open(t, fmt.Sprintf("redis://%s?name=old", node.addr()), redis.Options{})
	defer s.Close()
	indextest.OldIndex(t, s)

	// A row that is gone is known by its id.
	x, err := indextest.SimHash(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := s.Find(ctx, []string{"doc-2"})
	if err != nil {
		t.Fatal(err)
	}
	redis.Damage(t, s, indextest.LoseRow, index.Entry{Document: index.Document{Number: numbers[0]}})
	if v, err := x.Verify(ctx); err != nil || !strings.Contains(strings.Join(v.Problems, "\n"), `id "doc-2"`) {
		t.Errorf("verify without a row: %+v, %v", v, err)
	}
	if err := x.Merge(ctx); !errors.Is(err, index.ErrLost) {
		t.Errorf("merge without a row: %v, want %v", err, index.ErrLost)
	}
	if v, err := x.Verify(ctx); err != nil || v.Documents != 4 || v.Stale > 0 || len(v.Problems) > 0 {
		t.Errorf("verify after the merge: %+v, %v, want 4 documents and nothing wrong", v, err)
	}
}
