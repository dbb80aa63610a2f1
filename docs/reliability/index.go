package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alike-go/alike/docs/internal/kit"
)

var indexAttacks = []attack{
	{"index killed", "`alike index add`, `delete`, `merge`, `import` and `add --load` on disk are killed at random moments while two other processes query and export: what was acknowledged is there, what was deleted is gone, every answer is complete, `verify` finds nothing", indexKilled},
	{"index on a full disk", "an index on a file system of a few hundred kB gets documents until the disk is full, then deletions and merges: errors, no acknowledged document is lost, and with room again it goes on", indexFull},
	{"index damaged", "one file of an index gets a flip, zeroes, a cut, or is missing: `query` and `export` give an error or the right answer, and `verify` says so wherever an answer is an error; adding never makes it worse in silence", indexDamaged},
	{"index of two writers", "two processes add, delete and merge at the same time: one is refused at once with exit code 2, and nothing of the other is lost", indexTwoWriters},
}

// shelf is an index on disk, and what it must contain.
type shelf struct {
	*arena
	url   string
	mu    sync.Mutex
	texts map[string]string // by id, of documents that were acknowledged and not deleted
	maybe map[string]bool   // ids of commands that were killed: they may be in the index or not
	next  int
}

func (a *arena) newShelf(ctx context.Context, path string) *shelf {
	s := &shelf{arena: a, url: "disk:" + path, texts: map[string]string{}, maybe: map[string]bool{}}
	a.must(ctx, "index", "create", s.url, "-m", "simhash", "-k", "3")
	return s
}

// documents writes n new documents, none of them alike, to a file.
func (s *shelf) documents(name string, n int) map[string]string {
	texts := map[string]string{}
	var b bytes.Buffer
	for range n {
		words := make([]string, 30)
		for k := range words {
			words[k] = fmt.Sprintf("w%d", s.rand.IntN(100_000))
		}
		id := fmt.Sprintf("doc-%d", s.next)
		s.next++
		texts[id] = strings.Join(words, " ")
		fmt.Fprintf(&b, `{"id":%q,"text":%q}`+"\n", id, texts[id])
	}
	kit.Check(os.WriteFile(s.at(name), b.Bytes(), 0o666))
	return texts
}

// some returns up to n ids that are acknowledged.
func (s *shelf) some(r *rand.Rand, n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(s.texts)), func(id string) bool { return s.maybe[id] })
	r.Shuffle(len(ids), func(i, k int) { ids[i], ids[k] = ids[k], ids[i] })
	return ids[:min(n, len(ids))]
}

// exported returns the ids of an export.
func exported(r result) (map[string]bool, error) {
	ids := map[string]bool{}
	for i, line := range bytes.Split(bytes.TrimSpace(r.stdout), []byte("\n")) {
		var d struct{ ID string }
		if err := json.Unmarshal(line, &d); err != nil {
			return nil, err
		}
		if i == 0 {
			continue // the header of the export
		}
		if ids[d.ID] {
			return nil, fmt.Errorf("%s comes twice", d.ID)
		}
		ids[d.ID] = true
	}
	return ids, nil
}

// check verifies and exports the index, and compares it with what it must contain.
func (s *shelf) check(ctx context.Context, when string) {
	r := s.alikeRuns(ctx, "index", "verify", s.url)
	if r.code != 0 {
		s.broke("%s: %v %s", when, r, excerpt(r.stdout))
	}
	r = s.alikeRuns(ctx, "index", "export", s.url)
	ids, err := exported(r)
	if r.code != 0 || err != nil {
		s.broke("%s: %v %v", when, r, err)
		return
	}
	s.compare(when, ids)
}

// compare compares the ids of an index with what it must contain. Ids that may be
// there are settled afterwards.
func (s *shelf) compare(when string, ids map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.texts {
		if !ids[id] && !s.maybe[id] {
			s.broke("%s: %s was acknowledged and is lost", when, id)
			return
		}
	}
	for id := range ids {
		if _, ok := s.texts[id]; !ok && !s.maybe[id] {
			s.broke("%s: %s was deleted or never added, and is there", when, id)
			return
		}
	}
	for id := range s.maybe {
		if !ids[id] {
			delete(s.texts, id)
		}
		delete(s.maybe, id)
	}
}

