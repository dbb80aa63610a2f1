package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/ingest"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/similarity"
)

func method(t *testing.T) similarity.Method {
	t.Helper()
	m, err := shingle.New(shingle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return similarity.Hide(m)
}

// inputs returns inputs of JSON lines, and of documents in memory under the name
// set.
func inputs(files map[string]string, set []datasets.Doc, names ...string) *ingest.Inputs {
	return &ingest.Inputs{Names: names, Workers: 3, Open: func(name string) (datasets.Source, []datasets.Doc, error) {
		if name == "set" {
			return datasets.Source{}, set, nil
		}
		if _, ok := files[name]; !ok {
			return datasets.Source{}, nil, errors.New("no " + name)
		}
		return datasets.Source{Path: "-", Format: "jsonl", Input: strings.NewReader(files[name])}, nil, nil
	}}
}

// many returns n rows. Long and short ones, so that workers finish out of order.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":\"%d\",\"text\":\"%s\"}\n", i, strings.Repeat(fmt.Sprint("w", i, " "), 1+i%7*200))
	}
	return b.String()
}

// Documents come out in the order in which they went in, with their own sketches.
func TestOrder(t *testing.T) {
	const n = 3000
	m := method(t)
	in := inputs(map[string]string{"many": many(n)}, nil, "many")
	share, count := 0.0, 0
	in.Progress = func(s float64, docs int) {
		if s < share || docs < count {
			t.Errorf("progress goes from %v, %d to %v, %d", share, count, s, docs)
		}
		share, count = s, docs
	}
	var seen []string
	c, err := in.Collect(t.Context(), m, func(id string) { seen = append(seen, id) })
	if err != nil {
		t.Fatal(err)
	}
	if c.Sketches.Len() != n || c.Empty != 0 || count != n || len(seen) != n {
		t.Fatalf("%d documents, %d empty, progress of %d, %d seen", c.Sketches.Len(), c.Empty, count, len(seen))
	}
	probe := m.NewCollection()
	for i := range n {
		if id := fmt.Sprint(i); c.IDs.At(i) != id || seen[i] != id {
			t.Fatalf("document %d has the id %s, seen as %s", i, c.IDs.At(i), seen[i])
		}
		probe.Add(fmt.Sprint("w", i))
	}
	probe.Append(c.Sketches)
	for i := range n {
		if probe.Score(i, n+i) != 1 {
			t.Fatalf("document %d has another's sketch", i)
		}
	}
	var failed error
	i := 0
	in = inputs(map[string]string{"many": many(n)}, nil, "many")
	for d := range in.Documents(t.Context(), &failed) {
		if !strings.HasPrefix(d.Text, fmt.Sprint("w", i, " ")) {
			t.Fatalf("text %d begins %.9s", i, d.Text)
		}
		if i++; i == n/2 {
			break
		}
	}
	if i != n/2 || failed != nil {
		t.Errorf("%d texts, error %v", i, failed)
	}
}

