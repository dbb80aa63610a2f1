package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/alike-go/alike/dedup"
)

// Why a row is where it is.
const (
	isKept = iota
	isEqual
	isAlike
	isUnreadable
	isMarked // kept in a cluster, for annotations
	isExplained
	isFirst // the first of a cluster, with the policy none
)

// assign brings together what is known of a text: the text that is kept for it, the
// documents equal to it, and whether it has features. An element without a decision
// says that the text was compared.
type assign struct{ worker }

func (w *assign) ProcessElement(_ context.Context, key []byte, decided, equals, empty func(*[]byte) bool, member, weight func([]byte, []byte), stat func(string, int64)) error {
	// Equal documents are named by piece and rows, because a text may have many.
	var elements [][]byte
	copies, fresh := 0, 0
	err := w.t.decodeAll(equals, func(d *decoder) {
		element := d.b
		piece := pieceOfNumber(d.uint64())
		n := len(d.rows())
		if copies += n; w.t.old(sourceOf(piece)) {
			return // old documents stay
		}
		fresh += n
		elements = append(elements, element)
	})
	if err != nil {
		return err
	}
	var b []byte
	featureless := empty(&b)
	if featureless && !w.t.decode(b).bool() {
		// Texts without features are like nothing, not even each other, and all are kept.
		stat("empty", int64(fresh))
		stat("doubles", -int64(copies))
		return nil
	}
	own := w.t.decode(key).rank()
	leader, score, active, compared := own, 1.0, false, false
	err = w.t.decodeAll(decided, func(d *decoder) {
		if len(d.b) == 0 {
			compared = true
		} else {
			leader, score, active = d.rank(), d.float(), true
		}
	})
	if err != nil {
		return err
	}
	if featureless && leader == own && !w.t.old(own.Ref().Source) {
		stat("empty", 1)
	}
	to := encoder{}.rank(leader)
	why := encoder{isEqual}
	if leader != own {
		if w.t.verify == nil {
			stat("scored", 1)
		}
		why = encoder{isAlike}.float(score)
		elements = append(elements, encoder(binary.AppendUvarint(nil, pieceNumber(own))).rows([]int{rowOf(own)}))
	}
	if leader == own && w.t.Limits.Apart() {
		elements = nil // all stay
	}
	for _, e := range elements {
		member(to, append(slices.Clone(why), e...))
	}
	if active && w.t.verify == nil {
		stat("active", 1)
	}
	if active || compared && copies > 0 { // as on one machine, copies of a compared text are a component
		weight(to, encoder{}.uint(1+copies))
	}
	return nil
}

// members decodes an element of assign.
func (d *decoder) members() (reason byte, score float64, piece []byte, rows []int) {
	if reason, score = d.byte(), 1; reason == isAlike {
		score = d.float()
	}
	piece = pieceOfNumber(d.uint64())
	return reason, score, piece, d.rows()
}

// weigh counts the documents of all texts that a text is kept for.
type weigh struct{ worker }

// ProcessElement takes the texts that a kept one stands for.
func (w *weigh) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, emit func([]byte, []byte)) error {
	n := 0
	err := w.t.decodeAll(next, func(d *decoder) { n += d.uint() })
	emit([]byte("chain"), encoder(slices.Clone(key)).uint(n))
	return err
}

// measure counts a cluster.
type measure struct{ worker }

// ProcessElement takes the documents that are removed for a kept one.
func (w *measure) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, cluster func([]byte, []byte), stat func(string, int64)) error {
	var equal, alike, judged int64
	err := w.t.decodeAll(next, func(d *decoder) {
		switch reason, score, _, rows := d.members(); {
		case reason == isEqual:
			equal += int64(len(rows))
		case w.t.only(score):
			judged += int64(len(rows))
		default:
			alike += int64(len(rows))
		}
	})
	stat("clusters", 1)
	stat("equal", equal)
	stat("alike", alike)
	stat("judged", judged)
	leader := w.t.decode(key).rank()
	if w.t.first(leader) {
		stat("first", 1)
	}
	cluster(pieceOf(leader), encoder{}.rank(leader).uint(int(1+equal+alike+judged)))
	return err
}

// only reports whether judgements alone have removed a document that has the score with
// the one kept.
func (t *tools) only(score float64) bool { return t.judged != nil && score < t.Threshold }

// first reports whether the first document of a cluster goes too.
func (t *tools) first(leader dedup.Rank) bool {
	return t.keep.None() && !t.old(leader.Ref().Source)
}

