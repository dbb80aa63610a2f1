package indextest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/similarity"
)

// answer is a match without what differs between backends.
type answer struct {
	id    string
	score float64
}

// scorer answers by scoring all documents.
type scorer struct {
	setup
	sketches similarity.Collection
	at       map[string]int    // in sketches, by text
	docs     map[string]string // the texts that are there, by id
}

func newScorer(u setup) *scorer {
	return &scorer{setup: u, sketches: u.method.NewCollection(), at: map[string]int{}, docs: map[string]string{}}
}

func (s *scorer) sketch(text string) int {
	i, ok := s.at[text]
	if !ok {
		i = s.sketches.Len()
		s.sketches.Add(text)
		s.at[text] = i
	}
	return i
}

func (s *scorer) ask(text string) []answer {
	var out []answer
	for id, t := range s.docs {
		if score := s.sketches.Score(s.sketch(text), s.sketch(t)); score >= s.threshold {
			out = append(out, answer{id, score})
		}
	}
	slices.SortFunc(out, func(a, b answer) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id)) })
	return out
}

// ask queries an index.
func ask(t *testing.T, x *index.Index, text string) []answer {
	t.Helper()
	matches, err := x.Query(t.Context(), index.Doc{Text: text}, index.QueryOptions{})
	if err != nil {
		t.Fatalf("query: %v", err)
	}
	var out []answer
	for _, m := range matches {
		out = append(out, answer{m.ID, m.Score})
	}
	return out
}

// put adds documents in batches.
func put(t *testing.T, x *index.Index, docs []index.Doc, each int) []index.Result {
	t.Helper()
	var all []index.Result
	for part := range slices.Chunk(docs, each) {
		r, err := x.Add(t.Context(), part)
		if err != nil {
			t.Fatalf("add: %v", err)
		}
		all = append(all, r...)
	}
	return all
}

// oracle: queries give what scoring all documents gives, or where the buckets
// are not exact what the store in memory does, while documents are added,
// replaced, deleted and merged.
func oracle(t *testing.T, b Backend) {
	for _, u := range setups(t) {
		t.Run(u.name, func(t *testing.T) {
			x, ref := create(t, b.open(t, "oracle-"+u.name), u), create(t, memory.New(), u)
			docs := texts(5, size(600))
			all := newScorer(u)
			there := all.docs
			check := func(when string) {
				t.Helper()
				found := 0
				for i := 0; i < len(docs); i += 3 {
					want := all.ask(docs[i].Text)
					found += len(want)
					if !u.exact {
						want = ask(t, ref, docs[i].Text)
					}
					if got := ask(t, x, docs[i].Text); !slices.Equal(got, want) {
						t.Fatalf("%s: the query of %s gives %v, want %v", when, docs[i].ID, got, want)
					}
				}
				if found <= len(docs)/3/2 {
					t.Fatalf("%s: %d answers test nothing", when, found)
				}
			}
			half := len(docs) / 2
			for _, index := range []*index.Index{x, ref} {
				put(t, index, docs[:half], 7)
				put(t, index, docs[half:], 100)
			}
			for _, d := range docs {
				there[d.ID] = d.Text
			}
			check("added")
			for i := 0; i < len(docs); i += 5 { // contents wander from one id to the next
				d := docs[i]
				d.Text = docs[(i+1)%len(docs)].Text
				there[d.ID] = d.Text
				put(t, x, []index.Doc{d}, 1)
				put(t, ref, []index.Doc{d}, 1)
			}
			check("replaced")
			var gone []string
			for i := 0; i < len(docs); i += 4 {
				gone = append(gone, docs[i].ID)
				delete(there, docs[i].ID)
			}
			for _, index := range []*index.Index{x, ref} {
				if n, err := index.Delete(t.Context(), append(gone, "absent", gone[0])...); n != len(gone) || err != nil {
					t.Fatalf("deleted %d, %v, want %d", n, err, len(gone))
				}
			}
			check("deleted")
			if err := x.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
			check("merged")
			if v, err := x.Verify(t.Context()); v.Documents != int64(len(there)) || v.Stale > 0 || len(v.Problems) > 0 || err != nil {
				t.Fatalf("verify: %+v, %v, want %d documents and nothing wrong", v, err, len(there))
			}
			if st, err := x.Stats(t.Context()); err != nil || st.Documents != int64(len(there)) {
				t.Fatalf("stats %+v, %v, want %d documents", st, err, len(there))
			}
			equal(t, x.Store(), ref.Store())
		})
	}
}