// reads queries until the context is done. What is acknowledged before a query
// begins must be in its answer.
func (s *shelf) reads(ctx context.Context, r *rand.Rand, name string) {
	for ctx.Err() == nil {
		var b bytes.Buffer
		asked := s.some(r, 20)
		s.mu.Lock()
		for _, id := range asked {
			fmt.Fprintf(&b, `{"id":%q,"text":%q}`+"\n", id, s.texts[id])
		}
		s.mu.Unlock()
		if len(asked) == 0 {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		kit.Check(os.WriteFile(s.at(name), b.Bytes(), 0o666))
		q := s.alikeRuns(ctx, "index", "query", s.url, s.at(name))
		s.count("queries meanwhile", 1)
		if q.code != 0 {
			s.broke("a reader: %v", q)
			return
		}
		found := map[string]bool{}
		for line := range strings.Lines(string(q.stdout)) {
			if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) > 2 && f[0] == f[1] {
				found[f[0]] = f[2] == "1" || strings.HasPrefix(f[2], "1.0")
			}
		}
		s.mu.Lock()
		for _, id := range asked {
			if _, ok := s.texts[id]; ok && !s.maybe[id] && !found[id] {
				s.broke("a reader does not find %s, which is acknowledged and nobody deletes", id)
			}
		}
		s.mu.Unlock()
	}
}

func indexKilled(ctx context.Context, a *arena) {
	s := a.newShelf(ctx, a.at("index"))
	// The time of an addition here decides when to kill.
	adds := s.documents("add.jsonl", 1000)
	first := a.must(ctx, "index", "add", s.url, a.at("add.jsonl"))
	maps.Copy(s.texts, adds)
	reading, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			err := kit.Try(func() {
				s.reads(reading, rand.New(rand.NewPCG(a.seed, uint64(i))), fmt.Sprintf("query-%d.jsonl", i))
			})
			if err != nil && reading.Err() == nil {
				a.broke("a reader: %v", err)
			}
		})
	}
	defer wg.Wait()
	defer stop()
	for round := range a.rounds(ctx) {
		var args []string
		var adds map[string]string
		var gone []string
		switch k := a.rand.IntN(8); {
		case k < 4 || len(s.texts) == 0:
			adds = s.documents("add.jsonl", 50+a.rand.IntN(2000))
			args = []string{"index", "add", s.url, a.at("add.jsonl")}
		case k < 6:
			gone = s.some(a.rand, 1+a.rand.IntN(200))
			kit.Check(os.WriteFile(a.at("gone.txt"), []byte(strings.Join(gone, "\n")+"\n"), 0o666))
			args = []string{"index", "delete", s.url, "--ids", a.at("gone.txt")}
		default:
			args = []string{"index", "merge", s.url}
		}
		// Readers may see either state until the command has ended.
		s.mu.Lock()
		maps.Copy(s.texts, adds)
		for id := range adds {
			s.maybe[id] = true
		}
		for _, id := range gone {
			s.maybe[id] = true
		}
		s.mu.Unlock()
		r := a.alikeKilled(ctx, a.upTo(first.took*5/2), args...)
		s.mu.Lock()
		switch r.code {
		case 0:
			a.count("commands acknowledged", 1)
			for id := range adds {
				delete(s.maybe, id)
			}
			for _, id := range gone {
				delete(s.texts, id)
				delete(s.maybe, id)
			}
		case -1:
			a.count("kills", 1)
		default:
			a.broke("%v", r)
		}
		s.mu.Unlock()
		s.check(ctx, fmt.Sprintf("after %s", strings.Join(args[:2], " ")))
		if round%10 == 9 {
			s.copies(ctx)
		}
	}
}

