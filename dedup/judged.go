package dedup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// Judgement is what a person says of two documents, by their ids.
type Judgement struct {
	A, B string
	Same bool
}

// Judged are judgements without a contradiction. Documents that are the same, directly
// or by others between them, are a group. So is each document that is only different
// from others.
type Judged struct {
	group map[string]int32
	apart map[[2]int32]bool // groups, the smaller number first
	same  int
	sum   uint64
	all   []Judgement
}

// NewJudged returns judgements. If some contradict each other, the error names up to ten
// contradictions, each with the documents between.
func NewJudged(all []Judgement) (*Judged, error) {
	j := &Judged{group: map[string]int32{}, apart: map[[2]int32]bool{}, all: all}
	same := map[string][]string{}
	var ids []string
	for _, x := range all {
		for _, id := range []string{x.A, x.B} {
			if _, ok := same[id]; !ok {
				same[id], ids = nil, append(ids, id)
			}
		}
		if x.Same {
			same[x.A], same[x.B] = append(same[x.A], x.B), append(same[x.B], x.A)
			j.same++
		}
		j.sum += xxh3.HashString(fmt.Sprintf("%q %q %t", min(x.A, x.B), max(x.A, x.B), x.Same))
	}
	before := map[string]string{} // on the way from the first document of the group
	for n, first := range ids {
		if _, ok := j.group[first]; ok {
			continue
		}
		j.group[first] = int32(n)
		for queue := []string{first}; len(queue) > 0; queue = queue[1:] {
			for _, id := range same[queue[0]] {
				if _, ok := j.group[id]; !ok {
					j.group[id], before[id] = int32(n), queue[0]
					queue = append(queue, id)
				}
			}
		}
	}
	var wrong []string
	for _, x := range all {
		a, b := j.group[x.A], j.group[x.B]
		switch {
		case x.Same:
		case a == b:
			wrong = append(wrong, fmt.Sprintf("%s and %s are marked as different, but as the same%s", x.A, x.B, between(x.A, x.B, before)))
		default:
			j.apart[[2]int32{min(a, b), max(a, b)}] = true
		}
	}
	if len(wrong) > 0 {
		more := ""
		if n := len(wrong) - 10; n > 0 {
			more = fmt.Sprintf(" (and %d more)", n)
		}
		return nil, fmt.Errorf("dedup: judgements contradict each other: %s%s", strings.Join(wrong[:min(10, len(wrong))], "; "), more)
	}
	return j, nil
}

// between names the documents on the way from a to b.
func between(a, b string, before map[string]string) string {
	way := func(id string) (up []string) {
		for ok := true; ok; id, ok = before[id] {
			up = append(up, id)
		}
		return up
	}
	x, y := way(a), way(b)
	for len(x) > 1 && len(y) > 1 && x[len(x)-2] == y[len(y)-2] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	slices.Reverse(y)
	path := append(x, y[1:]...)
	if len(path) < 3 {
		return " too"
	}
	return " by way of " + strings.Join(path[1:len(path)-1], ", ")
}

// String counts the judgements, for reports. Different ones differ in the last number.
func (j *Judged) String() string {
	return fmt.Sprintf("pairs the same: %d, different groups: %d, sum %016x", j.same, len(j.apart), j.sum)
}

// All returns the judgements. NewJudged makes an equal Judged from them.
func (j *Judged) All() []Judgement { return j.all }

// Unit returns the unit of a document (see Limits.Unit) of a group. A document that was
// judged is of no unit with others, unless they are of its group.
func (j *Judged) Unit(unit Hash, group int32, old bool) Hash {
	if group < 0 {
		return unit
	}
	return xxh3.Hash128(fmt.Appendf(unit[:], " %d %t", group, old)).Bytes()
}

// Group returns the group of a document, or -1.
func (j *Judged) Group(id string) int32 {
	if g, ok := j.group[id]; ok {
		return g
	}
	return -1
}

// Apart reports whether a document of one group is different from one of the other.
func (j *Judged) Apart(a, b int32) bool { return j.apart[[2]int32{min(a, b), max(a, b)}] }

// Groups are judgements on the nodes of a Graph.
type Groups struct {
	// Of is the group of each node, or -1.
	Of []int32

	// Apart reports whether two groups must not be in one cluster.
	Apart func(a, b int32) bool
}

// judgements is what Cluster knows of Groups.
type judgements struct {
	*Groups
	members map[int32][]uint32
	cluster []int32 // groups in the cluster of the leader at hand
}

func newJudgements(g *Groups) *judgements {
	if g == nil {
		return nil
	}
	j := &judgements{Groups: g, members: map[int32][]uint32{}}
	for node, group := range g.Of {
		if group >= 0 {
			j.members[group] = append(j.members[group], uint32(node))
		}
	}
	return j
}

// begin begins the cluster of a leader.
func (j *judgements) begin(leader uint32) {
	if j != nil {
		j.cluster = j.cluster[:0]
		if g := j.Of[leader]; g >= 0 {
			j.cluster = append(j.cluster, g)
		}
	}
}

// fits reports whether a node may come into the cluster.
func (j *judgements) fits(node uint32) bool {
	if j == nil || j.Of[node] < 0 {
		return true
	}
	return !slices.ContainsFunc(j.cluster, func(g int32) bool { return j.Apart(g, j.Of[node]) })
}

// with returns all nodes of a node's group, which come into the cluster with it.
func (j *judgements) with(node uint32) []uint32 {
	if j == nil || j.Of[node] < 0 {
		return nil
	}
	if g := j.Of[node]; !slices.Contains(j.cluster, g) {
		j.cluster = append(j.cluster, g)
	}
	return j.members[j.Of[node]]
}