// number numbers the clusters whose kept documents stand in one piece.
type number struct{ worker }

// ProcessElement takes the clusters of a piece.
func (w *number) ProcessElement(_ context.Context, key []byte, next func(*[]byte) bool, numbered func([]byte, []byte), counts, largest func([]byte)) error {
	type cluster struct {
		rank dedup.Rank
		size int
	}
	var all []cluster
	if err := w.t.decodeAll(next, func(d *decoder) { all = append(all, cluster{d.rank(), d.uint()}) }); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b cluster) int { return cmp.Compare(rowOf(a.rank), rowOf(b.rank)) })
	best := all[0]
	for i, c := range all {
		numbered(encoder{}.rank(c.rank), encoder{}.uint(i))
		if c.size > best.size {
			best = c
		}
	}
	counts(encoder(slices.Clone(key)).uint(len(all)))
	largest(encoder(slices.Clone(key)).uint(rowOf(best.rank)).uint(best.size))
	return nil
}

// tellMembers tells the documents of a cluster its number in the piece of the kept
// one. It tells the kept document the pieces where others are removed for it.
type tellMembers struct{ worker }

func (w *tellMembers) ProcessElement(_ context.Context, key []byte, numbers, members func(*[]byte) bool, emit, listen func([]byte, []byte)) error {
	b, err := one(numbers, "number of a cluster")
	if err != nil {
		return err
	}
	d := decoder{b: b}
	index := d.uint()
	leader := w.t.decode(key).rank()
	tell := func(piece []byte, row int, reason byte, score float64) {
		e := encoder{}.uint(row).uint(int(reason))
		if reason == isAlike {
			e = e.float(score)
		}
		emit(piece, e.bytes(pieceOf(leader)).uint(rowOf(leader)).uint(index))
	}
	if w.t.first(leader) {
		tell(pieceOf(leader), rowOf(leader), isFirst, 1)
	} else {
		tell(pieceOf(leader), rowOf(leader), isKept, 1)
	}
	pieces := map[string]bool{}
	err = w.t.decodeAll(members, func(d *decoder) {
		reason, score, piece, rows := d.members()
		pieces[string(piece)] = true
		for _, row := range rows {
			tell(piece, row, reason, score)
		}
	})
	var to encoder
	for _, piece := range slices.Sorted(maps.Keys(pieces)) {
		to = to.bytes([]byte(piece))
	}
	listen(encoder(pieceOf(leader)).uint(rowOf(leader)), to)
	return err
}

// chainTexts is the maximum number of kept texts linked by chains that memory holds,
// at some 100 bytes each.
const chainTexts = 1 << 22

// chaining says what plain closure would have done. Links between clusters go to one
// worker, and its memory holds the linked ones only. Beyond Limit it ignores all
// links: the figures then cover the clusters only, and are marked as partial.
type chaining struct {
	worker
	Limit int
}

// ProcessElement takes the pairs of kept texts that are linked, and the number of
// documents of each cluster.
func (w *chaining) ProcessElement(_ context.Context, _ []byte, links, weights func(*[]byte) bool, stat func(string, int64)) error {
	parent := map[dedup.Rank]dedup.Rank{}
	find := func(r dedup.Rank) dedup.Rank {
		if _, ok := parent[r]; !ok {
			parent[r] = r
		}
		for parent[r] != r {
			parent[r] = parent[parent[r]]
			r = parent[r]
		}
		return r
	}
	partial := false
	err := w.t.decodeAll(links, func(d *decoder) {
		a, b := d.rank(), d.rank()
		if partial {
			return
		}
		x, y := find(a), find(b)
		if parent[max(x, y)] = min(x, y); len(parent) > w.Limit {
			clear(parent)
			stat("chaining partial", 1)
			partial = true
		}
	})
	if err != nil {
		return err
	}
	sizes := map[dedup.Rank]int64{}
	var components, documents, largest, apart int64
	err = w.t.decodeAll(weights, func(d *decoder) {
		leader, n := d.rank(), int64(d.uint())
		documents += n
		if _, linked := parent[leader]; !linked {
			components++
			largest = max(largest, n)
			return
		}
		root := find(leader)
		sizes[root] += n
		if root != leader {
			apart += n
		}
	})
	for _, n := range sizes {
		components++
		largest = max(largest, n)
	}
	stat("components", components)
	stat("component documents", documents)
	stat("largest component", largest)
	stat("apart", apart)
	return err
}
