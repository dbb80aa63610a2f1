package disk_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/indextest"
)

// The test binary, run once more under this variable, writes to the index in
// the directory until it is killed.
const crashDir = "ALIKE_DISK_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		if err := writeUntilKilled(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// crashOptions make a segment of every few batches, so that a kill meets logs,
// segments and merges alike.
var crashOptions = disk.Options{LogBytes: 64 << 10}

const crashBatch = 40

// crashEntry is document i in its given version: alike in nothing but its own
// postings.
func crashEntry(i, version int) index.Entry {
	content := fmt.Sprintf("document %d, version %d", i, version)
	e := index.Entry{Document: index.Document{
		ID: fmt.Sprint("doc-", i), Sketch: []byte(content), Hash: index.ContentHash(content), Time: int64(version),
	}}
	for t := range uint8(4) {
		e.Postings = append(e.Postings, index.Posting{Bucket: uint32(i % 97), Table: t, Word: uint64(i)<<8 | uint64(version)})
	}
	return e
}

// writeUntilKilled carries out batch after batch: it says "begin N" before a
// batch and "done N" after the acknowledgement. Batch n adds documents of its
// own, replaces the documents of batch n-3, and deletes half of batch n-5.
func writeUntilKilled(dir string) error {
	ctx := context.Background()
	s, err := disk.Open(ctx, dir, crashOptions)
	if err != nil {
		return err
	}
	if err := s.Create(ctx, []byte("crash")); err != nil {
		return err
	}
	first, err := strconv.Atoi(os.Getenv(crashDir + "_FIRST"))
	if err != nil {
		return err
	}
	go func() { // merges at any time
		for {
			time.Sleep(15 * time.Millisecond)
			if err := s.Merge(ctx); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}()
	for n := first; ; n++ {
		fmt.Println("begin", n)
		if err := crashStep(ctx, s, n); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

// crashStep carries out batch n, which may have been carried out before.
func crashStep(ctx context.Context, s *disk.Store, n int) error {
	var add []index.Entry
	for i := range crashBatch {
		add = append(add, crashEntry(n*crashBatch+i, 1))
		if n >= 3 {
			add = append(add, crashEntry((n-3)*crashBatch+i, 2))
		}
	}
	if _, err := s.Add(ctx, add, false); err != nil {
		return err
	}
	if n < 5 {
		return nil
	}
	var ids []string
	for i := 0; i < crashBatch; i += 2 {
		ids = append(ids, crashEntry((n-5)*crashBatch+i, 2).ID)
	}
	numbers, err := s.Find(ctx, ids)
	if err != nil {
		return err
	}
	var gone []index.Entry
	for k, number := range numbers {
		if number != 0 {
			gone = append(gone, index.Entry{Document: index.Document{Number: number, ID: ids[k]}})
		}
	}
	_, err = s.Delete(ctx, gone)
	return err
}

// crashState is what the index holds after batches 0 to n-1: version by document.
func crashState(n int) map[int]int {
	state := map[int]int{}
	for i := range n * crashBatch {
		state[i] = 1
		if i/crashBatch < n-3 {
			state[i] = 2
		}
		if i/crashBatch < n-5 && i%crashBatch%2 == 0 {
			delete(state, i)
		}
	}
	return state
}

// effort returns how much a test does: in short mode, otherwise, and under
// ALIKE_LONG.
func effort(short, usual, long int) int {
	switch {
	case os.Getenv("ALIKE_LONG") != "":
		return long
	case testing.Short():
		return short
	}
	return usual
}

// A writer that is killed at any moment leaves every acknowledged batch, and of
// the one it was at either half whole.
func TestKill(t *testing.T) {
	rounds := effort(3, 10, 50)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const seed = 17
	rng := rand.New(rand.NewPCG(seed, seed))
	dir := filepath.Join(t.TempDir(), "index")
	done := 0 // batches that were acknowledged
	for round := range rounds {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), crashDir+"="+dir, fmt.Sprintf("%s_FIRST=%d", crashDir, done))
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		first, begun := done, done
		wait := time.Duration(rng.IntN(250)) * time.Millisecond
		var once sync.Once
		for lines.Scan() {
			// From its first line on, so that slow starts are not all that is
			// killed; in every other round from its first batch on, so that on
			// a slow machine there are some.
			if round%2 == 0 || done > first {
				once.Do(func() { time.AfterFunc(wait, func() { cmd.Process.Kill() }) })
			}
			var n int
			if _, err := fmt.Sscanf(lines.Text(), "begin %d", &n); err == nil {
				begun = n + 1
			} else if _, err := fmt.Sscanf(lines.Text(), "done %d", &n); err == nil {
				done = n + 1
			}
		}
		io.Copy(io.Discard, out)
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("round %d: the writer ended by itself: %v", round, err)
		}
		checkCrash(t, dir, done, begun, fmt.Sprintf("seed %d, round %d", seed, round))
	}
	if done < rounds/2 {
		t.Errorf("%d batches in %d rounds test little", done, rounds)
	}
	t.Logf("%d batches acknowledged in %d rounds", done, rounds)
}

