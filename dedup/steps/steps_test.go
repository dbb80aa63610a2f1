package steps

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/similarity"
)

func method(t testing.TB, spec string) similarity.Method {
	t.Helper()
	m, err := catalog.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func policy(t testing.TB, s string) dedup.Policy {
	t.Helper()
	p, err := dedup.ParsePolicy(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// corpus makes texts of which many are edited copies of each other, some equal, some without a word.
func corpus(r *rand.Rand, n int) []Document {
	docs := make([]Document, n)
	var texts []string
	for i := range docs {
		text := ""
		switch {
		case r.IntN(20) == 0: // no word
		case len(texts) > 0 && r.IntN(3) > 0:
			words := strings.Fields(texts[r.IntN(len(texts))])
			for range r.IntN(4) {
				words[r.IntN(len(words))] = fmt.Sprint("w", r.IntN(1000))
			}
			if text = strings.Join(words, " "); r.IntN(5) == 0 {
				text = strings.ToUpper(text) // of the same sketch by most methods
			}
		default:
			var b strings.Builder
			for range 20 + r.IntN(60) {
				fmt.Fprint(&b, "w", r.IntN(1000), " ")
			}
			text = strings.TrimSpace(b.String())
		}
		if text != "" {
			texts = append(texts, text)
		}
		docs[i] = Document{Text: text, Values: []float64{float64(r.IntN(4))}}
	}
	for i := range docs { // two old sources and two new
		docs[i].Ref = dedup.Ref{Source: 4 * i / n, Row: i}
	}
	return docs
}

// fate is what becomes of a document.
type fate struct {
	kept   dedup.Ref
	reason string
	score  float64
}

// want decides by the definition: every two texts are looked at, through the layout and the score.
func want(t *testing.T, o Options, threshold float64, docs []Document) map[dedup.Ref]fate {
	t.Helper()
	c := o.Method.NewCollection()
	layout, err := c.Buckets(similarity.JoinOptions{Threshold: o.Candidates, Recall: o.Recall, Documents: o.Documents})
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, len(docs))
	keys := make([][]similarity.Key, len(docs))
	doc := make([]dedup.Doc, len(docs))
	for i, d := range docs {
		c.Add(d.Text)
		order[i] = i
		if !c.Empty(i) {
			keys[i] = layout.Append(nil, i)
		}
		doc[i] = dedup.Doc{Ref: d.Ref, Length: len(d.Text), Values: d.Values}
	}
	old := func(i int) bool { return docs[i].Ref.Source < o.Old }
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case old(a) != old(b):
			return cmp.Compare(fmt.Sprint(!old(a)), fmt.Sprint(!old(b)))
		case old(a):
			return doc[a].Ref.Compare(doc[b].Ref)
		}
		return o.Keep.Compare(&doc[a], &doc[b])
	})
	floor := Floor(o.Candidates, layout.Recall(o.Candidates), o.Texts)
	near := func(a, b int) bool {
		return slices.ContainsFunc(keys[a], func(k similarity.Key) bool { return slices.Contains(keys[b], k) }) && c.Score(a, b) >= floor
	}
	out := map[dedup.Ref]fate{}
	var best, kept []int
	stands := map[string]int{}
	for _, i := range order {
		if j, ok := stands[docs[i].Text]; ok && !c.Empty(i) {
			if !old(i) {
				out[docs[i].Ref] = fate{docs[j].Ref, "equal", 1}
			}
			continue
		}
		stands[docs[i].Text] = i
		best = append(best, i)
	}
	for _, i := range best {
		removed := false
		for _, k := range kept {
			if !old(i) && near(k, i) && c.Score(k, i) >= threshold {
				out[docs[i].Ref] = fate{docs[k].Ref, "alike", c.Score(k, i)}
				removed = true
				break
			}
		}
		if !removed {
			kept = append(kept, i)
		}
	}
	// Who is equal to one that is removed goes by the same one that stays.
	for ref, f := range out {
		if g, ok := out[f.kept]; ok && f.reason == "equal" {
			out[ref] = fate{g.kept, "alike", g.score}
		}
	}
	return out
}

