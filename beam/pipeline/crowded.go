package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

// The members of a bucket meet in its slot, on one worker. A crowded bucket has too
// many for that. So a sample, taken when texts are read for the first time, shows
// which buckets are crowded, and their members go directly to the tasks of their
// blocks. The worker of the slot cuts what the sample misses.

// sampleBits is the logarithm of the number of texts per text in the sample. The
// hash of a text decides, so the sample does not depend on the pieces.
const sampleBits = 5

// crowdedMembers is the estimated number of members from which on a bucket is
// crowded: some hundred in the sample, so the estimate is off by a tenth.
const crowdedMembers = 2 * steps.BlockMembers

// bucket is a bucket of a slot, by 32 bits of hash.
type bucket struct {
	slot int
	rest uint32
}

func compareBuckets(a, b bucket) int {
	return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.rest, b.rest))
}

// sample counts the buckets of some texts of a piece.
type sample struct {
	*settings
	mapper *steps.Mapper
	seen   map[dedup.Hash]bool
	counts map[bucket]int
}

// sample begins a sample, or returns nil if texts do not meet in buckets.
func (t *tools) sample() (*sample, error) {
	if t.Groups > 0 {
		return nil, nil
	}
	s := &sample{settings: &t.settings, seen: map[dedup.Hash]bool{}, counts: map[bucket]int{}}
	var err error
	s.mapper, err = steps.NewMapper(t.steps)
	return s, err
}

// add takes a document and its hash.
func (s *sample) add(d document, hash dedup.Hash) error {
	if s == nil || hash[len(hash)-1]&(1<<sampleBits-1) != 0 || s.seen[hash] {
		return nil
	}
	s.seen[hash] = true
	sketch, empty := s.mapper.Sketch(nil, d.text, d.limits)
	if empty {
		return nil
	}
	keys, err := s.mapper.Keys(sketch)
	if err != nil {
		return err
	}
	for _, k := range keys {
		slot, rest := s.bucketSlot(k)
		s.counts[bucket{slot, rest}]++
	}
	return nil
}

// send emits the counts of each slot.
func (s *sample) send(emit func([]byte, []byte)) {
	if s == nil {
		return
	}
	var out encoder
	all := slices.SortedFunc(maps.Keys(s.counts), compareBuckets)
	for i, b := range all {
		out = encoder(binary.LittleEndian.AppendUint32(out, b.rest)).uint(s.counts[b])
		if i+1 == len(all) || all[i+1].slot != b.slot {
			emit(encoder{}.uint(b.slot), out)
			out = nil
		}
	}
}

// crowded finds the crowded buckets of a slot.
type crowded struct{ worker }

// ProcessElement takes the counts of a slot.
func (w *crowded) ProcessElement(_ context.Context, name []byte, next func(*[]byte) bool, emit func([]byte)) error {
	d := decoder{b: name}
	slot := d.uint()
	counts := map[uint32]int{}
	err := w.t.decodeAll(next, func(d *decoder) {
		for len(d.b) > 0 {
			rest := d.uint32()
			counts[rest] += d.uint()
		}
	})
	if err != nil {
		return err
	}
	for rest, n := range counts { // in any order: crowds makes a map of it
		if members := n << sampleBits; members >= w.t.Crowded {
			emit(binary.LittleEndian.AppendUint32(encoder{}.uint(slot).uint(max(2, steps.Blocks(int64(members)))), rest))
		}
	}
	return d.err()
}

// crowds returns the crowded buckets with the number of blocks of each.
func (t *tools) crowds(next func(*[]byte) bool) (map[bucket]int, error) {
	out := map[bucket]int{}
	err := t.decodeAll(next, func(d *decoder) {
		slot, blocks := d.uint(), d.uint()
		out[bucket{slot, d.uint32()}] = blocks
	})
	return out, err
}

// slotKey is a bucket by its key, or by keyOf if only its hash is known.
type slotKey struct {
	slot int
	key  similarity.Key
}

func compareSlotKeys(a, b slotKey) int {
	return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.key.Table, b.key.Table), cmp.Compare(a.key.Bucket, b.key.Bucket))
}

// split is some members of a bucket, by block, as they are sent to tasks.
type split struct {
	slotKey
	blocks int
	packed map[int]encoder
}

func newSplit(of slotKey, blocks int) *split { return &split{of, blocks, map[int]encoder{}} }

func (s *split) add(m steps.Member) {
	b := steps.BlockOf(m.Rank, s.blocks)
	s.packed[b] = s.packed[b].bytes(append(encoder{}.rank(m.Rank), m.Sketch...))
}

// send emits the members of each block to all tasks that need it.
func (s *split) send(emit func([]byte, []byte)) {
	for _, b := range slices.Sorted(maps.Keys(s.packed)) {
		steps.Tasks(b, s.blocks, func(t steps.Task) {
			name := binary.AppendUvarint(encoder{}.uint(s.slot).uint(int(s.key.Table)), s.key.Bucket)
			emit(encoder(name).uint(s.blocks).uint(t.A).uint(t.B), s.packed[b])
		})
	}
}