// copies kills an import and a load of everything into new indexes, and repeats
// them.
func (s *shelf) copies(ctx context.Context) {
	r := s.must(ctx, "index", "export", s.url)
	kit.Check(os.WriteFile(s.at("export.jsonl"), r.stdout, 0o666))
	var b bytes.Buffer
	s.mu.Lock()
	for _, id := range slices.Sorted(maps.Keys(s.texts)) {
		fmt.Fprintf(&b, `{"id":%q,"text":%q}`+"\n", id, s.texts[id])
	}
	s.mu.Unlock()
	kit.Check(os.WriteFile(s.at("all.jsonl"), b.Bytes(), 0o666))
	url := "disk:" + s.at("copy")
	for _, args := range [][]string{{"index", "import", url, s.at("export.jsonl")}, {"index", "add", url, s.at("all.jsonl"), "--load"}} {
		kit.Check(os.RemoveAll(s.at("copy")))
		s.must(ctx, "index", "create", url, "-m", "simhash", "-k", "3")
		for kills := 0; ; kills++ {
			after := s.upTo(200 * time.Millisecond)
			if kills == 3 {
				after = patience
			}
			r := s.alikeKilled(ctx, after, args...)
			if r.code == 0 || strings.Contains(string(r.stderr), "is not empty") && args[1] == "add" {
				break
			}
			if r.code > 0 {
				s.broke("%v", r)
				return
			}
			s.count("kills", 1)
		}
		got := s.must(ctx, "index", "export", url)
		ids := kit.Must(exported(got))
		s.compare("a copy by "+args[1], ids)
	}
}

func indexFull(ctx context.Context, a *arena) {
	for range a.rounds(ctx) {
		d := kit.Must(a.tmpfs(ctx, 100<<10+a.rand.Int64N(400<<10)))
		err := kit.Try(func() { a.fill(ctx, d) })
		kit.Check(errors.Join(err, d.unmount()))
	}
}

func (a *arena) fill(ctx context.Context, d *disk) {
	s := a.newShelf(ctx, filepath.Join(d.dir, "index"))
	refused := 0
	for step := 0; refused < 5 && step < 100; step++ {
		adds := s.documents("add.jsonl", 20+a.rand.IntN(400))
		args := []string{"index", "add", s.url, a.at("add.jsonl")}
		var gone []string
		switch k := a.rand.IntN(6); {
		case k == 0:
			args, adds = []string{"index", "merge", s.url}, nil
		case k == 1:
			if gone = s.some(a.rand, 10); len(gone) > 0 {
				args, adds = append([]string{"index", "delete", s.url}, gone...), nil
			}
		}
		r := a.alikeRuns(ctx, args...)
		maps.Copy(s.texts, adds)
		switch {
		case r.code == 0:
			a.count("commands acknowledged", 1)
			for _, id := range gone {
				delete(s.texts, id)
			}
		case r.code == 2:
			// A command adds batch by batch: what came before the full disk stays.
			refused++
			a.count("commands refused by a full disk", 1)
			for id := range adds {
				s.maybe[id] = true
			}
			for _, id := range gone {
				s.maybe[id] = true
			}
		default:
			a.broke("%v", r)
		}
		s.check(ctx, "on a full disk after "+args[1])
		if a.isBroken() {
			return
		}
	}
	kit.Check(d.resize(ctx, 64<<20))
	adds := s.documents("add.jsonl", 300)
	for _, args := range [][]string{{"index", "add", s.url, a.at("add.jsonl")}, {"index", "merge", s.url}} {
		r := a.alikeRuns(ctx, args...)
		if r.code != 0 {
			a.broke("with room again: %v", r)
		}
	}
	maps.Copy(s.texts, adds)
	s.check(ctx, "with room again")
}