// engine runs the steps as a distributed one would, over any cut of the input, and by waves or the sweep.
type engine struct {
	t      *testing.T
	o      Options
	r      *rand.Rand
	fetch  bool // members are sent without sketches
	blocks int
	waves  int  // before the sweep
	twins  bool // new texts of equal sketches go as one
	table  map[dedup.Rank]Mapped
	pairs  []Pair
}

func (e *engine) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// group is the documents of one text: the rank of the one that stands for all,
// and how many they are.
type group struct {
	best dedup.Rank
	rows int64
}

func (g group) with(o group) group {
	if g.rows == 0 || o.best < g.best {
		g.best = o.best
	}
	g.rows += o.rows
	return g
}

// run returns what becomes of each removed document, as want does.
func (e *engine) run(docs []Document, threshold float64) map[dedup.Ref]fate {
	e.table = map[dedup.Rank]Mapped{}
	groups := map[dedup.Hash]group{}
	parts := map[int][]Document{}
	for _, d := range docs {
		n := e.r.IntN(3)
		parts[n] = append(parts[n], d)
	}
	for _, part := range parts {
		m, err := NewMapper(e.o)
		e.must(err)
		e.r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		own := map[dedup.Hash]group{}
		for i := range part {
			d, err := m.Map(&part[i])
			e.must(err)
			e.table[d.Rank] = d
			if !d.Empty {
				own[d.Hash] = own[d.Hash].with(group{d.Rank, 1})
			}
		}
		for h, g := range own {
			groups[h] = groups[h].with(g)
		}
	}
	first := map[string]dedup.Rank{} // by sketch
	for _, g := range groups {
		s := string(e.table[g.best].Sketch)
		if g.best.Ref().Source < e.o.Old {
			continue
		}
		if f, ok := first[s]; !ok || g.best < f {
			first[s] = g.best
		}
	}
	e.pair(groups, first)
	alike := slices.DeleteFunc(slices.Clone(e.pairs), func(p Pair) bool { return p.Score < threshold })
	removed := e.decide(alike)
	out := map[dedup.Ref]fate{}
	for _, d := range e.table {
		if d.Empty || d.Rank.Ref().Source < e.o.Old {
			continue
		}
		best := groups[d.Hash].best
		l, gone := removed[best]
		if f, ok := first[string(d.Sketch)]; ok && e.twins && f != best && best.Ref().Source >= e.o.Old {
			if l, gone = removed[f]; !gone {
				l, gone = Decision{best, f, 1}, true
			}
		}
		switch {
		case gone:
			out[d.Rank.Ref()] = fate{l.Leader.Ref(), "alike", l.Score}
		case best != d.Rank:
			out[d.Rank.Ref()] = fate{best.Ref(), "equal", 1}
		}
	}
	return out
}

// pair finds the pairs of the texts, in any order.
func (e *engine) pair(groups map[dedup.Hash]group, first map[string]dedup.Rank) {
	m, err := NewMapper(e.o)
	e.must(err)
	buckets := map[similarity.Key][]Member{}
	for _, g := range groups {
		if f, ok := first[string(e.table[g.best].Sketch)]; ok && e.twins && f != g.best && g.best.Ref().Source >= e.o.Old {
			continue
		}
		keys, err := m.Keys(e.table[g.best].Sketch)
		e.must(err)
		for _, k := range keys {
			buckets[k] = append(buckets[k], Member{g.best, e.table[g.best].Sketch})
		}
	}
	p, err := NewPairer(e.o)
	e.must(err)
	e.pairs = nil
	seen := map[[2]dedup.Rank]bool{}
	for k, members := range buckets {
		tasks := map[Task][]Member{}
		for _, m := range members {
			Tasks(BlockOf(m.Rank, e.blocks), e.blocks, func(t Task) { tasks[t] = append(tasks[t], m) })
		}
		for task, members := range tasks {
			e.r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
			if !e.fetch {
				e.must(p.Pairs(e.t.Context(), k, e.blocks, task, members, func(p Pair) error { e.pairs = append(e.pairs, p); return nil }))
				continue
			}
			var ranks []dedup.Rank
			for _, m := range members {
				ranks = append(ranks, m.Rank)
			}
			e.must(p.Candidates(e.t.Context(), e.blocks, task, ranks, func(a, b dedup.Rank) error { seen[[2]dedup.Rank{a, b}] = true; return nil }))
		}
	}
	for ab := range seen {
		of, other := e.table[ab[0]], e.table[ab[1]]
		if e.r.IntN(2) == 0 {
			of, other = other, of
		}
		e.must(p.Score(Member{of.Rank, of.Sketch}, slices.Values([]Member{{other.Rank, other.Sketch}}), func(p Pair) error { e.pairs = append(e.pairs, p); return nil }))
	}
	e.r.Shuffle(len(e.pairs), func(i, j int) { e.pairs[i], e.pairs[j] = e.pairs[j], e.pairs[i] })
}

