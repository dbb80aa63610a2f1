package local

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/internal/durable"
)

func resumable(t testing.TB, dir string) Options {
	n := 3000
	if testing.Short() {
		n = 1200
	}
	docs := sample(7, n)
	return Options{
		Sources: []datasets.Source{{Path: jsonl(t, dir, "a", docs)}}, Method: fingerprints(t), Verify: exact(t),
		Candidates: .8, Threshold: .6, Workers: 2, Keep: mustPolicy(t, "highest:n"),
	}
}

func start(t testing.TB, ctx context.Context, o Options) (*run, error) {
	t.Helper()
	r, err := newRun(o)
	if err != nil {
		t.Fatal(err)
	}
	r.partRows = 250
	_, err = r.run(ctx)
	return r, err
}

// A run that is cancelled at whatever moment, again and again, comes to the same
// bytes when it goes on.
func TestResumeEqualsOneRun(t *testing.T) {
	dir := t.TempDir()
	o := resumable(t, dir)
	o.Out = filepath.Join(dir, "whole")
	if _, err := start(t, context.Background(), o); err != nil {
		t.Fatal(err)
	}
	want := readTree(t, o.Out)
	o.Out, o.Resume = filepath.Join(dir, "out"), true
	resumed, cancelled := 0, 0
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		for {
			ctx, cancel := context.WithCancel(context.Background())
			left := r.IntN(10)
			o.Progress = func(string, float64) {
				if left--; left < 0 {
					cancel()
				}
			}
			parts, _ := filepath.Glob(filepath.Join(partialOf(o.Out), "part-*"))
			run, err := start(t, ctx, o)
			cancel()
			if run.resumed && len(parts) > 0 {
				resumed++
			}
			if err == nil {
				break
			}
			if cancelled++; !errors.Is(err, context.Canceled) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if _, err := os.Stat(o.Out); err == nil {
				t.Fatalf("seed %d: the output is there though the run was cancelled", seed)
			}
		}
		if got := readTree(t, o.Out); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: other bytes than in one run", seed)
		}
		if _, err := os.Stat(o.Out + ".partial"); err == nil {
			t.Fatal("the folder of the unfinished run is still there")
		}
		os.RemoveAll(o.Out)
	}
	if resumed < 3 || cancelled < 3 {
		t.Errorf("cancelled %d times and resumed %d times, want more", cancelled, resumed)
	}
}

func interrupt(t testing.TB, o Options) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(stage string, _ float64) {
		if stage == "verify" {
			cancel()
		}
	}
	if _, err := start(t, ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that the run was cancelled", err)
	}
}

// What cannot be gone on with is refused or discarded, damage is noticed.
func TestResumeRefuses(t *testing.T) {
	dir := t.TempDir()
	o := resumable(t, dir)
	o.Out = filepath.Join(dir, "out")
	interrupt(t, o)
	other := o
	other.Resume, other.Threshold = true, .7
	if _, err := start(t, context.Background(), other); err == nil || !strings.Contains(err.Error(), "other inputs or settings") {
		t.Errorf("error %v, want that the settings are others", err)
	}
	// Without Resume the beginnings are discarded.
	other.Resume = false
	r, err := start(t, context.Background(), other)
	if err != nil || r.resumed {
		t.Fatalf("resumed %t, %v", r.resumed, err)
	}
	os.RemoveAll(o.Out)

	interrupt(t, o)
	part := filepath.Join(o.Out+".partial", "part-000001")
	b, err := os.ReadFile(part)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	write(t, part, b)
	o.Resume = true
	r, err = start(t, context.Background(), o)
	if err != nil || !r.resumed {
		t.Fatalf("resumed %t, %v", r.resumed, err)
	}
	want := readTree(t, o.Out)
	os.RemoveAll(o.Out)
	if _, err := start(t, context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(readTree(t, o.Out), want) {
		t.Error("a damaged checkpoint changes the outputs")
	}
}

// Two runs on one output refuse each other.
func TestOutputIsLocked(t *testing.T) {
	dir := t.TempDir()
	o := resumable(t, dir)
	o.Out = filepath.Join(dir, "out")
	var second error
	o.Progress = func(stage string, _ float64) {
		if stage == "candidates" && second == nil {
			again := o
			again.Progress, again.Resume = nil, true
			_, second = Run(context.Background(), again)
		}
	}
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(second, durable.ErrBusy) {
		t.Errorf("the second run ended with %v, want that another is making it", second)
	}
}

// If something appears under the name of the output, the finished output remains,
// and a run that resumes gives it the name.
func TestOutputRemains(t *testing.T) {
	dir := t.TempDir()
	o := resumable(t, dir)
	o.Out = filepath.Join(dir, "whole")
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	want := readTree(t, o.Out)
	o.Out = filepath.Join(dir, "out")
	taken := filepath.Join(o.Out, "of somebody else")
	o.Progress = func(stage string, _ float64) {
		if stage == "write" {
			write(t, taken, []byte("there"))
		}
	}
	made := filepath.Join(o.Out+".partial", "out")
	if _, err := Run(context.Background(), o); !errors.Is(err, os.ErrExist) || !strings.Contains(err.Error(), "remains in "+made) {
		t.Fatalf("error %v, want that the output exists, and one that names %s", err, made)
	}
	if b, err := os.ReadFile(taken); string(b) != "there" {
		t.Errorf("what was there is %q, %v", b, err)
	}
	if got := readTree(t, made); !reflect.DeepEqual(got, want) {
		t.Error("the output that remains has other bytes")
	}
	os.RemoveAll(o.Out)
	o.Resume, o.Progress = true, func(stage string, _ float64) { t.Errorf("a resumed run is at %s, want no work left", stage) }
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, o.Out); !reflect.DeepEqual(got, want) {
		t.Error("the resumed run has other bytes")
	}
}

// An input that changes between two readings is noticed, and nothing is written.
func TestInputThatChanges(t *testing.T) {
	for _, stage := range []string{"candidates", "cluster"} {
		dir := t.TempDir()
		o := resumable(t, dir)
		o.Out = filepath.Join(dir, "out")
		o.Progress = func(s string, share float64) {
			if s == stage && share == 0 {
				path := o.Sources[0].Path
				b, err := os.ReadFile(path)
				if err != nil {
					t.Error(err)
				}
				b[len(b)-20]++
				write(t, path, b)
			}
		}
		if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "has changed") {
			t.Errorf("%s: error %v, want that the input has changed", stage, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// Where the disk is full, or the input is cut short, the error says so and nothing
// is left.
func TestFailedFiles(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err == nil {
		f, err := create("/dev/full")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("x")); err == nil {
			t.Error("a full disk takes what is written")
		}
		f.close()
	}
	dir := t.TempDir()
	whole := pack(t, strings.Repeat("{\"text\":\"a b c\"}\n", 10_000))
	o := resumable(t, t.TempDir())
	o.Sources[0].Path = write(t, filepath.Join(dir, "a.jsonl.gz"), whole[:len(whole)/2])
	o.Out = filepath.Join(dir, "out")
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "a.jsonl.gz:") || !strings.Contains(err.Error(), "damaged or cut short") {
		t.Errorf("error %v, want one that names the file and the row", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
