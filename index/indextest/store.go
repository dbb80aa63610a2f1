package indextest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
)

// none: before an index is created, every operation says that there is none.
func none(t *testing.T, b Backend) {
	s, ctx := b.open(t, "none"), t.Context()
	e := []index.Entry{entry("a", "a", index.Posting{})}
	_, err := s.Header(ctx)
	_, err1 := s.Add(ctx, e, false)
	_, err2 := Scan(ctx, s, e[0].Postings, 0)
	_, err3 := s.Find(ctx, []string{"a"})
	for i, err := range []error{err, err1, err2, err3} {
		if !errors.Is(err, index.ErrNone) {
			t.Errorf("operation %d without an index: %v, want one that wraps ErrNone", i, err)
		}
	}
}

// empty: an index without documents answers everything.
func empty(t *testing.T, b Backend) {
	s, ctx := b.created(t, "empty"), t.Context()
	if got, err := s.Header(ctx); err != nil || !bytes.Equal(got, testHeader) {
		t.Errorf("header %q, %v, want %q", got, err, testHeader)
	}
	if got := live(t, s, []index.Posting{{}, {Bucket: 1<<32 - 1, Table: 255}}, 64); len(got) != 0 {
		t.Errorf("scan of nothing: %v", got)
	}
	if out := add(t, s, false); len(out) != 0 {
		t.Errorf("no entries, outcomes %v", out)
	}
	numbers, err := s.Find(ctx, []string{"a", "b"})
	if err != nil || !slices.Equal(numbers, []uint64{0, 0}) {
		t.Errorf("find: %v, %v", numbers, err)
	}
	docs, err := s.Documents(ctx, []uint64{1, 0, 1 << 50})
	if err != nil || len(docs) != 3 || docs[0].Number != 0 || docs[1].Number != 0 || docs[2].Number != 0 {
		t.Errorf("documents: %v, %v, want three that are not there", docs, err)
	}
	if n, err := s.Delete(ctx, []index.Entry{{Document: index.Document{Number: 1, ID: "a"}}}); n != 0 || err != nil {
		t.Errorf("delete: %d, %v", n, err)
	}
	if got := postings(t, s); len(got) != 0 {
		t.Errorf("postings %v", got)
	}
	if st, err := s.Stats(ctx); err != nil || st.Documents != 0 || st.Postings > 0 {
		t.Errorf("stats %+v, %v", st, err)
	}
	if problems, err := s.Verify(ctx); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
	if err := s.Merge(ctx); err != nil {
		t.Errorf("merge: %v", err)
	}
}

// rows: what was added comes back, byte for byte.
func rows(t *testing.T, b Backend) {
	s, ctx := b.created(t, "rows"), t.Context()
	rng := rand.New(rand.NewPCG(3, 3))
	blob := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return string(b)
	}
	ids := []string{"a", "A", " ", "a:b", "{a}", "a\nb", "a\x00b", "\x00", "日本語", strings.Repeat("x", index.MaxID), "0", "-1", "*", "a/b?c=d&e", `"quoted"`, "\U0010ffff"}
	var entries []index.Entry
	for i, id := range ids {
		e := entry(id, blob(i*i*13), index.Posting{Bucket: uint32(i), Word: uint64(i)})
		e.Time = int64(i) << (4 * i)
		entries = append(entries, e)
	}
	entries[3].Time = -5
	out := add(t, s, false, entries...)
	seen := map[uint64]bool{0: true}
	numbers := make([]uint64, len(out))
	for i, o := range out {
		if o.State != index.Added || seen[o.Number] {
			t.Errorf("id %q: outcome %+v, want added under a number of its own", ids[i], o)
		}
		seen[o.Number], numbers[i] = true, o.Number
	}
	found, err := s.Find(ctx, append(slices.Clone(ids), "absent"))
	if err != nil || !slices.Equal(found, append(slices.Clone(numbers), 0)) {
		t.Errorf("find %v, %v, want %v and 0", found, err, numbers)
	}
	check := func(got, want index.Document, number uint64) {
		t.Helper()
		if got.Number != number || got.ID != want.ID || !bytes.Equal(got.Sketch, want.Sketch) || got.Hash != want.Hash || got.Time != want.Time {
			t.Errorf("document %d is %+v, want %+v", number, got, want)
		}
	}
	// In reverse order, with gaps and repetition.
	ask := slices.Clone(numbers)
	slices.Reverse(ask)
	ask = append(ask, 1<<40-1, numbers[0])
	docs, err := s.Documents(ctx, ask)
	if err != nil || len(docs) != len(ask) {
		t.Fatalf("%d documents, %v, want %d", len(docs), err, len(ask))
	}
	for i := range ids {
		check(docs[i], entries[len(ids)-1-i].Document, ask[i])
	}
	check(docs[len(ids)], index.Document{}, 0)
	check(docs[len(ids)+1], entries[0].Document, numbers[0])
	for i, e := range entries {
		e.ID = fmt.Sprint("twin ", i)
		if out := add(t, s, true, e)[0]; out != (index.Outcome{State: index.Known, Number: numbers[i]}) {
			t.Errorf("the content of %q again is %+v, want known as document %d", ids[i], out, numbers[i])
		}
	}
	all := documents(t, s)
	if len(all) != len(ids) {
		t.Errorf("%d documents, want %d", len(all), len(ids))
	}
	st, err := s.Stats(ctx)
	if err != nil || st.Documents != int64(len(ids)) || st.Postings != -1 && st.Postings != int64(len(ids)) {
		t.Errorf("stats %+v, %v, want %d documents with a posting each", st, err, len(ids))
	}
}

