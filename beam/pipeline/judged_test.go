package pipeline_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/beam/pipeline"
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/local"
	"github.com/alike-go/alike/internal/cli"
)

// judge writes answers about documents of files, by their ids as a run gives them: groups
// of the same, of documents that are alike and of others, and groups that are apart, also
// of documents that are alike. None contradicts another.
func judge(t *testing.T, seed uint64, ids []string, removed map[string]string) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	var gone []string
	for _, id := range slices.Sorted(maps.Keys(removed)) {
		if r.IntN(3) == 0 {
			gone = append(gone, id)
		}
	}
	group := map[string]int{} // by id, from 1 on
	lines := []string{"id1\tid2\tlabel"}
	mark := func(a, b string, label int) { lines = append(lines, fmt.Sprintf("%s\t%s\t%d", a, b, label)) }
	groups := [][]string{nil}
	add := func(members ...string) int {
		n := len(groups)
		var own []string
		for _, id := range members {
			if group[id] != 0 {
				continue
			}
			if group[id] = n; len(own) > 0 {
				mark(own[len(own)-1], id, 1)
			}
			own = append(own, id)
		}
		groups = append(groups, own)
		return n
	}
	for i := range 20 {
		add(ids[3*i : 3*i+1+i%3]...)
	}
	for i, id := range gone {
		if i%2 == 0 {
			add(id, ids[100+i])
		} else {
			add(id)
		}
		add(removed[id])
	}
	apart := func(a, b int) {
		if a != b && a > 0 && b > 0 && len(groups[a]) > 0 && len(groups[b]) > 0 {
			mark(groups[a][0], groups[b][len(groups[b])-1], 0)
		}
	}
	for i, id := range gone {
		if i%3 != 1 {
			apart(group[id], group[removed[id]])
		}
		apart(1+r.IntN(len(groups)-1), 1+r.IntN(len(groups)-1))
	}
	path := filepath.Join(t.TempDir(), "labels.tsv")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// removals returns what the reasons of a folder of alike dedup say: the id of
// the one kept, by that of the removed one.
func removals(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for line := range strings.Lines(string(read(t, filepath.Join(folder, "why.jsonl")))) {
		var w local.Removal
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		if w.Kept != nil {
			out[w.ID] = w.Kept.ID
		}
	}
	return out
}

// With judgements, both engines remove the same documents for the same ones: by sketches
// in buckets, by texts, by the join of a method, beside old documents and within limits.
func TestJudgedEqualsLocal(t *testing.T) {
	old, fresh := news(t, 300)
	// Documents without features go with others only if they are judged.
	void := `{"id":"void-0","text":"..."}
{"id":"void-0","text":"..."}
{"id":"void-1","text":"!","agency":"agency 1"}
{"id":"void-2","text":"..."}
{"id":"void-3","text":"..."}
`
	if err := os.WriteFile(fresh, append([]byte(void), read(t, fresh)...), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		method string
		text   bool
		flags  []string
		limits dedup.Limits
		keep   string
		old    bool
	}{
		{"simhash", false, nil, dedup.Limits{}, "first", false},
		{"minhash", true, nil, dedup.Limits{}, "longest", true},
		{"minhash", true, []string{"--across", "agency"}, dedup.Limits{Across: "agency"}, "first", true},
		{"minhash:bits=8", false, []string{"--within", "agency"}, dedup.Limits{Within: "agency"}, "none", true},
		{"cosine:fit=none", false, nil, dedup.Limits{}, "first", true},
	} {
		t.Run(fmt.Sprint(c.method, c.flags, c.keep), func(t *testing.T) {
			o := options(t, fresh, c.method, c.text)
			o.Limits, o.MaxDrop, o.PieceBytes, o.Waves = c.limits, 1, 20_000, 2+i%3
			var err error
			if o.Keep, err = dedup.ParsePolicy(c.keep); err != nil {
				t.Fatal(err)
			}
			args := byThreshold(append([]string{"dedup", fresh, "-m", o.Method.String(), "--max-drop", "100%", "--keep", c.keep}, c.flags...))
			if !c.text {
				args = append(args, "--verify", "sketch")
			}
			files := []string{fresh}
			if c.old {
				o.Against = []datasets.Source{{Path: old, PathIDs: true}}
				o.Sources[0].PathIDs = true
				args = append(args, "--against", old)
				files = append(files, old)
			}
			before, want := filepath.Join(t.TempDir(), "before"), filepath.Join(t.TempDir(), "want")
			command(t, append(slices.Clone(args), "-o", before)...)
			var ids []string
			for _, f := range files {
				docs, err := datasets.Open(datasets.Source{Path: f, PathIDs: c.old})
				if err != nil {
					t.Fatal(err)
				}
				for {
					row, err := docs.Next()
					if err != nil {
						break
					}
					ids = append(ids, row.Doc.ID)
				}
				docs.Close()
			}
			labels := judge(t, uint64(i), slices.DeleteFunc(ids, func(id string) bool { return strings.HasPrefix(id, "void") }), removals(t, before))
			marks := fmt.Sprintf("void-0\tvoid-1\t1\nvoid-2\t%s\t1\n", ids[90])
			if err := os.WriteFile(labels, append(read(t, labels), marks...), 0o666); err != nil {
				t.Fatal(err)
			}
			if o.Judged, err = cli.ReadJudged(labels); err != nil {
				t.Fatal(err)
			}
			command(t, append(slices.Clone(args), "-o", want, "--judged", labels)...)
			r, err := pipeline.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			rep := sameFolder(t, r, o.Out, want)
			apart := 0
			now := removals(t, want)
			for id, kept := range removals(t, before) {
				if now[id] != kept {
					apart++
				}
			}
			if rep.Judged < 10 || apart < 5 {
				t.Errorf("%d judged, %d no longer removed for the same one: these documents show nothing", rep.Judged, apart)
			}
		})
	}
	o := options(t, fresh, "simhash", false)
	o.Judged, _ = dedup.NewJudged([]dedup.Judgement{{A: "nobody", B: "none", Same: true}})
	if _, err := pipeline.Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "no document has an id of those judged") {
		t.Errorf("error %v, want that no document was judged", err)
	}
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("no document was judged, and there are outputs all the same")
	}

	// Judged documents count as removed, and answers want documents that state their ids.
	o = options(t, filepath.Join(t.TempDir(), "few.jsonl"), "simhash", false)
	put(t, o.Sources[0].Path, []byte("{\"id\":\"a\",\"text\":\"one two\"}\n{\"id\":\"b\",\"text\":\"three four five\"}\n{\"id\":\"c\",\"text\":\"six\"}\n"))
	o.Judged, _ = dedup.NewJudged([]dedup.Judgement{{A: "a", B: "b", Same: true}, {A: "b", B: "c", Same: true}})
	var drop *local.DropError
	if o.MaxDrop = 0.5; !errors.As(runError(t, o), &drop) || drop.Report.Judged != 2 {
		t.Errorf("%v, want that two judged documents are too many", drop)
	}
	put(t, o.Sources[0].Path, []byte("{\"text\":\"one two\"}\n{\"text\":\"three four five\"}\n"))
	if err := runError(t, o); err == nil || !strings.Contains(err.Error(), "a document has no id") {
		t.Errorf("error %v, want one about a document without id", err)
	}
}

// runError returns the error of a run that must leave no outputs.
func runError(t *testing.T, o pipeline.Options) error {
	t.Helper()
	_, err := pipeline.Run(t.Context(), o)
	if _, err := os.Stat(o.Out); err == nil {
		t.Error("there are outputs all the same")
	}
	return err
}
