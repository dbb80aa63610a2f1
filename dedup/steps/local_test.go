package steps_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/dedup/steps"
)

// The steps remove what package local does, for the same document and at the same score, and what it
// reports of texts and pairs follows from them.
func TestStepsEqualLocal(t *testing.T) {
	for _, spec := range steps.Specs() {
		t.Run(spec, func(t *testing.T) {
			seeds := 4
			if testing.Short() {
				seeds = 2
			}
			for seed := range uint64(seeds) {
				r := rand.New(rand.NewPCG(seed, 20))
				docs := steps.Corpus(r, 160)
				paths := sources(t, docs)
				o := steps.Options{
					Method: steps.Method(t, spec), Candidates: .7, Old: int(seed % 2),
					Keep: steps.Policy(t, []string{"first", "longest", "highest:n,source", "source,longest"}[seed]),
				}
				got := steps.RunEngine(t, o, docs, o.Candidates, r)
				want := map[dedup.Ref]steps.Fate{}
				rep, err := local.Run(t.Context(), local.Options{
					Against: paths[:o.Old], Sources: paths[o.Old:], Method: o.Method, Threshold: o.Candidates, Keep: o.Keep, DryRun: true,
					OnRemoved: func(w local.Removal) error {
						kept := w.Kept.Ref
						if !w.Kept.Against {
							kept.Source += o.Old
						}
						w.Ref.Source += o.Old
						want[w.Ref] = steps.Fate{Kept: kept, Reason: w.Reason, Score: w.Score}
						return nil
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got.Fates, want) || len(want) == 0 {
					for ref, f := range want {
						if got.Fates[ref] != f {
							t.Errorf("%v: %+v, want %+v", ref, got.Fates[ref], f)
						}
					}
					t.Fatalf("seed %d: %d are removed, want %d", seed, len(got.Fates), len(want))
				}
				got.Fates = nil
				if got.Texts != rep.Texts || got.Active != rep.Active || got.Scored != int(rep.Scored) || got.Chaining != rep.Chaining || got.Clusters != rep.Clusters || got.Largest != rep.Largest {
					t.Errorf("seed %d: %+v, want texts %d, active %d, scored %d, %+v, %d clusters, the largest of %d",
						seed, got, rep.Texts, rep.Active, rep.Scored, rep.Chaining, rep.Clusters, rep.Largest)
				}
			}
		})
	}
}

// sources writes the documents to a file for each source, and gives them the references that they have there.
func sources(t *testing.T, docs []steps.Document) []datasets.Source {
	t.Helper()
	dir := t.TempDir()
	var files []*bytes.Buffer
	rows := map[int]int{}
	for i := range docs {
		d := &docs[i]
		for len(files) <= d.Ref.Source {
			files = append(files, &bytes.Buffer{})
		}
		d.Ref.Row = rows[d.Ref.Source]
		rows[d.Ref.Source]++
		text, err := json.Marshal(d.Text)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(files[d.Ref.Source], `{"id":"%d","n":%v,"text":%s}`+"\n", i, d.Values[0], text)
	}
	var out []datasets.Source
	for i, f := range files {
		path := filepath.Join(dir, fmt.Sprint(i, ".jsonl"))
		if err := os.WriteFile(path, f.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		out = append(out, datasets.Source{Path: path})
	}
	return out
}
