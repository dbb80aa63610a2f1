package local

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
)

// Adding new documents batch by batch to a corpus gives the very bytes that removing
// duplicates of all at once does.
func TestUpdateEqualsFullRebuild(t *testing.T) {
	dir := t.TempDir()
	docs := sample(11, 900)
	var rows []string
	for i, d := range docs {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf(`{"id":"%d","text":%s}`+"\n", i, text))
	}
	all := write(t, filepath.Join(dir, "all.jsonl"), []byte(strings.Join(rows, "")))
	for _, verify := range []bool{true, false} {
		o := Options{Method: exact(t), Threshold: .6}
		if verify {
			o.Method, o.Candidates, o.Verify = fingerprints(t), .8, exact(t)
		}
		o.Sources, o.Out = []datasets.Source{{Path: all}}, filepath.Join(dir, fmt.Sprint("full", verify))
		if _, err := Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		want := lines(t, filepath.Join(o.Out, "kept.jsonl"))

		corpus := filepath.Join(dir, fmt.Sprint("corpus", verify, ".jsonl"))
		write(t, corpus, nil)
		o.Update = true
		for i, batch := range [][]string{rows[:200], rows[200:210], rows[210:600], rows[600:600], rows[600:]} {
			o.Sources[0].Path = write(t, filepath.Join(dir, "batch.jsonl"), []byte(strings.Join(batch, "")))
			o.Against = []datasets.Source{{Path: corpus}}
			o.Out = filepath.Join(dir, fmt.Sprint("part", verify, i))
			old := lines(t, corpus)
			if _, err := Run(context.Background(), o); err != nil {
				t.Fatal(err)
			}
			if got, kept := lines(t, corpus), lines(t, filepath.Join(o.Out, "kept.jsonl")); !slices.Equal(got, append(old, kept...)) {
				t.Fatalf("batch %d: the corpus of %d rows is not the old one of %d and the %d that are kept", i, len(got), len(old), len(kept))
			}
		}
		if got := lines(t, corpus); !slices.Equal(got, want) {
			t.Errorf("verify %t: %d rows batch by batch, %d at once", verify, len(got), len(want))
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// What holds of an old corpus of documents holds of its sketches.
func TestSketchFile(t *testing.T) {
	dir := t.TempDir()
	docs := sample(12, 700)
	batches := [][]string{docs[:300], docs[300:300], docs[300:500], docs[500:]}
	for _, verify := range []bool{false, true} {
		o := Options{Method: fingerprints(t), Threshold: .8, Unverified: verify, Sketches: true}
		var paths []datasets.Source
		for i, b := range batches {
			paths = append(paths, datasets.Source{Path: jsonl(t, dir, fmt.Sprint("batch", verify, i), b), PathIDs: true})
		}
		o.Sources, o.Out = paths, filepath.Join(dir, fmt.Sprint("full", verify))
		if _, err := Run(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(o.Out, SketchFile))
		if err != nil {
			t.Fatal(err)
		}
		kept := lines(t, filepath.Join(o.Out, "kept.jsonl"))
		corpus := filepath.Join(dir, fmt.Sprint("corpus", verify))
		var got []string
		for i := range batches {
			o.Sources, o.Out = paths[i:i+1], filepath.Join(dir, fmt.Sprint("part", verify, i))
			if _, err := Run(context.Background(), o); err != nil {
				t.Fatal(err)
			}
			got = append(got, lines(t, filepath.Join(o.Out, "kept.jsonl"))...)
			if i == 0 {
				if err := os.Rename(filepath.Join(o.Out, SketchFile), corpus); err != nil {
					t.Fatal(err)
				}
				o.Against, o.Update = []datasets.Source{{Path: corpus}}, true
			}
		}
		if !slices.Equal(got, kept) {
			t.Errorf("unverified %t: %d rows batch by batch, %d at once", verify, len(got), len(kept))
		}
		if a, b := documents(t, corpus), documents(t, filepath.Join(dir, fmt.Sprint("full", verify), SketchFile)); !slices.Equal(a, b) {
			t.Errorf("unverified %t: the sketch file has %d documents batch by batch, %d at once", verify, len(a), len(b))
		}

		for name, change := range map[string]func(*Options){
			"other settings": func(o *Options) { o.Method = exact(t) },
			"no texts":       func(o *Options) { o.Verify, o.Unverified = exact(t), false },
			"cleaned by":     func(o *Options) { o.Clean.Mask = clean.Number },
			"of HTML false":  func(o *Options) { o.Sources = slices.Clone(o.Sources); o.Sources[0].HTML = true },
		} {
			bad := o
			change(&bad)
			bad.Out = filepath.Join(dir, "bad")
			if _, err := Run(context.Background(), bad); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		o.Out = filepath.Join(dir, fmt.Sprint("never", verify))
		for _, cut := range []int{len(sketchMagic) + 3, len(want) / 2, len(want) - 1} {
			write(t, corpus, want[:cut])
			if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "damaged or cut short") {
				t.Errorf("cut at %d: error %v", cut, err)
			}
		}
		want[len(want)/2] ^= 1
		write(t, corpus, want)
		if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("a bit changed: error %v", err)
		}
	}
}

// FuzzSketchFile reads damaged sketch files. Checksums would turn nearly every
// mutation away at once, so they are right in the first two frames of half of
// the files.
func FuzzSketchFile(f *testing.F) {
	m := fingerprints(f)
	c := m.NewCollection()
	c.Add("a b c")
	sketches, err := saved(c)
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	w, err := newSketchWriter(&b, sketchHeader{Version: sketchVersion, Method: m.Settings()})
	if err == nil {
		err = w.add(&sketchPart{IDs: []string{"x"}, Hashes: make([]byte, len(dedup.Hash{})), Lengths: []int{5}, Sketches: sketches})
	}
	if err = errors.Join(err, w.close()); err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{b.Bytes()}
	old, err := filepath.Glob("testdata/*.sketches") // of earlier versions
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range old {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, data)
	}
	frame := func(data []byte) []byte {
		sum := xxh3.Hash128(data).Bytes()
		return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data, sum[:])
	}
	for _, data := range seeds {
		rest := data[len(sketchMagic):]
		var content [2][]byte
		for i := range content {
			n := 4 + int(binary.BigEndian.Uint32(rest))
			content[i], rest = rest[4:n], rest[n+16:]
		}
		f.Add(content[0], content[1], rest, true)
		f.Add(data[len(sketchMagic):], []byte{}, []byte{}, false)
	}
	path := filepath.Join(f.TempDir(), "f")
	f.Fuzz(func(t *testing.T, first, second, rest []byte, sealed bool) {
		if sealed {
			first, second = frame(first), frame(second)
		}
		s, err := openSketches(write(t, path, slices.Concat([]byte(sketchMagic), first, second, rest)))
		if err != nil {
			return
		}
		defer s.close()
		for p, err := range s.parts() {
			if err != nil {
				return
			}
			for i := range p.IDs {
				hashAt(p.Hashes, i)
			}
			p.load(m)
		}
	})
}

