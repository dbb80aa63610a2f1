package disk

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// writtenLog returns a log of the batches and where they end.
func writtenLog(t testing.TB, id logIdentity, batches [][]byte) (log []byte, ends []int) {
	t.Helper()
	dir := t.TempDir()
	l, err := newLog(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := l.append(append(make([]byte, batchHead), b...)); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, int(l.size))
	}
	if err := l.f.Close(); err != nil {
		t.Fatal(err)
	}
	if log, err = os.ReadFile(filepath.Join(dir, logName(id.file))); err != nil {
		t.Fatal(err)
	}
	return log, ends
}

// FuzzReadLog writes any bytes over a part of a log and cuts it anywhere. Every
// batch that is still whole in its place is read, no other is, and every byte that
// does not belong to one is in a gap.
func FuzzReadLog(f *testing.F) {
	id := logIdentity{index: 7, file: 3}
	var batches [][]byte
	for i := range 5 {
		batches = append(batches, bytes.Repeat(appendRemove(nil, uint64(i+1)), 1+20*i))
	}
	whole, ends := writtenLog(f, id, batches)
	other, _ := writtenLog(f, logIdentity{index: 7, file: 4}, batches)
	f.Add(0, []byte{}, len(whole))
	f.Add(3, []byte{64}, len(whole))
	f.Add(0, make([]byte, 120), len(whole))
	f.Add(40, []byte(batchMagic), len(whole)-3)
	f.Add(0, other, len(whole))
	f.Add(ends[0], whole[ends[1]:ends[2]], len(whole))
	f.Add(len(whole), whole[logHeader:], 2*len(whole))
	f.Fuzz(func(t *testing.T, at int, patch []byte, size int) {
		if at < 0 || at > len(whole) || size < 0 || len(patch) > 1<<16 {
			t.Skip()
		}
		log := slices.Clone(whole)
		log = append(log[:at], append(patch, log[min(len(log), at+len(patch)):]...)...)
		log = log[:min(size, len(log))]
		r := logReader{f: bytes.NewReader(log), size: int64(len(log)), header: id.header(), open: true}
		var got []int // batches
		covered := make([]int, len(log))
		cover := func(from, to int64) {
			for i := from; i < to; i++ {
				covered[i]++
			}
		}
		gaps, header := 0, true
		err := r.walk(func(off int64, b batch) error {
			if b.number < 1 || int(b.number) > len(batches) || !bytes.Equal(b.body, batches[b.number-1]) {
				t.Fatalf("batch %d at byte %d was not written", b.number, off)
			}
			got = append(got, int(b.number))
			cover(off, b.end)
			return nil
		}, func(g gap) error {
			gaps++
			if g.from == 0 {
				header = false
			}
			cover(g.from, g.to)
			rest, start := log[g.from:], logHeader
			cut := len(rest) < batchHead
			for _, end := range ends {
				cut = cut || len(rest) < end-start && bytes.HasPrefix(rest, whole[start:start+batchHead])
				start = end
			}
			if g.torn && !(cut && int(g.to) == len(log)) {
				t.Fatalf("bytes %d to %d are no torn end", g.from, g.to)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if header {
			cover(0, int64(logHeader))
		}
		if end := slices.Concat([]int{logHeader}, ends)[len(got)]; gaps == 0 && !bytes.Equal(log, whole[:end]) {
			t.Fatalf("what was changed in %d bytes is no gap", len(log))
		}
		for i, n := range covered {
			if n != 1 {
				t.Fatalf("byte %d is in %d batches and gaps", i, n)
			}
		}
		if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("batches %v are read", got)
		}
		start := logHeader
		for k, end := range ends {
			if end <= len(log) && bytes.Equal(log[start:end], whole[start:end]) && !slices.Contains(got, k+1) && at >= end {
				t.Fatalf("batch %d before the damage is not read, but %v", k+1, got)
			}
			start = end
		}
	})
}