// checkCrash opens the index and compares it with what was acknowledged.
func checkCrash(t *testing.T, dir string, done, begun int, when string) {
	t.Helper()
	for _, o := range []disk.Options{{ReadOnly: true}, crashOptions} {
		s, err := disk.Open(t.Context(), dir, o)
		if err != nil {
			t.Fatalf("%s: open: %v", when, err)
		}
		got := map[int]int{}
		err = s.EachDocument(t.Context(), func(d index.Document) error {
			var i, version int
			if _, err := fmt.Sscanf(string(d.Sketch), "document %d, version %d", &i, &version); err != nil {
				return err
			}
			if want := crashEntry(i, version); d.ID != want.ID || d.Hash != want.Hash || d.Time != want.Time {
				return fmt.Errorf("document %+v, want %+v", d, want.Document)
			}
			if _, ok := got[i]; ok {
				return fmt.Errorf("document %d comes twice", i)
			}
			got[i] = version
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if !oneOf(got, done, begun) {
			t.Fatalf("%s: %d documents are those of no state from %d to %d batches, of %d and %d documents", when, len(got), done, begun, len(crashState(done)), len(crashState(begun)))
		}
		postings := map[string]bool{}
		err = s.EachPosting(t.Context(), func(p index.Posting, number uint64) error {
			key := fmt.Sprint(p, number)
			if postings[key] {
				return fmt.Errorf("posting %s comes twice", key)
			}
			postings[key] = true
			return nil
		})
		if err != nil || len(postings) != 4*len(got) {
			t.Fatalf("%s: %d postings of %d documents, %v", when, len(postings), len(got), err)
		}
		for i, version := range got {
			e := crashEntry(i, version)
			numbers, err := indextest.Scan(t.Context(), s, e.Postings, 0)
			if err != nil || len(numbers) != 4 || slices.Max(numbers) != slices.Min(numbers) {
				t.Fatalf("%s: document %d is found as %v, %v", when, i, numbers, err)
			}
		}
		problems, err := s.Verify(t.Context())
		if err != nil || len(problems) > 0 {
			t.Fatalf("%s: verify: %v, %v", when, problems, err)
		}
		if err := s.Close(); err != nil {
			t.Fatalf("%s: close: %v", when, err)
		}
	}
}

// oneOf reports whether the documents are those after done batches, or after
// the one that was begun: nothing of it, its addition alone, or all.
func oneOf(got map[int]int, done, begun int) bool {
	same := func(want map[int]int) bool {
		if len(got) != len(want) {
			return false
		}
		for i, version := range want {
			if got[i] != version {
				return false
			}
		}
		return true
	}
	for n := done; n <= begun; n++ {
		if same(crashState(n)) {
			return true
		}
	}
	if begun == done {
		return false
	}
	// The addition without the deletion.
	half := crashState(begun)
	for i := 0; i < crashBatch && begun > 5; i += 2 {
		half[(begun-1-5)*crashBatch+i] = 2
	}
	return same(half)
}