// retry: a batch that is added again, be it by itself or with more, changes
// nothing.
func retry(t *testing.T, b Backend) {
	u := setups(t)[0]
	x := create(t, b.open(t, "retry"), u)
	docs := texts(6, size(300))
	first := put(t, x, docs, 50)
	before, all := postings(t, x.Store()), documents(t, x.Store())
	for _, each := range []int{50, 17} {
		for i, r := range put(t, x, docs, each) {
			if r.State != index.Same || r.Number != first[i].Number {
				t.Fatalf("%s again: %+v, want same, number %d", docs[i].ID, r, first[i].Number)
			}
		}
	}
	if got := postings(t, x.Store()); !slices.Equal(got, before) {
		t.Errorf("%d postings after a retry, want %d", len(got), len(before))
	}
	if got := documents(t, x.Store()); !reflect.DeepEqual(got, all) {
		t.Errorf("documents differ after a retry")
	}
	// The same id twice in a batch: the second stands.
	two := []index.Doc{{ID: "x", Text: docs[0].Text}, {ID: "x", Text: "something else entirely"}, {ID: "x", Text: " ... "}, {ID: "y", Text: "..."}}
	for i, r := range put(t, x, two, 4) {
		if want := []index.State{index.Added, index.Replaced, index.Empty, index.Empty}[i]; r.State != want {
			t.Errorf("document %d of one id: %v, want %v", i, r.State, want)
		}
	}
	if got, err := x.Store().Find(t.Context(), []string{"x", "y"}); err != nil || got[0] != 0 || got[1] != 0 {
		t.Errorf("documents without features were stored: %v, %v", got, err)
	}
	for _, bad := range []string{"", strings.Repeat("x", index.MaxID+1), "\xff"} {
		if _, err := x.Add(t.Context(), []index.Doc{{ID: "good", Text: "words"}, {ID: bad, Text: "words"}}); err == nil {
			t.Errorf("id %q was added", bad)
		}
	}
	if got, err := x.Store().Find(t.Context(), []string{"good"}); err != nil || got[0] != 0 {
		t.Errorf("part of a bad batch was added: %v, %v", got, err)
	}
}

// ifNew: adding what is new leaves the documents that adding one by one does,
// however they are batched.
func ifNew(t *testing.T, b Backend) {
	for _, u := range setups(t) {
		if !u.exact {
			continue
		}
		for _, each := range []int{1, 16, 1000} {
			name := fmt.Sprintf("%s-%d", u.name, each)
			t.Run(name, func(t *testing.T) {
				x := create(t, b.open(t, "if-new-"+u.name+strings.Repeat("x", len(fmt.Sprint(each)))), u)
				docs := texts(7, size(200))
				all := newScorer(u)
				there := all.docs
				var got []index.Result
				for part := range slices.Chunk(docs, each) {
					r, err := x.AddIfNew(t.Context(), part, dedup.Limits{})
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, r...)
				}
				known := 0
				for i, d := range docs {
					want := all.ask(d.Text)
					if len(want) == 0 {
						there[d.ID] = d.Text
						if got[i].State != index.Added {
							t.Fatalf("%s: %v, want added", d.ID, got[i].State)
						}
						continue
					}
					known++
					if got[i].State != index.Known || got[i].Match == nil || got[i].Match.ID != want[0].id || got[i].Match.Score != want[0].score {
						t.Fatalf("%s: %+v, want known by %v", d.ID, got[i], want[0])
					}
				}
				if known == 0 || len(there) == 0 {
					t.Fatalf("%d known, %d new test nothing", known, len(there))
				}
				if n := len(documents(t, x.Store())); n != len(there) {
					t.Errorf("%d documents, want %d", n, len(there))
				}
				again, err := x.AddIfNew(t.Context(), docs, dedup.Limits{})
				if err != nil {
					t.Fatal(err)
				}
				for i, d := range docs {
					want := index.Known
					if _, ok := there[d.ID]; ok {
						want = index.Same
					}
					if again[i].State != want {
						t.Fatalf("%s again: %v, want %v", d.ID, again[i].State, want)
					}
				}
				replacesIfNew(t, x)
				r, err := x.AddIfNew(t.Context(), []index.Doc{{ID: "void"}}, dedup.Limits{})
				if err != nil || r[0].State != index.Empty {
					t.Errorf("a text without features: %v, %v", r, err)
				}
			})
		}
	}
}