// states: what a second entry of an id or a hash does.
func states(t *testing.T, b Backend) {
	s := b.created(t, "states")
	p := func(n uint32) index.Posting { return index.Posting{Bucket: n, Table: 1, Word: uint64(n)} }
	one := add(t, s, false, entry("a", "one", p(1), p(2)))[0]
	expect := func(what string, got index.Outcome, state index.State, number uint64) {
		t.Helper()
		if got.State != state || number != 0 && got.Number != number {
			t.Errorf("%s: %+v, want %v, number %d", what, got, state, number)
		}
	}
	expect("first", one, index.Added, 0)
	expect("again", add(t, s, false, entry("a", "one", p(1), p(2)))[0], index.Same, one.Number)
	expect("again if new", add(t, s, true, entry("a", "one", p(1), p(2)))[0], index.Same, one.Number)
	later := entry("a", "one", p(1), p(2))
	later.Time++
	expect("later", add(t, s, false, later)[0], index.Same, one.Number)
	expect("other id, if new", add(t, s, true, entry("b", "one", p(1)))[0], index.Known, one.Number)
	expect("other id", add(t, s, false, entry("b", "one", p(1), p(2)))[0], index.Added, 0)

	two := add(t, s, false, entry("a", "two", p(2), p(3)))[0]
	expect("other content", two, index.Replaced, 0)
	for n, want := range map[uint32][]string{1: {"b"}, 2: {"a", "b"}, 3: {"a"}} {
		if got := live(t, s, []index.Posting{p(n)}, 0); !slices.Equal(got, want) {
			t.Errorf("bucket %d after the replacement: %v, want %v", n, got, want)
		}
	}
	if got := documents(t, s); len(got) != 2 || string(got[0].Sketch) != "two" || got[0].Number != two.Number {
		t.Errorf("documents after the replacement: %v", got)
	}

	out := add(t, s, true, entry("c", "three", p(4)), entry("d", "three", p(4)), entry("e", "five", p(4)))
	expect("first of equals in a batch", out[0], index.Added, 0)
	expect("second of equals in a batch", out[1], index.Known, out[0].Number)
	expect("beside them", out[2], index.Added, 0)
	if got := live(t, s, []index.Posting{p(4)}, 0); !slices.Equal(got, []string{"c", "e"}) {
		t.Errorf("bucket of equals: %v", got)
	}

	// A sketch that differs under the same hash is another content.
	sly := entry("c", "three", p(5))
	sly.Sketch = []byte("sly")
	expect("same hash, other sketch", add(t, s, false, sly)[0], index.Replaced, 0)

	// Deleting takes the very document, not what later has its id.
	old := entry("a", "one", p(1), p(2))
	old.Number = one.Number
	if n, err := s.Delete(t.Context(), []index.Entry{old}); n != 0 || err != nil {
		t.Errorf("delete of what was replaced: %d, %v", n, err)
	}
	now := entry("a", "two", p(2), p(3))
	now.Number = two.Number
	if n, err := s.Delete(t.Context(), []index.Entry{now, old}); n != 1 || err != nil {
		t.Errorf("delete: %d, %v", n, err)
	}
	if n, err := s.Delete(t.Context(), []index.Entry{now}); n != 0 || err != nil {
		t.Errorf("delete again: %d, %v", n, err)
	}
	if got := live(t, s, []index.Posting{p(2), p(3)}, 0); !slices.Equal(got, []string{"b"}) {
		t.Errorf("buckets after the deletion: %v", got)
	}
	if got, err := s.Find(t.Context(), []string{"a"}); err != nil || got[0] != 0 {
		t.Errorf("find after the deletion: %v, %v", got, err)
	}
	back := add(t, s, true, entry("a", "two", p(2), p(3)))[0]
	expect("back after the deletion", back, index.Added, 0)
	if back.Number == two.Number || back.Number == one.Number {
		t.Errorf("number %d was given twice", back.Number)
	}
}

