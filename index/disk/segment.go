package disk

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/alike-go/alike/internal/mapped"
	"github.com/alike-go/alike/similarity"
)

// A segment is one immutable file:
//
//	magic ‖ blocks of documents ‖ blocks of postings ‖ table of ids ‖ table of content hashes ‖
//	numbers deleted elsewhere ‖ directory of documents ‖ directory of postings ‖ footer
//
// Each block, page and directory has a CRC-32C behind it. The footer is JSON,
// its checksum, its length (4 bytes) and the magic again.
const (
	segmentMagic   = "alikeSG1"
	segmentVersion = 2 // 1 had words and numbers group by group
)

// continues marks, in the directory of postings, a block that begins with the
// bucket with which the block before ends.
const continues = 1 << 63

// footer says where in a segment what lies.
type footer struct {
	Version  int    `json:"version"`
	Base     uint64 `json:"base"` // numbers are stored less this
	Last     uint64 `json:"last"` // the greatest number
	Docs     int64  `json:"docs"`
	Postings int64  `json:"postings"`

	// The ends of the parts, each of which starts where the one before ends.
	DocsEnd     int64 `json:"docs_end"`
	PostingsEnd int64 `json:"postings_end"`
	IDsEnd      int64 `json:"ids_end"`
	HashesEnd   int64 `json:"hashes_end"`
	GoneEnd     int64 `json:"gone_end"`
	DocDirEnd   int64 `json:"doc_dir_end"`
	DirEnd      int64 `json:"dir_end"`

	// Sum is the CRC-32 (IEEE) of all before the footer. A CRC-32C would not depend
	// on the blocks, because each has its own behind it. Earlier versions of alike did
	// not write Sum.
	Sum uint32 `json:"sum,omitempty"`
}

// segment is an open one. It is immutable but for what store guards.
type segment struct {
	file uint64
	name string
	path string
	size int64
	src  *mapped.File
	foot footer
	sum  uint32 // of the footer

	docs     blocks
	firsts   []uint64 // numbers of the first documents of the blocks
	postings blocks
	keys     []uint64 // of the first postings of the blocks
	dir      directory
	ids      table
	hashes   table
	gone     []uint64 // numbers of documents of earlier segments that were deleted, ascending

	dead    int64        // documents here that were deleted since; guarded by the store
	holders atomic.Int32 // those who read it, the store's list among them
	remove  atomic.Bool  // the file, when the last holder lets go
}

// openSegment maps a segment and reads its directories.
func openSegment(dir string, file uint64) (*segment, error) {
	name := segmentName(file)
	path := filepath.Join(dir, name)
	src, size, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("disk: %w", err)
	}
	s := &segment{file: file, name: name, path: path, size: size, src: src}
	if err := s.open(); err != nil {
		src.Close()
		return nil, err
	}
	s.holders.Store(1)
	return s, nil
}

// ref returns how a manifest names the segment.
func (s *segment) ref() segmentRef {
	return segmentRef{s.file, s.size, s.sum, s.foot.Docs}
}

