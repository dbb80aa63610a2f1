package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/alike-go/alike/catalog"
	"github.com/alike-go/alike/dedup"
	"github.com/alike-go/alike/dedup/steps"
	"github.com/alike-go/alike/similarity"
)

func iterate(elements [][]byte) func(*[]byte) bool {
	return func(b *[]byte) bool {
		if len(elements) == 0 {
			return false
		}
		*b, elements = elements[0], elements[1:]
		return true
	}
}

// A bucket of most of the documents is cut in blocks, and the tasks find the pairs that comparing all with
// all finds: cut by the worker of its slot, or where it was known to be crowded before it got there.
func TestSkewedBucket(t *testing.T) {
	t.Run("found", func(t *testing.T) { skewedBucket(t, false) })
	t.Run("foreseen", func(t *testing.T) { skewedBucket(t, true) })
}

func skewedBucket(t *testing.T, foreseen bool) {
	const n = 3*steps.BlockMembers/2 + 7
	m, err := catalog.Parse("simhash")
	if err != nil {
		t.Fatal(err)
	}
	candidates, err := catalog.ScoreAt(m, 3)
	if err != nil {
		t.Fatal(err)
	}
	w := &pairBuckets{pairer: pairer{worker: worker{Settings: settings{Method: m.String(), Candidates: candidates, Threshold: candidates, Recall: .95, Keep: "first", Carry: true, SlotBits: 6}}}}
	if err := w.Setup(); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	slots := map[string][][]byte{}
	crowd := map[bucket]int{}
	if foreseen {
		keys, err := w.mapper.Keys(binary.LittleEndian.AppendUint64(nil, 0xabcd<<48)) // the last table's is that of most
		if err != nil {
			t.Fatal(err)
		}
		slot, rest := w.t.bucketSlot(keys[len(keys)-1])
		crowd[bucket{slot, rest}] = 4
	}
	post := w.t.postings(crowd)
	docs := m.NewCollection()
	code := docs.(similarity.Coder)
	var word uint64
	for i := range n {
		if i%4 > 0 { // near the one before
			word ^= 1 << r.IntN(48)
		} else {
			word = 0xabcd<<48 | r.Uint64()>>16
		}
		sketch := binary.LittleEndian.AppendUint64(nil, word)
		if err := code.AddSketch(sketch); err != nil {
			t.Fatal(err)
		}
		keys, err := w.mapper.Keys(sketch)
		if err != nil {
			t.Fatal(err)
		}
		rank, err := w.t.keep.Rank(&dedup.Doc{Ref: dedup.Ref{Row: i}}, false)
		if err != nil {
			t.Fatal(err)
		}
		post.add(rank, keys, sketch)
	}
	tasks, cut := map[string][][]byte{}, 0
	post.send(func(slot, block []byte) {
		slots[string(slot)] = append(slots[string(slot)], block)
	}, func(name, block []byte) {
		tasks[string(name)] = append(tasks[string(name)], block)
	})
	direct := len(tasks)
	want := map[string]int{}
	for a := range n {
		for b := a + 1; b < n; b++ {
			if docs.Score(a, b) >= candidates {
				want[fmt.Sprint(a, b)] = 1
			}
		}
	}
	got := map[string]int{}
	pair := func(a, b []byte) {
		got[fmt.Sprint(w.t.decode(a).rank().Ref().Row, w.t.decode(b).rank().Ref().Row)]++
	}
	ctx := context.Background()
	for slot, elements := range slots {
		err := w.ProcessElement(ctx, []byte(slot), iterate(elements), pair, func(name, block []byte) {
			tasks[string(name)] = append(tasks[string(name)], block)
			cut++
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if foreseen && (direct != 4*5/2 || cut > 0) || !foreseen && (direct > 0 || len(tasks) < 3) {
		t.Fatalf("%d tasks before the slots, and %d elements for tasks from there", direct, cut)
	}
	for name, blocks := range tasks {
		if err := (&pairTasks{w.pairer}).ProcessElement(ctx, []byte(name), iterate(blocks), pair); err != nil {
			t.Fatal(err)
		}
	}
	if len(want) < n/4 || !maps.Equal(got, want) {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
}

// A chain of four and one of two, and a text that no chain links: in memory for all of them, and for one less.
func TestChainingIsBounded(t *testing.T) {
	w := &chaining{worker: worker{Settings: settings{Method: "simhash", Candidates: .9, Threshold: .9, Recall: .95, Keep: "first"}}}
	if err := w.Setup(); err != nil {
		t.Fatal(err)
	}
	rank := func(row int) encoder {
		r, err := w.t.keep.Rank(&dedup.Doc{Ref: dedup.Ref{Row: row}}, false)
		if err != nil {
			t.Fatal(err)
		}
		return encoder{}.rank(r)
	}
	var links, weights [][]byte
	for _, l := range [][2]int{{1, 2}, {2, 3}, {7, 8}, {1, 4}, {3, 4}} {
		links = append(links, append(rank(l[0]), rank(l[1])...))
	}
	for _, row := range []int{1, 2, 3, 4, 5, 7, 8} {
		weights = append(weights, rank(row).uint(10+row))
	}
	for limit, want := range map[int]map[string]int64{
		6: {"components": 3, "component documents": 100, "largest component": 50, "apart": 12 + 13 + 14 + 18},
		5: {"components": 7, "component documents": 100, "largest component": 18, "apart": 0, "chaining partial": 1},
	} {
		w.Limit = limit
		got := map[string]int64{}
		err := w.ProcessElement(context.Background(), nil, iterate(links), iterate(weights), func(name string, n int64) { got[name] += n })
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("limit %d: %v, want %v; %v", limit, got, want, err)
		}
	}
}
