package disk_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/disk"
	"github.com/alike-go/alike/index/indextest"
	"github.com/alike-go/alike/similarity"
)

// folder is the files of an index at a time, and what it then holds.
type folder struct {
	files map[string][]byte
	state map[int]int // version by document
}

// history is an index that has two segments, a full log and an open one, as they
// were after each batch.
type history struct {
	after  []folder
	closed folder // after Close
	ends   map[string][]int
}

// record makes the history of an index. first is the version with which its
// documents begin: of indexes that differ in it, no file has another length.
func record(t *testing.T, first int) *history {
	t.Helper()
	dir := t.TempDir()
	h := &history{ends: map[string][]int{}}
	state := map[int]int{}
	var s *disk.Store
	snapshot := func() folder { return folder{files(t, dir), maps.Clone(state)} }
	step := func(add, remove []int, version int) {
		t.Helper()
		var entries, gone []index.Entry
		for _, i := range add {
			entries = append(entries, crashEntry(i, first+version))
			state[i] = first + version
		}
		if len(add) > 0 {
			if _, err := s.Add(t.Context(), entries, false); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range remove {
			id := crashEntry(i, 1).ID
			numbers, err := s.Find(t.Context(), []string{id})
			if err != nil {
				t.Fatal(err)
			}
			gone = append(gone, index.Entry{Document: index.Document{ID: id, Number: numbers[0]}})
			delete(state, i)
		}
		if len(gone) > 0 {
			if n, err := s.Delete(t.Context(), gone); n != len(gone) || err != nil {
				t.Fatal(n, err)
			}
		}
		at := snapshot()
		for name, b := range at.files {
			if ends := h.ends[name]; strings.HasSuffix(name, ".log") && (len(ends) == 0 || ends[len(ends)-1] != len(b)) {
				h.ends[name] = append(ends, len(b))
			}
		}
		h.after = append(h.after, at)
	}
	reopen := func(o disk.Options) {
		t.Helper()
		if s != nil {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		s = open(t, dir, o)
	}
	reopen(disk.Options{})
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	h.after = append(h.after, snapshot())
	next := 0
	docs := func(n int) (all []int) {
		for range n {
			all = append(all, next)
			next++
		}
		return all
	}
	step(docs(20), nil, 0)
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.after = append(h.after, snapshot())
	// Every batch begins a log, and so makes what is before it a segment.
	reopen(disk.Options{LogBytes: 1})
	s.StopBackground()
	for _, n := range []int{8, 1} {
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		step(docs(n), nil, 0)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.after = append(h.after, snapshot())
	reopen(disk.Options{LogBytes: 1500})
	s.StopBackground()
	logs := func() int {
		n := 0
		for name := range files(t, dir) {
			if strings.HasSuffix(name, ".log") {
				n++
			}
		}
		return n
	}
	for logs() < 2 {
		step(docs(3), nil, 0)
	}
	step([]int{0, 21}, nil, 1)
	step(nil, []int{3}, 0)
	step(docs(2), nil, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	h.closed = snapshot()
	return h
}

// read returns what an index holds, asked in every way.
func read(t *testing.T, s *disk.Store, ids map[int]int) (map[int]int, error) {
	got := map[int]int{}
	err := s.EachDocument(t.Context(), func(d index.Document) error {
		var i, version int
		if _, err := fmt.Sscanf(string(d.Sketch), "document %d, version %d", &i, &version); err != nil {
			return err
		}
		got[i] = version
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range ids {
		e := crashEntry(i, max(1, got[i]))
		numbers, err := s.Find(t.Context(), []string{e.ID})
		if err != nil {
			return nil, err
		}
		found, err := indextest.Scan(t.Context(), s, e.Postings[1:2], 0)
		if err != nil {
			return nil, err
		}
		hashes, err := s.FindHash(t.Context(), []index.Hash{e.Hash})
		if err != nil {
			return nil, err
		}
		there := got[i] != 0
		if (numbers[0] != 0) != there || (hashes[0] != 0) != there || slices.Contains(found, numbers[0]) != there {
			return nil, fmt.Errorf("document %d of version %d: find %v, scan %v, hash %v", i, got[i], numbers, found, hashes)
		}
	}
	return got, nil
}

// differ counts the documents that stand in only one state or in another version.
func differ(a, b map[int]int) int {
	n := 0
	for i, v := range a {
		if b[i] != v {
			n++
		}
	}
	for i := range b {
		if a[i] == 0 {
			n++
		}
	}
	return n
}

// damage is what a folder has suffered.
type damage struct {
	name  string // of the file
	what  string
	files map[string][]byte
	// lost is how many documents Repair may lose.
	lost int
	// limit is true if this cannot be told from a writer that was killed: then the
	// index may hold the documents of an earlier time.
	limit bool
	// torn is true if it has to be reported then.
	torn bool
}

// checkDamage checks that no damage goes unnoticed: there is an error or the right
// answer. Opening for writing refuses without a change, and Repair keeps what is
// whole.
func checkDamage(t *testing.T, h *history, want map[int]int, d damage) {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, d.files)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s: %s", d.name, d.what, fmt.Sprintf(format, args...))
	}
	right := func(got map[int]int) bool {
		if differ(got, want) == 0 {
			return true
		}
		return d.limit && slices.ContainsFunc(h.after, func(f folder) bool { return differ(got, f.state) == 0 })
	}
	s, err := disk.Open(t.Context(), dir, disk.Options{ReadOnly: true})
	if err == nil {
		got, err := read(t, s, want)
		problems, verifyErr := s.Verify(t.Context())
		switch {
		case verifyErr != nil:
			fail("verify: %v", verifyErr)
		case err == nil && !right(got):
			fail("reading gives %d documents without an error, want %d", len(got), len(want))
		case err == nil && d.torn && len(s.Notes()) == 0:
			fail("nothing is said of a torn end")
		case err != nil && !errors.Is(err, similarity.ErrFormat):
			fail("reading: %v, want an error that wraps ErrFormat", err)
		case err != nil && len(problems) == 0:
			fail("reading: %v, and verify finds nothing", err)
		}
		damaged := err != nil || len(problems) > 0
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if !damaged {
			// Opening for writing repairs what a killed writer leaves, without loss.
			w := open(t, dir, disk.Options{})
			if got, err := read(t, w, want); err != nil || !right(got) {
				fail("a writer sees %d documents, %v, want %d", len(got), err, len(want))
			}
			if _, err := w.Add(t.Context(), []index.Entry{crashEntry(1000, 1)}, false); err != nil {
				fail("add: %v", err)
			}
			if n := len(w.Notes()); d.torn != (n > 0) {
				fail("a writer has %d notes", n)
			}
			if err := w.Close(); err != nil {
				fail("close: %v", err)
			}
			if d.torn && !kept(d.files, files(t, dir), d.name) {
				fail("a torn end is not kept")
			}
			return
		}
	} else if !errors.Is(err, similarity.ErrFormat) {
		fail("open: %v, want an error that wraps ErrFormat", err)
	} else {
		before := files(t, dir)
		if w, err := disk.Open(t.Context(), dir, disk.Options{}); !errors.Is(err, similarity.ErrFormat) {
			if err == nil {
				w.Close()
			}
			fail("opening for writing: %v, want an error that wraps ErrFormat", err)
		}
		delete(before, "LOCK")
		now := files(t, dir)
		delete(now, "LOCK")
		if !maps.EqualFunc(before, now, bytes.Equal) {
			fail("opening for writing changed a damaged index")
		}
	}
	lost, err := disk.Repair(t.Context(), dir, false)
	if err != nil {
		if bytes.Equal(d.files["MANIFEST"], h.closed.files["MANIFEST"]) || !errors.Is(err, similarity.ErrFormat) {
			fail("repair: %v", err)
		}
		return
	}
	if len(lost) == 0 {
		fail("repair finds nothing")
	}
	again, err := disk.Repair(t.Context(), dir, true)
	if err != nil || !slices.Equal(lost, again) {
		fail("repair: %q, %v, and announced %q", again, err, lost)
		return
	}
	s = open(t, dir, disk.Options{})
	got, err := read(t, s, want)
	if n := differ(got, want); err != nil || n > d.lost {
		fail("after repair %d documents are lost, %v, want at most %d: %q", n, err, d.lost, lost)
	}
	if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
		fail("after repair: %v, %v", problems, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !kept(d.files, files(t, dir), "") {
		fail("repair removed a segment")
	}
}

// kept reports whether all segments of a folder are there later, under their name
// or aside, and the log that is torn, if any, with what was cut off.
func kept(before, now map[string][]byte, torn string) bool {
	for name, b := range before {
		if !strings.HasSuffix(name, ".segment") && name != torn {
			continue
		}
		found := false
		for other, c := range now {
			cut := strings.HasPrefix(other, name) && strings.HasSuffix(other, ".damaged")
			found = found || bytes.Equal(b, c) || cut && name == torn && len(c) > 0 && bytes.HasSuffix(b, c) && bytes.HasPrefix(now[name], b[:len(b)-len(c)])
		}
		if !found {
			return false
		}
	}
	return true
}

// Whatever happens to any place of any file of an index, it is an error or does
// not change an answer. Only the end of the open log, if its writer was killed,
// may be from an earlier time; if it ends inside a batch, that is reported.
func TestDamageMatrix(t *testing.T) {
	h, other := record(t, 1), record(t, 6)
	want := h.closed.state
	killed := h.after[len(h.after)-1] // the same documents, without Close
	var logs, segments []string
	for name := range h.closed.files {
		switch filepath.Ext(name) {
		case ".log":
			logs = append(logs, name)
		case ".segment":
			segments = append(segments, name)
		}
	}
	slices.Sort(logs)
	if len(logs) != 2 || len(segments) != 2 {
		t.Fatalf("%d logs and %d segments, want two each", len(logs), len(segments))
	}
	last := logs[1]
	// overlap counts the documents that Repair may lose if bytes change: at most
	// three for a batch.
	overlap := func(name string, from, to int) int {
		if name == "MANIFEST" {
			return len(want) + 1
		}
		if strings.HasSuffix(name, ".segment") {
			return 20
		}
		n, start := 0, 0
		for _, end := range h.ends[name] {
			if from < end && to > start {
				n += 3
			}
			start = end
		}
		return n
	}
	stride, cases := effort(101, 11, 1), 0
	for when, f := range map[string]folder{"closed": h.closed, "killed": killed} {
		unknown := when == "killed" // how many batches the open log has
		try := func(name, what string, lost int, limit, torn bool, change func(map[string][]byte)) {
			t.Helper()
			all := maps.Clone(f.files)
			change(all)
			d := damage{name, when + ": " + what, all, lost, limit, torn}
			checkDamage(t, h, want, d)
			cases++
		}
		replaced := func(name, what string, lost int, limit, torn bool, b []byte) {
			t.Helper()
			try(name, what, lost, limit, torn, func(all map[string][]byte) { all[name] = b })
		}
		for name, content := range f.files {
			every := stride
			if strings.HasSuffix(name, ".segment") {
				every *= 11
			}
			for at := 0; at < len(content); at += every {
				bad := slices.Clone(content)
				bad[at] ^= 1 << (at % 8)
				replaced(name, fmt.Sprint("flip at ", at), overlap(name, at, at+1), false, false, bad)
				inside := !slices.Contains(h.ends[name], at)
				if cut := slices.Clone(content[:at]); strings.HasSuffix(name, ".log") {
					replaced(name, fmt.Sprint("cut at ", at), overlap(name, at, len(content)), unknown && name == last && at >= 28, unknown && name == last && inside && at > 28, cut)
				} else {
					replaced(name, fmt.Sprint("cut at ", at), overlap(name, at, len(content)), false, false, cut)
				}
			}
			for _, n := range []int{1, 24, 512, 4096} {
				for at := 0; at < len(content); at += max(n, every) {
					bad := slices.Clone(content)
					clear(bad[at:min(at+n, len(bad))])
					replaced(name, fmt.Sprintf("%d zeros at %d", n, at), overlap(name, at, at+n), false, false, bad)
				}
			}
			replaced(name, "10 bytes more", overlap(name, len(content), len(content)), false, name == last, append(slices.Clone(content), "0123456789"...))
			try(name, "missing", overlap(name, 0, len(content)), false, false, func(all map[string][]byte) { delete(all, name) })
			replaced(name, "of another index", overlap(name, 0, len(content)), false, false, other.closed.files[name])
			for k, old := range h.after {
				if b := old.files[name]; b != nil && !bytes.Equal(b, content) {
					replaced(name, fmt.Sprint("as it was after step ", k), overlap(name, len(b), len(content)), unknown && name == last, false, b)
				}
			}
		}
		for _, pair := range [][]string{logs, segments, {logs[0], segments[0]}} {
			lost := overlap(pair[0], 0, 1<<20) + overlap(pair[1], 0, 1<<20)
			try(pair[0], "swapped with "+pair[1], lost, false, false, func(all map[string][]byte) {
				all[pair[0]], all[pair[1]] = all[pair[1]], all[pair[0]]
			})
		}
		// Files that the index had once change nothing.
		for k, old := range h.after {
			for name, b := range old.files {
				if f.files[name] == nil {
					try(name, fmt.Sprint("back from step ", k), 0, false, false, func(all map[string][]byte) { all[name] = b })
				}
			}
		}
	}
	t.Logf("%d cases", cases)
}

// The manifest from before a Load would name no document.
func TestOldManifestAfterLoad(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, disk.Options{})
	if err := s.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)["MANIFEST"]
	i := 0
	err := s.Load(t.Context(), func() (index.Entry, bool, error) {
		i++
		return crashEntry(i, 1), i <= 5, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string][]byte{"MANIFEST": before})
	for _, o := range []disk.Options{{ReadOnly: true}, {}} {
		if s, err := disk.Open(t.Context(), dir, o); !errors.Is(err, similarity.ErrFormat) {
			if err == nil {
				s.Close()
			}
			t.Errorf("%+v: %v, want one that wraps ErrFormat", o, err)
		}
	}
}

// An index of the first version opens, and what is added to it stays.
func TestFirstVersion(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "v1"))); err != nil {
		t.Fatal(err)
	}
	want := map[int]int{0: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 8: 1}
	for _, o := range []disk.Options{{ReadOnly: true}, {}, {ReadOnly: true}, {}} {
		s := open(t, dir, o)
		if got, err := read(t, s, want); err != nil || differ(got, want) > 0 {
			t.Fatalf("%+v: documents %v, %v, want %v", o, got, err, want)
		}
		if problems, err := s.Verify(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("%+v: verify: %v, %v", o, problems, err)
		}
		if !o.ReadOnly {
			i := 100 + len(want)
			if _, err := s.Add(t.Context(), []index.Entry{crashEntry(i, 1)}, false); err != nil {
				t.Fatal(err)
			}
			want[i] = 1
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// An index of the first version is held to the same, as far as its log can tell:
// nothing says how many batches it had. Once it was opened for writing, its
// manifest does.
func TestFirstVersionDamage(t *testing.T) {
	const log = "00000004.log"
	first := files(t, filepath.Join("testdata", "v1"))
	state := map[int]int{}
	for i := range 7 {
		state[i] = 1
	}
	h := &history{closed: folder{files: first}}
	after := func() { h.after = append(h.after, folder{state: maps.Clone(state)}) }
	after()
	state[7] = 1
	after()
	delete(state, 1)
	after()
	delete(state, 7)
	after()
	state[8], state[2] = 1, 2
	after()
	ends := []int{0}
	for at := 0; at < len(first[log]); {
		at += 8 + int(binary.LittleEndian.Uint32(first[log][at:]))
		ends = append(ends, at)
	}
	if len(ends) != len(h.after) {
		t.Fatalf("batches end at %v, want %d", ends, len(h.after)-1)
	}
	dir := t.TempDir()
	put(t, dir, first)
	if err := open(t, dir, disk.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	stride := effort(101, 17, 1)
	for when, all := range map[string]map[string][]byte{"first version": first, "present version": files(t, dir)} {
		h.closed.files = all
		old := when == "first version"
		for name, content := range all {
			try := func(what string, b []byte, limit, torn bool) {
				t.Helper()
				changed := maps.Clone(all)
				if changed[name] = b; b == nil {
					delete(changed, name)
				}
				checkDamage(t, h, state, damage{name, when + ": " + what, changed, 10, limit, torn})
			}
			try("missing", nil, false, false)
			for at := 0; at < len(content); at += stride {
				bad := slices.Clone(content)
				bad[at] ^= 1 << (at % 8)
				try(fmt.Sprint("flip at ", at), bad, false, false)
				bad = slices.Clone(content)
				clear(bad[at:min(at+40, len(bad))])
				try(fmt.Sprint("40 zeros at ", at), bad, false, false)
				limit := old && name == log
				try(fmt.Sprint("cut at ", at), slices.Clone(content[:at]), limit, limit && !slices.Contains(ends, at))
			}
		}
	}
}

// In the first version too, only the last log may end inside a batch.
func TestFirstVersionTwoLogs(t *testing.T) {
	all := files(t, filepath.Join("testdata", "v1"))
	log := all["00000004.log"]
	first := 8 + int(binary.LittleEndian.Uint32(log)) // bytes of the first batch
	for _, c := range []struct {
		cut  int
		want error
	}{{0, nil}, {1, similarity.ErrFormat}, {first - 1, similarity.ErrFormat}} {
		all["00000004.log"], all["00000005.log"] = log[:first-c.cut], log[first:]
		for _, readOnly := range []bool{true, false} {
			dir := t.TempDir()
			put(t, dir, all)
			s, err := disk.Open(t.Context(), dir, disk.Options{ReadOnly: readOnly})
			if !errors.Is(err, c.want) {
				t.Errorf("first log cut by %d: %v, want one that wraps %v", c.cut, err, c.want)
			}
			if err != nil {
				continue
			}
			if n := count(t, s); n != 7 {
				t.Errorf("%d documents, want 7", n)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A reader that opens and verifies an index while a writer makes logs, segments
// and manifests does not take that for damage, and sees every acknowledged batch.
func TestReadBesideWriter(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, disk.Options{LogBytes: 2000})
	if err := w.Create(t.Context(), []byte("header")); err != nil {
		t.Fatal(err)
	}
	var acknowledged atomic.Int64
	var wg sync.WaitGroup
	var failed error
	const over = 1 << 32
	wg.Go(func() {
		defer acknowledged.Add(over)
		for i := range effort(100, 300, 3000) {
			if _, failed = w.Add(t.Context(), []index.Entry{crashEntry(i, 1)}, false); failed != nil {
				return
			}
			acknowledged.Add(1)
			if i%40 == 39 {
				if failed = w.Merge(t.Context()); failed != nil {
					return
				}
			}
		}
	})
	for done := false; !done; {
		before := acknowledged.Load()
		done = before >= over
		r := open(t, dir, disk.Options{ReadOnly: true})
		if n := count(t, r); int64(n) < before%over {
			t.Errorf("%d documents, want %d or more", n, before%over)
		}
		if problems, err := r.Verify(t.Context()); err != nil || len(problems) > 0 {
			t.Errorf("verify: %q, %v", problems, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			break
		}
	}
	wg.Wait()
	if err := errors.Join(failed, w.Close()); err != nil {
		t.Fatal(err)
	}
}
