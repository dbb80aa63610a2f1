package disk_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/similarity"
)

// filled opens an index of n documents in a directory, some of them in segments.
func filled(t testing.TB, dir string, n int, o disk.Options) *disk.Store {
	t.Helper()
	s := open(t, dir, o)
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := s.Add(t.Context(), []index.Entry{crashEntry(i, 1)}, false); err != nil {
			t.Fatal(err)
		}
		if i == n/2 || i == n*3/4 {
			if err := s.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func count(t testing.TB, s index.Store) int {
	t.Helper()
	n := 0
	if err := s.EachDocument(t.Context(), func(index.Document) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOneWriterManyReaders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	if _, err := disk.Open(t.Context(), dir, disk.Options{ReadOnly: true}); !errors.Is(err, index.ErrNone) {
		t.Errorf("reading nothing: %v, want one that wraps ErrNone", err)
	}
	w := filled(t, dir, 20, disk.Options{})
	defer w.Close()
	if _, err := disk.Open(t.Context(), dir, disk.Options{}); !errors.Is(err, index.ErrLocked) {
		t.Errorf("a second writer: %v, want one that wraps ErrLocked", err)
	}
	r := open(t, dir, disk.Options{ReadOnly: true})
	defer r.Close()
	if n := count(t, r); n != 20 {
		t.Errorf("a reader sees %d documents, want 20", n)
	}
	if _, err := r.Add(t.Context(), []index.Entry{crashEntry(99, 1)}, false); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("adding to a reader: %v, want one that wraps ErrReadOnly", err)
	}
	if _, err := r.Delete(t.Context(), nil); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("deleting from a reader: %v, want one that wraps ErrReadOnly", err)
	}
	if err := r.Merge(t.Context()); !errors.Is(err, index.ErrReadOnly) {
		t.Errorf("merging a reader: %v, want one that wraps ErrReadOnly", err)
	}
	if err := r.Create(t.Context(), []byte("header")); err != nil {
		t.Errorf("creating what is there: %v", err)
	}
	more := crashEntry(20, 1)
	old := crashEntry(3, 1)
	numbers, err := w.Find(t.Context(), []string{old.ID})
	if err != nil {
		t.Fatal(err)
	}
	old.Number = numbers[0]
	if _, err := w.Add(t.Context(), []index.Entry{more}, false); err != nil {
		t.Fatal(err)
	}
	if n, err := w.Delete(t.Context(), []index.Entry{old}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	for _, merge := range []bool{false, true} {
		if merge { // the files that the reader holds are removed
			if err := w.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
			numbers, err := indextest.Scan(t.Context(), r, old.Postings, 0)
			if err != nil || len(numbers) != 4 {
				t.Errorf("scan of removed files: %v, %v", numbers, err)
			}
		}
		r := open(t, dir, disk.Options{ReadOnly: true})
		ids := []string{old.ID, more.ID}
		numbers, err := r.Find(t.Context(), ids)
		if err != nil || numbers[0] != 0 || numbers[1] == 0 {
			t.Errorf("merged %v: a new reader finds %v as %v, %v", merge, ids, numbers, err)
		}
		if n := count(t, r); n != 20 {
			t.Errorf("merged %v: a new reader sees %d documents, want 20", merge, n)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, disk.Options{})
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []disk.Options{{LogBytes: -1}, {LogBytes: 2 << 30}, {LoadMemory: -1}} {
		if s, err := disk.Open(t.Context(), t.TempDir(), o); err == nil {
			s.Close()
			t.Errorf("%+v was taken", o)
		}
	}
}

// Numbers are not given again after all that had them is gone from disk.
func TestNumbersAscend(t *testing.T) {
	dir := t.TempDir()
	s := filled(t, dir, 8, disk.Options{})
	last := uint64(8)
	for round := range 3 {
		var all []index.Entry
		err := s.EachDocument(t.Context(), func(d index.Document) error {
			all = append(all, index.Entry{Document: d})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := s.Delete(t.Context(), all); n != len(all) || err != nil {
			t.Fatal(n, err)
		}
		if round > 0 {
			if err := s.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir, disk.Options{})
		if round == 1 {
			// Loading after all was deleted starts from an empty log.
			given := false
			err := s.Load(t.Context(), func() (index.Entry, bool, error) {
				given = !given
				return crashEntry(1000, 1), given, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			last++
		}
		out, err := s.Add(t.Context(), []index.Entry{crashEntry(round, 1)}, false)
		if err != nil || out[0].State != index.Added || out[0].Number != last+1 {
			t.Fatalf("round %d: %+v, %v, want added as %d", round, out, err, last+1)
		}
		last++
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, disk.Options{})
	defer s.Close()
	if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
}

// files returns the content of an index by file.
func files(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = b
	}
	return all
}

func put(t testing.TB, dir string, all map[string][]byte) {
	t.Helper()
	for name, b := range all {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A byte that is changed anywhere in a segment or the manifest is found, and
// reading it is an error, not another answer.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s := filled(t, dir, 300, disk.Options{})
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole := files(t, dir)
	const seed = 23
	rng := rand.New(rand.NewPCG(seed, seed))
	rounds := 300
	if testing.Short() {
		rounds = 60
	}
	for name, content := range whole {
		if strings.HasSuffix(name, ".log") || name == "LOCK" {
			continue
		}
		for range rounds {
			bad := slices.Clone(content)
			at := rng.IntN(len(bad))
			bad[at] ^= 1 << rng.IntN(8)
			damaged := t.TempDir()
			put(t, damaged, whole)
			put(t, damaged, map[string][]byte{name: bad})
			s, err := disk.Open(t.Context(), damaged, disk.Options{ReadOnly: true})
			if err != nil {
				if !errors.Is(err, similarity.ErrFormat) {
					t.Fatalf("seed %d, %s, byte %d: open: %v, want one that wraps ErrFormat", seed, name, at, err)
				}
				continue
			}
			for i := range 300 {
				e := crashEntry(i, 1)
				numbers, err := indextest.Scan(t.Context(), s, e.Postings[:1], 0)
				if err == nil && len(numbers) != 1 || err != nil && !errors.Is(err, similarity.ErrFormat) {
					t.Fatalf("seed %d, %s, byte %d: scan: %v, %v", seed, name, at, numbers, err)
				}
				numbers, err = s.Find(t.Context(), []string{e.ID})
				if err == nil && numbers[0] != uint64(i+1) || err != nil && !errors.Is(err, similarity.ErrFormat) {
					t.Fatalf("seed %d, %s, byte %d: find: %v, %v", seed, name, at, numbers, err)
				}
			}
			if problems, err := s.Verify(t.Context()); err != nil || len(problems) == 0 {
				t.Fatalf("seed %d, %s, byte %d: verify finds nothing, %v", seed, name, at, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sixBatches returns an index of six batches of two documents, as its killed
// writer left it, and where the batches end in the log.
func sixBatches(t testing.TB) (all map[string][]byte, ends []int) {
	t.Helper()
	dir := t.TempDir()
	s := open(t, dir, disk.Options{})
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if _, err := s.Add(t.Context(), []index.Entry{crashEntry(2*i, 1), crashEntry(2*i+1, 1)}, false); err != nil {
			t.Fatal(err)
		}
		all = files(t, dir)
		ends = append(ends, len(all["00000001.log"]))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return all, ends
}

// A log that ends anywhere holds the batches before, whole, and the bytes behind
// them are kept aside.
func TestTornLog(t *testing.T) {
	all, ends := sixBatches(t)
	log := all["00000001.log"]
	for end := 28; end <= len(log); end += effort(61, 7, 1) {
		torn := t.TempDir()
		put(t, torn, all)
		put(t, torn, map[string][]byte{"00000001.log": log[:end]})
		batches, from := 0, 28
		for batches < len(ends) && ends[batches] <= end {
			from = ends[batches]
			batches++
		}
		s := open(t, torn, disk.Options{})
		if n := count(t, s); n != 2*batches {
			t.Fatalf("log cut at %d: %d documents, want %d", end, n, 2*batches)
		}
		aside := files(t, torn)["00000001.log.damaged"]
		if !bytes.Equal(aside, log[from:end]) || (len(s.Notes()) > 0) != (from < end) {
			t.Fatalf("log cut at %d: %d bytes are kept aside, want %d; %q", end, len(aside), end-from, s.Notes())
		}
		// What comes next stands behind what was whole.
		if _, err := s.Add(t.Context(), []index.Entry{crashEntry(100, 1)}, false); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open(t, torn, disk.Options{ReadOnly: true})
		if n := count(t, s); n != 2*batches+1 {
			t.Fatalf("log cut at %d: %d documents after another, want %d", end, n, 2*batches+1)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A second torn end does not replace the first.
func TestTornTwice(t *testing.T) {
	all, _ := sixBatches(t)
	dir := t.TempDir()
	put(t, dir, all)
	for range 2 {
		log := files(t, dir)["00000001.log"]
		put(t, dir, map[string][]byte{"00000001.log": log[:len(log)-1]})
		s := open(t, dir, disk.Options{})
		if len(s.Notes()) != 1 {
			t.Errorf("notes %q, want one", s.Notes())
		}
		// Not closed: that would note how many batches there are.
		snapshot := files(t, dir)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		put(t, dir, snapshot)
	}
	for _, name := range []string{"00000001.log.damaged", "00000001.log.2.damaged"} {
		if len(files(t, dir)[name]) == 0 {
			t.Errorf("%s is not there", name)
		}
	}
}

// Repair says which batches are lost, keeps the others, those behind damage too,
// and keeps the damaged log aside.
func TestRepair(t *testing.T) {
	all, ends := sixBatches(t)
	whole := all["00000001.log"]
	part := func(from, to int) []byte { return whole[from:to] }
	other := func() []byte { all, _ := sixBatches(t); return all["00000001.log"] }()
	for _, c := range []struct {
		name string
		log  []byte
		want string
		lost []int // batches, from 0 on
	}{
		{"damaged", slices.Concat(part(0, ends[1]+10), make([]byte, ends[3]-ends[1]-15), part(ends[3]-5, len(whole))),
			fmt.Sprintf("bytes %d to %d are damaged: batches 3 to 4 are lost", ends[1], ends[3]), []int{2, 3}},
		{"cut out", slices.Concat(part(0, ends[1]), part(ends[2], len(whole))),
			fmt.Sprintf("bytes are missing at %d: batch 3 is lost", ends[1]), []int{2}},
		{"doubled", slices.Concat(part(0, ends[1]), part(ends[0], len(whole))),
			fmt.Sprintf("bytes %d to %d are damaged: no batch is lost", ends[1], 2*ends[1]-ends[0]), nil},
		{"last", slices.Concat(part(0, len(whole)-1), []byte{^whole[len(whole)-1]}),
			fmt.Sprintf("bytes %d to %d are damaged: batch 6 is lost, perhaps others too", ends[4], len(whole)), []int{5}},
		{"of another index", other, "is a log of another index: batch 1 is lost, perhaps others too", []int{0, 1, 2, 3, 4, 5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, all)
			put(t, dir, map[string][]byte{"00000001.log": c.log})
			for _, apply := range []bool{false, true} {
				lost, err := disk.Repair(t.Context(), dir, apply)
				if err != nil || len(lost) != 1 || !strings.HasSuffix(lost[0], c.want) {
					t.Fatalf("repair: %q, %v, want %q", lost, err, c.want)
				}
			}
			now := files(t, dir)
			if !bytes.Equal(now["00000001.log.damaged"], c.log) || now["00000001.log"] != nil || !bytes.Equal(now["MANIFEST.damaged"], all["MANIFEST"]) {
				t.Error("the damaged log and the old manifest are not kept aside")
			}
			if lost, err := disk.Repair(t.Context(), dir, true); err != nil || len(lost) > 0 {
				t.Errorf("repairing again: %q, %v", lost, err)
			}
			s := open(t, dir, disk.Options{})
			for i := range 12 {
				numbers, err := s.Find(t.Context(), []string{crashEntry(i, 1).ID})
				if there := !slices.Contains(c.lost, i/2); err != nil || (numbers[0] != 0) != there {
					t.Errorf("document %d: %v, %v, want it %v", i, numbers, err, there)
				}
			}
			// Not even the numbers of lost documents are given again while
			// later ones are there.
			if out, err := s.Add(t.Context(), []index.Entry{crashEntry(100, 1)}, false); err != nil || !slices.Contains(c.lost, 5) && out[0].Number != 13 {
				t.Errorf("add: %+v, %v, want number 13", out, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if _, err := disk.Repair(t.Context(), t.TempDir(), true); !errors.Is(err, index.ErrNone) {
		t.Errorf("repair of nothing: %v, want one that wraps ErrNone", err)
	}
	dir := t.TempDir()
	s := filled(t, dir, 2, disk.Options{})
	if _, err := disk.Repair(t.Context(), dir, true); !errors.Is(err, index.ErrLocked) {
		t.Errorf("repair beside a writer: %v, want one that wraps ErrLocked", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A batch that adds documents is lost, and a later one that deletes some of them is
// not. What is added again then stays.
func TestAddAfterRepair(t *testing.T) {
	for _, apart := range []bool{false, true} { // whether the deletion gets a segment of its own
		dir := t.TempDir()
		s := filled(t, dir, 10, disk.Options{})
		if err := s.Merge(t.Context()); err != nil {
			t.Fatal(err)
		}
		var again []index.Entry
		for i := range 11 {
			again = append(again, crashEntry(100+i, 1))
		}
		out, err := s.Add(t.Context(), again, false)
		if err != nil {
			t.Fatal(err)
		}
		gone := again[5]
		gone.Number = out[5].Number
		if n, err := s.Delete(t.Context(), []index.Entry{gone}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for name, b := range files(t, dir) {
			if strings.HasSuffix(name, ".log") {
				b[100] ^= 1
				put(t, dir, map[string][]byte{name: b})
			}
		}
		if lost, err := disk.Repair(t.Context(), dir, true); err != nil || len(lost) != 1 {
			t.Fatalf("repair: %q, %v, want one batch lost", lost, err)
		}
		s = open(t, dir, disk.Options{})
		if n := count(t, s); n != 10 {
			t.Fatalf("%d documents after the repair, want 10", n)
		}
		if apart {
			if err := s.Merge(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if out, err = s.Add(t.Context(), again, false); err != nil {
			t.Fatal(err)
		}
		if out[0].Number <= gone.Number {
			t.Errorf("apart %v: number %d is given, and the log deletes %d", apart, out[0].Number, gone.Number)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		// A full log becomes a segment, which is not merged.
		s = open(t, dir, disk.Options{LogBytes: 1})
		if _, err := s.Add(t.Context(), []index.Entry{crashEntry(1000, 1)}, false); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.Flush(t.Context()), s.Close()); err != nil {
			t.Fatal(err)
		}
		s = open(t, dir, disk.Options{})
		if n := count(t, s); n != 10+11+1 {
			t.Errorf("apart %v: %d documents, want %d", apart, n, 10+11+1)
		}
		for _, e := range again {
			if numbers, err := s.Find(t.Context(), []string{e.ID}); err != nil || numbers[0] == 0 {
				t.Errorf("apart %v: %s was added again and is lost: %v, %v", apart, e.ID, numbers, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Whatever stands in a log, opening it is an error or gives an index that
// verifies, and after a repair it opens.
func FuzzLog(f *testing.F) {
	all, _ := sixBatches(f)
	f.Add(all["00000001.log"], 0, []byte{})
	f.Add([]byte{}, 0, []byte{})
	f.Add(bytes.Repeat([]byte{1}, 40), 3, []byte("abc"))
	f.Fuzz(func(t *testing.T, log []byte, at int, patch []byte) {
		if at < 0 || at > len(log) {
			t.Skip()
		}
		bad := slices.Clone(log)
		copy(bad[at:], patch)
		dir := t.TempDir()
		put(t, dir, all)
		put(t, dir, map[string][]byte{"00000001.log": bad})
		s, err := disk.Open(t.Context(), dir, disk.Options{})
		if err != nil {
			if _, err := disk.Repair(t.Context(), dir, true); err != nil {
				t.Fatal(err)
			}
			s = open(t, dir, disk.Options{})
		}
		defer s.Close()
		if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
			t.Fatalf("verify: %v, %v", problems, err)
		}
		count(t, s)
	})
}

// Documents that are replaced and deleted while their log becomes a segment are
// gone afterwards, be it in this process or the next.
func TestDeletedWhileFrozen(t *testing.T) {
	dir := t.TempDir()
	o := disk.Options{LogBytes: 3000}
	s := open(t, dir, o)
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	const seed, ids = 31, 40
	rng := rand.New(rand.NewPCG(seed, seed))
	state := map[string]int{}
	for step := range 1500 {
		i := rng.IntN(ids)
		e := crashEntry(i, step+1)
		if rng.IntN(3) > 0 {
			if _, err := s.Add(t.Context(), []index.Entry{e}, false); err != nil {
				t.Fatal(err)
			}
			state[e.ID] = step + 1
		} else {
			numbers, err := s.Find(t.Context(), []string{e.ID})
			if err != nil {
				t.Fatal(err)
			}
			e.Number = numbers[0]
			n, err := s.Delete(t.Context(), []index.Entry{e})
			if err != nil || (n == 1) != (state[e.ID] != 0) {
				t.Fatalf("seed %d, step %d: deleted %d, %v, of version %d", seed, step, n, err, state[e.ID])
			}
			delete(state, e.ID)
		}
		if step%300 == 299 {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, dir, o)
		}
		if step%50 != 0 {
			continue
		}
		if n := count(t, s); n != len(state) {
			t.Fatalf("seed %d, step %d: %d documents, want %d", seed, step, n, len(state))
		}
		for i := range ids {
			id := fmt.Sprint("doc-", i)
			numbers, err := s.Find(t.Context(), []string{id})
			if err != nil {
				t.Fatal(err)
			}
			docs, err := s.Documents(t.Context(), numbers)
			if err != nil || int(docs[0].Time) != state[id] {
				t.Fatalf("seed %d, step %d: %s is of version %d, %v, want %d", seed, step, id, docs[0].Time, err, state[id])
			}
		}
		st, err := s.Stats(t.Context())
		if err != nil || st.Documents != int64(len(state)) || st.Postings-st.Stale != 4*int64(len(state)) {
			t.Fatalf("seed %d, step %d: stats %+v, %v, want %d documents", seed, step, st, err, len(state))
		}
	}
	if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
		t.Errorf("verify: %v, %v", problems, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// A reader is told how long the log is, as the writer is.
func TestStatsOfLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	s := filled(t, dir, 3, disk.Options{})
	if _, err := s.Add(t.Context(), []index.Entry{crashEntry(1000, 1)}, false); err != nil {
		t.Fatal(err)
	}
	reader := open(t, dir, disk.Options{ReadOnly: true})
	defer reader.Close()
	var length int
	for name, b := range files(t, dir) {
		if strings.HasSuffix(name, ".log") {
			length += len(b)
		}
	}
	for _, s := range []*disk.Store{s, reader} {
		st, err := s.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := (index.Detail{Name: "bytes of the log", Value: fmt.Sprint(length)}); length == 0 || !slices.Contains(st.Details, want) {
			t.Errorf("details %v, want %v", st.Details, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
