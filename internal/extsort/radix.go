package extsort

import (
	"cmp"
	"slices"
)

// fewRecords is up to how many are sorted by comparing them.
const fewRecords = 1 << 10

// sortRecords sorts records, with the help of scratch that is as long, and returns them and the
// memory that is now scratch: which is which changes.
//
// It distributes by the bytes of the first number, the least significant first, and passes over
// those that are the same in all records. Only records that agree in the first number
// are compared, by the second.
func sortRecords(records, scratch []Record) (sorted, rest []Record) {
	if len(records) <= fewRecords {
		slices.SortFunc(records, Record.Compare)
		return records, scratch
	}
	var counts [8][256]int
	for _, r := range records {
		for b := range counts {
			counts[b][byte(r[0]>>(8*b))]++
		}
	}
	for b := range counts {
		at := &counts[b]
		if at[byte(records[0][0]>>(8*b))] == len(records) {
			continue
		}
		sum := 0
		for v, n := range at {
			at[v], sum = sum, sum+n
		}
		for _, r := range records {
			v := byte(r[0] >> (8 * b))
			scratch[at[v]] = r
			at[v]++
		}
		records, scratch = scratch, records
	}
	for from := 0; from < len(records); {
		to := from + 1
		for to < len(records) && records[to][0] == records[from][0] {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(records[from:to], func(a, b Record) int { return cmp.Compare(a[1], b[1]) })
		}
		from = to
	}
	return records, scratch
}