func (s *segment) open() error {
	bad := func(what string) error {
		return fmt.Errorf("disk: %s: %s: %w", s.name, what, similarity.ErrFormat)
	}
	const tail = sumSize + 4 + len(segmentMagic)
	if s.size < int64(len(segmentMagic)+tail) {
		return bad("too short")
	}
	end, err := s.src.At(s.size-int64(tail), s.size)
	if err != nil {
		return fmt.Errorf("disk: %s: %w", s.name, err)
	}
	start, err := s.src.At(0, int64(len(segmentMagic)))
	if err != nil {
		return fmt.Errorf("disk: %s: %w", s.name, err)
	}
	if string(start) != segmentMagic {
		return bad("no magic")
	}
	n := int64(binary.LittleEndian.Uint32(end[sumSize:]))
	if string(end[sumSize+4:]) != segmentMagic || n > s.size-int64(tail) {
		return bad("no footer")
	}
	raw, err := s.src.At(s.size-int64(tail)-n, s.size-int64(tail)+sumSize)
	if err != nil {
		return fmt.Errorf("disk: %s: %w", s.name, err)
	}
	body, ok := unseal(raw)
	if !ok || json.Unmarshal(body, &s.foot) != nil {
		return bad("footer")
	}
	s.sum = binary.LittleEndian.Uint32(raw[n:])
	f := &s.foot
	if f.Version != segmentVersion {
		return fmt.Errorf("disk: %s: version %d, want %d (alike index export of the release that wrote it, and import, make it anew): %w", s.name, f.Version, segmentVersion, similarity.ErrSettings)
	}
	ends := []int64{int64(len(segmentMagic)), f.DocsEnd, f.PostingsEnd, f.IDsEnd, f.HashesEnd, f.GoneEnd, f.DocDirEnd, f.DirEnd, s.size}
	if !slices.IsSorted(ends) || f.Docs < 0 || f.Docs > mostNumbers || f.Last < f.Base || f.Last-f.Base >= mostNumbers {
		return bad("footer")
	}
	for _, part := range []struct {
		name     string
		from, to int64
		dst      *[]uint64
	}{
		{"deleted numbers", f.HashesEnd, f.GoneEnd, &s.gone},
		{"directory of documents", f.GoneEnd, f.DocDirEnd, &s.firsts},
		{"directory of postings", f.DocDirEnd, f.DirEnd, &s.keys},
	} {
		raw, err := s.src.At(part.from, part.to)
		if err != nil {
			return fmt.Errorf("disk: %s: %w", s.name, err)
		}
		body, ok := unseal(raw)
		if !ok || len(body)%8 != 0 {
			return bad(part.name)
		}
		*part.dst = make([]uint64, len(body)/8)
		for i := range *part.dst {
			(*part.dst)[i] = binary.LittleEndian.Uint64(body[8*i:])
		}
	}
	splits := s.keys[len(s.keys)/2:]
	for _, part := range []struct {
		b        *blocks
		name     string
		first    *[]uint64
		from, to int64
	}{
		{&s.docs, "document", &s.firsts, ends[0], f.DocsEnd},
		{&s.postings, "posting", &s.keys, f.DocsEnd, f.PostingsEnd},
	} {
		// A directory is the first values of the blocks, then their offsets and the end.
		all := *part.first
		k := len(all) / 2
		offs := make([]int64, 0, len(all)-k)
		for _, o := range all[k:] {
			offs = append(offs, int64(o&^continues))
		}
		if len(all)%2 != 1 || offs[0] != part.from || offs[k] != part.to || !increase(offs) || !slices.IsSorted(all[:k]) {
			return bad("directory of " + part.name + "s")
		}
		*part.first = all[:k:k]
		*part.b = newBlocks(part.name, offs)
	}
	s.dir = newDirectory(s.keys, func(i int) bool { return splits[i]&continues != 0 })
	for _, part := range []struct {
		t        *table
		name     string
		from, to int64
	}{
		{&s.ids, "id", f.PostingsEnd, f.IDsEnd},
		{&s.hashes, "hash", f.IDsEnd, f.HashesEnd},
	} {
		offs := []int64{part.from}
		for left := f.Docs; left > 0; left -= ofPage {
			offs = append(offs, offs[len(offs)-1]+min(left, ofPage)*entryBytes+sumSize)
		}
		if offs[len(offs)-1] != part.to {
			return bad("table of " + part.name + "s")
		}
		*part.t = table{newBlocks(part.name, offs), int(f.Docs)}
	}
	return nil
}

// increase reports whether each offset leaves room for a block before the next.
func increase(offs []int64) bool {
	for i := 1; i < len(offs); i++ {
		if offs[i]-offs[i-1] < sumSize {
			return false
		}
	}
	return true
}

// holds reports whether the number lies in the segment's range.
func (s *segment) holds(number uint64) bool {
	return s.foot.Base <= number && number <= s.foot.Last
}

// inOrder returns the lowest number that may follow those of the segment. It
// returns an error if they are not between from and before-1, as the manifest has
// it.
func (s *segment) inOrder(from, before uint64) (next uint64, err error) {
	if len(s.firsts) == 0 {
		return from, nil
	}
	// Base may be less, where a segment without documents was merged into this one.
	if first := s.firsts[0]; first < from || s.foot.Last >= before {
		return from, damaged("disk: %s: documents %d to %d, want %s to have them from %d to %d", s.path, first, s.foot.Last, manifestName, from, before-1)
	}
	return s.foot.Last + 1, nil
}
