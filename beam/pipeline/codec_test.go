package pipeline

import (
	"bytes"
	"slices"
	"testing"

	"github.com/alike-go/alike/dedup"
)

// What was encoded is decoded, and what was not is refused or taken for something, without a panic.
func FuzzElements(f *testing.F) {
	rank := func(row int) dedup.Rank {
		r, err := dedup.Policy{}.Rank(&dedup.Doc{Ref: dedup.Ref{Source: 3, Row: 5<<rowBits | row}}, false)
		if err != nil {
			f.Fatal(err)
		}
		return r
	}
	f.Add([]byte{}, 1, 2, 3)
	f.Add([]byte(encoder{}.rank(rank(7)).float(.5).rows([]int{3, 1})), 0, 0, 1<<26-1)
	f.Add([]byte(encoder{isAlike}.float(.5).uint(9).rows([]int{3, 1})), 5, 4, 3)
	f.Add([]byte(encoder{}.removal(removal{reason: isAlike, leader: "leader", found: found{1, 2, 3, "id"}})), 5, 4, 3)
	f.Fuzz(func(t *testing.T, b []byte, x, y, z int) {
		list := []int{}
		for _, v := range []int{x, y, z} {
			list = append(list, v&(1<<rowBits-1))
		}
		d := decoder{b: encoder{}.rows(slices.Clone(list))}
		slices.Sort(list)
		if got := d.rows(); d.err() != nil || len(d.b) > 0 || !slices.Equal(got, list) {
			t.Errorf("rows %v, want %v, %d bytes left, %v", got, list, len(d.b), d.err())
		}
		var to block
		for _, row := range list {
			to.rank(rank(row))
			to.encoder = to.bytes(b)
		}
		d = decoder{b: to.encoder}
		var rows []int
		d.block(func(r dedup.Rank) {
			rows = append(rows, rowOf(r))
			if said := d.bytes(); r != rank(rowOf(r)) || !bytes.Equal(said, b) {
				t.Errorf("rank %x says %x", r, said)
			}
		})
		if err := d.err(); err != nil || !slices.Equal(rows, list) {
			t.Errorf("block of %v, want %v, %v", rows, list, err)
		}
		for _, take := range []func(*decoder){
			func(d *decoder) { d.rows() },
			func(d *decoder) { d.members() },
			func(d *decoder) { d.removal() },
			func(d *decoder) { d.node(rank(1)) },
			func(d *decoder) { d.block(func(dedup.Rank) { d.take(hashBytes); d.rows() }) },
			func(d *decoder) { pieceOfJSON(d.string()) },
		} {
			d := decoder{b: b}
			take(&d)
			if d.err() != nil && len(d.b) > 0 {
				t.Errorf("%d bytes left of what is damaged", len(d.b))
			}
		}
	})
}