// documents reads a sketch file: a line for each document.
func documents(t *testing.T, path string) (out []string) {
	t.Helper()
	s, err := openSketches(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for p, err := range s.parts() {
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range p.IDs {
			out = append(out, fmt.Sprintf("%s %x %d", id, hashAt(p.Hashes, i), p.Lengths[i]))
		}
	}
	return out
}

// identified returns a run that has not begun, and what tells it from runs with other
// settings.
func identified(t *testing.T, o Options) (*run, []byte) {
	t.Helper()
	r, err := newRun(o)
	if err != nil {
		t.Fatal(err)
	}
	id, err := r.identity()
	if err != nil {
		t.Fatal(err)
	}
	return r, id
}

// Two runs do not update one file at the same time.
func TestUpdateIsLocked(t *testing.T) {
	dir := t.TempDir()
	corpus := write(t, filepath.Join(dir, "corpus.jsonl"), []byte("{\"text\":\"a b c\"}\n"))
	o := Options{
		Method: exact(t), Threshold: .8, Update: true, Against: []datasets.Source{{Path: corpus}},
		Sources: []datasets.Source{{Path: write(t, filepath.Join(dir, "new.jsonl"), []byte("{\"text\":\"d\"}\n"))}},
	}
	o.Out = filepath.Join(dir, "first")
	first := o
	asked := false
	first.Progress = func(stage string, _ float64) {
		if stage != "write" || asked {
			return
		}
		asked = true
		second := o
		second.Out = filepath.Join(dir, "second")
		if _, err := Run(context.Background(), second); !errors.Is(err, errUpdating) {
			t.Errorf("the second run: %v, want that another is updating the file", err)
		}
	}
	if _, err := Run(context.Background(), first); err != nil || !asked {
		t.Fatalf("the first run: %v, asked %t", err, asked)
	}
	o.Out = filepath.Join(dir, "third")
	if _, err := Run(context.Background(), o); err != nil {
		t.Error(err)
	}
	if got := lines(t, corpus); len(got) != 2 {
		t.Errorf("the corpus has %d rows, want 2", len(got))
	}
}

// Old documents stay, whatever they are like; new ones name the old one.
func TestAgainst(t *testing.T) {
	dir := t.TempDir()
	old := write(t, filepath.Join(dir, "old.jsonl"), []byte(`{"id":"o1","text":"a b c"}
{"id":"o2","text":"a b c"}
{"id":"o3","text":"a b c d"}
{"id":"o4","text":"x y z"}
`))
	in := write(t, filepath.Join(dir, "new.jsonl"), []byte(`{"id":"n1","text":"a b c"}
{"id":"n2","text":"x y z w and much more than what is there"}
{"id":"n3","text":"x y z v"}
{"id":"n4","text":"x y z w and much more than what is there"}
`))
	o := Options{Out: filepath.Join(dir, "out"), Against: []datasets.Source{{Path: old}}, Explain: true}
	o.Keep = mustPolicy(t, "longest")
	rep := dedupOf(t, o, datasets.Source{Path: in})
	if rep.Rows != 4 || rep.Kept != 1 || rep.Equal != 2 || rep.Alike != 1 || len(rep.Against) != 1 {
		t.Errorf("%+v", rep)
	}
	got, err := os.ReadFile(filepath.Join(o.Out, whyFile))
	want := fmt.Sprintf(`{"id":"n1","source":0,"row":0,"at":"%[1]s:1","reason":"equal","score":1,"cluster":1,"kept":{"id":"o1","source":0,"row":0,"at":"%[2]s:1","against":true},"shared":["a b c"]}
{"id":"n3","source":0,"row":2,"at":"%[1]s:3","reason":"alike","score":0.75,"method":"shingle","cluster":2,"kept":{"id":"o4","source":0,"row":3,"at":"%[2]s:4","against":true},"shared":["x y z"]}
{"id":"n4","source":0,"row":3,"at":"%[1]s:4","reason":"equal","score":1,"cluster":3,"kept":{"id":"n2","source":0,"row":1,"at":"%[1]s:2"},"shared":["x y z w and much more than what is there"]}
`, in, old)
	if err != nil || string(got) != want {
		t.Errorf("reasons\n%s%v, want\n%s", got, err, want)
	}
	if _, err := Restore(t.Context(), o.Out, filepath.Join(dir, "back")); err != nil {
		t.Fatal(err)
	}
	back, _ := os.ReadFile(filepath.Join(dir, "back"))
	whole, _ := os.ReadFile(in)
	if !bytes.Equal(back, whole) {
		t.Errorf("restored %q", back)
	}
}

// A run that was killed when all was made, and only its checkpoints had to be removed, is done.
func TestResumeOfADoneRun(t *testing.T) {
	dir := t.TempDir()
	o := resumable(t, dir)
	o.Resume, o.Out = true, filepath.Join(dir, "out")
	want, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	r, id := identified(t, o)
	leave := func(id []byte) {
		w, _, err := openWorkspace(o.Out + "2")
		if err != nil {
			t.Fatal(err)
		}
		r.work = w
		c := commit{Made: filepath.Join(partialOf(o.Out), "out"), Out: o.Out, Outputs: o.outputs()}
		if err := errors.Join(w.save("identity", id), r.saveGob("commit", &c)); err != nil {
			t.Fatal(err)
		}
		w.leave()
		if err := os.Rename(w.dir, partialOf(o.Out)); err != nil {
			t.Fatal(err)
		}
	}
	leave([]byte("{}"))
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("what another run has made: error %v", err)
	}
	os.RemoveAll(partialOf(o.Out))
	leave(id)
	got, err := Run(context.Background(), o)
	if err != nil || got.Kept != want.Kept || got.Rows != want.Rows {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if _, err := os.Stat(partialOf(o.Out)); err == nil {
		t.Error("the checkpoints are left behind")
	}
}

// A run that was killed between its last two steps is brought to its end, and not by a run of
// other settings or outputs.
func TestResumeOfTheLastStep(t *testing.T) {
	for steps := range 2 {
		dir := t.TempDir()
		corpus := write(t, filepath.Join(dir, "corpus.jsonl"), []byte("{\"text\":\"a b c\"}\n"))
		in := write(t, filepath.Join(dir, "new.jsonl"), []byte("{\"text\":\"d\"}\n{\"text\":\"a b c\"}\n"))
		o := Options{
			Out: filepath.Join(dir, "out"), Against: []datasets.Source{{Path: corpus}}, Update: true, Resume: true,
			Sources: []datasets.Source{{Path: in}}, Method: exact(t), Verify: exact(t), Threshold: .6,
		}
		r, id := identified(t, o)
		if _, err := r.run(context.Background()); err != nil {
			t.Fatal(err)
		}
		// Go back to before the names were given.
		partial := o.Out + ".partial"
		c := commit{Made: filepath.Join(partial, "out"), Out: o.Out, Updated: filepath.Join(dir, ".corpus.jsonl.update"), Old: corpus, Outputs: o.outputs()}
		w, _, err := openWorkspace(filepath.Join(dir, "other"))
		if err != nil {
			t.Fatal(err)
		}
		r.work = w
		if err := errors.Join(w.save("identity", id), r.saveGob("commit", &c)); err != nil {
			t.Fatal(err)
		}
		w.leave()
		if err := os.Rename(w.dir, partial); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(o.Out, c.Made); err != nil {
			t.Fatal(err)
		}
		if steps == 0 {
			if err := os.Rename(corpus, c.Updated); err != nil {
				t.Fatal(err)
			}
			write(t, corpus, []byte("{\"text\":\"a b c\"}\n"))
		}
		other := o
		other.Threshold = .7
		if _, err := Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "other inputs or settings") {
			t.Errorf("error %v, want that the settings are others", err)
		}
		rep, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(corpus)
		if string(got) != "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n" || rep.Kept != 1 {
			t.Errorf("%d steps: corpus %q, report %+v", steps, got, rep)
		}
		if names, _ := os.ReadDir(dir); len(names) != 3 {
			t.Errorf("%d steps: %v", steps, names)
		}
	}
}

// An update goes to the file that a link leads to, which keeps its permissions.
func TestUpdateFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	real := write(t, filepath.Join(dir, "real", "corpus.jsonl"), []byte("{\"text\":\"a b c\"}\n"))
	link := filepath.Join(dir, "link.jsonl")
	if err := errors.Join(os.Symlink(real, link), os.Chmod(real, 0o600)); err != nil {
		t.Skip(err)
	}
	in := write(t, filepath.Join(dir, "new.jsonl"), []byte("{\"text\":\"d\"}\n"))
	dedupOf(t, Options{Out: filepath.Join(dir, "out"), Against: []datasets.Source{{Path: link}}, Update: true}, datasets.Source{Path: in})
	got, err := os.ReadFile(real)
	if err != nil || string(got) != "{\"text\":\"a b c\"}\n{\"text\":\"d\"}\n" {
		t.Errorf("updated %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
}
