package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/dedup/clean"
	"github.com/alike-go/alike/index/memory"
)

// A document beyond its share of the memory ends a run, however many bad rows
// may be skipped: the outputs must not depend on the memory.
func TestMaxDocumentOfMemory(t *testing.T) {
	dir := t.TempDir()
	row := func(size int) string {
		return `{"text":"` + strings.Repeat("a ", (size-11)/2) + strings.Repeat("b", (size-11)%2) + `"}`
	}
	const most = leastMemory / 16
	o := Options{Out: filepath.Join(dir, "out"), Memory: leastMemory, SkipBad: 5, Threshold: .6, Method: exact(t)}
	fits := write(t, filepath.Join(dir, "fits.jsonl"), []byte("{\"text\":\"c\"}\n"+row(most)+"\n"))
	o.Sources = []datasets.Source{{Path: fits}}
	if rep, err := Run(context.Background(), o); err != nil || rep.Documents != 2 {
		t.Fatalf("a document of the limit: %v", err)
	}
	for _, size := range []int{most + 1, 5 * most} { // the second is more than is held of a bad row
		path := write(t, filepath.Join(dir, "large.jsonl"), []byte("{\"text\":\"c\"}\n"+row(size)+"\n"))
		o.Sources, o.Out = []datasets.Source{{Path: path}}, filepath.Join(dir, "other")
		_, err := Run(context.Background(), o)
		want := fmt.Sprintf("large.jsonl:2: document of %d bytes, want at most %d", size, most)
		if large, ok := errors.AsType[*datasets.SizeError](err); !ok || large.Bytes != int64(size) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	o.MaxDocument = most + 1
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "want 0 to 4194304 with 67108864 bytes of memory") {
		t.Errorf("a limit beyond the share: %v", err)
	}
}

// With an explicit limit, a larger document is a bad row: it is removed with
// its reason, and restored.
func TestMaxDocument(t *testing.T) {
	for name, format := range map[string][2]string{
		"a.jsonl": {"", `{"text":"%s"}`}, "a.csv": {"text\n", `"%s"`}, "a.tsv": {"text\n", "%s"}, "a.txt": {"", "%s"},
	} {
		dir := t.TempDir()
		content := format[0]
		for _, text := range []string{"one two", strings.Repeat("large ", 40), "one two", "three"} {
			content += fmt.Sprintf(format[1], text) + "\n"
		}
		src := datasets.Source{Path: write(t, filepath.Join(dir, name), []byte(content))}
		if name == "a.txt" {
			src.Format = "lines"
		}
		var said []string
		out := filepath.Join(dir, "out")
		rep := dedupOf(t, Options{Out: out, MaxDocument: 100, SkipBad: 1, OnBad: func(err error) { said = append(said, err.Error()) }}, src)
		if rep.Unreadable != 1 || rep.Equal != 1 || rep.Kept != 2 || len(said) != 1 || !strings.Contains(said[0], "bytes, want at most 100") {
			t.Errorf("%s: %+v, told %q", name, rep, said)
		}
		back := filepath.Join(dir, "back")
		if _, err := Restore(t.Context(), out, back); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(back); err != nil || string(got) != content {
			t.Errorf("%s: restored %q, %v, want %q", name, got, err, content)
		}
	}
}

// Every pass over the sources gives its chunks back. Otherwise it would wait
// forever with room for one chunk.
func TestChunksAreGivenBack(t *testing.T) {
	dir := t.TempDir()
	docs := sample(3, 2*chunkRows+100)
	path, old := jsonl(t, dir, "new", docs), jsonl(t, dir, "old", docs[:chunkRows+100])
	for name, o := range map[string]Options{
		"plain":       {Verify: exact(t)},
		"explain":     {Verify: exact(t), Explain: true},
		"annotate":    {Verify: exact(t), Annotate: true},
		"boilerplate": {Verify: exact(t), Clean: clean.Options{Boilerplate: 3}},
		"update":      {Verify: exact(t), Against: []datasets.Source{{Path: old}}, Update: true},
		"sketches":    {Sketches: true},
		"dry run":     {DryRun: true, OnRemoved: func(Removal) error { return nil }},
		"converted":   {Format: "csv"},
		"index":       {Index: newIndex(t, memory.New(), exact(t), .6), IndexName: "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			o.Sources, o.Method, o.Threshold, o.Workers = []datasets.Source{{Path: path}}, exact(t), .6, 3
			o.Out = filepath.Join(t.TempDir(), "out")
			r, err := newRun(o)
			if err != nil {
				t.Fatal(err)
			}
			r.in.held = newHeld(1)
			ctx, stop := context.WithTimeoutCause(context.Background(), time.Minute, errors.New("it waits for room"))
			defer stop()
			if _, err := r.run(ctx); err != nil || !r.in.held.TryAcquire(1) {
				t.Errorf("error %v, or bytes are held at the end", err)
			}
		})
	}
}

// No more bytes are in use than fit, except for a single larger chunk.
func TestHeld(t *testing.T) {
	h := newHeld(10)
	var mu sync.Mutex
	under := map[int]int64{}
	var wg sync.WaitGroup
	for i := range 200 {
		size := int64(i*7%13 + i%50/49*30)
		if err := h.take(context.Background(), size); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		under[i] = size
		sum := int64(0)
		for _, n := range under {
			sum += n
		}
		if sum > h.most && len(under) > 1 && sum != size {
			t.Errorf("%v are under way, want a sum of at most %d", under, h.most)
		}
		mu.Unlock()
		wg.Go(func() {
			mu.Lock()
			delete(under, i)
			mu.Unlock()
			h.give(size)
		})
	}
	wg.Wait()
	if !h.TryAcquire(h.most) {
		t.Error("bytes are held at the end")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := h.take(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
