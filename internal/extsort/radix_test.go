package extsort

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortRecords(t *testing.T) {
	const seed = 2
	rng := rand.New(rand.NewPCG(seed, seed))
	for name, draw := range map[string]func(i int) Record{
		"random":         func(int) Record { return Record{rng.Uint64(), rng.Uint64()} },
		"equal":          func(int) Record { return Record{7, 7} },
		"equal firsts":   func(int) Record { return Record{7, rng.Uint64()} },
		"few firsts":     func(int) Record { return Record{rng.Uint64N(9) << 40, rng.Uint64N(9)} },
		"one byte":       func(int) Record { return Record{rng.Uint64N(256) << 56, 0} },
		"ascending":      func(i int) Record { return Record{uint64(i), 0} },
		"descending":     func(i int) Record { return Record{uint64(-i), uint64(-i)} },
		"odd and high":   func(i int) Record { return Record{rng.Uint64N(1<<16)<<48 | uint64(i), rng.Uint64()} },
		"greatest least": func(int) Record { return Record{-(rng.Uint64N(2)), rng.Uint64N(2)} },
	} {
		for _, n := range []int{0, 1, fewRecords, fewRecords + 1, 20_000} {
			records := make([]Record, n)
			for i := range records {
				records[i] = draw(i)
			}
			want := slices.Clone(records)
			slices.SortFunc(want, Record.Compare)
			got, spare := sortRecords(records, make([]Record, n))
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %d %s records are not sorted", seed, n, name)
			}
			if len(spare) != n || n > 0 && &spare[0] == &got[0] {
				t.Fatalf("%d %s records: the spare memory is that of the sorted", n, name)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	records := make([]Record, 1<<20)
	for i := range records {
		records[i] = Record{rng.Uint64N(1<<16)<<48 | rng.Uint64N(4)<<24 | uint64(i), rng.Uint64()}
	}
	for name, sort := range map[string]func(records, spare []Record){
		"radix":   func(records, spare []Record) { sortRecords(records, spare) },
		"compare": func(records, _ []Record) { slices.SortFunc(records, Record.Compare) },
	} {
		b.Run("by="+name, func(b *testing.B) {
			run, spare := make([]Record, len(records)), make([]Record, len(records))
			for b.Loop() {
				copy(run, records)
				sort(run, spare)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(records)), "ns/record")
		})
	}
}