// keys: the limits of buckets, tables, words and the distance of words.
func keys(t *testing.T, b Backend) {
	s := b.created(t, "keys")
	var entries []index.Entry
	var all []index.Posting
	for _, bucket := range []uint32{0, 1, 0x0a0d0000, 0x7fffffff, 0xfffffffe, 0xffffffff} {
		for _, table := range []uint8{0, 1, 127, 255} {
			for _, word := range []uint64{0, 1, 3, 0x8000000000000000, 1<<64 - 1} {
				p := index.Posting{Bucket: bucket, Table: table, Word: word}
				all = append(all, p)
				entries = append(entries, entry(fmt.Sprintf("%08x-%d-%x", bucket, table, word), fmt.Sprint(p), p))
			}
		}
	}
	add(t, s, false, entries...)
	for _, probe := range all {
		for _, within := range []int{0, 1, 2, 62, 64} {
			var want []string
			for i, p := range all {
				if p.Bucket == probe.Bucket && p.Table == probe.Table && index.Near(p.Word, probe.Word, within) {
					want = append(want, entries[i].ID)
				}
			}
			slices.Sort(want)
			if got := live(t, s, []index.Posting{probe}, within); !slices.Equal(got, want) {
				t.Fatalf("scan of %+v within %d: %v, want %v", probe, within, got, want)
			}
		}
	}
	if got := live(t, s, all, 64); len(got) != len(all) {
		t.Errorf("scan of all buckets at once finds %d, want %d", len(got), len(all))
	}
}

// bucket: one that holds many documents, and a document that lies in many.
func bucket(t *testing.T, b Backend) {
	s := b.created(t, "bucket")
	n := size(20_000)
	var entries []index.Entry
	for i := range n {
		id := fmt.Sprint(i)
		entries = append(entries, entry(id, id, index.Posting{Bucket: 9, Table: 2, Word: uint64(i)}))
	}
	for part := range slices.Chunk(entries, 1000) {
		add(t, s, false, part...)
	}
	probe := []index.Posting{{Bucket: 9, Table: 2, Word: 0}}
	if got := live(t, s, probe, 64); len(got) != n {
		t.Errorf("a bucket of %d documents gives %d", n, len(got))
	}
	var want []string
	for i := range n {
		if i&(i-1) == 0 {
			want = append(want, fmt.Sprint(i))
		}
	}
	slices.Sort(want)
	if got := live(t, s, probe, 1); !slices.Equal(got, want) {
		t.Errorf("within a bit of 0: %v, want %v", got, want)
	}
	var many []index.Posting
	for i := range uint32(size(5000)) {
		many = append(many, index.Posting{Bucket: i * 7919, Table: uint8(i), Word: uint64(i)})
	}
	add(t, s, false, entry("many", "many", many...))
	for _, p := range many {
		if got := live(t, s, []index.Posting{p}, 0); !slices.Contains(got, "many") {
			t.Fatalf("the document of many postings is not in %+v", p)
		}
	}
}