// decide returns who is removed.
func (e *engine) decide(pairs []Pair) map[dedup.Rank]Decision {
	of := map[dedup.Rank][]Pair{}
	for _, p := range pairs {
		of[p.A], of[p.B] = append(of[p.A], p), append(of[p.B], p)
	}
	nodes := map[dedup.Rank]*Node{}
	for r, own := range of {
		n := NewNode(r, own)
		nodes[r] = &n
	}
	removed := map[dedup.Rank]Decision{}
	take := func(d Decision) error {
		if d.Rank != d.Leader {
			removed[d.Rank] = d
		}
		return nil
	}
	news := map[dedup.Rank][]News{}
	hear := func() {
		for r, n := range nodes {
			own := news[r]
			e.r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
			n.Hear(own)
		}
		clear(news)
	}
	for range e.waves {
		hear()
		told := map[dedup.Rank][]News{}
		for r, n := range nodes {
			if d, done := n.Decide(func(to dedup.Rank, w News) { told[to] = append(told[to], w) }); done {
				take(d)
				delete(nodes, r)
			}
		}
		news = told
	}
	hear()
	s := NewRankSweep(e.t.TempDir(), 1<<18)
	defer s.Close()
	for _, n := range nodes {
		e.must(n.Pairs(s.Add))
	}
	e.must(s.Each(e.t.Context(), take))
	return removed
}

var specs = []string{"simhash", "simhash:bits=128", "minhash", "minhash:bits=8", "shingle", "manber", "winnow", "minhash:scheme=bottom"}

// However the input is cut and whatever finds and decides, the result is that of the definition.
func TestStepsEqualDefinition(t *testing.T) {
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			m := method(t, spec)
			if _, err := NewMapper(Options{Method: m, Candidates: .8}); err != nil {
				t.Fatal(err)
			}
			removed := 0
			seeds := 6
			if testing.Short() {
				seeds = 3
			}
			for seed := range uint64(seeds) {
				r := rand.New(rand.NewPCG(seed, 1))
				docs := corpus(r, 100)
				o := Options{Method: m, Candidates: .7, Keep: policy(t, []string{"first", "longest", "highest:a,source"}[seed%3]), Old: int(seed % 3), Documents: int64(seed%2) * 1e9}
				threshold := o.Candidates
				if seed%2 == 1 {
					threshold = .9
				}
				w := want(t, o, threshold, docs)
				removed += len(w)
				for range 2 {
					e := engine{t: t, o: o, r: r, fetch: r.IntN(2) == 0, blocks: 1 + r.IntN(4), waves: r.IntN(6), twins: r.IntN(2) == 0}
					if got := e.run(slices.Clone(docs), threshold); !reflect.DeepEqual(got, w) {
						t.Fatalf("seed %d, fetch %v, %d blocks, %d waves, twins %v: %s", seed, e.fetch, e.blocks, e.waves, e.twins, differ(got, w))
					}
				}
			}
			if removed == 0 {
				t.Error("no document was removed, so that nothing is shown")
			}
		})
	}
}

func differ(got, want map[dedup.Ref]fate) string {
	for _, ref := range slices.SortedFunc(maps.Keys(want), dedup.Ref.Compare) {
		if got[ref] != want[ref] {
			return fmt.Sprintf("%v: %+v, want %+v", ref, got[ref], want[ref])
		}
	}
	return fmt.Sprintf("%d are removed, want %d", len(got), len(want))
}