func indexDamaged(ctx context.Context, a *arena) {
	s := a.newShelf(ctx, a.at("index"))
	// Segments, and a log of several batches behind them.
	for i := range 4 {
		adds := s.documents("add.jsonl", 300)
		a.must(ctx, "index", "add", s.url, a.at("add.jsonl"))
		maps.Copy(s.texts, adds)
		if i == 1 {
			a.must(ctx, "index", "merge", s.url)
		}
	}
	want := a.must(ctx, "index", "query", s.url, a.at("add.jsonl"))
	all := a.must(ctx, "index", "export", s.url)
	ids := kit.Must(exported(all))
	files := kit.Must(names(a.at("index")))
	more := a.at("more.jsonl")
	kit.Check(os.WriteFile(more, []byte(`{"id":"one more","text":"a text that nobody has added before, of some words"}`+"\n"), 0o666))
	for range a.rounds(ctx) {
		dir := a.at("damaged")
		kit.Check(errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(a.at("index")))))
		path := filepath.Join(dir, files[a.rand.IntN(len(files))])
		if filepath.Base(path) == "LOCK" {
			continue
		}
		how, ok, err := "removed: "+filepath.Base(path), true, error(nil)
		if a.rand.IntN(10) == 0 {
			err = os.Remove(path)
		} else {
			how, ok, err = damage(a.rand, path)
		}
		kit.Check(err)
		if !ok {
			continue
		}
		a.count("damaged files", 1)
		url := "disk:" + dir
		verify := a.alikeRuns(ctx, "index", "verify", url)
		if verify.code == 0 {
			a.count("not known to verify", 1)
		}
		q := a.alikeRuns(ctx, "index", "query", url, a.at("add.jsonl"))
		x := a.alikeRuns(ctx, "index", "export", url)
		got, _ := exported(x)
		switch {
		case q.code == 0 && !bytes.Equal(q.stdout, want.stdout) && verify.code == 0:
			a.broke("%s: query answers %d bytes, want %d, and verify says nothing", how, len(q.stdout), len(want.stdout))
		case x.code == 0 && !maps.Equal(got, ids) && verify.code == 0:
			a.broke("%s: export has %d documents, want %d, and verify says nothing", how, len(got), len(ids))
		case (q.code != 0 || x.code != 0) && verify.code == 0:
			a.broke("%s: verify says nothing: %v: %v", how, q, x)
		case q.code == 0 && x.code == 0 && bytes.Equal(q.stdout, want.stdout) && maps.Equal(got, ids):
			a.count("right answers", 1)
		default:
			a.count("errors", 1)
		}
		// A writer must not make the damage final in silence.
		add := a.alikeRuns(ctx, "index", "add", url, more)
		if add.code != 0 {
			a.count("writers refused", 1)
			continue
		}
		x = a.alikeRuns(ctx, "index", "export", url)
		after, err := exported(x)
		if err != nil || x.code != 0 {
			continue // it says that something is wrong
		}
		lost := 0
		for id := range ids {
			if !after[id] {
				lost++
			}
		}
		verify = a.alikeRuns(ctx, "index", "verify", url)
		if lost > 0 && verify.code == 0 && !bytes.Contains(add.stderr, []byte("damaged")) {
			a.broke("%s: a writer has cut off %d acknowledged documents in silence", how, lost)
		}
	}
}

func indexTwoWriters(ctx context.Context, a *arena) {
	s := a.newShelf(ctx, a.at("index"))
	for range a.rounds(ctx) {
		type work struct {
			args []string
			adds map[string]string
			r    result
			err  error
		}
		var both [2]work
		for i := range both {
			name := fmt.Sprintf("add-%d.jsonl", i)
			both[i].adds = s.documents(name, 3000)
			both[i].args = []string{"index", "add", s.url, a.at(name)}
		}
		var wg sync.WaitGroup
		for i := range both {
			wg.Go(func() {
				both[i].err = kit.Try(func() { both[i].r = a.alikeRuns(ctx, both[i].args...) })
			})
		}
		wg.Wait()
		for _, w := range both {
			kit.Check(w.err)
			switch {
			case w.r.code == 0:
				maps.Copy(s.texts, w.adds)
				a.count("writers acknowledged", 1)
			case w.r.code == 2 && bytes.Contains(w.r.stderr, []byte("another writer has the index")):
				a.count("writers refused", 1)
			default:
				a.broke("%v", w.r)
			}
		}
		s.check(ctx, "after two writers")
	}
}