// model: random operations, beside the store in memory.
func model(t *testing.T, b Backend) {
	s, m, ctx := b.created(t, "model"), memory.New(), t.Context()
	if err := m.Create(ctx, testHeader); err != nil {
		t.Fatal(err)
	}
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, seed))
	var probes []index.Posting
	for bucket := range uint32(6) {
		for table := range uint8(2) {
			probes = append(probes, index.Posting{Bucket: bucket << 29, Table: table, Word: rng.Uint64() & 15})
		}
	}
	random := func() index.Entry {
		content := fmt.Sprint(rng.IntN(60))
		// The postings are of the content, as those of a sketch are.
		of := rand.New(rand.NewPCG(uint64(len(content)), uint64(content[0])<<8|uint64(content[len(content)-1])))
		var p []index.Posting
		for range 1 + of.IntN(4) {
			p = append(p, index.Posting{Bucket: uint32(of.IntN(6)) << 29, Table: uint8(of.IntN(2)), Word: of.Uint64() & 15})
		}
		return entry(fmt.Sprint("id", rng.IntN(80)), content, p...)
	}
	for step := range size(1500) {
		switch rng.IntN(12) {
		default:
			var batch []index.Entry
			for range 1 + rng.IntN(4) {
				if e := random(); !slices.ContainsFunc(batch, func(o index.Entry) bool { return o.ID == e.ID }) {
					batch = append(batch, e)
				}
			}
			got, want := add(t, s, false, batch...), add(t, m, false, batch...)
			for i := range batch {
				if got[i].State != want[i].State {
					t.Fatalf("seed %d, step %d: entry %q is %v, want %v", seed, step, batch[i].ID, got[i].State, want[i].State)
				}
			}
		case 0, 1, 2:
			id := []string{fmt.Sprint("id", rng.IntN(80))}
			var counts [2]int
			for i, store := range []index.Store{s, m} {
				numbers, err := store.Find(ctx, id)
				if err != nil {
					t.Fatal(err)
				}
				docs, err := store.Documents(ctx, numbers)
				if err != nil {
					t.Fatal(err)
				}
				if docs[0].Number == 0 {
					continue
				}
				var p []index.Posting
				err = store.EachPosting(ctx, func(k index.Posting, number uint64) error {
					if number == numbers[0] {
						p = append(p, k)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				slices.SortFunc(p, index.Posting.Compare)
				if counts[i], err = store.Delete(ctx, []index.Entry{{Document: docs[0], Postings: p}}); err != nil {
					t.Fatal(err)
				}
			}
			if counts[0] != counts[1] {
				t.Fatalf("seed %d, step %d: deleted %d of %s, want %d", seed, step, counts[0], id, counts[1])
			}
		case 3:
			if rng.IntN(8) == 0 {
				if err := s.Merge(ctx); err != nil {
					t.Fatal(err)
				}
			}
		}
		p, within := probes[rng.IntN(len(probes))], rng.IntN(5)
		if got, want := live(t, s, []index.Posting{p}, within), live(t, m, []index.Posting{p}, within); !slices.Equal(got, want) {
			t.Fatalf("seed %d, step %d: scan of %+v within %d: %v, want %v", seed, step, p, within, got, want)
		}
	}
	equal(t, s, m)
	if err := s.Merge(ctx); err != nil {
		t.Fatal(err)
	}
	equal(t, s, m)
	if st, err := s.Stats(ctx); err != nil || st.Stale > 0 {
		t.Errorf("stats after a merge: %+v, %v, want no stale postings", st, err)
	}
	if problems, err := s.Verify(ctx); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}

// merge: one that runs beside an adder takes nothing from it, whatever that had written when it came by.
func merge(t *testing.T, b Backend) {
	s := b.created(t, "merge")
	var added atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; n < max(5, size(20)) || added.Load() < int64(size(500)); n++ {
			if err := s.Merge(t.Context()); err != nil {
				t.Errorf("merge: %v", err)
				return
			}
		}
	}()
	defer func() { <-done }()
	rng := rand.New(rand.NewPCG(2, 2))
	var all []index.Entry
	for more := true; more; {
		select {
		case <-done:
			more = false
		default:
		}
		e := RandomEntry(rng, fmt.Sprint(len(all)))
		out, err := s.Add(t.Context(), []index.Entry{e}, len(all)%2 == 0)
		if err != nil || out[0].State != index.Added {
			t.Errorf("add: %v, %v", out, err)
			added.Store(1 << 40) // lets the merges end
			break
		}
		e.Number = out[0].Number
		all = append(all, e)
		added.Add(1)
	}
	Check(t, s.Store, all...)
}

// equal fails unless two stores hold the same documents and postings, numbers apart.
func equal(t *testing.T, got, want index.Store) {
	t.Helper()
	g, w := documents(t, got), documents(t, want)
	if len(g) != len(w) {
		t.Fatalf("%d documents, want %d", len(g), len(w))
	}
	for i := range g {
		if g[i].Number, w[i].Number = 0, 0; g[i].ID != w[i].ID || g[i].Hash != w[i].Hash || !bytes.Equal(g[i].Sketch, w[i].Sketch) || g[i].Time != w[i].Time {
			t.Fatalf("document %+v, want %+v", g[i], w[i])
		}
	}
	if g, w := postings(t, got), postings(t, want); !slices.Equal(g, w) {
		t.Fatalf("postings %v, want %v", g, w)
	}
}