// Several inputs are read in order, sets in memory too. Malformed rows count over
// all of them.
func TestInputs(t *testing.T) {
	files := map[string]string{
		"a":   `{"id":"1","text":"a b"}` + "\nbroken\n" + `{"id":"2","text":""}` + "\n",
		"bad": "broken\n" + `{"id":"3","text":"c d"}` + "\n",
	}
	set := []datasets.Doc{{ID: "4", Text: "e f"}}
	for skip, want := range []string{"[]", "[1 2 4]", "[1 2 4 3]"} {
		in := inputs(files, set, "a", "set", "bad")
		in.SkipBad = skip
		skipped := 0
		in.Skipped = func(error) { skipped++ }
		var ids []string
		c, err := in.Collect(t.Context(), method(t), func(id string) { ids = append(ids, id) })
		_, bad := errors.AsType[*datasets.BadRow](err)
		if bad != (skip < 2) || skipped != skip || fmt.Sprint(ids) != want {
			t.Errorf("%d may be bad: %v after %v, %d skipped", skip, err, ids, skipped)
		}
		if err == nil && (c.Empty != 1 || c.Bytes != 9) {
			t.Errorf("%d empty documents, %d bytes, want 1 and 9", c.Empty, c.Bytes)
		}
	}
	if _, err := inputs(files, set, "set", "absent").Collect(t.Context(), method(t), nil); err == nil || err.Error() != "no absent" {
		t.Errorf("error %v of an input that is not there", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inputs(files, set, "set").Collect(ctx, method(t), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling", err)
	}
}

// From each state that Done is told, another run has the rest of the documents.
func TestFrom(t *testing.T) {
	set := make([]datasets.Doc, 600)
	for i := range set {
		set[i].ID = fmt.Sprint("set", i)
	}
	open := func() *ingest.Inputs {
		in := inputs(map[string]string{"a": many(900) + "no row\n" + many(300), "b": many(500)}, set, "a", "set", "b")
		in.SkipBad = 1
		return in
	}
	read := func(in *ingest.Inputs) (ids []string, states map[ingest.State]int) {
		states = map[ingest.State]int{}
		in.Done = func(s ingest.State) error {
			states[s] = len(ids)
			return nil
		}
		err := ingest.Each(t.Context(), in, func(*datasets.Doc) (int, error) { return 0, nil },
			func(d datasets.Doc, _ int) error { ids = append(ids, d.ID); return nil })
		if err != nil {
			t.Fatal(err)
		}
		return ids, states
	}
	all, states := read(open())
	if end := (ingest.State{Rows: 2301, Skipped: 1}); len(all) != 2300 || states[end] != 2300 || len(states) < 8 {
		t.Fatalf("%d documents, states %v", len(all), states)
	}
	for state, n := range states {
		in := open()
		in.From = state
		if rest, _ := read(in); !slices.Equal(rest, all[n:]) {
			t.Errorf("from %+v: %d documents, want the last %d", state, len(rest), len(all)-n)
		}
	}
}

func TestIndex(t *testing.T) {
	m := method(t)
	open := func() *index.Index {
		x, err := index.Create(t.Context(), memory.New(), m, index.Options{Threshold: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	files := map[string]string{"a": `{"id":"1","text":"a b c"}` + "\n" + `{"id":"2","text":""}` + "\n" + `{"id":"3","text":"x y z"}` + "\n" + `{"id":"4","text":"a b c d"}` + "\n", "bad": "broken\n"}
	docs := func(names ...string) iter.Seq2[[]index.Doc, error] {
		return inputs(files, nil, names...).Docs(t.Context(), m)
	}
	for _, test := range []struct {
		name string
		add  func(x *index.Index) (ingest.Counts, error)
		want ingest.Counts
	}{
		{"add", func(x *index.Index) (ingest.Counts, error) {
			return ingest.Add(t.Context(), x, docs("a"), 7, dedup.Limits{}, nil)
		}, ingest.Counts{index.Added: 3, index.Empty: 1}},
		{"load", func(x *index.Index) (ingest.Counts, error) { return ingest.Load(t.Context(), x, docs("a"), 7) }, ingest.Counts{index.Added: 3, index.Empty: 1}},
		{"new", func(x *index.Index) (ingest.Counts, error) {
			return ingest.Add(t.Context(), x, docs("a"), 7, dedup.Limits{}, func(id string, m *index.Match) error {
				if id != "4" || m.ID != "1" || m.Score != 0.75 {
					t.Errorf("%s is known as %+v", id, m)
				}
				return nil
			})
		}, ingest.Counts{index.Added: 2, index.Empty: 1, index.Known: 1}},
	} {
		x := open()
		got, err := test.add(x)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
		matches, err := x.Query(t.Context(), index.Doc{Text: "x y z"}, index.QueryOptions{})
		if err != nil || len(matches) != 1 || matches[0].ID != "3" || matches[0].Time != 7 {
			t.Errorf("%s: %+v, %v", test.name, matches, err)
		}
	}
	stop := errors.New("stop")
	if _, err := ingest.Add(t.Context(), open(), docs("a"), 7, dedup.Limits{}, func(string, *index.Match) error { return stop }); err != stop {
		t.Errorf("error %v, want that of known", err)
	}
	for _, add := range []func(x *index.Index) (ingest.Counts, error){
		func(x *index.Index) (ingest.Counts, error) {
			return ingest.Add(t.Context(), x, docs("a", "bad"), 7, dedup.Limits{}, nil)
		},
		func(x *index.Index) (ingest.Counts, error) { return ingest.Load(t.Context(), x, docs("a", "bad"), 7) },
	} {
		_, err := add(open())
		if _, bad := errors.AsType[*datasets.BadRow](err); !bad {
			t.Errorf("error %v of a malformed row", err)
		}
	}
}