// replacesIfNew: what a batch replaces is not there for those behind it, and
// what it adds is.
func replacesIfNew(t *testing.T, x *index.Index) {
	t.Helper()
	text := func(prefix string) string {
		var words []string
		for i := range 60 {
			words = append(words, fmt.Sprint(prefix, i*i))
		}
		return strings.Join(words, " ")
	}
	one, two := text("one"), text("two")
	put(t, x, []index.Doc{{ID: "moved", Text: one}}, 1)
	r, err := x.AddIfNew(t.Context(), []index.Doc{{ID: "moved", Text: two}, {ID: "heir", Text: one}, {ID: "late", Text: two}}, dedup.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []index.State{index.Replaced, index.Added, index.Known} {
		if r[i].State != want {
			t.Errorf("document %d of a batch that replaces: %v, want %v", i, r[i].State, want)
		}
	}
	if m := r[2].Match; m == nil || m.ID != "moved" {
		t.Errorf("what is like one that was replaced is known by %v", m)
	}
	if n, err := x.Delete(t.Context(), "moved", "heir"); n != 2 || err != nil {
		t.Errorf("deleted %d, %v, want 2", n, err)
	}
}

// adders returns indexes over one store, of its own each where the backend is
// shared.
func (b Backend) adders(t *testing.T, name string, u setup, n int) []*index.Index {
	first := create(t, b.open(t, name), u)
	all := []*index.Index{first}
	for len(all) < n {
		if b.Shared {
			all = append(all, create(t, b.open(t, name), u))
		} else {
			all = append(all, first)
		}
	}
	return all
}

// race calls add for each of n adders at a time and counts who added.
func race(t *testing.T, all []*index.Index, round int, text func(adder int) string) int {
	var wg sync.WaitGroup
	results := make([]index.State, len(all))
	for k, x := range all {
		wg.Go(func() {
			r, err := x.AddIfNew(t.Context(), []index.Doc{{ID: fmt.Sprintf("%d-%d", round, k), Text: text(k)}}, dedup.Limits{})
			if err != nil {
				t.Errorf("add: %v", err)
				return
			}
			results[k] = r[0].State
		})
	}
	wg.Wait()
	added := 0
	for _, s := range results {
		if s == index.Added {
			added++
		} else if s != index.Known {
			t.Errorf("round %d: %v, want added or known", round, s)
		}
	}
	return added
}

// raceEqual: of several that add the same content at a time exactly one does.
func raceEqual(t *testing.T, b Backend) {
	all := b.adders(t, "race-equal", setups(t)[0], 4)
	for i, d := range texts(16, size(400)) {
		if len(ask(t, all[0], d.Text)) > 0 {
			continue
		}
		if added := race(t, all, i, func(int) string { return d.Text }); added != 1 {
			t.Fatalf("round %d: %d added the same content, want 1", i, added)
		}
	}
}

// raceNear: where the store is serial, of several that add near-duplicates
// exactly one does.
func raceNear(t *testing.T, b Backend) {
	u := setups(t)[0]
	all := b.adders(t, "race-near", u, 4)
	if !all[0].Store().Serial() {
		t.Skip("the store has more than one writer")
	}
	for i, d := range texts(8, size(400)) {
		near := strings.Replace(d.Text, " ", " , ", 1) // another content of the same words
		if len(ask(t, all[0], d.Text)) > 0 {
			continue
		}
		added := race(t, all, i, func(k int) string { return []string{d.Text, near}[k%2] })
		if added != 1 {
			t.Fatalf("round %d: %d added near-duplicates, want 1", i, added)
		}
	}
}

// concurrent: readers see whatever was acknowledged before they asked, while
// writers write.
func concurrent(t *testing.T, b Backend) {
	u := setups(t)[0]
	all := b.adders(t, "concurrent", u, 4)
	docs := texts(9, size(800))
	var mu sync.Mutex
	var done []index.Doc
	var wg, readers sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for w := range 2 {
		wg.Go(func() {
			for part := range slices.Chunk(docs[w*len(docs)/2:(w+1)*len(docs)/2], 9) {
				if _, err := all[w].Add(t.Context(), part); err != nil {
					t.Errorf("add: %v", err)
					return
				}
				if _, err := all[w].Delete(t.Context(), part[0].ID); err != nil {
					t.Errorf("delete: %v", err)
					return
				}
				mu.Lock()
				done = append(done, part[1:]...)
				mu.Unlock()
			}
		})
		readers.Go(func() {
			for i := 0; ctx.Err() == nil; i += 7 {
				mu.Lock()
				n := len(done)
				mu.Unlock()
				if n == 0 {
					continue
				}
				mu.Lock()
				d := done[i%n]
				mu.Unlock()
				matches, err := all[2+w].Query(t.Context(), d, index.QueryOptions{})
				if err != nil {
					t.Errorf("query: %v", err)
					return
				}
				if !slices.ContainsFunc(matches, func(m index.Match) bool { return m.ID == d.ID && m.Score == 1 }) {
					t.Errorf("%s was acknowledged and is not found", d.ID)
					return
				}
			}
		})
	}
	wg.Wait()
	if err := all[0].Merge(t.Context()); err != nil {
		t.Errorf("merge: %v", err)
	}
	stop()
	readers.Wait()
	if v, err := all[1].Verify(t.Context()); v.Documents != int64(len(done)) || len(v.Problems) > 0 || err != nil {
		t.Errorf("verify: %+v, %v, want %d documents and nothing wrong", v, err, len(done))
	}
}

// header: an index refuses another's store.
func header(t *testing.T, b Backend) {
	u, other := setups(t)[0], setups(t)[1]
	s, ctx := b.open(t, "header"), t.Context()
	if _, err := index.Open(ctx, s, u.method); !errors.Is(err, index.ErrNone) {
		t.Errorf("open of nothing: %v, want one that wraps ErrNone", err)
	}
	create(t, s, u)
	create(t, s, u) // once more under the same header
	if h, err := index.ReadHeader(ctx, s); err != nil || h.Method != u.method.String() || h.Threshold != u.threshold {
		t.Errorf("header %+v, %v", h, err)
	}
	if _, err := index.Open(ctx, s, u.method); err != nil {
		t.Errorf("open: %v", err)
	}
	if _, err := index.Open(ctx, s, other.method); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("open with another method: %v, want one that wraps ErrSettings", err)
	}
	if _, err := index.Create(ctx, s, other.method, index.Options{Threshold: 0.9}); !errors.Is(err, index.ErrExists) {
		t.Errorf("create over another: %v, want one that wraps ErrExists", err)
	}
	if _, err := index.Create(ctx, s, u.method, index.Options{Threshold: 0.5}); !errors.Is(err, index.ErrExists) {
		t.Errorf("create at another threshold: %v, want one that wraps ErrExists", err)
	}
}

