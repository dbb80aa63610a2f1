package local

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/memory"
	"github.com/alike-go/alike/similarity"
)

func newIndex(t testing.TB, s index.Store, m similarity.Method, threshold float64) *index.Index {
	t.Helper()
	x, err := index.Create(t.Context(), s, m, index.Options{Threshold: threshold})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// inIndex returns the documents of an index by id, without what depends on when they came.
func inIndex(t testing.TB, x *index.Index) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := x.Store().EachDocument(t.Context(), func(d index.Document) error {
		out[d.ID] = fmt.Sprintf("%x %x", d.Hash, d.Sketch)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Batch by batch against an index gives what one run over all gives, and the index holds what is kept. To
// do it again changes nothing.
func TestIndexEqualsFullRebuild(t *testing.T) {
	docs := sample(21, 900)
	for name, m := range map[string]similarity.Method{"fingerprints": fingerprints(t), "sets": exact(t)} {
		for _, unverified := range []bool{false, true} {
			t.Run(fmt.Sprint(name, unverified), func(t *testing.T) {
				dir := t.TempDir()
				var sources []datasets.Source
				for i, batch := range [][]string{docs[:300], docs[300:300], docs[300:310], docs[310:]} {
					sources = append(sources, datasets.Source{Path: jsonl(t, dir, fmt.Sprint("batch", i), batch)})
				}
				o := Options{Method: m, Threshold: .8, Unverified: unverified, Sources: sources, Out: filepath.Join(dir, "full")}
				if _, err := Run(t.Context(), o); err != nil {
					t.Fatal(err)
				}
				want := lines(t, filepath.Join(o.Out, "kept.jsonl"))
				x := newIndex(t, memory.New(), m, .7)
				o.Index, o.IndexName, o.Update = x, "memory", true
				var got []string
				for round := range 2 {
					had := inIndex(t, x)
					for i, s := range sources {
						o.Sources, o.Out = []datasets.Source{s}, filepath.Join(dir, fmt.Sprint("part", round, i))
						rep, err := Run(t.Context(), o)
						if err != nil {
							t.Fatal(err)
						}
						kept := lines(t, filepath.Join(o.Out, "kept.jsonl"))
						if rep.Added+rep.WithoutFeatures != len(kept) {
							t.Errorf("%d added and %d without features of %d kept", rep.Added, rep.WithoutFeatures, len(kept))
						}
						if round == 0 {
							got = append(got, kept...)
						} else if rep.Added != 0 || rep.Kept != rep.WithoutFeatures {
							t.Errorf("again: %d are kept, %d added", rep.Kept, rep.Added)
						}
						checkNamed(t, o.Out, inIndex(t, x))
					}
					if round == 1 && !maps.Equal(had, inIndex(t, x)) {
						t.Error("the index has changed by what it had")
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%d rows batch by batch, %d at once", len(got), len(want))
				}
			})
		}
	}
}

// checkNamed checks that whoever stays for a removed row is in the index if it is said to be.
func checkNamed(t *testing.T, out string, in map[string]string) {
	t.Helper()
	r, err := openReasons(filepath.Join(out, whyFile))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for r.ok {
		w := r.at
		if w.Kept != nil && w.Kept.Against && (in[w.Kept.ID] == "" || w.Kept.At != "memory") {
			t.Errorf("%s is removed for %+v, which is not in the index", w.ID, w.Kept)
		}
		if err := r.read(); err != nil {
			t.Fatal(err)
		}
	}
}

// A document that the index finds one alike to goes, for the one of the same text or else the first by id,
// though the buckets of the run itself would rarely have shown it.
func TestIndexDecides(t *testing.T) {
	m, dir := estimates(t), t.TempDir()
	docs := sample(22, 800)
	old, fresh := docs[:300], docs[300:]
	x, err := index.Create(t.Context(), memory.New(), m, index.Options{Threshold: .4, Recall: .999})
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range old {
		if _, err := x.Add(t.Context(), []index.Doc{{ID: fmt.Sprint("o", i), Text: d}}); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{} // id of the one that stays, and the reason
	for i, d := range fresh {
		matches, err := x.Query(t.Context(), index.Doc{Text: d}, index.QueryOptions{Threshold: .5})
		if err != nil {
			t.Fatal(err)
		}
		var first, same string
		for _, match := range matches {
			if first == "" || match.ID < first {
				first = match.ID
			}
			if match.Hash == index.ContentHash(d) && (same == "" || match.ID < same) {
				same = match.ID
			}
		}
		switch {
		case same != "":
			want[fmt.Sprint("n-", i)] = "equal " + same
		case first != "":
			want[fmt.Sprint("n-", i)] = "alike " + first
		}
	}
	in := datasets.Source{Path: jsonl(t, dir, "n", fresh)}
	o := Options{Method: m, Threshold: .5, Recall: .01, Index: x, IndexName: "memory", Sources: []datasets.Source{in}, DryRun: true}
	for _, workers := range []int{1, 3} {
		o.Workers = workers
		got := map[string]string{}
		o.OnRemoved = func(r Removal) error {
			if r.Kept.Against {
				got[r.ID] = r.Reason + " " + r.Kept.ID
			}
			return nil
		}
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		// That of a text with several rows, some are of one that goes by another.
		if !reflect.DeepEqual(got, want) || len(want) < 50 {
			for id := range want {
				if got[id] != want[id] {
					t.Errorf("%s: %q, want %q", id, got[id], want[id])
				}
			}
			t.Fatalf("%d workers: %d are removed for documents of the index, want %d", workers, len(got), len(want))
		}
	}
}

func TestIndexIsRefused(t *testing.T) {
	dir := t.TempDir()
	x := newIndex(t, memory.New(), fingerprints(t), .9)
	in := datasets.Source{Path: jsonl(t, dir, "a", sample(1, 20))}
	good := Options{Method: fingerprints(t), Threshold: .9, Index: x, IndexName: "memory", Out: filepath.Join(dir, "out"), Sources: []datasets.Source{in}}
	for want, change := range map[string]func(*Options){
		"no texts":                     func(o *Options) { o.Verify = exact(t) },
		"passages cannot be taken out": func(o *Options) { o.Clean.Boilerplate = 3 },
		"was made by simhash":          func(o *Options) { o.Method = exact(t) },
		"from 0.8 on":                  func(o *Options) { o.Threshold = .8 },
		"follows chains":               func(o *Options) { o.Cohesion = .5 },
		"without Against":              func(o *Options) { o.Update, o.Against = true, o.Sources },
		"without DryRun":               func(o *Options) { o.Update, o.DryRun = true, true },
	} {
		o := good
		change(&o)
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Run(t.Context(), good); err != nil {
		t.Error(err)
	}
}

// An id that stands for another text is refused before anything is written or added.
func TestIndexUpdateWantsIDs(t *testing.T) {
	dir := t.TempDir()
	x := newIndex(t, memory.New(), exact(t), .8)
	if _, err := x.Add(t.Context(), []index.Doc{{ID: "a", Text: "one two three"}}); err != nil {
		t.Fatal(err)
	}
	had := inIndex(t, x)
	for want, rows := range map[string]string{
		`another text under the id "a"`:    `{"id":"b","text":"x y z"}` + "\n" + `{"id":"a","text":"four five six"}` + "\n",
		`two documents that are kept have`: `{"id":"b","text":"x y z"}` + "\n" + `{"id":"b","text":"four five six"}` + "\n",
		"cannot stand in an index":         fmt.Sprintf(`{"id":%q,"text":"x y z"}`+"\n", strings.Repeat("x", index.MaxID+1)),
	} {
		in := write(t, filepath.Join(dir, "in.jsonl"), []byte(rows))
		o := Options{Method: exact(t), Threshold: .8, Index: x, IndexName: "memory", Update: true, Out: filepath.Join(dir, "out"), Sources: []datasets.Source{{Path: in}}}
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "out*")); names != nil || !maps.Equal(had, inIndex(t, x)) {
			t.Errorf("%s: %v are there, or the index has changed", want, names)
		}
	}
	// One that is removed, or has the same text, is no matter.
	in := write(t, filepath.Join(dir, "in.jsonl"), []byte(`{"id":"a","text":"one two three"}`+"\n"+`{"id":"b","text":"x y z"}`+"\n"+`{"id":"b","text":"x y z"}`+"\n"))
	o := Options{Method: exact(t), Threshold: .8, Index: x, IndexName: "memory", Update: true, Out: filepath.Join(dir, "out"), Sources: []datasets.Source{{Path: in}}}
	if rep, err := Run(t.Context(), o); err != nil || rep.Added != 1 {
		t.Errorf("%+v, %v, want 1 added", rep, err)
	}
}

// faulty is a store that fails once so many documents were added.
type faulty struct {
	index.Store
	left int
}

var errFaulty = errors.New("the store fails")

func (f *faulty) Add(ctx context.Context, entries []index.Entry, ifNew bool) ([]index.Outcome, error) {
	some := entries[:min(len(entries), f.left)]
	f.left -= len(some)
	out, err := f.Store.Add(ctx, some, ifNew)
	if err == nil && len(some) < len(entries) {
		err = errFaulty
	}
	return out, err
}

// A run that ends while it adds to the index is brought to the same end by one that goes on, and by no other.
func TestIndexUpdateGoesOn(t *testing.T) {
	dir := t.TempDir()
	docs := sample(23, 900)
	in := datasets.Source{Path: jsonl(t, dir, "a", docs)}
	m := fingerprints(t)
	fresh := func(left int) (*faulty, *index.Index) {
		s := &faulty{memory.New(), 1 << 30}
		x := newIndex(t, s, m, .8)
		for i, d := range sample(24, 100) {
			if _, err := x.Add(t.Context(), []index.Doc{{ID: fmt.Sprint("old", i), Text: d}}); err != nil {
				t.Fatal(err)
			}
		}
		s.left = left
		return s, x
	}
	o := Options{Method: m, Threshold: .8, IndexName: "memory", Update: true, IndexTime: 7, Sources: []datasets.Source{in}, Out: filepath.Join(dir, "out")}
	_, x := fresh(1 << 30)
	o.Index = x
	rep, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	want, wantIndex := written(t, o.Out), inIndex(t, x)
	for _, left := range []int{0, 1, rep.Added / 2, rep.Added - 1} {
		os.RemoveAll(o.Out)
		s, x := fresh(left)
		o.Index, o.Resume = x, false
		if _, err := Run(t.Context(), o); !errors.Is(err, errFaulty) {
			t.Fatalf("error %v, want that of the store", err)
		}
		if _, err := os.Stat(o.Out); err == nil {
			t.Fatal("the output is there before the index is complete")
		}
		s.left = 1 << 30
		if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--resume") {
			t.Fatalf("begun again: error %v, want that it is to be gone on with", err)
		}
		o.Resume = true
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if got := written(t, o.Out); !reflect.DeepEqual(got, want) {
			t.Errorf("after %d documents: another output", left)
		}
		if !maps.Equal(inIndex(t, x), wantIndex) {
			t.Errorf("after %d documents: another index", left)
		}
		if _, err := os.Stat(partialOf(o.Out)); err == nil {
			t.Error("checkpoints are left")
		}
	}
}

// written reads the files of an output, but for the report, whose times differ.
func written(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if n.Name() != reportFile {
			out[n.Name()] = strings.Join(lines(t, filepath.Join(dir, n.Name())), "")
		}
	}
	return out
}

// A run that was cancelled after it has asked keeps to the answers, whatever the index holds by then.
func TestIndexIsAskedOnce(t *testing.T) {
	dir := t.TempDir()
	in := datasets.Source{Path: jsonl(t, dir, "a", sample(25, 600))}
	m := fingerprints(t)
	x := newIndex(t, memory.New(), m, .8)
	for i, d := range sample(25, 600)[:100] {
		if _, err := x.Add(t.Context(), []index.Doc{{ID: fmt.Sprint("old", i), Text: d}}); err != nil {
			t.Fatal(err)
		}
	}
	o := Options{Method: m, Threshold: .8, Index: x, IndexName: "memory", Sources: []datasets.Source{in}, Out: filepath.Join(dir, "whole")}
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	want := written(t, o.Out)
	ctx, cancel := context.WithCancel(t.Context())
	o.Out, o.Resume = filepath.Join(dir, "out"), true
	o.Progress = func(stage string, _ float64) {
		if stage == "verify" {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that the context was cancelled", err)
	}
	var all []string
	for id := range inIndex(t, x) {
		all = append(all, id)
	}
	if _, err := x.Delete(t.Context(), all...); err != nil {
		t.Fatal(err)
	}
	o.Progress = func(stage string, _ float64) {
		if stage == "ask" {
			t.Error("the index is asked again")
		}
	}
	if _, err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if got := written(t, o.Out); !reflect.DeepEqual(got, want) {
		t.Error("another output than that of the run without a break")
	}
}

func TestHitsSortByID(t *testing.T) {
	ids := []string{"", "a", "a\x00", "a\x00\x00b", "a\x00b", "a\x01", "aa", "b", "ä"}
	slices.Sort(ids)
	var last []byte
	for i, id := range ids {
		h := hit{row: i, Document: index.Document{ID: id, Hash: index.Hash(dedup.HashText(id)), Sketch: []byte{0, 0, byte(i)}}, values: []float64{float64(i), dedup.Missing}}
		b := h.encode()
		if string(b) <= string(last) {
			t.Errorf("%q sorts before %q", id, ids[i-1])
		}
		if got := decodeHit(b, 2); !reflect.DeepEqual(got, h) {
			t.Errorf("%+v, want %+v", got, h)
		}
		last = b
	}
}
