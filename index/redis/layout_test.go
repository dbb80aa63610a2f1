package redis

import (
	"bytes"
	"errors"
	"testing"

	"github.com/alike-go/alike/index"
	"github.com/alike-go/alike/index/internal/remote"
	"github.com/alike-go/alike/similarity"
)

// A posting comes back from its group and its record, in every size of layout.
func FuzzPosting(f *testing.F) {
	f.Add(uint32(0), uint8(0), uint64(0), uint64(1), uint8(16), uint8(14))
	f.Add(uint32(1<<32-1), uint8(255), uint64(1<<64-1), uint64(1<<40-1), uint8(24), uint8(24))
	f.Add(uint32(0xabcd0000), uint8(3), uint64(5), uint64(1<<40-1), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, bucket uint32, table uint8, word, number uint64, groups, shards uint8) {
		l := layout{Groups: uint(groups % (mostGroups + 1)), Shards: uint(shards % (mostShards + 1))}
		number &= l.mostNumber()
		p := index.Posting{Bucket: bucket, Table: table, Word: word}
		group, rest := l.place(p)
		if group >= 1<<l.Groups {
			t.Fatalf("group %d of %d", group, 1<<l.Groups)
		}
		b := l.appendRecord(nil, rest, word, number)
		if len(b) != l.recordSize() {
			t.Fatalf("record of %d bytes, want %d", len(b), l.recordSize())
		}
		r := l.parseRecord(b)
		if got := l.postingOf(group, r); got != p || r.number != number {
			t.Fatalf("%+v of %d came back as %+v of %d", p, number, got, r.number)
		}
	})
}

// Rows of both layouts are read without a panic, and those that are read are
// written the same.
func FuzzRow(f *testing.F) {
	for version := oldestLayout; version <= layoutVersion; version++ {
		f.Add(string(layout{Version: version}.rows().Append(nil, index.Document{ID: "a", Sketch: []byte("sketch"), Hash: index.Hash{1}, Time: -5}, 7)))
	}
	f.Add("")
	f.Add(string(make([]byte, 4+8+16+2)))
	f.Fuzz(func(t *testing.T, row string) {
		for l, row := range map[layout]string{
			{Version: oldestLayout}:                             row,
			{Version: layoutVersion}:                            row,
			{Version: layoutVersion, name: "with its checksum"}: string(remote.AppendSum([]byte(row), []byte(row))),
		} {
			d, until, err := l.parseRow(row)
			if err != nil {
				continue
			}
			if got := l.rows().Append(nil, d, until); string(got) != row {
				t.Fatalf("row %q came back as %q", row, got)
			}
		}
	})
}

// A layout comes back from what is stored of it; one of another version is
// refused as what it is.
func TestParseLayout(t *testing.T) {
	want := newLayout(Options{Documents: 1 << 20, Postings: 4, Name: "x"})
	got, err := parseLayout(want.encode(), "x")
	if err != nil || got != want {
		t.Errorf("layout %+v came back as %+v, %v", want, got, err)
	}
	for _, version := range []int{0, oldestLayout - 1, layoutVersion + 1} {
		other := want
		other.Version = version
		if _, err := parseLayout(other.encode(), "x"); !errors.Is(err, similarity.ErrSettings) {
			t.Errorf("version %d: %v, want %v", version, err, similarity.ErrSettings)
		}
	}
}

// Buckets of which only the top bits vary, as the blocks of fingerprints, fill
// the groups evenly.
func TestSpread(t *testing.T) {
	l := newLayout(Options{Documents: 1 << 20, Postings: 4})
	if l.Groups != 16 || l.Shards != 15 || l.recordSize() != 16 {
		t.Fatalf("layout %+v with records of %d bytes, want 16 and 15 bits and 16 bytes", l, l.recordSize())
	}
	fill := make([]int, 1<<l.Groups)
	for table := range 4 {
		for block := range 1 << 16 {
			group, _ := l.place(index.Posting{Bucket: uint32(block) << 16, Table: uint8(table)})
			fill[group]++
		}
	}
	// Were they thrown at random, four to each, one in 65,536 would hold more
	// than 20 with a chance of 10^-4 (Poisson).
	for group, n := range fill {
		if n > 20 {
			t.Errorf("group %d holds %d buckets, want about 4", group, n)
		}
	}
}

// The records of a group are sorted, and one that was appended twice comes once.
func TestRecords(t *testing.T) {
	l := layout{Groups: 16, Shards: 4}
	var all []byte
	for _, r := range []record{{2, 1, 1}, {1, 9, 9}, {2, 1, 1}, {1, 9, 8}, {1, 9, 9}} {
		all = l.appendRecord(all, r.rest, r.word, r.number)
	}
	var again []byte
	for _, r := range l.records(append(all, 1, 2, 3)) { // a torn end is no record
		again = l.appendRecord(again, r.rest, r.word, r.number)
	}
	var want []byte
	for _, r := range []record{{1, 9, 8}, {1, 9, 9}, {2, 1, 1}} {
		want = l.appendRecord(want, r.rest, r.word, r.number)
	}
	if !bytes.Equal(again, want) {
		t.Errorf("records %x, want %x", again, want)
	}
}