// cancel: a context that is done stops every operation, and what it stopped can
// be done again.
func cancel(t *testing.T, b Backend) {
	u := setups(t)[0]
	s := b.open(t, "cancel")
	x := create(t, s, u)
	docs := texts(10, size(2000))
	put(t, x, docs[:10], 10)
	ctx := cancelled(t)
	_, err := x.Add(ctx, docs[10:20])
	_, err1 := x.Query(ctx, docs[0], index.QueryOptions{})
	_, err2 := x.Delete(ctx, docs[0].ID)
	_, err3 := x.AddIfNew(ctx, docs[10:20], dedup.Limits{})
	_, err4 := s.Find(ctx, []string{"a"})
	_, err5 := s.Header(ctx)
	for i, err := range []error{err, err1, err2, err3, err4, err5, s.EachDocument(ctx, func(index.Document) error { return nil }), x.Merge(ctx), s.Create(ctx, nil)} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("operation %d under a cancelled context: %v", i, err)
		}
	}
	// In the middle of a batch, at whatever place that is.
	for i := range 5 {
		ctx, stop := context.WithCancel(t.Context())
		started := make(chan struct{})
		go func() {
			<-started
			for range i * 1000 {
				ctx.Err()
			}
			stop()
		}()
		close(started)
		if _, err := x.Add(ctx, docs); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in a batch: %v", err)
		}
		stop()
	}
	put(t, x, docs, 500)
	postings(t, s) // none comes twice
	if v, err := x.Verify(t.Context()); v.Documents != int64(len(docs)) || len(v.Problems) > 0 || err != nil {
		t.Errorf("verify: %+v, %v, want %d documents", v, err, len(docs))
	}
	stopped := errors.New("stop")
	if err := s.EachDocument(t.Context(), func(index.Document) error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("each document stopped with %v", err)
	}
	if err := s.EachPosting(t.Context(), func(index.Posting, uint64) error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("each posting stopped with %v", err)
	}
}

