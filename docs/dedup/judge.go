package main

import (
	"github.com/alike-go/alike/datasets"
	"github.com/alike-go/alike/eval"
)

// verdict is a clustering held against the truth.
type verdict struct {
	Docs      int `json:"docs"`
	Removable int `json:"removable"` // documents behind the first of their true cluster
	Right     int `json:"right"`     // removed for one of their true cluster
	Wrong     int `json:"wrong"`     // removed for one of another
	Excused   int `json:"excused"`   // removed for one of another that the truth leaves open

	ARI    float64 `json:"ari"`
	BCubed float64 `json:"bcubed"`
}

func (v *verdict) precision() float64 {
	if v.Right+v.Wrong == 0 {
		return 1
	}
	return float64(v.Right) / float64(v.Right+v.Wrong)
}

func (v *verdict) recall() float64 { return float64(v.Right) / float64(v.Removable) }

func (v *verdict) f1() float64 {
	return 2 * float64(v.Right) / float64(v.Removable+v.Right+v.Wrong)
}

// judge holds clusters, by document, against the truth of a set. Of a cluster the first
// document is kept.
func judge(set *datasets.Set, found []int) verdict {
	open := make(map[[2]int]bool)
	for _, q := range set.Ignore {
		open[[2]int{q.A, q.B}], open[[2]int{q.B, q.A}] = true, true
	}
	v := verdict{Docs: len(set.Docs), ARI: eval.ARI(set.Clusters, found)}
	_, _, v.BCubed = eval.BCubed(set.Clusters, found)
	kept, first := make(map[int]int), make(map[int]int)
	for i := range set.Docs {
		if _, ok := first[set.Clusters[i]]; ok {
			v.Removable++
		} else {
			first[set.Clusters[i]] = i
		}
		k, ok := kept[found[i]]
		switch {
		case !ok:
			kept[found[i]] = i
		case set.Clusters[i] == set.Clusters[k]:
			v.Right++
		case open[[2]int{i, k}] || set.Docs[i].Text == set.Docs[k].Text:
			v.Excused++ // no method tells equal texts apart
		default:
			v.Wrong++
		}
	}
	return v
}
