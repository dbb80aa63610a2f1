package sketches_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/dedup/sketches"
	"github.com/alike-go/alike/shingle"
	"github.com/alike-go/alike/simhash"
	"github.com/alike-go/alike/similarity"
	"github.com/alike-go/alike/sql"
)

// corpus writes sources, one with a row that is no document and texts without words.
func corpus(t *testing.T, sources, docs int) []datasets.Source {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var out []datasets.Source
	for s := range sources {
		var b bytes.Buffer
		for i := range docs {
			switch {
			case s == 0 && i == 3:
				b.WriteString("no document\n")
				continue
			case i%10 == 7:
				fmt.Fprintf(&b, "{\"id\":\"%d-%d\",\"text\":\"?\"}\n", s, i)
				continue
			}
			fmt.Fprintf(&b, "{\"id\":\"%d-%d\",\"text\":\"", s, i)
			for range 5 + r.IntN(40) {
				fmt.Fprintf(&b, "w%d ", r.IntN(300))
			}
			b.WriteString("\"}\n")
		}
		path := filepath.Join(t.TempDir(), "docs.jsonl")
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		out = append(out, datasets.Source{Path: path})
	}
	return out
}

func options(t *testing.T, sources []datasets.Source, out string) sketches.Options {
	t.Helper()
	m, err := simhash.New(simhash.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return with(t, sketches.Options{Sources: sources, Out: out, Candidates: .99, Threshold: .99, SkipBad: 1, PartRows: 150, Workers: 2}, similarity.Hide(m))
}

func with(t *testing.T, o sketches.Options, m similarity.Method) sketches.Options {
	t.Helper()
	c, err := sql.New(m)
	if err != nil {
		t.Fatal(err)
	}
	o.Method, o.Columns = m, c
	return o
}

// tree reads a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[name] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sameTrees(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is too much", name)
		}
	}
}