// expire: what came before a time goes, what has no time stays.
func expire(t *testing.T, b Backend) {
	x := create(t, b.open(t, "expire"), setups(t)[0])
	docs := texts(12, 60)
	docs[5].Time = 0
	put(t, x, docs, 60)
	n, err := x.Expire(t.Context(), 31) // times are 1, 2, ...
	if err != nil || n != 29 {
		t.Errorf("expired %d, %v, want 29", n, err)
	}
	all := documents(t, x.Store())
	if len(all) != 31 || !slices.ContainsFunc(all, func(d index.Document) bool { return d.ID == docs[5].ID }) {
		t.Errorf("%d documents are left, want 31, the one without a time among them", len(all))
	}
}

// export: what is exported can be imported elsewhere, into an empty index and a
// full one.
func export(t *testing.T, b Backend) {
	u := setups(t)[3]
	x := create(t, b.open(t, "export"), u)
	docs := texts(13, size(300))
	put(t, x, docs, 100)
	var out bytes.Buffer
	if err := x.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	back := create(t, b.open(t, "import"), u)
	for range 2 {
		if n, err := back.Import(t.Context(), bytes.NewReader(out.Bytes())); err != nil || n != int64(len(docs)) {
			t.Fatalf("imported %d, %v, want %d", n, err, len(docs))
		}
		equal(t, back.Store(), x.Store())
	}
	if _, err := create(t, memory.New(), setups(t)[0]).Import(t.Context(), bytes.NewReader(out.Bytes())); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("import of another method: %v, want one that wraps ErrSettings", err)
	}
	if _, err := back.Import(t.Context(), bytes.NewReader(out.Bytes()[:out.Len()-20])); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("import of a torn export: %v, want one that wraps ErrFormat", err)
	}
}