// Without repetition, though two texts share many buckets.
func TestPairsComeOnce(t *testing.T) {
	for _, spec := range specs {
		r := rand.New(rand.NewPCG(1, 2))
		e := engine{t: t, o: Options{Method: method(t, spec), Candidates: .5}, r: r, blocks: 3, waves: 1}
		e.run(corpus(r, 100), .5)
		seen := map[[2]dedup.Rank]bool{}
		for _, p := range e.pairs {
			if p.A >= p.B || seen[[2]dedup.Rank{p.A, p.B}] {
				t.Fatalf("%s: the pair of %v and %v comes twice, or the wrong way round", spec, p.A.Ref(), p.B.Ref())
			}
			seen[[2]dedup.Rank{p.A, p.B}] = true
		}
		if len(seen) == 0 {
			t.Errorf("%s: no pair", spec)
		}
	}
}

// Where there are many documents, buckets are of more bits, and more tables find as much.
func TestLayoutIsForSoManyDocuments(t *testing.T) {
	tables := map[int64]int{}
	for _, n := range []int64{0, 8e9} {
		m, err := NewMapper(Options{Method: method(t, "simhash"), Candidates: .98, Documents: n})
		if err != nil {
			t.Fatal(err)
		}
		tables[n] = m.Layout().Tables
	}
	if tables[8e9] <= tables[0] {
		t.Errorf("%d tables for 8e9 documents, %d for few", tables[8e9], tables[0])
	}
}

// All tasks of a bucket compare each two members once.
func TestTasksCoverABucket(t *testing.T) {
	for blocks := 1; blocks < 6; blocks++ {
		pairs := map[[2]int]int{}
		tasks := map[Task][]int{}
		own := map[int]int{}
		for m := range 40 {
			b := BlockOf(dedup.Rank(fmt.Sprintf("%08d", m)), blocks)
			own[m] = b
			n := 0
			Tasks(b, blocks, func(task Task) { tasks[task] = append(tasks[task], m); n++ })
			if n != blocks {
				t.Fatalf("a member is in %d tasks of %d blocks", n, blocks)
			}
		}
		for task, members := range tasks {
			for i, a := range members {
				for _, b := range members[i+1:] {
					if task.A == task.B || own[a] != own[b] {
						pairs[[2]int{a, b}]++
					}
				}
			}
		}
		if len(pairs) != 40*39/2 {
			t.Errorf("%d blocks: %d pairs, want %d", blocks, len(pairs), 40*39/2)
		}
		for p, n := range pairs {
			if n != 1 {
				t.Errorf("%d blocks: the pair %v comes %d times", blocks, p, n)
			}
		}
	}
	for members, want := range map[int64]int{0: 1, 1: 1, BlockMembers: 1, BlockMembers + 1: 2, 100 * BlockMembers: 100} {
		if got := Blocks(members); got != want {
			t.Errorf("%d members are in %d blocks, want %d", members, got, want)
		}
	}
}

func TestStepsPassErrorsOn(t *testing.T) {
	m := method(t, "simhash")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	mapper, err := NewMapper(Options{Method: m, Candidates: .9})
	if err != nil {
		t.Fatal(err)
	}
	pairer, err := NewPairer(Options{Method: m, Candidates: .9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mapper.Map(&Document{Ref: dedup.Ref{Row: -1}}); err == nil {
		t.Error("map: a row of no number is accepted")
	}
	if _, err := mapper.Keys([]byte{1}); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("keys: %v of a damaged sketch", err)
	}
	members := []Member{{"00000000", []byte{1}}, {"00000001", []byte{1}}}
	if err := pairer.Pairs(t.Context(), similarity.Key{}, 1, Task{}, members, nil); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("pairs: %v of a damaged sketch", err)
	}
	if err := pairer.Score(members[0], slices.Values(members), nil); !errors.Is(err, similarity.ErrFormat) {
		t.Errorf("score: %v of a damaged sketch", err)
	}
	if err := pairer.Candidates(ctx, 1, Task{}, []dedup.Rank{"00000000"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("candidates: %v, want that the context was cancelled", err)
	}
	if err := pairer.Candidates(t.Context(), 2, Task{5, 5}, []dedup.Rank{"00000000"}, nil); err == nil {
		t.Error("candidates: a member of another block is accepted")
	}
	for _, o := range []Options{{}, {Method: m}, {Method: m, Candidates: 2}, {Method: method(t, "cosine"), Candidates: .5}} {
		if _, err := NewMapper(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
		if _, err := NewPairer(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