// A worker that is killed anywhere, again and again, makes in the end what one does that runs through.
func TestKilledWorkersAreRepaired(t *testing.T) {
	sources := corpus(t, 2, 500)
	// A signature lies beside the buckets, a fingerprint in them.
	m, err := shingle.NewMinHash(shingle.MinHashOptions{Size: 20, Bits: 8})
	if err != nil {
		t.Fatal(err)
	}
	minhash := func(o sketches.Options) sketches.Options {
		o.Slices, o.Candidates, o.Threshold = 2, .5, .5
		return with(t, o, similarity.Hide(m))
	}
	whole := minhash(options(t, sources, filepath.Join(t.TempDir(), "out")))
	if _, err := sketches.Write(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	want := tree(t, whole.Out)
	r := rand.New(rand.NewPCG(8, 8))
	for turn := range 4 {
		o := minhash(options(t, sources, filepath.Join(t.TempDir(), "out")))
		o.Workers = 1 + turn%3
		kills := 0
		for {
			ctx, cancel := context.WithCancel(t.Context())
			left := 1 + r.IntN(2)
			o.Progress = func(float64) {
				if left--; left == 0 && kills < 4 {
					cancel()
				}
			}
			_, err := sketches.Write(ctx, o)
			cancel()
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			kills++
			damage(t, o.Out, r)
		}
		sameTrees(t, tree(t, o.Out), want)
	}
}

// damage does what a worker may leave that is killed between two files: those of a part without its
// marker, and files in the making.
func damage(t *testing.T, out string, r *rand.Rand) {
	t.Helper()
	markers, err := filepath.Glob(filepath.Join(out, "_done", "part-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	if len(markers) > 0 {
		last := slices.Max(markers)
		if err := os.Remove(last); err != nil {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			part := strings.TrimSuffix(filepath.Base(last), ".json") + ".parquet"
			if err := os.Remove(filepath.Join(out, "documents", part)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, dir := range []string{"_done", "documents"} {
		if err := os.MkdirAll(filepath.Join(out, dir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, dir, ".part-00000-00001.parquet.host-1.new"), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Files of a complete shard that are lost or cut short are made again, as they were.
func TestLostFilesAreMadeAgain(t *testing.T) {
	sources := corpus(t, 1, 400)
	o := options(t, sources, filepath.Join(t.TempDir(), "out"))
	if _, err := sketches.Write(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	want := tree(t, o.Out)
	for name, text := range want {
		if !strings.HasSuffix(name, ".parquet") {
			continue
		}
		path := filepath.Join(o.Out, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if len(name)%2 == 0 { // about half of them
			if err := os.WriteFile(path, []byte(text[:len(text)/2]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s, err := sketches.Write(t.Context(), o)
		if err != nil || s.Documents != 400 {
			t.Fatalf("%s: %+v, %v", name, s, err)
		}
		sameTrees(t, tree(t, o.Out), want)
	}
	if len(want) < 3*5 { // parts, of documents and four tables
		t.Errorf("only %d files", len(want))
	}
}

// The documents of all shards are those of one, whatever the number of shards.
func TestShardsAreAllDocuments(t *testing.T) {
	sources := corpus(t, 3, 2*sketches.BlockRows/2+100)
	read := func(shards int) []sketches.Document {
		o := options(t, sources, filepath.Join(t.TempDir(), "out"))
		o.PartRows, o.Shards = 3000, shards
		for o.Shard = range shards {
			if _, err := sketches.Write(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		f, err := sketches.Open(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		docs := make([]sketches.Document, f.Rows())
		err = f.Documents(t.Context(), func(row int, d *sketches.Document) error {
			if docs[row].Rank != nil || docs[row].Error != "" {
				t.Errorf("row %d is there twice", row)
			}
			docs[row] = *d
			docs[row].Rank = slices.Clone(d.Rank)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return docs
	}
	want := read(1)
	if len(want) != 3*(sketches.BlockRows+100) {
		t.Fatalf("%d documents", len(want))
	}
	var p datasets.Parser
	for _, row := range []int{0, 3, 7, sketches.BlockRows + 99, sketches.BlockRows + 100, len(want) - 1} {
		source, at := row/(sketches.BlockRows+100), row%(sketches.BlockRows+100)
		d := want[row]
		if ref := dedup.RefOf(uint64(d.Number)); ref != (dedup.Ref{Source: source, Row: at}) || int(d.Source) != source || d.Row != int64(at) {
			t.Errorf("row %d is %v, want %d:%d", row, ref, source, at)
		}
		text, err := rowText(&p, sources[source], at)
		if (d.Error != "") != (err != nil) {
			t.Errorf("row %d: error %q, want %v", row, d.Error, err)
		}
		if err == nil && (d.Hash() != dedup.HashText(text) || d.Length != int64(len(text)) || d.Empty != (text == "?")) {
			t.Errorf("row %d is %+v, want that of %q", row, d, text)
		}
	}
	for _, shards := range []int{2, 5} {
		got := read(shards)
		for i := range want {
			if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
				t.Fatalf("%d shards: row %d is %+v, want %+v", shards, i, got[i], want[i])
			}
		}
	}
}

func rowText(p *datasets.Parser, s datasets.Source, n int) (string, error) {
	r, err := datasets.OpenRaw(s)
	if err != nil {
		return "", err
	}
	defer r.Close()
	for {
		raw, err := r.Next()
		if err != nil {
			return "", err
		}
		if n--; n < 0 {
			row, err := p.Row(raw)
			return row.Doc.Text, err
		}
	}
}

// Whoever has other settings is refused, and told which.
func TestOtherSettingsAreRefused(t *testing.T) {
	sources := corpus(t, 1, 50)
	o := options(t, sources, filepath.Join(t.TempDir(), "out"))
	o.Shards = 2
	if _, err := sketches.Write(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	m, err := shingle.NewMinHash(shingle.MinHashOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*sketches.Options){
		"method":     func(o *sketches.Options) { *o = with(t, *o, similarity.Hide(m)) },
		"threshold":  func(o *sketches.Options) { o.Threshold = .7 },
		"candidates": func(o *sketches.Options) { o.Candidates = .7 },
		"shards":     func(o *sketches.Options) { o.Shards = 3 },
		"slices":     func(o *sketches.Options) { o.Slices = 2 },
		"documents":  func(o *sketches.Options) { o.Documents = 1e9 },
		"verify":     func(o *sketches.Options) { o.Unverified = true },
		"sources":    func(o *sketches.Options) { o.Sources = corpus(t, 1, 50) },
		"keep":       func(o *sketches.Options) { o.Keep, _ = dedup.ParsePolicy("longest") },
	} {
		other := o
		other.Shard = 1
		change(&other)
		if _, err := sketches.Write(t.Context(), other); err == nil || !strings.Contains(err.Error(), "other settings: "+want) {
			t.Errorf("%s: error %v, want one that names it", want, err)
		}
	}
	if _, err := sketches.Open(o.Out); err == nil || !strings.Contains(err.Error(), "shard 1 of 2 is not complete") {
		t.Errorf("opened with a shard missing: %v", err)
	}
	o.Shard = 1
	if _, err := sketches.Write(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := sketches.Open(o.Out); err != nil {
		t.Error(err)
	}
	o.Out = t.TempDir()
	if err := os.WriteFile(filepath.Join(o.Out, "letters.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := sketches.Write(t.Context(), o); err == nil || !strings.Contains(err.Error(), "letters.txt") {
		t.Errorf("a folder of something else: error %v", err)
	}
}

// The buckets are those of the number of documents that is named: of a billion, 64 bits go in five blocks, of
// which three that agree make a key, ten to a document.
func TestBucketsAreForDocuments(t *testing.T) {
	for documents, want := range map[int64]int{0: 4, 1e6: 4, 1e9: 10} {
		o := options(t, corpus(t, 1, 50), filepath.Join(t.TempDir(), "out"))
		o.Candidates, o.Documents = .985, documents // within 3 bits
		s, err := sketches.Write(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		h, err := sketches.Open(o.Out)
		if err != nil || h.Header.Documents != documents || h.Tables != want || s.Keys%want != 0 || s.Keys/want < 40 {
			t.Errorf("for %d documents %d keys in %d tables, %v; want %d tables", documents, s.Keys, h.Tables, err, want)
		}
	}
}

// Sets have no buckets, as an engine pairs them by the words that few have.
func TestSetsHaveNoBuckets(t *testing.T) {
	set, err := shingle.New(shingle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := with(t, options(t, corpus(t, 1, 50), filepath.Join(t.TempDir(), "out")), similarity.Hide(set))
	s, err := sketches.Write(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := sketches.Open(o.Out)
	if err != nil || h.Tables != 0 || s.Keys != 0 || s.Sketches < 40 {
		t.Errorf("%d keys in %d tables, %d sketches, %v; want sketches alone", s.Keys, h.Tables, s.Sketches, err)
	}
	if _, err := os.Stat(filepath.Join(o.Out, "buckets")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there are buckets: %v", err)
	}
}

// A row that is no document ends a worker, unless it may pass over some.
// The longest text is the one that is longest as it is compared, as package local
// has it: without what a mask takes out.
func TestRankIsOfMaskedText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.jsonl")
	rows := `{"id":"number","text":"the cat sat on 1234567890123456789012345678901234567890"}
{"id":"words","text":"the cat sat on the mat"}
`
	if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	o := options(t, []datasets.Source{{Path: path}}, filepath.Join(t.TempDir(), "out"))
	o.Clean.Mask = clean.Number
	var err error
	if o.Keep, err = dedup.ParsePolicy("longest"); err != nil {
		t.Fatal(err)
	}
	if _, err := sketches.Write(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	f, err := sketches.Open(o.Out)
	if err != nil {
		t.Fatal(err)
	}
	var ranks [][]byte
	err = f.Documents(t.Context(), func(_ int, d *sketches.Document) error {
		ranks = append(ranks, slices.Clone(d.Rank))
		return nil
	})
	if err != nil || len(ranks) != 2 || bytes.Compare(ranks[1], ranks[0]) >= 0 {
		t.Errorf("ranks %x, %v; want the second document before the first", ranks, err)
	}
}

func TestBadRows(t *testing.T) {
	o := options(t, corpus(t, 1, 50), filepath.Join(t.TempDir(), "out"))
	o.SkipBad = 0
	if _, err := sketches.Write(t.Context(), o); err == nil || !strings.Contains(err.Error(), "docs.jsonl:4") {
		t.Errorf("error %v, want one that names file and line", err)
	}
	o.SkipBad = 1
	told := 0
	o.OnBad = func(error) { told++ }
	s, err := sketches.Write(t.Context(), o)
	if err != nil || s.Unreadable != 1 || told != 1 || s.Documents != 50 {
		t.Errorf("%+v, told %d times, %v; want one row of 50 passed over", s, told, err)
	}
}

// The sources of a folder are those that it was made of, as long as they are the same.
func TestInputs(t *testing.T) {
	sources := corpus(t, 2, 20)
	sources[0].ID, sources[0].PathIDs, sources[0].Text, sources[0].HTML = "id", true, []string{"text"}, true
	sources[1].Name, sources[1].Format, sources[1].Lossy = "second", "jsonl", true
	out := filepath.Join(t.TempDir(), "out")
	if _, err := sketches.Write(t.Context(), options(t, sources, out)); err != nil {
		t.Fatal(err)
	}
	f, err := sketches.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Inputs(); err != nil || !reflect.DeepEqual(got, sources) {
		t.Errorf("%+v, %v, want %+v", got, err, sources)
	}
	if err := os.Truncate(sources[1].Path, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Inputs(); err == nil || !strings.Contains(err.Error(), "it has changed") {
		t.Errorf("a source that was cut short: %v", err)
	}
}