// load: filling an empty index gives what adding gives; a repeated id leaves
// nothing.
func load(t *testing.T, b Backend) {
	u := setups(t)[0]
	docs := texts(14, size(3000))
	docs = append(docs, index.Doc{ID: "void", Text: " "})
	s := b.open(t, "load")
	x, ref := create(t, s, u), create(t, memory.New(), u)
	if _, ok := s.loader(); ok {
		x = create(t, s.Store, u) // without what wraps it
		if _, _, err := x.Load(t.Context(), of(append(slices.Clone(docs), docs[7]))); err == nil {
			t.Error("a repeated id was loaded")
		}
		if all := documents(t, s); len(all) != 0 {
			t.Errorf("%d documents after a load that failed", len(all))
		}
		broken := errors.New("broken")
		read := of(docs)
		n := 0
		if _, _, err := x.Load(t.Context(), func() (index.Doc, bool, error) {
			if n++; n > len(docs)/2 {
				return index.Doc{}, false, broken
			}
			return read()
		}); !errors.Is(err, broken) {
			t.Errorf("load from a broken source: %v", err)
		}
		if all := documents(t, s); len(all) != 0 {
			t.Errorf("%d documents after a load that broke", len(all))
		}
	}
	stored, void, err := x.Load(t.Context(), of(docs))
	if err != nil || stored != int64(len(docs)-1) || void != 1 {
		t.Fatalf("loaded %d, %d without features, %v, want %d and 1", stored, void, err, len(docs)-1)
	}
	put(t, ref, docs, 1000)
	equal(t, s, ref.Store())
	for i := 0; i < len(docs); i += 11 {
		if got, want := ask(t, x, docs[i].Text), ask(t, ref, docs[i].Text); !slices.Equal(got, want) {
			t.Fatalf("the query of %s gives %v, want %v", docs[i].ID, got, want)
		}
	}
	if _, ok := s.loader(); ok {
		if _, _, err := x.Load(t.Context(), of(docs)); err == nil {
			t.Error("an index that is not empty was loaded")
		}
		equal(t, s, ref.Store())
	}
}

// reopen: everything is there again after Close, numbers included.
func reopen(t *testing.T, b Backend) {
	if b.Volatile {
		t.Skip("nothing outlives Close")
	}
	u := setups(t)[0]
	ref := create(t, memory.New(), u)
	docs := texts(15, size(400))
	for i, part := range slices.Collect(slices.Chunk(docs, len(docs)/4)) {
		s := b.open(t, "reopen")
		x := create(t, s, u)
		before := documents(t, s)
		for _, index := range []*index.Index{x, ref} {
			put(t, index, part, 13)
			if _, err := index.Delete(t.Context(), docs[i].ID, part[2].ID); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, s, ref.Store())
		if i == 2 {
			if err := x.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		after := documents(t, s)
		for _, d := range before {
			if d.ID != docs[i].ID && !slices.ContainsFunc(after, func(o index.Document) bool { return o.ID == d.ID && o.Number == d.Number }) {
				t.Errorf("%s has lost its number %d", d.ID, d.Number)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatalf("close: %v", err)
		}
	}
	s := b.open(t, "reopen")
	equal(t, s, ref.Store())
	if _, err := index.Open(t.Context(), s, setups(t)[1].method); !errors.Is(err, similarity.ErrSettings) {
		t.Errorf("open with another method: %v, want one that wraps ErrSettings", err)
	}
	x, err := index.Open(t.Context(), s, u.method)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(docs); i += 3 {
		if got, want := ask(t, x, docs[i].Text), ask(t, ref, docs[i].Text); !slices.Equal(got, want) {
			t.Fatalf("the query of %s gives %v, want %v", docs[i].ID, got, want)
		}
	}
	if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}

// closed: a closed store says so.
func closed(t *testing.T, b Backend) {
	s := b.created(t, "closed")
	add(t, s, false, entry("a", "a", index.Posting{}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := s.Add(t.Context(), []index.Entry{entry("b", "b", index.Posting{})}, false)
	_, err1 := Scan(t.Context(), s, []index.Posting{{}}, 0)
	_, err2 := s.Find(t.Context(), []string{"a"})
	for i, err := range []error{err, err1, err2} {
		if !errors.Is(err, index.ErrClosed) {
			t.Errorf("operation %d on a closed store: %v, want one that wraps ErrClosed", i, err)
		}
	}
}
